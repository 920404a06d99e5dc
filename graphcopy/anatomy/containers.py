"""The builtin containers: list, dict, tuple, set, frozenset, and what belongs to the collections."""

from __future__ import annotations

import collections
import gc
import itertools
from collections.abc import Sequence
from typing import Any

from ..graph.accessors import Accessor, Items, attribute, member, reduced
from .parts import Outcome, Parts, pair_accessors
from .registry import anatomy

__all__ = [
    "dict_children",
    "list_accessors",
    "make_tuple",
    "open_dict",
    "open_frozenset",
    "open_list",
    "open_set",
    "open_tuple",
]


def list_accessors(obj: Any) -> Items:
    """``[0]``, ``[1]``, ... of a list or a tuple."""
    return Items(range(len(obj)))


def open_list(obj: list[Any], context: Any) -> Outcome:
    """Take a list apart."""
    return Parts(list, items=list(obj), fill=_extend, where=lambda obj, parts: list_accessors(obj))


def dict_children(obj: dict[Any, Any]) -> list[Any]:
    """Keys and values, interleaved."""
    return list(itertools.chain.from_iterable(obj.items()))


def dict_accessors(obj: dict[Any, Any]) -> list[Accessor]:
    """The accessors of ``dict_children``."""
    return list(pair_accessors(obj, list(obj)))


def open_dict(obj: dict[Any, Any], context: Any) -> Outcome:
    """Take a dict apart."""
    return Parts(dict, pairs=list(obj.items()), where=lambda obj, parts: dict_accessors(obj))


def make_tuple(*content: Any) -> tuple[Any, ...]:
    """Make a tuple of the arguments."""
    return content


def open_tuple(obj: tuple[Any, ...], context: Any) -> Outcome:
    """Take a tuple apart."""
    return Parts(make_tuple, obj, where=lambda obj, parts: list_accessors(obj))


def member_accessors(obj: Any, parts: Any = None) -> list[Accessor]:
    """``list(obj)[0]``, ... of a set."""
    return [member(place) for place in range(len(obj))]


def _update(new: set[Any], items: Sequence[Any], pairs: object) -> None:
    new.update(items)


def _extend(new: list[Any], items: Sequence[Any], pairs: object) -> None:
    new.extend(items)


def open_set(obj: set[Any], context: Any) -> Outcome:
    """Take a set apart."""
    return Parts(set, items=list(obj), fill=_update, sparse=True, where=member_accessors)


def make_frozenset(*content: Any) -> frozenset[Any]:
    """Make a frozenset of the arguments."""
    return frozenset(content)


def open_frozenset(obj: frozenset[Any], context: Any) -> Outcome:
    """Take a frozenset apart."""
    return Parts(make_frozenset, list(obj), sparse=True, where=member_accessors)


@anatomy(collections.deque)
def deque(obj: collections.deque[Any], context: Any) -> Outcome:
    """A deque keeps its length limit."""
    return Parts(
        bounded_deque, (obj.maxlen,), items=list(obj),
        where=lambda obj, parts: [attribute("maxlen"), *list_accessors(obj)],
    )  # fmt: skip


def bounded_deque(maxlen: int | None) -> collections.deque[Any]:
    """Make an empty deque."""
    return collections.deque(maxlen=maxlen)


@anatomy(collections.OrderedDict)
def ordered_dict(obj: collections.OrderedDict[Any, Any], context: Any) -> Outcome:
    """An OrderedDict may carry attributes of its own."""
    attrs = vars(obj)
    return Parts(
        collections.OrderedDict, attrs=attrs or None, pairs=list(obj.items()),
        where=lambda obj, parts: [attribute(name) for name in vars(obj)] + dict_accessors(obj),
    )  # fmt: skip


@anatomy(collections.defaultdict)
def default_dict(obj: collections.defaultdict[Any, Any], context: Any) -> Outcome:
    """A defaultdict keeps its factory; a factory that is a closure is copied with the rest."""
    return Parts(
        collections.defaultdict, (obj.default_factory,), pairs=list(obj.items()),
        where=lambda obj, parts: [attribute("default_factory"), *dict_accessors(obj)],
    )  # fmt: skip


@anatomy(bytearray)
def byte_array(obj: bytearray, context: Any) -> Outcome:
    """A bytearray is copied as bytes."""
    return Parts(bytearray, (bytes(obj),), where=(reduced(1, 0),))


@anatomy(slice)
def slice_(obj: slice, context: Any) -> Outcome:
    """A slice of atoms is immutable; one over objects is made again."""
    return Parts(slice, (obj.start, obj.stop, obj.step), where=tuple(map(attribute, ("start", "stop", "step"))))


@anatomy(type(iter([])), type(iter(())), type(iter("")), type(iter(range(0))), type(reversed([])))
def sequence_iterator(obj: Any, context: Any) -> Outcome:
    """An iterator over a sequence goes on at its place, over the copied sequence."""
    reduced_form = obj.__reduce__()
    func, args = reduced_form[:2]
    state = reduced_form[2] if len(reduced_form) > 2 else None
    if state is None:
        return Parts(func, args, where=(reduced(1, 0),))
    return Parts(func, args, state=state, setter=_setstate, where=(reduced(1, 0), reduced(2)))


def _setstate(new: Any, state: Any) -> None:
    new.__setstate__(state)


_ORDERED: Any = collections.OrderedDict()
_VIEWS = {
    type(getattr(some, name)()): (base, name)
    for some, base in (({}, dict), (_ORDERED, collections.OrderedDict))
    for name in ("keys", "values", "items")
}
_OWNER = Accessor("hidden", "mapping", "__import__('gc').get_referents(", ")[0]", "mapping")
_KIND = Accessor("hidden", "kind", "type(", ").__name__", None)


@anatomy(*_VIEWS)
def dict_view(obj: Any, context: Any) -> Outcome:
    """A view of keys, values or items looks into the copied dict."""
    base, name = _VIEWS[type(obj)]
    owner = next(each for each in gc.get_referents(obj) if issubclass(type(each), base))
    return Parts(make_dict_view, (owner, name), where=(_OWNER, _KIND))


def make_dict_view(owner: Any, name: str) -> Any:
    """Make the view *name* of a dict, past its class's own method."""
    base = collections.OrderedDict if issubclass(type(owner), collections.OrderedDict) else dict
    return getattr(base, name)(owner)
