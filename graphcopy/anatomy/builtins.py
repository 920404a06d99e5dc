"""Subclasses of builtins: a list, dict, str, ... with attributes and slots of its own.

Contents are put in past the class's own ``append`` or ``__setitem__``: what stands in the copy is
what stands in the original, and nothing is run twice.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.accessors import Accessor, attribute, instance_attribute, item, member, raw_item, reduced
from .instances import Layout
from .parts import NOTHING, Outcome, Parts, pair_accessors
from .reducers import reducer_of
from .reducing import call_hook, give_default_state, own_hook, type_hook
from .registry import Anatomy

__all__ = ["builtin_subclass", "reduced_by_its_base"]

_VALUES = (int, float, complex, str, bytes, bytearray)  # immutable contents, given to __new__ as one value


class _Base:
    """How one builtin's contents are read and put back."""

    __slots__ = ("accessors", "args", "base", "fill", "items", "pairs")

    def __init__(
        self,
        base: Any,
        *,
        args: Callable[[Any], Sequence[Any]] | None = None,
        items: Callable[[Any], Sequence[Any]] | None = None,
        pairs: Callable[[Any], Sequence[tuple[Any, Any]]] | None = None,
        fill: Callable[[Any, Sequence[Any], Sequence[Any]], None] | None = None,
        accessors: Callable[[Any], Sequence[Accessor]] = lambda obj: (),
    ) -> None:
        self.base = base
        self.args = args
        self.items = items
        self.pairs = pairs
        self.fill = fill
        self.accessors = accessors


def _fill_list(new: Any, items: Sequence[Any], pairs: object) -> None:
    list.extend(new, items)


def _fill_dict(new: Any, items: object, pairs: Sequence[tuple[Any, Any]]) -> None:
    for key, value in pairs:
        dict.__setitem__(new, key, value)


def _fill_ordered(new: Any, items: object, pairs: Sequence[tuple[Any, Any]]) -> None:
    for key, value in pairs:
        collections.OrderedDict.__setitem__(new, key, value)


def _fill_set(new: Any, items: Sequence[Any], pairs: object) -> None:
    set.update(new, items)


def _fill_deque(new: Any, items: Sequence[Any], pairs: object) -> None:
    collections.deque.extend(new, items)


def _sequence(base: Any) -> Callable[[Any], list[Accessor]]:
    def accessors(obj: Any) -> list[Accessor]:
        plain = type(obj).__getitem__ is base.__getitem__  # type: ignore[attr-defined]
        return [item(n) if plain else raw_item(base, n) for n in range(base.__len__(obj))]  # type: ignore[attr-defined]

    return accessors


def _members(obj: Any) -> list[Accessor]:
    base = set if issubclass(type(obj), set) else frozenset
    return [member(place) for place in range(base.__len__(obj))]


_factory = collections.defaultdict.__dict__["default_factory"].__get__
_limit = collections.deque.__dict__["maxlen"].__get__

_BASES = (
    _Base(list, items=lambda obj: list.copy(obj), fill=_fill_list, accessors=_sequence(list)),
    _Base(
        collections.OrderedDict, pairs=lambda obj: list(collections.OrderedDict.items(obj)), fill=_fill_ordered,
        accessors=lambda obj: list(pair_accessors(obj, list(collections.OrderedDict.keys(obj)))),
    ),
    _Base(
        collections.defaultdict, pairs=lambda obj: list(dict.items(obj)), fill=_fill_dict,
        accessors=lambda obj: list(pair_accessors(obj, list(dict.keys(obj)))),
    ),
    _Base(
        dict, pairs=lambda obj: list(dict.items(obj)), fill=_fill_dict,
        accessors=lambda obj: list(pair_accessors(obj, list(dict.keys(obj)))),
    ),
    _Base(set, items=lambda obj: list(set.__iter__(obj)), fill=_fill_set, accessors=_members),
    _Base(frozenset, args=lambda obj: list(frozenset.__iter__(obj)), accessors=_members),
    _Base(tuple, args=lambda obj: list(tuple.__iter__(obj)), accessors=_sequence(tuple)),
    _Base(
        collections.deque, items=lambda obj: list(collections.deque.__iter__(obj)), fill=_fill_deque,
        accessors=_sequence(collections.deque),
    ),
)  # fmt: skip


def builtin_subclass(cls: type) -> Anatomy | None:
    """The anatomy of a subclass of a builtin; None when *cls* is none, or C adds to its layout."""
    for base in _BASES:
        if issubclass(cls, base.base) and cls is not base.base:
            return _container(cls, base)
    for plain in _VALUES:
        if issubclass(cls, plain) and cls is not plain:
            return _value(cls, plain)
    return None


_REDUCED: tuple[Any, ...] = (
    collections.OrderedDict,
    collections.defaultdict,
    collections.deque,
    collections.Counter,
    set,
    frozenset,
)


def reduced_by_its_base(cls: type) -> bool:
    """Tell whether *cls* derives from a container whose ``__reduce__`` is all that speaks for it.

    That method calls the class with the arguments of the base, and fills it through ``append`` or ``__setitem__``: a
    subclass with an ``__init__`` of its own may take them for something else.
    """
    if reducer_of(cls) is not None or type_hook(cls, "__reduce_ex__") is not None:
        return False
    hook = type_hook(cls, "__reduce__")
    return hook is not None and any(
        issubclass(cls, base) and base.__dict__.get("__reduce__") is hook
        for base in _REDUCED
        if cls is not base or base is collections.Counter  # which is itself a dict with a ``__reduce__`` in Python
    )


