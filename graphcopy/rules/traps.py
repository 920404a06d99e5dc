"""Opt-in rules for known traps: tables keyed by identity, state kept by descriptors, hooks that lose state."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from ..anatomy.parts import Parts
from ..graph.accessors import item
from .attributewise import attributewise
from .rule import Rule
from .ruleset import RuleSet

__all__ = ["by_attributes", "rekey_ids", "weak_key_state"]


def by_attributes(*types: Any) -> Rule:
    """A rule: copy objects of *types* by ``__dict__`` and slots, asking none of their hooks.

    For a class whose own ``__getstate__``, ``__reduce__`` or ``__deepcopy__`` loses state.

    Raises TypeError or ValueError for what is neither a class nor the dotted name of one.

    >>> import graphcopy
    >>> class Forgetful:
    ...     def __init__(self): self.kept, self.lost = 1, [2]
    ...     def __getstate__(self): return {"kept": self.kept}
    >>> graphcopy.copy(Forgetful(), rules=[graphcopy.by_attributes(Forgetful)]).lost
    [2]
    """
    names = ", ".join(getattr(each, "__name__", str(each)) for each in types)
    return Rule(
        types,
        _attributewise,
        name=f"by_attributes({names})",
        description="copied by __dict__ and slots, past its hooks",
    )


def _attributewise(node: Any) -> Any:
    return attributewise(node.obj)


class RekeyDict:
    """Fills a dict keyed by ids: the ids of the copies, the copied values."""

    __slots__ = ("old", "values")

    def __init__(self, old: Sequence[int]) -> None:
        self.old = list(old)
        self.values: list[Any] = []

    def fill(self, new: Any, items: Sequence[Any], pairs: object) -> None:
        """Take the copied values."""
        self.values = list(items)

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for key, target, value in zip(self.old, targets, self.values):
            new[_new_key(key, target)] = value


class RekeySet:
    """Fills a set of ids with the ids of the copies."""

    __slots__ = ("old",)

    def __init__(self, old: Sequence[int]) -> None:
        self.old = list(old)

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        new.update(_new_key(key, target) for key, target in zip(self.old, targets))


class Original:
    """Stands for an id to which no object of the graph belongs."""

    __slots__ = ()


_NOBODY = Original()


def _new_key(key: int, target: Any) -> int:
    return key if target is _NOBODY else id(target)


class Find:
    """Finds, among all originals of a copy, those whose ids are the keys."""

    __slots__ = ("keys",)

    def __init__(self, keys: Sequence[int]) -> None:
        self.keys = list(keys)

    def __call__(self, originals: Any) -> list[Any]:
        wanted = dict.fromkeys(self.keys, _NOBODY)
        for obj in originals:
            if id(obj) in wanted:
                wanted[id(obj)] = obj
        return [wanted[key] for key in self.keys]


def _keyed_by_ids(node: Any) -> Any:
    obj = node.obj
    keys = list(obj)
    if not keys or not all(type(key) is int and key > 0xFFFF for key in keys):
        return NotImplemented
    if isinstance(obj, dict):
        fill = RekeyDict(keys)
        steps = list(map(item, keys))
        return Parts(
            type(obj), items=list(obj.values()), where=steps, fill=fill.fill, weak=Find(keys), bind=fill,
            lost="keys that are ids of copied objects are the ids of the copies",
        )  # fmt: skip
    return Parts(type(obj), weak=Find(keys), bind=RekeySet(keys), lost="ids of copied objects are those of the copies")


_rekey = Rule(
    (dict, set), _keyed_by_ids, name="rekey_ids", exact=True,
    description="A dict or set keyed by id() of objects in the graph gets the ids of their copies.",
)  # fmt: skip
rekey_ids = RuleSet("rekey_ids", [_rekey], description="tables keyed by id() of an object in the graph")


def _weak_tables(cls: type) -> list[Any]:
    """The WeakKeyDictionaries in which descriptors of *cls* keep the state of its instances."""
    found: list[Any] = []
    for base in cls.__mro__:
        for descriptor in vars(base).values():
            if not hasattr(type(descriptor), "__get__"):
                continue
            for value in list(getattr(descriptor, "__dict__", {}).values()):
                if isinstance(value, weakref.WeakKeyDictionary) and not any(value is each for each in found):
                    found.append(value)
    return found


class CarryState:
    """Enters the copied values in the descriptors' tables, under the new instance."""

    __slots__ = ("tables",)

    def __init__(self, tables: Sequence[Any]) -> None:
        self.tables = list(tables)

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        from ..anatomy.instances import layout_of

        layout = layout_of(type(new))
        if layout is not None:
            layout.put(new, {k: v for k, v in state.items() if not (type(k) is tuple and k[0] is CarryState)})
        for place, table in enumerate(self.tables):
            if (CarryState, place) in state:
                table[new] = state[CarryState, place]


def _with_descriptor_state(node: Any) -> Any:
    tables = [table for table in _weak_tables(node.type) if node.obj in table]
    if not tables:
        return NotImplemented
    parts = attributewise(node.obj)
    if parts is NotImplemented:
        return NotImplemented
    for place, table in enumerate(tables):
        parts.attrs[CarryState, place] = table[node.obj]
    parts.setter, parts.where = CarryState(tables), None
    parts.lost = "state that descriptors keep outside the object is carried over"
    return parts


_carry = Rule(
    (object,), _with_descriptor_state, name="weak_key_state",
    description="What a descriptor keeps for an object in a WeakKeyDictionary is copied and kept for the copy.",
)  # fmt: skip
weak_key_state = RuleSet(
    "weak_key_state", [_carry], description="descriptors that keep the state of instances outside of them"
)
