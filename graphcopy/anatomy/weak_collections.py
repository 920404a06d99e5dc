"""WeakSet, WeakValueDictionary, WeakKeyDictionary, and their subclasses: what they hold weakly is followed.

The strong halves (the keys of a WeakValueDictionary, the values of a WeakKeyDictionary) are children
and are copied; so are attributes that a subclass or a user put on the collection.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from ..graph.accessors import Accessor, value_of
from .instances import Layout, put_state
from .parts import Outcome, Parts
from .registry import anatomy

__all__ = ["AddMembers", "FillKeys", "FillValues", "make_collection"]

_OWN = {
    base: frozenset(vars(base())) for base in (weakref.WeakSet, weakref.WeakKeyDictionary, weakref.WeakValueDictionary)
}
"""What each collection keeps for itself: it is made by its ``__init__``."""


def make_collection(cls: Any, base: Any) -> Any:
    """Make an empty collection of *cls* by the ``__init__`` of *base*."""
    new = cls.__new__(cls)
    base.__init__(new)
    return new


class _Filler:
    """Holds the copied strong halves until the weak ones can be aimed."""

    __slots__ = ("strong",)

    def __init__(self) -> None:
        self.strong: list[Any] = []

    def fill(self, new: Any, items: Sequence[Any], pairs: object) -> None:
        """Take the copied halves."""
        self.strong = list(items)


class FillValues(_Filler):
    """Puts the weak values under their copied keys."""

    __slots__ = ()

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for key, target in zip(self.strong, targets):
            weakref.WeakValueDictionary.__setitem__(new, key, target)


class FillKeys(_Filler):
    """Puts the copied values under the weak keys."""

    __slots__ = ()

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for value, target in zip(self.strong, targets):
            weakref.WeakKeyDictionary.__setitem__(new, target, value)


class AddMembers:
    """Adds the members of a weak set."""

    __slots__ = ()

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for target in targets:
            weakref.WeakSet.add(new, target)


def _collection(obj: Any, base: Any, strong: Sequence[Any], weak: Sequence[Any], bind: Any, half: str) -> Parts:
    layout = Layout(type(obj), object.__new__)
    state = layout.values(obj)
    attrs = {key: value for key, value in state.items() if key not in _OWN[base]}

    def where(obj: Any, parts: Parts) -> list[Accessor]:
        own = [each for key, each in zip(state, layout.accessors(obj)) if key in attrs]
        name, of = base.__name__, f".{half}("
        halves = [
            value_of(n)._replace(before=f"list(__import__('weakref').{name}{of}", after=f"))[{n}]")
            for n in range(len(strong))
        ]
        return [_CLASS, _BASE, *own, *halves]

    return Parts(
        make_collection, (type(obj), base), attrs=attrs or None, setter=put_state, items=strong,
        fill=getattr(bind, "fill", None), weak=weak, bind=bind, where=where,
    )  # fmt: skip


_CLASS = Accessor("attribute", ".__class__", "type(", ")", "__class__")
_BASE = Accessor("hidden", "base", "type(", ").__mro__", None)  # a class is an atom: nobody goes there


@anatomy(weakref.WeakSet, subclasses=True)
def weak_set(obj: Any, context: Any) -> Outcome:
    """A WeakSet holds the copies of its members."""
    return _collection(obj, weakref.WeakSet, (), list(weakref.WeakSet.__iter__(obj)), AddMembers(), "")


@anatomy(weakref.WeakValueDictionary, subclasses=True)
def weak_value_dictionary(obj: Any, context: Any) -> Outcome:
    """A WeakValueDictionary: the keys are copied, the values followed."""
    pairs = list(weakref.WeakValueDictionary.items(obj))
    keys, values = [key for key, _ in pairs], [value for _, value in pairs]
    return _collection(obj, weakref.WeakValueDictionary, keys, values, FillValues(), "keys")


@anatomy(weakref.WeakKeyDictionary, subclasses=True)
def weak_key_dictionary(obj: Any, context: Any) -> Outcome:
    """A WeakKeyDictionary: the keys are followed, the values copied."""
    pairs = list(weakref.WeakKeyDictionary.items(obj))
    keys, values = [key for key, _ in pairs], [value for _, value in pairs]
    return _collection(obj, weakref.WeakKeyDictionary, values, keys, FillKeys(), "values")
