"""Random object graphs for the property tests: shared, cyclic, of many kinds."""

from __future__ import annotations

import collections
import copy
import functools
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st


class Plain:
    pass


class Slotted:
    __slots__ = ("__weakref__", "a", "b")


class Both(Slotted):
    pass


class Keyed:
    "Hashed by what it holds, which must be there before it goes into a set."

    def __init__(self, name: Any) -> None:
        self.name = name

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return type(other) is Keyed and self is other


class Pile(list):
    pass


class Table(dict):
    pass


class Stated:
    "With __getstate__ and __setstate__."

    def __init__(self, *items: Any) -> None:
        self.items = list(items)

    def __getstate__(self) -> Any:
        return ("packed", self.items)

    def __setstate__(self, state: Any) -> None:
        assert state[0] == "packed"
        self.items = state[1]


class Reduced:
    "Made from its arguments."

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second

    def __reduce__(self) -> Any:
        return type(self), (self.first, self.second)


class Refilled:
    "A reduce value with state, items and pairs."

    def __init__(self) -> None:
        self.state: Any = None
        self.items: list[Any] = []
        self.pairs: dict[Any, Any] = {}

    def __reduce__(self) -> Any:
        return Refilled, (), {"state": self.state}, iter(self.items), iter(self.pairs.items())

    def append(self, item: Any) -> None:
        self.items.append(item)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.pairs[key] = value


class Hooked:
    "With a __deepcopy__ that uses its memo."

    def __init__(self) -> None:
        self.items: list[Any] = []

    def __deepcopy__(self, memo: Any) -> Any:
        new = Hooked()
        memo[id(self)] = new
        new.items = [copy.deepcopy(item, memo) for item in self.items]
        return new


class Shared:
    "Random rules share it."


class Pruned:
    "Random rules cut it."


def closure(pieces: list[Any]) -> Callable[[], Any]:
    first = pieces[0] if pieces else None
    rest = pieces[1:]
    return lambda: (first, rest)


def with_default(pieces: list[Any]) -> Callable[..., Any]:
    def function(x: Any = pieces[0] if pieces else [], *, y: Any = tuple(pieces[1:])) -> Any:
        return x, y

    function.note = pieces[-1] if pieces else None
    return function


def held(pieces: list[Any]) -> Any:
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return count

    return [step, step.__closure__[0], *pieces]


ATOMS = st.sampled_from([0, 1, -1, 2.5, "x", "", b"y", None, True, 10**30, float("inf"), Ellipsis, int])


def fill_instance(obj: Any, pieces: list[Any]) -> None:
    for name, piece in zip("abcdefgh", pieces):
        setattr(obj, name, piece)


def fill_slots(obj: Any, pieces: list[Any]) -> None:
    for name, piece in zip("ab", pieces):
        setattr(obj, name, piece)


def fill_dict(obj: Any, pieces: list[Any]) -> None:
    for number, piece in enumerate(pieces):
        obj[f"k{number}" if number % 2 else (number, "k")] = piece


def fill_keyed_dict(obj: Any, pieces: list[Any]) -> None:
    for number, piece in enumerate(pieces):
        obj[piece if is_key(piece) else number] = number if number % 2 else piece


def is_key(piece: Any) -> bool:
    """Whether it can go into a set of which the copy is told apart again."""
    return type(piece) in (Plain, Keyed, Slotted, Hooked, int, str, float, bytes)


def fill_set(obj: Any, pieces: list[Any]) -> None:
    obj.update(piece for piece in pieces if is_key(piece))


def fill_refilled(obj: Any, pieces: list[Any]) -> None:
    obj.state = pieces[0] if pieces else None
    obj.items = pieces[1:3]
    obj.pairs = dict(enumerate(pieces[3:]))


MUTABLE: dict[str, tuple[Callable[[], Any], Callable[[Any, list[Any]], None]]] = {
    "list": (list, lambda obj, pieces: obj.extend(pieces)),
    "dict": (dict, fill_dict),
    "keyed dict": (dict, fill_keyed_dict),
    "ordered": (collections.OrderedDict, fill_dict),
    "default": (lambda: collections.defaultdict(list), fill_dict),
    "deque": (lambda: collections.deque(maxlen=20), lambda obj, pieces: obj.extend(pieces)),
    "set": (set, fill_set),
    "plain": (Plain, fill_instance),
    "slotted": (Slotted, fill_slots),
    "both": (Both, fill_instance),
    "keyed": (lambda: Keyed("n"), lambda obj, pieces: setattr(obj, "pieces", pieces)),
    "pile": (Pile, lambda obj, pieces: (obj.extend(pieces), setattr(obj, "more", pieces[:1]))),
    "table": (Table, lambda obj, pieces: (fill_dict(obj, pieces), setattr(obj, "more", pieces[:1]))),
    "stated": (Stated, lambda obj, pieces: obj.items.extend(pieces)),
    "refilled": (Refilled, fill_refilled),
    "hooked": (Hooked, lambda obj, pieces: obj.items.extend(pieces)),
    "error": (lambda: ValueError("x", 1), lambda obj, pieces: setattr(obj, "pieces", pieces)),
    "shared": (Shared, fill_instance),
    "pruned": (Pruned, lambda obj, pieces: None),
}
"""Kind to how it is made, and filled with any pieces: so these close cycles."""

