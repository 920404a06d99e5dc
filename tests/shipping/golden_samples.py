"""What stands in the golden files, and how it is recognised: (make, check) for each kind.

These classes and functions are part of the files: change nothing here, add new kinds under new names.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import threading
import uuid
import weakref
from typing import Any

KINDS: dict[str, Any] = {}
BY_VALUE: set[str] = set()
"""Kinds with bytecode in them: read by the same minor version of Python only."""
DEPTH = 5000


def kind(make: Any) -> Any:
    """Enter a kind: its function makes it, and the function named ``check_`` and so on recognises it."""
    KINDS[make.__name__] = make
    return make


def by_value(make: Any) -> Any:
    """Enter a kind that holds bytecode."""
    BY_VALUE.add(make.__name__)
    return kind(make)


@kind
def containers() -> Any:
    shared = [1, 2.5, None, True, 1 << 80, "text ä", b"bytes"]
    found: Any = {
        "list": shared,
        "again": shared,
        "tuple": (1, (2, shared)),
        "set": {1, 2},
        "frozen": frozenset("ab"),
        7: bytearray(b"x"),
    }
    found["deque"] = collections.deque([1, 2], 5)
    found["ordered"] = collections.OrderedDict(b=1, a=2)
    found["default"] = collections.defaultdict(list, k=[1])
    found["counter"] = collections.Counter("aab")
    found["me"] = found
    return found


def check_containers(obj: Any) -> None:
    assert obj["list"] == [1, 2.5, None, True, 1 << 80, "text ä", b"bytes"] and obj["again"] is obj["list"]
    assert obj["tuple"] == (1, (2, obj["list"])) and obj["tuple"][1][1] is obj["list"] and obj["me"] is obj
    assert obj["set"] == {1, 2} and obj["frozen"] == frozenset("ab") and obj[7] == bytearray(b"x")
    assert obj["deque"].maxlen == 5 and list(obj["deque"]) == [1, 2] and list(obj["ordered"]) == ["b", "a"]
    assert obj["default"]["new"] == [] and obj["counter"]["a"] == 2


@kind
def values() -> Any:
    return [
        datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.timezone.utc), decimal.Decimal("1.5"),
        fractions.Fraction(1, 3), uuid.UUID(int=5), pathlib.PurePosixPath("/a/b"), 1 + 2j, range(3), slice(1, 2), ...,
    ]  # fmt: skip


def check_values(obj: Any) -> None:
    assert obj == values()


class Plain:
    def __init__(self, **own: Any) -> None:
        self.__dict__.update(own)


class Slotted:
    __slots__ = ("__weakref__", "a", "b", "unset")

    def __init__(self) -> None:
        self.a, self.b = 1, self


class Both(Slotted):
    def __init__(self) -> None:
        super().__init__()
        self.c = [3]


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: int
    y: list


class Words(list):
    pass


class Text(str):
    pass


Pair = collections.namedtuple("Pair", "a b")


class Told:
    def __getstate__(self) -> Any:
        return ("state", 5)

    def __setstate__(self, state: Any) -> None:
        self.state = state


class New:
    def __new__(cls, x: int) -> Any:
        self = object.__new__(cls)
        self.x = x
        return self

    def __getnewargs__(self) -> Any:
        return (self.x,)


class Failure(Exception):
    def __init__(self, *, code: int) -> None:
        super().__init__("failed")
        self.code = code


@kind
def instances() -> Any:
    words = Words([1])
    words.label = "w"
    text = Text("t")
    text.label = "t"
    error = Failure(code=3)
    error.__cause__ = KeyError("k")
    return [Plain(a=1), Slotted(), Both(), Frozen(1, [2]), words, text, Pair(1, [2]), Told(), New(4), error]


def check_instances(obj: Any) -> None:
    plain, slotted, both, frozen, words, text, pair, told, new, error = obj
    assert plain.a == 1 and slotted.a == 1 and slotted.b is slotted and not hasattr(slotted, "unset")
    assert both.b is both and both.c == [3] and frozen == Frozen(1, [2]) and words == [1] and words.label == "w"
    assert text == "t" and text.label == "t" and pair == Pair(1, [2]) and told.state == ("state", 5) and new.x == 4
    assert error.code == 3 and error.args == ("failed",) and repr(error.__cause__) == "KeyError('k')"


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


class Right(enum.Flag):
    READ = 1
    WRITE = 2


@kind
def enums() -> Any:
    return [Colour.RED, {Colour.BLUE: 1}, Right.READ | Right.WRITE]


def check_enums(obj: Any) -> None:
    assert obj[0] is Colour.RED and obj[1] == {Colour.BLUE: 1} and obj[2] == Right.READ | Right.WRITE


@kind
def locks() -> Any:
    lock, rlock = threading.Lock(), threading.RLock()
    event = threading.Event()
    event.set()
    return {"lock": lock, "again": lock, "rlock": rlock, "condition": threading.Condition(rlock), "event": event,
            "semaphore": threading.Semaphore(3), "local": threading.local()}  # fmt: skip


def check_locks(obj: Any) -> None:
    assert obj["lock"] is obj["again"] and obj["lock"].acquire(False) and obj["rlock"].acquire(False)
    assert obj["condition"]._lock is obj["rlock"] and obj["event"].is_set() and obj["semaphore"]._value == 3


@kind
def weak() -> Any:
    plain = Plain(a=1)
    plain.me = weakref.ref(plain)
    return {"plain": plain, "dead": weakref.ref(Plain()), "all": weakref.WeakSet([plain]),
            "names": weakref.WeakValueDictionary(p=plain)}  # fmt: skip


def check_weak(obj: Any) -> None:
    plain = obj["plain"]
    assert plain.me() is plain and obj["dead"]() is None and list(obj["all"]) == [plain] and obj["names"]["p"] is plain


@kind
def deep() -> Any:
    found: Any = []
    for _ in range(DEPTH):
        found = [found]
    return found


def check_deep(obj: Any) -> None:
    depth = 0
    while obj:
        obj, depth = obj[0], depth + 1
    assert depth == DEPTH


@kind
def arrays() -> Any:
    import numpy

    large = numpy.arange(10_000.0)
    return {
        "numbers": numpy.arange(6).reshape(2, 3), "turned": numpy.zeros((2, 3)).T, "texts": numpy.array(["a", "bc"]),
        "large": large, "again": large, "objects": numpy.array([None, [1]], dtype=object),
        "times": numpy.array(["2026-12-01"], "M8[D]"),
        "rows": numpy.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
        "scalar": numpy.float32(1.5),
    }  # fmt: skip


def check_arrays(obj: Any) -> None:
    assert obj["numbers"].tolist() == [[0, 1, 2], [3, 4, 5]] and obj["turned"].shape == (3, 2)
    assert obj["texts"].tolist() == ["a", "bc"] and obj["large"] is obj["again"] and obj["large"][-1] == 9999
    assert obj["objects"].tolist() == [None, [1]] and str(obj["times"][0]) == "2026-12-01"
    assert obj["rows"]["b"][0] == 2.0 and obj["scalar"] == 1.5
    obj["large"][0] = 5


@by_value
def closures() -> Any:
    lock, state = threading.RLock(), {"n": 0}

    def bump(by: int = 1, *, twice: bool = False) -> int:
        with lock:
            state["n"] += by * (2 if twice else 1)
            return state["n"]

    bump.label = ["bump"]
    return {"bump": bump, "state": state, "lambda": lambda x: x + state["n"]}


def check_closures(obj: Any) -> None:
    assert obj["bump"](3, twice=True) == 6 and obj["state"] == {"n": 6} and obj["lambda"](1) == 7
    assert obj["bump"].label == ["bump"]


@by_value
def local_classes() -> Any:
    class Point:
        __slots__ = ("x", "y")

        def __init__(self, x: int) -> None:
            self.x, self.y = x, self

        def twice(self) -> int:
            return self.x * 2

    class Kind(enum.Enum):
        A = 1

        def lower(self) -> str:
            return self.name.lower()

    row = collections.namedtuple("row", "a b", defaults=[7])
    return [Point(3), Kind.A, row(1)]


def check_local_classes(obj: Any) -> None:
    point, kind, row = obj
    assert point.twice() == 6 and point.y is point and kind.lower() == "a" and row.b == 7
