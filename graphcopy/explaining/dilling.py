"""What ``dill`` does with an object: its own save functions, asked by a pickler that records; then pickle."""

from __future__ import annotations

import types
from typing import Any

from ..anatomy.dilled import by_dill, has_save_function
from ..anatomy.parts import SHARED, ByName, Outcome
from .pickling import Pickle, function_parts, named

__all__ = ["Dill"]

_PICKLES_OWN = (list, tuple, dict, set, frozenset, str, bytes, int, float, bool, complex, type(None), bytearray)


class Dill(Pickle):
    """The backend "dill"."""

    name = "dill"

    def open(self, obj: Any, context: Any) -> Outcome:
        """Functions by value, classes by name or by value, the rest as dill's table says."""
        cls: Any = type(obj)
        if cls is types.FunctionType:
            module = named(obj)
            if module is not None and module != "__main__":
                return SHARED
            return function_parts(obj, context) or SHARED
        if isinstance(obj, (type, types.ModuleType)):
            return SHARED
        if cls not in _PICKLES_OWN and has_save_function(cls):
            outcome = by_dill(obj, context)
            return SHARED if isinstance(outcome, ByName) else outcome
        return super().open(obj, context)

    def global_name(self, obj: Any) -> None:
        """What has no name travels by value."""
        return