FROM_PIECES: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "nested tuple": lambda pieces: (1, (tuple(pieces), "x")),
    "frozenset": lambda pieces: frozenset(piece for piece in pieces if is_key(piece)),
    "closure": closure,
    "with default": with_default,
    "counter": held,
    "partial": lambda pieces: functools.partial(sorted, *pieces, key=pieces[0] if pieces else None),
    "reduced": lambda pieces: Reduced(pieces[0] if pieces else 0, pieces[1:]),
    "method": lambda pieces: next((p.append for p in pieces if type(p) is Refilled), 5),
    "builtin method": lambda pieces: next((p.append for p in pieces if type(p) in (list, Pile, collections.deque)), 6),
    "weak": lambda pieces: next((weakref.ref(p) for p in pieces if type(p) in (Plain, Both, Keyed, Pile)), 7),
    "proxy": lambda pieces: next((types.MappingProxyType(p) for p in pieces if type(p) in (dict, Table)), 9),
    "values": lambda pieces: next((p.values() for p in pieces if type(p) in (dict, Table)), 9),
    "lock": lambda pieces: threading.Lock(),
    "memoryview": lambda pieces: next((memoryview(p) for p in pieces if type(p) is bytearray), 10),
    "bytearray": lambda pieces: bytearray(b"abc"),
    "iterator": lambda pieces: iter(pieces),
}
"""Kind to how it is made from pieces that are there already."""

DEEPCOPY_IS_WRONG = frozenset(
    [
        "array view", "object array", "proxy", "values", "lock", "memoryview", "closure", "with default", "counter",
        "builtin method", "weak", "keyed dict", "set", "frozenset", "partial",
    ]
)  # fmt: skip
"""Kinds that copy.deepcopy shares, or fails on when they are on a cycle."""

try:
    import numpy
except ImportError:
    pass
else:

    def fill_cells(obj: Any, pieces: list[Any]) -> None:
        for number, piece in enumerate(pieces[:3]):
            obj[number] = piece

    def view(pieces: list[Any]) -> Any:
        return next((p[1:] for p in pieces if type(p) is numpy.ndarray and p.ndim == 1 and len(p) > 1), 8)

    FROM_PIECES["array"] = lambda pieces: numpy.arange(len(pieces) + 1.0)
    FROM_PIECES["array view"] = view
    MUTABLE["object array"] = (lambda: numpy.empty(3, object), fill_cells)


def build(recipe: list[tuple[str, list[Any]]]) -> list[Any]:
    """Make the nodes of a recipe: (kind, pieces), a piece being ("node", n) or ("atom", value)."""
    nodes: list[Any] = []
    count = len(recipe)

    def pick(piece: tuple[str, Any], known: int) -> Any:
        what, value = piece
        if what == "atom":
            return value
        return nodes[value % known] if known else None

    for place, (kind, pieces) in enumerate(recipe):
        if kind in MUTABLE:
            nodes.append(MUTABLE[kind][0]())
        else:
            nodes.append(FROM_PIECES[kind]([pick(piece, place) for piece in pieces]))
    for node, (kind, pieces) in zip(nodes, recipe):
        if kind in MUTABLE:
            MUTABLE[kind][1](node, [pick(piece, count) for piece in pieces])
    return nodes


def recipes(kinds: list[str], size: int = 12) -> st.SearchStrategy[list[tuple[str, list[Any]]]]:
    """Recipes over some kinds."""
    piece = st.one_of(
        st.tuples(st.just("node"), st.integers(0, size - 1)),
        st.tuples(st.just("node"), st.integers(0, size - 1)),
        st.tuples(st.just("atom"), ATOMS),
    )
    node = st.tuples(st.sampled_from(kinds), st.lists(piece, max_size=5))
    return st.lists(node, min_size=1, max_size=size)


ALL_KINDS = [*MUTABLE, *FROM_PIECES]
