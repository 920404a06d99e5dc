"""Rules decide what happens to a node: copy, share, prune, replace, rebuild, refuse."""
