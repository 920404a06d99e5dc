"""The workloads W1 to W8: what real graphs consist of, in pure form."""

from __future__ import annotations

import dataclasses
import functools
import logging
import random
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["WORKLOADS", "Workload"]


@dataclasses.dataclass
class Workload:
    """One object to copy. ``clean`` is the same without what the peers refuse, for their sake."""

    name: str
    about: str
    make: Callable[[float], Any]
    clean: Callable[[float], Any] | None = None
    baseline: str = "deepcopy"
    target: float | None = None
    repeat: int = 1  # how often a round copies it: small objects many times
    peers: tuple[str, ...] = ("deepcopy", "pickle", "cloudpickle", "dill", "copium")


def json_tree(scale: float = 1.0) -> Any:
    """W1: a tree of a million builtins."""
    rng = random.Random(0)

    def tree(size: int) -> Any:
        if size <= 1:
            return rng.choice([1, 2.5, "abc", None, True])
        count = rng.randint(2, 6)
        parts = [tree(size // count) for _ in range(count)]
        return {f"key{place}": part for place, part in enumerate(parts)} if rng.random() < 0.5 else parts

    return [tree(1000) for _ in range(max(1, int(1000 * scale)))]


class Node:
    """An instance with a ``__dict__`` and a way back."""

    def __init__(self, parent: Node | None, number: int) -> None:
        self.parent = parent
        self.number = number
        self.name = "node"
        self.children: list[Node] = []


def family(scale: float = 1.0) -> Any:
    """W2: 200,000 instances with cycles between parent and child."""
    root = Node(None, 0)
    waiting = [root]
    for number in range(1, int(200_000 * scale)):
        parent = waiting[0]
        child = Node(parent, number)
        parent.children.append(child)
        waiting.append(child)
        if len(parent.children) == 5:
            waiting.pop(0)
    return root


class Slotted:
    """Plain slots."""

    __slots__ = ("a", "b", "c")

    def __init__(self, a: int, b: Any, c: str) -> None:
        self.a, self.b, self.c = a, b, c


@dataclasses.dataclass
class Record:
    """A dataclass."""

    a: int
    b: Any
    c: str


@dataclasses.dataclass(slots=True)
class SlottedRecord:
    """A dataclass with slots."""

    a: int
    b: Any
    c: str


@dataclasses.dataclass(frozen=True, slots=True)
class FrozenRecord:
    """A frozen dataclass with slots."""

    a: int
    b: Any
    c: str


def records(scale: float = 1.0) -> Any:
    """W3: 200,000 slotted and dataclass instances."""
    kinds = (Slotted, Record, SlottedRecord, FrozenRecord)
    return [kinds[number % 4](number, [number], "x") for number in range(int(200_000 * scale))]


def arrays(scale: float = 1.0) -> Any:
    """W4: a hundred arrays of 8 MB."""
    import numpy

    return [numpy.full(1_000_000, float(number)) for number in range(max(1, int(100 * scale)))]


class Link:
    """A linked list."""

    __slots__ = ("next",)

    def __init__(self, following: Link | None) -> None:
        self.next = following


def chain(scale: float = 1.0) -> Any:
    """W5: a linked list a million deep."""
    head = None
    for _ in range(int(1_000_000 * scale)):
        head = Link(head)
    return head


class Owner:
    """Has a method to bind."""

    def __init__(self, number: int) -> None:
        self.items = [number]

    def method(self) -> list[int]:
        """Return the items."""
        return self.items


def closure(number: int) -> Callable[[], list[int]]:
    """A closure over a list."""
    items = [number]
    return lambda: items


def callables(scale: float = 1.0) -> Any:
    """W6: 20,000 closures, partials and bound methods."""
    found: list[Any] = []
    for number in range(int(20_000 * scale / 3)):
        found += [closure(number), functools.partial(closure(number), number), Owner(number).method]
    return found


class Service:
    """A part of an application."""

    def __init__(self, number: int, live: bool) -> None:
        self.name = f"service {number}"
        self.options = {"retries": 3, "hosts": [number, number + 1]}
        self.links: list[Service] = []
        self.tags = ("a", 1, [number])
        if live:
            self.lock = threading.RLock()
            self.log = logging.getLogger("graphcopy.benchmarks")
            self.ready = threading.Event()
            self.append = self.links.append


def application(scale: float = 1.0, live: bool = True) -> Any:
    """W8: 100,000 mixed objects, one in a hundred with locks, loggers and functions."""
    services = [Service(number, live and number % 100 == 0) for number in range(int(20_000 * scale))]
    for number, service in enumerate(services):
        service.links += [services[number * 7 % len(services)], services[number * 13 % len(services)]]
    return services


@dataclasses.dataclass
class Point:
    """A small record."""

    x: int
    y: list[int]


class Reduced:
    """An object with a ``__reduce__`` and a ``__setstate__`` of its own."""

    def __init__(self) -> None:
        self.a, self.b = 1, 2

    def __reduce__(self) -> Any:
        return (Reduced, (), self.__dict__)

    def __setstate__(self, state: dict[str, int]) -> None:
        self.__dict__.update(state)


def ten_items(scale: float = 1.0) -> Any:
    """S1: a dict of ten items."""
    return {f"key{number}": number for number in range(10)}


def one_record(scale: float = 1.0) -> Any:
    """S2: one dataclass."""
    return Point(1, [2])


def mixed_values(scale: float = 1.0) -> Any:
    """P1: after pyperformance's "deepcopy": a list, a tuple, a dict and a dataclass, nested."""
    record = Point(1, [2, 3])
    return {
        "list": [1, 2, (3, 4)],
        "tuple": (1, [2], "b"),
        "dict": {"a": 1.0, "b": {"c": "d"}},
        "record": [record, record],
    }


def reducing(scale: float = 1.0) -> Any:
    """P2: after pyperformance's "deepcopy_reduce": objects that say how they are reduced."""
    return [Reduced() for _ in range(10)]


def aliases(scale: float = 1.0) -> Any:
    """P3: after pyperformance's "deepcopy_memo": the same few objects, again and again."""
    parts = [[1], {"a": 2}, Point(1, [2])]
    return [parts[number % 3] for number in range(100)]


ALL = ("deepcopy", "pickle", "cloudpickle", "dill", "copium")
WORKLOADS = {
    work.name: work
    for work in [
        Workload("W1", "a million-node tree of builtins", json_tree, target=1.6),
        Workload("W2", "200,000 instances with cycles", family, target=2.5),
        Workload("W3", "200,000 slotted and dataclass instances", records, target=2.0),
        Workload("W4", "100 arrays of 8 MB", arrays, target=0.9, peers=("deepcopy", "pickle", "cloudpickle")),
        Workload("W5", "a linked list a million deep", chain, peers=()),
        Workload("W6", "20,000 closures, partials, bound methods", callables, baseline="cloudpickle", target=5.0),
        Workload("S1", "a dict of ten items, 2,000 times", ten_items, target=1 / 1.3, repeat=2000),
        Workload("S2", "one dataclass, 2,000 times", one_record, target=1 / 1.3, repeat=2000),
        Workload("P1", "pyperformance's deepcopy, 500 times", mixed_values, repeat=500),
        Workload("P2", "pyperformance's deepcopy_reduce, 500 times", reducing, repeat=500),
        Workload("P3", "pyperformance's deepcopy_memo, 500 times", aliases, repeat=500),
        Workload(
            "W8", "100,000 mixed objects with locks, loggers, functions", application,
            clean=lambda scale: application(scale, live=False), target=1.8,
        ),
    ]
}  # fmt: skip
"""W7, a Keras model, stands in benchmarks/keras_model.py, since it needs TensorFlow."""
