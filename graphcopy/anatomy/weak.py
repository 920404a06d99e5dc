"""Weak references of all kinds: they point at the copy of what they point at.

A weak reference does not make its target part of the graph. When everything is copied it is aimed:
at the target's copy where the target was reached by other ways, at the target itself where not.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from ..graph.accessors import attribute, value_of
from .parts import SHARED, Outcome, Parts
from .registry import anatomy

__all__: list[str] = []

_CALLBACK = (attribute("__callback__"),)


def make_ref(callback: Any, target: Any) -> Any:
    """Make a weak reference."""
    return weakref.ref(target) if callback is None else weakref.ref(target, callback)


@anatomy(weakref.ref)
def weak_reference(obj: weakref.ref[Any], context: Any) -> Outcome:
    """A plain reference; a dead one is shared. Its callback is copied with the rest."""
    target = obj()
    if target is None:
        return SHARED
    return Parts(make_ref, (obj.__callback__,), weak=(target,), late=True, where=_CALLBACK)


def make_weak_method(cls: Any, owner: Any, function: Any) -> Any:
    """Make a WeakMethod of *function* bound to *owner*."""
    return cls(function.__get__(owner))


@anatomy(weakref.WeakMethod)
def weak_method(obj: weakref.WeakMethod[Any], context: Any) -> Outcome:
    """A weak bound method is bound to the copy of its object."""
    method = obj()
    if method is None:
        return SHARED
    return Parts(
        make_weak_method,
        (type(obj),),
        weak=(method.__self__, method.__func__),
        late=True,
        where=(attribute("__class__"),),
    )


def make_proxy(target: Any) -> Any:
    """Make a weak proxy."""
    return weakref.proxy(target)


def proxied(obj: Any) -> Any:
    """The target of a weak proxy; ReferenceError when it is gone."""
    return obj.__repr__.__self__


@anatomy(weakref.ProxyType, weakref.CallableProxyType)
def weak_proxy(obj: Any, context: Any) -> Outcome:
    """A weak proxy; a dead one is shared."""
    try:
        target = proxied(obj)
    except ReferenceError:
        return SHARED
    return Parts(make_proxy, weak=(target,), late=True, where=())


class AddAll:
    """Adds the members of a weak set."""

    __slots__ = ()

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for target in targets:
            new.add(target)


@anatomy("_weakrefset.WeakSet")
def weak_set(obj: Any, context: Any) -> Outcome:
    """A WeakSet holds the copies of its members."""
    return Parts(type(obj), weak=list(obj), bind=AddAll(), where=())


class SetValues:
    """Puts the values of a WeakValueDictionary under their copied keys."""

    __slots__ = ("new_keys",)

    def __init__(self) -> None:
        self.new_keys: list[Any] = []

    def fill(self, new: Any, items: Sequence[Any], pairs: object) -> None:
        """Take the copied keys."""
        self.new_keys = list(items)

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for key, target in zip(self.new_keys, targets):
            new[key] = target


@anatomy(weakref.WeakValueDictionary)
def weak_value_dictionary(obj: Any, context: Any) -> Outcome:
    """A WeakValueDictionary: the keys are copied, the values followed."""
    pairs = list(obj.items())
    setter = SetValues()
    return Parts(
        type(obj), items=[key for key, _ in pairs], fill=setter.fill, weak=[value for _, value in pairs], bind=setter,
        where=lambda obj, parts: [_key(place) for place in range(len(parts.items))],
    )  # fmt: skip


class SetKeys:
    """Puts the copied values of a WeakKeyDictionary under the copies of its keys."""

    __slots__ = ("values",)

    def __init__(self) -> None:
        self.values: list[Any] = []

    def fill(self, new: Any, items: Sequence[Any], pairs: object) -> None:
        """Take the copied values."""
        self.values = list(items)

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for target, value in zip(targets, self.values):
            new[target] = value


@anatomy(weakref.WeakKeyDictionary)
def weak_key_dictionary(obj: Any, context: Any) -> Outcome:
    """A WeakKeyDictionary: the keys are followed, the values copied."""
    pairs = list(obj.items())
    setter = SetKeys()
    return Parts(
        type(obj), items=[value for _, value in pairs], fill=setter.fill, weak=[key for key, _ in pairs], bind=setter,
        where=lambda obj, parts: [_value(place) for place in range(len(parts.items))],
    )  # fmt: skip


def _key(place: int) -> Any:
    return value_of(place)._replace(kind="key", before="list(", after=f".keys())[{place}]")


def _value(place: int) -> Any:
    return value_of(place)._replace(before="list(", after=f".values())[{place}]")


@anatomy(weakref.finalize)
def finalizer(obj: Any, context: Any) -> Outcome:
    """A finalizer belongs to the life of one object: it is shared, and does not run for the copy."""
    return SHARED
