"""Objects of many kinds, one function each; the module is run as a program's ``__main__`` in some tests."""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import functools
import threading
import typing
import weakref

LIMIT = [10]


def closure():
    "A closure over a lock and state, which refers to itself."
    lock, state = threading.RLock(), {"n": 0}

    def bump(by=1, *, twice=False):
        with lock:
            state["n"] += by * (2 if twice else 1)
            return state["n"] if by < LIMIT[0] else bump(1)

    bump.label = ["bump"]
    return bump


def local_dataclass():
    "A frozen dataclass of a local scope."

    @dataclasses.dataclass(frozen=True)
    class Point:
        x: int
        y: list = dataclasses.field(default_factory=list)

        def moved(self, by):
            return dataclasses.replace(self, x=self.x + by)

    return Point(1, [2])


def local_enum():
    "Enums of a local scope: plain, with a mixed-in type, with attributes of their members, flags."

    class Colour(enum.Enum):
        RED = 1
        CRIMSON = 1  # noqa: PIE796
        BLUE = "b"

        def lower(self):
            return self.name.lower()

    class Level(enum.IntEnum):
        LOW = 1
        HIGH = 2

        def twice(self):
            return self * 2

    class Planet(enum.Enum):
        EARTH = (5, 6)

        def __init__(self, mass, radius):
            self.mass, self.radius = mass, radius

    class Right(enum.Flag):
        READ = enum.auto()
        WRITE = enum.auto()

    return {
        "colours": [Colour.RED, Colour.CRIMSON, Colour.BLUE], "level": Level.HIGH, "planet": Planet.EARTH,
        "rights": Right.READ | Right.WRITE, "right": Right.WRITE,
    }  # fmt: skip


def local_tuples():
    "Named tuples of a local scope."
    pair = collections.namedtuple("Pair", "a b", defaults=[7])

    class Row(typing.NamedTuple):
        key: int
        value: str = "v"

        def text(self):
            return f"{self.key}={self.value}"

    return [pair(1), Row(3), pair]


def local_classes():
    "An abstract base with a registered class, a subclass that calls super, slots, a generic class, a metaclass."

    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

        def name(self):
            return "shape"

    class Square(Shape):
        side = 2

        def area(self):
            return self.side**2

        def name(self):
            return "square " + super().name()

        @property
        def double(self):
            return self.side * 2

        @classmethod
        def make(cls):
            return cls()

        @staticmethod
        def twice(x):
            return 2 * x

    class Slotted:
        __slots__ = ("__secret", "other")

        def __init__(self):
            self.__secret = 5
            self.other = self

        def secret(self):
            return self.__secret

    item = typing.TypeVar("item")

    class Box(typing.Generic[item]):
        def __init__(self, content):
            self.content = content

    class Meta(type):
        made: typing.ClassVar = []

        def __new__(meta, name, bases, space):
            cls = super().__new__(meta, name, bases, space)
            meta.made.append(name)
            return cls

        def shout(cls):
            return cls.__name__.upper()

    class Made(metaclass=Meta):
        pass

    Shape.register(int)
    return {
        "square": Square(), "shape": Shape, "slotted": Slotted(), "box": Box[int]([1]), "box class": Box, "made": Made,
        "instance": Made(),
    }  # fmt: skip


class Registered:
    "A base whose ``__init_subclass__`` wants an argument."

    known: typing.ClassVar = {}

    def __init_subclass__(cls, *, tag):
        Registered.known[tag] = cls


def tagged():
    "A class made with an argument for ``__init_subclass__``."

    class Tagged(Registered, tag="t"):
        def hello(self):
            return "hello"

    return Tagged()


class Node:
    "A tree with weak references upwards."

    def __init__(self, parent=None):
        self.parent = None if parent is None else weakref.ref(parent)
        self.children = []
        self.lock = threading.RLock()
        if parent is not None:
            parent.children.append(self)


def tree():
    "A root with a child; a weak set of all, and one reference to what stays behind."
    root = Node()
    child = Node(root)
    root.all = weakref.WeakSet([root, child])
    root.names = weakref.WeakValueDictionary(child=child)
    root.weights = weakref.WeakKeyDictionary({child: 3})
    return root


def cached():
    "A cached local function, a partial, a bound method, a bound builtin."

    @functools.lru_cache(maxsize=7)
    def square(x):
        return x * x

    square(3)
    items = []
    return {
        "square": square, "partial": functools.partial(square, 4), "append": items.append, "items": items,
        "method": Node().__init__,
    }  # fmt: skip


class Failure(Exception):
    "An exception whose arguments are not those of its constructor."

    def __init__(self, *, code):
        super().__init__(f"code {code}")
        self.code = code


def failure():
    "An exception that was raised, with a cause."
    try:
        try:
            {}["k"]
        except KeyError as error:
            raise Failure(code=3) from error
    except Failure as error:
        return error
