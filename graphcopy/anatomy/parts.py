"""How one object comes apart: pickle's reduce protocol, with the pieces named.

``Parts`` says how to make the object again: call ``func(*args)``, give the result its ``state``,
its list ``items`` and its dict ``pairs``. One description serves the walk (its children), the copy
and the byte stream. ``SHARED`` and ``Refused`` are the other two answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ..graph.accessors import Accessor, instance_attribute, is_literal, item, key_of, raw_item, reduced, value_of

__all__ = [
    "NOTHING",
    "ONLY_ONE",
    "SHARED",
    "ByName",
    "Outcome",
    "Parts",
    "Pruned",
    "Refused",
    "Replaced",
    "Shared",
    "Weak",
]


class _Nothing:
    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"

    def __reduce__(self) -> str:
        return "NOTHING"


NOTHING: Final = _Nothing()
"""Stands for "no state", since None may be a state."""


class Shared:
    """The answer "the copy refers to the same object"."""

    __slots__ = ("live", "reason")

    def __init__(self, reason: str = "", *, live: bool = False) -> None:
        self.reason = reason
        self.live = live  # a live object (logger, stream, client): goes on the receipt


SHARED: Final = Shared()
ONLY_ONE: Final = Shared(
    "making another one gave the same object: its class makes one only, or finds it again", live=True
)
"""The answer that is known only when the object is made: a singleton, or one of a pool."""


class ByName(Shared):
    """The answer "it is found under a name": the one given, else its own module and qualified name."""

    __slots__ = ("name",)

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self.name = name


class Refused:
    """The answer "nobody knows how to reproduce this": a culprit.

    ``within`` are its pieces, where the walk can look for further culprits in it.
    """

    __slots__ = ("advice", "cause", "reason", "within")

    def __init__(
        self, reason: str, advice: str = "", cause: BaseException | None = None, within: Parts | None = None
    ) -> None:
        self.within = within
        self.reason = reason
        self.advice = advice
        self.cause = cause


Where = Sequence[Accessor] | Callable[[Any, "Parts"], Sequence[Accessor]]
Weak = Sequence[Any] | Callable[[Iterator[Any]], Sequence[Any]]


class Parts:
    """The pieces of one object.

    func, args
        ``func(*args)`` makes the new object; the arguments are children.
    state
        One child that is handed over as a whole, or NOTHING.
    attrs
        Instead of ``state``: a dict that is ours (or the instance's own ``__dict__``), whose
        *values* are the children; handed over as a dict with the same keys.
    items, pairs
        Contents: list items, and (key, value) pairs.
    setter
        ``setter(new, state)`` puts the state in; None means pickle's default.
    fill
        ``fill(new, items, pairs)`` puts the contents in; None means pickle's default
        (``extend``/``append``, and item assignment).
    weak
        Objects that are referred to weakly. They are no children; once everything is copied
        ``bind(new, targets)`` is called with their copies, or with themselves where they are not
        in the graph. With ``late`` the object itself is made only then, as ``func(*args, *targets)``.
        ``weak`` may be a function that finds them at that time, among all originals of the copy
        (what it returns that has no copy is handed to ``bind`` as it is).
    where
        The accessors of the children, in the order of ``children()``; a function of the object and
        the parts where they depend on the object.
    known_as
        The name under which tables know the object, where it has one that its copy does not keep.
    """

    __slots__ = (
        "args", "attrs", "bind", "by", "cut_by", "cuts", "fill", "func", "items", "known_as", "late", "lost", "pairs",
        "setter", "source", "sparse", "state", "weak", "where",
    )  # fmt: skip

    def __init__(
        self,
        func: Callable[..., Any],
        args: Sequence[Any] = (),
        *,
        state: Any = NOTHING,
        attrs: dict[Any, Any] | None = None,
        items: Sequence[Any] = (),
        pairs: Sequence[tuple[Any, Any]] = (),
        setter: Callable[[Any, Any], Any] | None = None,
        fill: Callable[[Any, Sequence[Any], Sequence[tuple[Any, Any]]], Any] | None = None,
        weak: Weak = (),
        bind: Callable[[Any, Sequence[Any]], Any] | None = None,
        late: bool = False,
        sparse: bool = False,
        where: Where | None = None,
        source: str = "graphcopy",
        lost: str = "",
    ) -> None:
        self.func = func
        self.args = args
        self.state = state
        self.attrs = attrs
        self.items = items
        self.pairs = pairs
        self.setter = setter
        self.fill = fill
        self.weak = weak
        self.bind = bind
        self.late = late
        self.sparse = sparse  # a pruned item is left out; else None stands in its place
        self.cuts: dict[int, Any] | None = None  # children (by position) that a rule cuts, and what stands there
        self.cut_by: dict[int, Any] | None = None  # the rules that do; None where none was asked yet
        self.where = where
        self.source = source
        self.by: Any = None  # the rule whose treatment it is
        self.known_as: str | None = None
        self.lost = lost  # what the new object does not have of the old one, for the receipt

    @property
    def has_content(self) -> bool:
        """Tell whether something is put in once the object is made."""
        return bool(
            self.attrs is not None or self.state is not NOTHING or self.items or self.pairs or self.weak or self.bind
        )

    def children(self) -> Iterator[Any]:
        """All strongly held pieces, atoms included: arguments, state, items, keys and values."""
        yield from self.args
        if self.attrs is not None:
            yield from self.attrs.values()
        elif self.state is not NOTHING:
            yield self.state
        yield from self.items
        for key, value in self.pairs:
            yield key
            yield value

    def accessors(self, obj: Any) -> Sequence[Accessor]:
        """The accessors of ``children()``, one for one."""
        if self.where is None:
            return reduce_accessors(obj, self)
        if callable(self.where):
            return self.where(obj, self)
        return self.where


class Replaced:
    """The answer "this value stands in its place"; the same value wherever the object is referred to."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Pruned:
    """The answer "every reference to it is cut"; *value* stands there, if one is given."""

    __slots__ = ("value",)

    def __init__(self, value: Any = NOTHING) -> None:
        self.value = value


Outcome = Parts | Shared | Refused | Replaced | Pruned


def item_accessor(obj: Any, base: Any, key: object) -> Accessor:
    """``[key]``, or the base's own look-up where the class overrides it."""
    if type(obj) is base or type(obj).__getitem__ is base.__getitem__:
        return item(key)
    return raw_item(base, key)


def pair_accessors(obj: Any, keys: Sequence[Any]) -> Iterator[Accessor]:
    """Accessors of keys and values of a dict (or subclass), interleaved."""
    for place, key in enumerate(keys):
        yield key_of(place)
        yield item_accessor(obj, dict, key) if is_literal(key) else value_of(place)


def reduce_accessors(obj: Any, parts: Parts) -> list[Accessor]:
    """Accessors through ``__reduce_ex__``, or through the attribute where one holds the same object."""
    own = _attributes(obj)
    found: list[Accessor] = []
    offset = 1 if getattr(parts.func, "__name__", "") == "__new__" else 0  # copyreg.__newobj__ lists the class first
    by_id = {id(value): name for name, value in own.items()}

    def through(value: Any, fallback: Accessor) -> Accessor:
        name = by_id.get(id(value))
        if name is None:
            return fallback
        return instance_attribute(obj, name)

    for place, value in enumerate(parts.args):
        found.append(through(value, reduced(1, place + (0 if parts.args and parts.args[0] is type(obj) else offset))))
    if parts.attrs is not None:
        for name, value in parts.attrs.items():
            if own.get(name, NOTHING) is value:
                found.append(instance_attribute(obj, name))
            else:
                found.append(through(value, reduced(2, name)))
    elif parts.state is not NOTHING:
        found.append(through(parts.state, reduced(2)))
    if issubclass(type(obj), list):
        found.extend(item_accessor(obj, list, place) for place in range(len(parts.items)))
    else:
        found.extend(reduced(3, place, listed=True) for place in range(len(parts.items)))
    if issubclass(type(obj), dict):
        found.extend(pair_accessors(obj, [key for key, _ in parts.pairs]))
    else:
        for place in range(len(parts.pairs)):
            found.append(Accessor("key", f"key {place}", "list(", f".__reduce_ex__(4)[4])[{place}][0]", place))
            found.append(Accessor("value", f"value {place}", "list(", f".__reduce_ex__(4)[4])[{place}][1]", place))
    return found


def _attributes(obj: Any) -> dict[str, Any]:
    try:
        own = object.__getattribute__(obj, "__dict__")
    except (AttributeError, TypeError):  # TypeError: a proxy whose class takes over the descriptor of another
        return {}
    return own if type(own) is dict else {}