def _state(parts: Parts, layout: Layout, obj: Any, context: Any, getstate: Any, setstate: Any) -> Sequence[Accessor]:
    """Give *parts* the attributes and slots of *obj*; return their accessors."""
    if getstate is not None:
        state = call_hook(context, obj, type(obj).__getstate__)
        if state is not None:
            parts.state = state
            return (reduced(2),)
        return ()
    if setstate is not None:
        give_default_state(parts, layout, obj)
        if parts.attrs is not None:
            return [instance_attribute(obj, name) for name in parts.attrs]
        return () if parts.state is NOTHING else (reduced(2),)
    values = layout.values(obj)
    if not values:
        return ()
    parts.attrs, parts.setter = values, layout.put
    return layout.accessors(obj)


class MakeContainer:
    """Makes a subclass of a builtin container: empty, or of its content where that cannot be put in later."""

    __slots__ = ("base", "cls", "filled", "own_new")

    def __init__(self, cls: Any, base: Any, filled: bool, own_new: bool) -> None:
        self.cls = cls
        self.base = base
        self.filled = filled
        self.own_new = own_new

    def __call__(self, *content: Any) -> Any:
        if self.filled:
            return self.base.__new__(self.cls, content)
        if self.own_new:
            try:
                return self.cls.__new__(self.cls)
            except TypeError:
                return self.base.__new__(self.cls)
        return self.base.__new__(self.cls)

    def is_used(self, new: Any) -> bool:
        """Tell an object that a ``__new__`` of the class has found, and not made."""
        return self.own_new and bool(self.base.__len__(new))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.cls, self.base, self.filled, self.own_new))


class MakeDefault(MakeContainer):
    """Makes a subclass of defaultdict with its factory."""

    __slots__ = ()

    def __call__(self, *content: Any) -> Any:
        new = super().__call__()
        if not self.is_used(new):
            collections.defaultdict.__dict__["default_factory"].__set__(new, content[0])
        return new


class MakeDeque(MakeContainer):
    """Makes a subclass of deque with its limit."""

    __slots__ = ()

    def __call__(self, *content: Any) -> Any:
        new = super().__call__()
        if not self.is_used(new):
            collections.deque.__init__(new, (), content[1])
        return new


def _container(cls: Any, base: _Base) -> Anatomy:
    layout = Layout(cls, base.base.__new__)
    getstate, setstate = own_hook(cls, "__getstate__"), own_hook(cls, "__setstate__")
    own_new = type_hook(cls, "__new__") is not base.base.__dict__.get("__new__")
    how = (cls, base.base, base.args is not None, own_new)
    make, make_default, make_deque = MakeContainer(*how), MakeDefault(*how), MakeDeque(*how)

    def open(obj: Any, context: Any) -> Outcome:
        parts = Parts(make, base.args(obj) if base.args else (), fill=base.fill, sparse=base.base in (set, frozenset))
        state = _state(parts, layout, obj, context, getstate, setstate)
        if base.items:
            parts.items = base.items(obj)
        if base.pairs:
            parts.pairs = base.pairs(obj)
        content = base.accessors
        if base.base is collections.defaultdict:
            parts.args, parts.func = (_factory(obj),), make_default
            parts.where = lambda obj, parts: [attribute("default_factory"), *state, *content(obj)]
        elif base.base is collections.deque and (limit := _limit(obj)) is not None:
            parts.args, parts.func = ((), limit), make_deque
            parts.where = lambda obj, parts: [attribute("maxlen")] * 2 + [*state, *content(obj)]
        elif base.args:
            parts.where = lambda obj, parts: [*content(obj), *state]
        else:
            parts.where = lambda obj, parts: [*state, *content(obj)]
        return parts

    return Anatomy(cls.__qualname__, open, source="builtin")


class MakeValue:
    """Makes a subclass of a number, a text or bytes."""

    __slots__ = ("base", "cls", "content")

    def __init__(self, cls: Any, base: Any, content: Any) -> None:
        self.cls = cls
        self.base = base
        self.content = content

    def __call__(self) -> Any:
        if self.base is bytearray:
            new = bytearray.__new__(self.cls)
            bytearray.extend(new, self.content)
            return new
        return self.base.__new__(self.cls, self.content)

    def __reduce__(self) -> tuple[Any, ...]:
        return (MakeValue, (self.cls, self.base, self.content))


def _value(cls: Any, base: Any) -> Anatomy:
    layout = Layout(cls, base.__new__)
    getstate, setstate = own_hook(cls, "__getstate__"), own_hook(cls, "__setstate__")

    def open(obj: Any, context: Any) -> Outcome:
        content: Any = base(obj) if base is not str else str.__str__(obj)
        if type(content) is not base:
            content = base.__new__(base, obj)  # type: ignore[call-overload]
        parts = Parts(MakeValue(cls, base, content))
        state = _state(parts, layout, obj, context, getstate, setstate)
        parts.where = state
        return parts

    return Anatomy(cls.__qualname__, open, source="builtin")
