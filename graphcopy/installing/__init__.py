"""Rules for code that one cannot change: while they are installed, the standard library and others obey them."""
