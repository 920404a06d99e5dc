"""The reference graph: nodes, references with their accessors, paths."""
