"""Weak references: they point at the copy of what they point at.

A weak reference does not make its target part of the graph. When everything is copied it is aimed:
at the target's copy where the target was reached by other ways, at the target itself where not.
"""

from __future__ import annotations

import weakref
from typing import Any

from ..graph.accessors import Accessor, attribute
from .instances import Layout, put_state
from .parts import SHARED, Outcome, Parts
from .registry import anatomy

__all__ = ["MakeDeadReference", "MakeReference", "make_proxy", "make_ref", "make_weak_method"]

_CALLBACK = attribute("__callback__")


def make_ref(callback: Any, target: Any) -> Any:
    """Make a weak reference."""
    return weakref.ref(target) if callback is None else weakref.ref(target, callback)


@anatomy(weakref.ref)
def weak_reference(obj: weakref.ref[Any], context: Any) -> Outcome:
    """A plain reference; a dead one is shared. Its callback is copied with the rest."""
    target = obj()
    if target is None:
        return SHARED
    return Parts(make_ref, (obj.__callback__,), weak=(target,), late=True, where=(_CALLBACK,))


class MakeDeadReference:
    """Makes a dead reference of a subclass, with the attributes *names*."""

    __slots__ = ("cls", "names")

    def __init__(self, cls: Any, names: tuple[Any, ...]) -> None:
        self.cls = cls
        self.names = names

    def __call__(self, callback: Any, *values: Any) -> Any:
        return MakeReference(self.cls, self.names)(callback, *values, _Mortal())


class MakeReference:
    """Makes a reference of a subclass, past its ``__new__`` and ``__init__``, with the attributes *names*."""

    __slots__ = ("cls", "names")

    def __init__(self, cls: Any, names: tuple[Any, ...]) -> None:
        self.cls = cls
        self.names = names

    def __call__(self, callback: Any, *values_and_target: Any) -> Any:
        *values, target = values_and_target
        arguments = (target,) if callback is None else (target, callback)
        new = weakref.ref.__new__(self.cls, *arguments)
        put_state(new, dict(zip(self.names, values)))
        return new

    @property
    def dead(self) -> MakeDeadReference:
        """The same, for a target that does not come along."""
        return MakeDeadReference(self.cls, self.names)


class _Mortal:
    """Dies at once."""

    __slots__ = ("__weakref__",)


@anatomy(weakref.ref, subclasses=True)
def reference_of_a_class(obj: Any, context: Any) -> Outcome:
    """A reference of a subclass keeps its class, its attributes and its slots, dead or alive."""
    cls: Any = type(obj)
    layout = Layout(cls, weakref.ref.__new__)
    state = layout.values(obj)
    target = obj()
    make: Any = (MakeDeadReference if target is None else MakeReference)(cls, tuple(state))
    weak = () if target is None else (target,)
    return Parts(
        make, (obj.__callback__, *state.values()), weak=weak, late=bool(weak),
        where=lambda obj, parts: [_CALLBACK, *layout.accessors(obj)],
    )  # fmt: skip


def make_weak_method(cls: Any, owner: Any, function: Any) -> Any:
    """Make a WeakMethod of *function* bound to *owner*."""
    return cls(function.__get__(owner))


@anatomy(weakref.WeakMethod, subclasses=True)
def weak_method(obj: weakref.WeakMethod[Any], context: Any) -> Outcome:
    """A weak bound method is bound to the copy of its object."""
    method = obj()
    if method is None:
        return SHARED
    weak = (method.__self__, method.__func__)
    return Parts(make_weak_method, (type(obj),), weak=weak, late=True, where=(attribute("__class__"),))


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


class MakeFinalizer:
    """Makes a finalizer for the copied target, or one that has done its work.

    A finalizer that cleans up what was copied too (a pool, a list) does so for the copy. One that
    cleans up something outside (the folder of a TemporaryDirectory) is left to the original: the
    copy's end must not take away what the original still uses.
    """

    __slots__ = ("atexit", "call", "target")

    def __init__(self, target: Any, call: tuple[Any, ...], atexit: bool) -> None:
        self.target = target
        self.call = call
        self.atexit = atexit

    def __call__(self, func: Any, args: Any, kwargs: Any, target: Any) -> weakref.finalize[Any, Any]:
        own = _any_other(self.call, (func, *args, *(kwargs or {}).values()))
        new = weakref.finalize(target, func, *args, **(kwargs or {}))
        if target is self.target or not own:
            new.detach()
        else:
            new.atexit = self.atexit
        return new


def _any_other(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return any(a is not b for a, b in zip(one, other))


_PEEK = ("func", "args", "kwargs")


@anatomy(weakref.finalize)
def finalizer(obj: weakref.finalize[Any, Any], context: Any) -> Outcome:
    """A finalizer watches the copied object, and calls the copied function; one that has run is shared."""
    known = obj.peek()
    if known is None:
        return SHARED
    target, func, args, kwargs = known
    make = MakeFinalizer(target, (func, *args, *kwargs.values()), obj.atexit)
    where = [Accessor("attribute", name, "", f".peek()[{place}]") for place, name in enumerate(_PEEK, 1)]
    return Parts(make, (func, args, kwargs), weak=(target,), late=True, where=where)
