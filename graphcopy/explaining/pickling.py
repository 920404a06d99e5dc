"""What ``pickle`` does with an object (protocol 5)."""

from __future__ import annotations

import pickle
import sys
import types
from typing import Any

from ..anatomy.parts import SHARED, ByName, Outcome, Parts, Refused
from ..anatomy.registry import Anatomy
from ..graph.accessors import Accessor, attribute
from ..resolving import without_rules
from .backend import Backend
from .keras_archive import by_archive
from .protocol import PROXIES, by_protocol, through_proxy

__all__ = ["Pickle", "function_parts", "named"]

_ATOMS = frozenset([type(None), type(Ellipsis), type(NotImplemented), int, float, bool, complex, bytes, str, bytearray])
_CONTAINERS = (list, tuple, dict, set, frozenset)


class Pickle(Backend):
    """The backend "pickle"."""

    name = "pickle"
    protocol = 5

    def is_atom(self, cls: type) -> bool:
        """Values that the stream holds as they are."""
        return cls in _ATOMS

    def static(self, cls: type) -> Anatomy | None:
        """Builtin containers."""
        return without_rules(cls) if cls in _CONTAINERS else None

    def open(self, obj: Any, context: Any) -> Outcome:
        """Classes and functions by name, the rest by the reduce protocol."""
        if isinstance(obj, type):
            return self.global_name(obj) or SHARED
        if type(obj) is types.FunctionType:
            refused = self.global_name(obj)
            if refused is not None:
                refused.within = function_parts(obj, context)
            return refused or SHARED
        if isinstance(obj, property):
            return Refused("cannot pickle 'property' object")
        if type(obj) in PROXIES:
            return through_proxy(obj)
        outcome = by_archive(obj) or by_protocol(self, obj, context, self.protocol)
        if isinstance(outcome, ByName):  # written as a name, by pickle's own look-up
            return SHARED if named(obj, outcome.name) is not None else Pickle.global_name(self, obj) or SHARED
        if isinstance(outcome, Parts):
            func: Any = outcome.func
            is_new = getattr(func, "__name__", "") == "__new__" and bool(outcome.args)
            target = outcome.args[0] if is_new else func
            if isinstance(target, (type, types.FunctionType)) and self.global_name(target) is not None:
                # The class cannot be named there: it stands among the pieces, with the object's own __class__ as way.
                outcome = _with_maker(obj, outcome, target)
        return outcome

    def names(self, cls: type) -> bool:
        """Pickle writes the name of the class."""
        return self.global_name(cls) is None

    def global_name(self, obj: Any) -> Refused | None:
        """A culprit where *obj* is not found under its name."""
        module = named(obj)
        if module is not None:
            return None
        name = getattr(obj, "__qualname__", getattr(obj, "__name__", "?"))
        where = getattr(obj, "__module__", None)
        if "<locals>" in name:
            return Refused(f"Can't pickle local object '{name}'")
        if where == "__main__":
            return Refused(f"Can't pickle {obj!r}: attribute lookup {name} on __main__ failed")
        return Refused(f"Can't pickle {obj!r}: it's not found as {where}.{name}")


def named(obj: Any, name: str | None = None) -> str | None:
    """The module in which *obj* is found again under *name* or its qualified name; None when there is none."""
    module_name = getattr(obj, "__module__", None)
    if name is not None and module_name is None:
        module_name = pickle.whichmodule(obj, name)  # type: ignore[attr-defined]
    name = name or getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    module: Any = sys.modules.get(module_name) if isinstance(module_name, str) else None
    if module is None or not isinstance(name, str):
        return "builtins" if isinstance(obj, type) and obj.__module__ == "builtins" else None
    found = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except Exception:
            return None
    return module_name if found is obj else None


def function_parts(obj: types.FunctionType, context: Any) -> Parts | None:
    """What a function holds: the contents of its closure, defaults, attributes."""
    if hasattr(obj, "registry") and hasattr(obj, "dispatch"):
        return _implementations(obj)
    known = without_rules(types.FunctionType)
    outcome = known.open(obj, context) if known is not None else None
    if not isinstance(outcome, Parts):
        return None
    items: list[Any] = []
    where: list[Accessor] = []
    for child, accessor in zip(outcome.children(), outcome.accessors(obj)):
        if type(child) is types.CellType:
            try:
                content = child.cell_contents
            except ValueError:
                continue
            items.append(content)
            where.append(accessor._replace(after=accessor.after + ".cell_contents"))
        else:
            items.append(child)
            where.append(accessor)
    return Parts(types.FunctionType, items=items, where=where)


def _implementations(obj: Any) -> Parts:
    """Of a ``functools.singledispatch`` function what was registered, and nothing of how it dispatches."""
    found = list(obj.registry.values())
    where = [
        Accessor("value", f"registered {name.__name__}", "list(", f".registry.values())[{place}]", place)
        for place, name in enumerate(obj.registry)
    ]
    return Parts(types.FunctionType, items=found, where=where)


def _with_maker(obj: Any, parts: Parts, target: Any) -> Parts:
    if any(child is target for child in parts.args):
        return parts
    if target is not type(obj):
        return parts
    where = [*parts.accessors(obj)]
    return Parts(
        parts.func, (*parts.args, target), state=parts.state, attrs=parts.attrs, items=parts.items, pairs=parts.pairs,
        where=[*where[: len(parts.args)], attribute("__class__"), *where[len(parts.args) :]],
    )  # fmt: skip
