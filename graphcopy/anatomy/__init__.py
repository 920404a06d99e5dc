"""How things come apart and are put together again: one file for each kind of thing.

Importing this package registers all anatomies of plain Python.
"""

from . import (
    arrays,
    buffers,
    caches,
    compressors,
    containers,
    csvs,
    ctypes,
    dataframes,
    exceptions,
    functions,
    mapped,
    sort_keys,
    states,
    weak,
    weak_collections,
)

__all__ = [
    "arrays",
    "buffers",
    "caches",
    "compressors",
    "containers",
    "csvs",
    "ctypes",
    "dataframes",
    "exceptions",
    "functions",
    "mapped",
    "sort_keys",
    "states",
    "weak",
    "weak_collections",
]
