"""A package that somebody trusts: its classes, and what it happens to import."""

from __future__ import annotations

import collections
import dataclasses
import enum
import os
import subprocess  # noqa: F401
import threading
from subprocess import Popen  # noqa: F401
from typing import Any


class Point:
    """A plain class."""

    kind = "point"

    def __init__(self, x: Any = 0) -> None:
        self.x = x


class Outer:
    """A class with a class in it."""

    class Inner:
        """The one within."""


class Slotted:
    """A class with slots."""

    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a, self.b = 1, [2]


class Guarded:
    """A class with locks."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.points = [Point(1), Point(2)]
        self.first = self.points[0]


class Many(list):
    """A list with attributes."""


class Table(dict):
    """A dict with attributes."""


class Word(str):
    """A text with attributes."""

    __slots__ = ("note",)


class Failure(Exception):
    """An exception."""


class Colour(enum.Enum):
    """An enum."""

    RED = 1


@dataclasses.dataclass(frozen=True)
class Fixed:
    """A frozen class, which can be hashed."""

    x: int
    y: tuple


Pair = collections.namedtuple("Pair", "a b")


class Setter:
    """A class that is told its state."""

    def __getstate__(self) -> Any:
        return ["state", self.__dict__]

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state[1])


class Property:
    """A class with a property that does something."""

    @property
    def run(self) -> str:
        """Say that it was asked."""
        return "ran"

    @run.setter
    def run(self, value: str) -> None:
        os.system(value)


class Meta(type):
    """A metaclass."""


def helper(value: Any = None) -> Any:
    """A function that nobody listed."""
    return value


def twice(value: Any) -> Any:
    """A function that can be listed."""
    return [value, value]


command = os.system
