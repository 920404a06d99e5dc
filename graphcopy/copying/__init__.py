"""From an object to its copy: the hot loop, and the ways into it."""
