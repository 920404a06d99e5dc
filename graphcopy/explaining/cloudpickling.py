"""What ``cloudpickle`` does with an object: pickle, with functions and classes by value where they have no name."""

from __future__ import annotations

import types
from typing import Any

from ..anatomy.parts import SHARED, Outcome, Parts
from ..anatomy.reducing import parts_of_reduced
from ..graph.accessors import Accessor, attribute
from .backend import in_its_words
from .globals import globals_read
from .pickling import Pickle, function_parts, named

__all__ = ["CloudPickle"]


class CloudPickle(Pickle):
    """The backend "cloudpickle"."""

    name = "cloudpickle"

    def __init__(self) -> None:
        super().__init__()
        self._reductors = _dispatch_table()

    def open(self, obj: Any, context: Any) -> Outcome:
        """Functions and classes without a name by value; then cloudpickle's own table; then pickle."""
        cls = type(obj)
        if cls is types.FunctionType:
            return SHARED if _by_reference(obj) else _function(obj, context)
        if isinstance(obj, type):
            return SHARED if _by_reference(obj) else _class(obj)
        if cls is types.MethodType:
            where = [attribute("__func__"), attribute("__self__")]
            return Parts(types.MethodType, (obj.__func__, obj.__self__), where=where)
        reductor = self._reductors.get(cls)
        if reductor is not None:
            try:
                return parts_of_reduced(obj, reductor(obj))
            except Exception as error:
                return in_its_words(error)
        if cls is types.ModuleType:
            return SHARED
        return super().open(obj, context)

    def global_name(self, obj: Any) -> None:
        """What has no name travels by value."""
        return


def _dispatch_table() -> Any:
    try:
        import cloudpickle
    except ImportError:
        return {}
    own = dict(getattr(cloudpickle.CloudPickler, "_dispatch_table", {}))
    return {cls: reductor for cls, reductor in own.items() if cls not in (types.FunctionType, type)}


def _by_reference(obj: Any) -> bool:
    module = named(obj)
    return module is not None and module != "__main__"


def _function(obj: types.FunctionType, context: Any) -> Outcome:
    parts = function_parts(obj, context)
    read = globals_read(obj)
    items = list(parts.children()) if parts is not None else []
    where: list[Accessor] = list(parts.accessors(obj)) if parts is not None else []
    items += read.values()
    where += [Accessor("item", f"global {name}", "", f".__globals__[{name!r}]", name) for name in read]
    return Parts(types.FunctionType, items=items, where=where)


def _class(cls: type) -> Outcome:
    left_out = ("__dict__", "__weakref__", "__doc__", "__module__", "__qualname__")
    own = {name: value for name, value in vars(cls).items() if name not in left_out}
    where = [Accessor("item", f".__dict__[{name!r}]", "", f".__dict__[{name!r}]", name) for name in own]
    return Parts(type, items=[*cls.__bases__, *own.values()], where=[
        *(Accessor("item", f".__bases__[{place}]", "", f".__bases__[{place}]", place)
          for place in range(len(cls.__bases__))),
        *where,
    ])  # fmt: skip
