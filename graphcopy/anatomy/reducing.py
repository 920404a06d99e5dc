"""Objects that describe themselves: ``copyreg``, ``__reduce_ex__``, ``__getstate__`` and their kin.

These hooks are foreign code. Each is called once in a copy, on the type, never through
``__getattr__``; what it changes in the object's own ``__dict__`` or slots is put back.
"""

from __future__ import annotations

import copyreg
import operator
import sys
from collections.abc import Callable
from typing import Any

from ..errors import Obstacle
from ..graph.accessors import reduced
from .instances import Layout, layout_of, read_dict, slot_members
from .parts import ByName, Outcome, Parts, Refused
from .reducers import OwnMethod, asked_by_us, reducer_of
from .registry import Anatomy

__all__ = [
    "PROTOCOL",
    "Guard",
    "by_reduce",
    "default_reduce",
    "give_default_state",
    "has_own_hooks",
    "parts_of_reduced",
    "reducing",
    "type_hook",
    "uses_default_reduce",
]

PROTOCOL = 4

_GENERATORS = frozenset(
    ["attr._make", "dataclasses", "pydantic.main", "pydantic.v1.main", "pydantic._internal._model_construction"]
)
_MISSING = object()


def type_hook(cls: type, name: str) -> Any:
    """Find *name* on the type as Python does for special methods; None where it is object's or ours, or absent."""
    for base in cls.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            return None if base is object or isinstance(found, OwnMethod) else found
    return None


def _generated(hook: Any) -> bool:
    """Tell a hook that attrs, dataclasses or pydantic wrote: it only lists the fields."""
    scope = getattr(hook, "__globals__", None)
    return scope is not None and scope.get("__name__") in _GENERATORS


def own_hook(cls: type, name: str) -> Any:
    """The hook *name* that somebody wrote for *cls*, or None."""
    hook = type_hook(cls, name)
    return None if hook is None or _generated(hook) else hook


def uses_default_reduce(cls: type) -> bool:
    """Tell whether instances are reduced by ``object.__reduce_ex__``."""
    return reducer_of(cls) is None and type_hook(cls, "__reduce_ex__") is None and own_hook(cls, "__reduce__") is None


def has_own_hooks(cls: type) -> bool:
    """Tell whether anything but plain attributes decides how instances are made or filled."""
    return any(
        own_hook(cls, name) is not None
        for name in ("__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__new__")
    )


class Guard:
    """Puts back what a foreign hook changes in the object's ``__dict__`` or slots."""

    __slots__ = ("before", "members", "obj", "slots")

    def __init__(self, obj: Any, members: list[tuple[type, str, Any]] | None = None) -> None:
        """Look at *obj*; *members* are the slots of its class, where the caller has listed them."""
        self.obj = obj
        try:
            own = read_dict(obj)
        except AttributeError:
            own = None
        self.before = own.copy() if type(own) is dict else None
        self.members = slot_members(type(obj)) if members is None else members
        self.slots = [_get(member, obj) for _, _, member in self.members] if self.members else ()

    def restore(self) -> bool:
        """Put the state back; tell whether it had changed."""
        changed = False
        before = self.before
        if before is not None:
            now = read_dict(self.obj)
            if not _is_same(now, before):
                changed = True
                # Entry by entry: other threads may be reading the object.
                for key in [key for key in now if key not in before]:
                    del now[key]
                now.update(before)
                if list(now) != list(before):
                    now.clear()
                    now.update(before)
        for (_, _, member), value in zip(self.members, self.slots) if self.members else ():
            if _get(member, self.obj) is not value:
                changed = True
                if value is _MISSING:
                    member.__delete__(self.obj)
                else:
                    member.__set__(self.obj, value)
        return changed


