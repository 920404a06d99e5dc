"""What a stream would do, found out without doing it; and loading only what is trusted."""
