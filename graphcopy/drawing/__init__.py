"""Drawings: text, Mermaid, DOT, SVG and PNG of a reference graph, with one meaning for each colour, shape and sign."""
