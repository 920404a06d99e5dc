"""How things come apart and are put together again: one file for each kind of thing.

Importing this package registers all anatomies of plain Python.
"""

from . import arrays, containers, functions, weak

__all__ = ["arrays", "containers", "functions", "weak"]