def _is_same(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    """Tell whether two dicts hold the very same objects under the same keys in the same order."""
    return (
        len(one) == len(other)
        and all(map(operator.is_, one.values(), other.values()))
        and all(map(operator.is_, one, other))
    )


def _get(member: Any, obj: Any) -> Any:
    try:
        return member.__get__(obj)
    except AttributeError:
        return _MISSING


def call_hook(
    context: Any, obj: Any, hook: Callable[..., Any], *args: Any, members: list[tuple[type, str, Any]] | None = None
) -> Any:
    """Call a foreign hook on *obj*, and put the object back as it was; what it raises becomes an Obstacle."""
    guard = Guard(obj, members)
    try:
        return hook(obj, *args)
    except Obstacle:
        raise
    except BaseException as error:
        raise Obstacle.caused_by(obj, hook, error) from error
    finally:
        if guard.restore():
            context.note_touched(type(obj), hook)


def by_reduce(obj: Any, context: Any) -> Outcome:
    """Take *obj* apart as its class, or ``copyreg``, says."""
    return reducing(type(obj))(obj, context)


def reducing(cls: type) -> Callable[[Any, Any], Outcome]:
    """How objects of *cls* are taken apart as the class, or ``copyreg``, says; good until a hook is changed."""
    members = slot_members(cls)
    reductor, reduce_ex, reduce = reducer_of(cls), type_hook(cls, "__reduce_ex__"), type_hook(cls, "__reduce__")
    if reductor is not None or (reduce_ex is None and reduce is not None):
        hook: Any = cls.__reduce__ if reductor is None else reductor

        def by_hook(obj: Any, context: Any) -> Outcome:
            return parts_of_reduced(obj, call_hook(context, obj, hook, members=members))

        return by_hook

    # Protocol 4 also for C types without a hook: object.__reduce__ would call their base class.
    by_protocol: Any = object.__reduce_ex__ if reduce_ex is None else cls.__reduce_ex__

    def by_version(obj: Any, context: Any) -> Outcome:
        protocol = 5 if context.shipping else PROTOCOL  # with buffers out of band
        hook = by_protocol
        if any(isinstance(base.__dict__.get("__reduce_ex__"), OwnMethod) for base in cls.__mro__):
            hook = asked_by_us(hook)
        return parts_of_reduced(obj, call_hook(context, obj, hook, protocol, members=members))

    return by_version


def parts_of_reduced(obj: Any, answer: Any, source: str = "reduce") -> Outcome:
    """Turn what a reduce method returned into Parts."""
    if type(answer) is str:
        return ByName(answer)
    if (
        type(answer) is not tuple
        or not 2 <= len(answer) <= 6
        or type(answer[1]) is not tuple
        or not callable(answer[0])
    ):
        return Refused(f"its reduce method returned {_short(answer)}, which is no reduce value")
    func, args, state, items, pairs, setter = (*answer, None, None, None, None)[:6]
    if func is copyreg.__newobj__:  # type: ignore[attr-defined]
        func = args[0].__new__
    parts = Parts(func, args, source=source)
    if state is not None:
        # A dict that nobody but the answer holds was made for us: its values are the attributes.
        if type(state) is dict and sys.getrefcount(state) <= 3 and all(type(key) is str for key in state):
            parts.attrs = state
        else:
            parts.state = state
        parts.setter = setter
    if items is not None:
        parts.items = list(items)
    if pairs is not None:
        parts.pairs = list(pairs)
    return parts


def _short(value: Any) -> str:
    return f"a {type(value).__name__}" + (f" of length {len(value)}" if type(value) is tuple else "")


def default_reduce(cls: type) -> Anatomy | None:
    """The anatomy that ``object.__reduce_ex__`` would give *cls*, with its ``__getstate__`` and ``__setstate__``.

    Our own on every Python: ``object.__reduce_ex__`` asks ``__getattr__`` on 3.10, and turns inline
    attributes into dicts.
    """
    layout = layout_of(cls)
    if layout is None:
        return None
    getstate, setstate = own_hook(cls, "__getstate__"), own_hook(cls, "__setstate__")
    newargs = (
        "__getnewargs_ex__"
        if own_hook(cls, "__getnewargs_ex__")
        else "__getnewargs__"
        if own_hook(cls, "__getnewargs__")
        else ""
    )
    new = type_hook(cls, "__new__")

    def open(obj: Any, context: Any) -> Outcome:
        args: tuple[Any, ...] = ()
        keywords: dict[str, Any] = {}
        if newargs:
            args = call_hook(context, obj, getattr(cls, newargs))
            if newargs == "__getnewargs_ex__":
                args, keywords = args
        parts = _made(cls, new, layout, args, keywords)
        if getstate is None:
            state = layout.values(obj)
            if setstate is None:
                parts.attrs, parts.setter = state, layout.put
                parts.where = _where_of(layout, len(parts.args))
            elif state:
                give_default_state(parts, layout, obj)
            return parts
        state = call_hook(context, obj, cls.__getstate__)  # type: ignore[attr-defined]
        if state is not None:
            if type(state) is dict and sys.getrefcount(state) <= 2 and all(type(key) is str for key in state):
                parts.attrs = state
            else:
                parts.state = state
        return parts

    return Anatomy(cls.__qualname__, open, source="instance")


def _where_of(layout: Layout, args: int) -> Any:
    return lambda obj, parts: [*(reduced(1, place) for place in range(args)), *layout.accessors(obj)]


def give_default_state(parts: Parts, layout: Layout, obj: Any) -> None:
    """Hand over what ``object.__getstate__`` returns, for a class that has only ``__setstate__``."""
    own = dict(read_dict(obj)) if layout.has_dict else {}
    slots = {name: value for (_, name, member) in layout.members if (value := _get(member, obj)) is not _MISSING}
    if slots:
        parts.state = (own or None, slots)
    elif own:
        parts.attrs = own


def _made(cls: type, new: Any, layout: Layout, args: tuple[Any, ...], keywords: dict[str, Any]) -> Parts:
    if new is None and not args:
        return Parts(layout.make, source="instance")
    if keywords:
        return Parts(_new_with_keywords, (cls, args, keywords), source="instance")
    return Parts(make_new, (cls, *args), source="instance")


def make_new(cls: Any, *args: Any) -> Any:
    """Call ``__new__`` of *cls*; one that wants arguments which it does not tell has all its state in attributes."""
    if args:
        return cls.__new__(cls, *args)
    try:
        return cls.__new__(cls)
    except TypeError:
        return object.__new__(cls)


def _new_with_keywords(cls: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    return cls.__new__(cls, *args, **keywords)
