"""Globals that copied functions have for themselves.

Module globals belong to the process, and stay shared. ``own_globals`` makes exceptions by name: functions that read
such a name are copied over a mapping in which it is a copy; all others are looked up in the module, whenever asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ..anatomy.functions import by_value, function_over
from ..anatomy.global_names import used_names
from ..anatomy.parts import Outcome, Parts
from ..anatomy.registry import anatomy
from ..graph.accessors import attribute, item
from .rule import Rule, caller

__all__ = ["OwnGlobals", "own_globals"]


class OwnGlobals(dict[str, Any]):
    """The globals of copied functions: it holds their own, and looks all others up in those of the module.

    Python asks a dict subclass for what is missing, also when a function reads a global.
    """

    def __init__(self, beneath: dict[str, Any]) -> None:
        super().__init__(__builtins__=beneath.get("__builtins__", __builtins__))
        self.beneath = beneath

    def __missing__(self, name: str) -> Any:
        return self.beneath[name]

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self.beneath

    def __iter__(self) -> Iterator[str]:
        yield from dict.__iter__(self)
        yield from (name for name in list(self.beneath) if not dict.__contains__(self, name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def keys(self) -> Any:
        """The names of both."""
        return dict.fromkeys(self).keys()

    def get(self, name: str, default: Any = None) -> Any:
        """Return the function's own value, or the module's."""
        return self[name] if name in self else default  # noqa: SIM401

    def values(self) -> Any:
        """The values of both."""
        return self.copy().values()

    def items(self) -> Any:
        """Names and values of both."""
        return self.copy().items()

    def copy(self) -> dict[str, Any]:
        """A plain dict of both."""
        return {name: self[name] for name in self}

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (dict, (self.copy(),))


class _Scope:
    """Stands in the graph for the globals that functions of one module will share in the copy."""

    __slots__ = ("beneath", "names")

    def __init__(self, beneath: dict[str, Any], names: tuple[str, ...]) -> None:
        self.beneath = beneath
        self.names = names


@anatomy(_Scope)
def scope(obj: _Scope, context: Any) -> Outcome:
    """A scope becomes the mapping; what it owns is copied into it."""
    own = {name: obj.beneath[name] for name in obj.names if name in obj.beneath}
    return Parts(_MakeScope(obj.beneath), attrs=own, setter=_own, where=tuple(map(item, own)))


class _MakeScope:
    __slots__ = ("beneath",)

    def __init__(self, beneath: dict[str, Any]) -> None:
        self.beneath = beneath

    def __call__(self) -> OwnGlobals:
        return OwnGlobals(self.beneath)


def _own(new: OwnGlobals, state: dict[str, Any]) -> None:
    new.update(state)


class _MakeOwner:
    """Makes a function like *original* over another closure and other globals."""

    __slots__ = ("original",)

    def __init__(self, original: FunctionType) -> None:
        self.original = original

    def __call__(self, scope: dict[str, Any], *closure: Any) -> FunctionType:
        return function_over(self.original, closure, scope)


class _Owning:
    """What the rule decides for a function."""

    __slots__ = ("_scopes", "names")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._scopes: dict[int, _Scope] = {}  # functions of one module refer to one scope

    def __call__(self, node: Any) -> Any:
        obj = node.obj
        owned = self._of_module(obj.__globals__)
        if node.travels or not any(name in owned for name in used_names(obj.__code__)):
            return NotImplemented
        scope = self._scopes.get(id(obj.__globals__))
        if scope is None or scope.beneath is not obj.__globals__:
            scope = self._scopes[id(obj.__globals__)] = _Scope(obj.__globals__, owned)
        plain = by_value(obj)
        return Parts(
            _MakeOwner(obj), (scope, *plain.args), attrs=plain.attrs, setter=plain.setter,
            where=lambda obj, parts: [attribute("__globals__"), *plain.accessors(obj)],
            lost="it has globals of its own: " + ", ".join(name for name in owned if name in obj.__globals__),
        )  # fmt: skip

    def _of_module(self, beneath: dict[str, Any]) -> tuple[str, ...]:
        """The names that are meant in one module and stand there."""
        found = []
        for name in self.names:
            module, _, last = name.rpartition(".")
            if last in beneath and module in ("", beneath.get("__name__")):
                found.append(last)
        return tuple(found)

    def key(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        return ("own_globals", self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_Owning, (self.names,))


def own_globals(*names: str) -> Rule:
    """A rule: copied functions that read these globals have copies of them, which they share among themselves.

    A name is that of a global, in whichever module the function was defined, or ``module.name``. Functions that read
    one are copied even where they could be imported again; what *they* call by a global name is the module's own,
    unless it is named as well. Within a process only: what travels has globals of its own anyway.

    Raises TypeError or ValueError for what is no name.

    >>> import graphcopy
    >>> scope = {}
    >>> exec("w = [1]\\ndef grow(x):\\n    w.append(x)\\n    return w", scope)
    >>> copied = graphcopy.copy({"grow": scope["grow"]}, rules=[graphcopy.own_globals("w")])
    >>> copied["grow"](2), scope["w"]
    ([1, 2], [1])
    """
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"own_globals({name!r}): give the name of a global")
        if not name or not all(piece.isidentifier() for piece in name.split(".")):
            raise ValueError(f"own_globals({name!r}) can never match: it is no name of a global")
    if not names:
        raise ValueError("own_globals() names no global")
    return Rule(
        ("builtins.function",), _Owning(names), name=f"own_globals({', '.join(map(repr, names))})",
        description="functions that read these globals have copies of them", place=caller(),
    )  # fmt: skip
