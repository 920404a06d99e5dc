"""Comparing an original with its copy: are they the same, and do they share anything."""
