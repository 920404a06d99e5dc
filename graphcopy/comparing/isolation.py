"""Isolation: no mutable object, and no memory, is reachable from the original and from the copy."""

from __future__ import annotations

import types
import weakref
from typing import Any

from ..anatomy.parts import NOTHING, Parts, Shared
from ..anatomy.reducing import own_hook
from ..anatomy.registry import dotted
from .memory import Range, overlaps, ranges_of
from .sides import Side

__all__ = ["is_mutable", "shared_objects"]

_IMMUTABLE: frozenset[Any] = frozenset(
    [
        tuple, frozenset, slice, property, staticmethod, classmethod, types.MethodType, types.BuiltinFunctionType,
        types.MethodWrapperType, types.MappingProxyType, weakref.ref, type({}.keys()), type({}.values()),
        type({}.items()),
    ]
)  # fmt: skip
_IMMUTABLE_BY_NAME = frozenset(["numpy.dtype", "numpy.generic", "torch.dtype", "torch.device", "torch.Size"])
_VALUES = (tuple, frozenset, int, float, complex, str, bytes)


def is_mutable(obj: Any) -> bool:
    """Tell whether *obj* itself can be changed; what it refers to is another question.

    >>> is_mutable([]), is_mutable(([],))
    (True, False)
    """
    cls = type(obj)
    if cls in _IMMUTABLE or any(dotted(base) in _IMMUTABLE_BY_NAME for base in cls.__mro__):
        return False
    if issubclass(cls, _VALUES):
        return cls.__dictoffset__ != 0 or any(
            isinstance(value, types.MemberDescriptorType) for base in cls.__mro__ for value in vars(base).values()
        )
    return True


def shared_objects(one: Side, other: Side, excused: set[int]) -> list[tuple[int, int, str]]:
    """List what is reachable from both roots: place in the original, place in the copy, and how.

    *excused* are places in the original that a receipt names as shared. They, what an anatomy or a
    rule shares, and what a class's own ``__deepcopy__`` hands out itself, are passed over, with all
    that is reachable through them alone.
    """
    common = {id(obj) for obj in one.graph.objs if id(obj) in other.index}
    borders = _borders(one, common, excused)
    mine, its = _reachable(one, borders), _reachable(other, borders)
    found = []
    for place in sorted(mine):
        key = id(one.graph.objs[place])
        if key in common and key not in borders and other.index[key] in its and is_mutable(one.graph.objs[place]):
            found.append((place, other.index[key], "the same object"))
    known = {place for place, _, _ in found}
    ones, others = _ranges(one, mine, common), _ranges(other, its, common)
    for place, its_place in overlaps(ones, others, one.graph.objs, other.graph.objs):
        if place not in known:
            found.append((place, its_place, "the same memory"))
    return found


def _borders(side: Side, common: set[int], excused: set[int]) -> set[int]:
    """The common objects that are shared on purpose, by id."""
    found = set()
    memo: dict[int, Any] = {}  # one for all questions, so that nothing is copied twice
    for key in common:
        place = side.index[key]
        outcome = side.graph.outcomes.get(place)
        if (
            place in excused
            or isinstance(outcome, Shared)
            or ((outcome is None or isinstance(outcome, Parts)) and _hands_itself_out(side, place, outcome, memo))
        ):
            found.add(key)
    return found


def _hands_itself_out(side: Side, place: int, outcome: Any, memo: dict[int, Any]) -> bool:
    """Tell whether the object's class says that its copy is the object itself."""
    obj = side.graph.objs[place]
    hook = own_hook(type(obj), "__deepcopy__")
    try:
        if hook is not None:
            return type(obj).__deepcopy__(obj, memo) is obj
        if isinstance(outcome, Parts) and outcome.source == "reduce" and not _width(outcome):
            return all(map(side.is_atom, outcome.args)) and outcome.func(*outcome.args) is obj
    except Exception:  # foreign code; then a copy would not get it either
        return False
    return False


def _width(parts: Parts) -> int:
    return len(parts.attrs or ()) + len(parts.items) + len(parts.pairs) + (parts.state is not NOTHING)


def _reachable(side: Side, borders: set[int]) -> set[int]:
    graph = side.graph
    if not borders:
        return set(range(len(graph)))
    seen = {0}
    pending = [0]
    while pending:
        place = pending.pop()
        if id(graph.objs[place]) in borders:
            continue
        for target in graph.successors(place):
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return seen


def _ranges(side: Side, places: set[int], common: set[int]) -> list[Range]:
    objs = side.graph.objs
    return [
        (start, end, place)
        for place in places
        if id(objs[place]) not in common
        for start, end in ranges_of(objs[place])
    ]
