"""How things come apart and are put together again: one file for each kind of thing.

Importing this package registers all anatomies of plain Python.
"""

from . import (
    arrays,
    buffers,
    caches,
    containers,
    ctypes,
    dataframes,
    exceptions,
    functions,
    states,
    weak,
    weak_collections,
)

__all__ = [
    "arrays",
    "buffers",
    "caches",
    "containers",
    "ctypes",
    "dataframes",
    "exceptions",
    "functions",
    "states",
    "weak",
    "weak_collections",
]
