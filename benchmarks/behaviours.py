"""What each tool does with small objects of many kinds: right, wrong without an error, or an error.

    python -m benchmarks.behaviours            a Markdown table of the tools that are installed

Each tool copies each object once, in this process; a check says whether the copy is right. A copy that raises
nothing and does not pass its check is "wrong". The table in docs/compared.md is made by this script.
"""

from __future__ import annotations

import collections
import functools
import importlib
import logging
import platform
import queue
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

from .peers import PEERS, available, peer


class Plain:
    pass


def _counter() -> Any:
    counts: list[int] = []
    return {"counts": counts, "hit": lambda: counts.append(1)}


def _closure_right(original: Any, copied: Any) -> bool:
    copied["hit"]()
    return original["counts"] == [] and copied["counts"] == [1]


def _tree() -> Any:
    root, child = Plain(), Plain()
    root.child, child.parent = child, weakref.ref(root)
    return root


def _views() -> Any:
    import numpy as np

    vector = np.zeros(4)
    return {"vector": vector, "weights": vector[:2]}


def _views_right(original: Any, copied: Any) -> bool:
    copied["vector"][:] = 1
    return copied["weights"].tolist() == [1, 1] and original["weights"].tolist() == [0, 0]


def _held_lock() -> Any:
    lock = threading.Lock()
    lock.acquire()
    return {"lock": lock, "again": [lock]}


def _lock_right(original: Any, copied: Any) -> bool:
    return copied["lock"] is copied["again"][0] is not original["lock"] and copied["lock"].acquire(timeout=0.01)


def _held_rlock() -> Any:
    lock = threading.RLock()
    lock.acquire()
    return [lock]


def _rlock_right(original: Any, copied: Any) -> bool:
    answers: list[bool] = []
    worker = threading.Thread(target=lambda: answers.append(copied[0].acquire(timeout=0.01)))
    worker.start()
    worker.join()
    return answers == [True]


def _jobs() -> Any:
    jobs: queue.Queue[Any] = queue.Queue(5)
    jobs.put([1])
    return jobs


def _jobs_right(original: Any, copied: Any) -> bool:
    return copied.maxsize == 5 and copied.get(timeout=0.1) == [1] and original.qsize() == 1


def _error() -> Any:
    try:
        try:
            raise KeyError("inner")
        except KeyError as inner:
            raise ValueError("outer") from inner
    except ValueError as error:
        return {"error": error}


def _member_on_a_cycle() -> Any:
    key = Key("a")
    key.group = {key}
    return key


class Key:
    def __init__(self, name: str) -> None:
        self.name = name
        self.group: set[Any] = set()

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self.name == other.name


class Edits:
    """Its ``__getstate__`` takes something away from the original."""

    def __init__(self) -> None:
        self.rows, self.engine = [1], "engine"

    def __getstate__(self) -> Any:
        self.engine = None
        return self.__dict__


def _deep(levels: int) -> Any:
    chain: list[Any] = []
    for _ in range(levels):
        chain = [chain]
    return chain


def _depth_right(original: Any, copied: Any) -> bool:
    depth = 0
    while copied:
        copied, depth = copied[0], depth + 1
    return depth == 100_000


def _table() -> Any:
    store = {"a": [1]}
    return {"store": store, "view": types.MappingProxyType(store)}


def _logger() -> Any:
    logger = logging.Logger("of its own")
    return {"logger": logger, "lines": []}


def _partial() -> Any:
    items: list[Any] = []
    return {"items": items, "add": functools.partial(items.append, 1)}


def _partial_right(original: Any, copied: Any) -> bool:
    copied["add"]()
    return copied["items"] == [1] and original["items"] == []


Case = tuple[str, Callable[[], Any], Callable[[Any, Any], bool]]
CASES: list[Case] = [
    ("a tree of lists and dicts with an alias", lambda: (lambda a: {"a": a, "b": [a]})([1]),
     lambda o, c: c["a"] is c["b"][0] is not o["a"]),
    ("ordered dict, deque, named tuple", lambda: [collections.OrderedDict(a=[1]), collections.deque([[2]], 3)],
     lambda o, c: c[0]["a"] is not o[0]["a"] and c[1].maxlen == 3),
    ("closure over state", _counter, _closure_right),
    ("partial of a bound method of a builtin", _partial, _partial_right),
    ("weak reference to a parent", _tree, lambda o, c: c.child.parent() is c),
    ("numpy view of an array", _views, _views_right),
    ("lock, held, referred to twice", _held_lock, _lock_right),
    ("re-entrant lock, held", _held_rlock, _rlock_right),
    ("queue with a job", _jobs, _jobs_right),
    ("exception with its cause", _error,
     lambda o, c: type(c["error"].__cause__) is KeyError and c["error"].__cause__ is not o["error"].__cause__),
    ("read-only view of a dict", _table, lambda o, c: c["view"]["a"] is c["store"]["a"] is not o["store"]["a"]),
    ("logger that is not registered", _logger, lambda o, c: c["logger"].name == "of its own" and c["lines"] == []),
    ("set on a cycle, hashed by state", _member_on_a_cycle, lambda o, c: c in c.group and c is not o),
    ("`__getstate__` that edits the original", Edits, lambda o, c: o.engine == "engine" and c.rows is not o.rows),
    ("a list nested 100,000 deep", lambda: _deep(100_000), _depth_right),
]  # fmt: skip


def verdict(copy: Callable[[Any], Any], make: Callable[[], Any], right: Callable[[Any, Any], bool]) -> str:
    """Copy once, and check."""
    original = make()
    try:
        copied = copy(original)
    except Exception as error:
        return type(error).__name__
    try:
        return "right" if right(original, copied) else "**wrong**"
    except Exception:
        return "**wrong**"


def table(cases: list[Case] = CASES) -> str:
    """The table of *cases* as Markdown."""
    tools = [name for name in PEERS if available(name)]
    lines = ["| object | " + " | ".join(tools) + " |", "|---|" + "---|" * len(tools)]
    for about, make, right in cases:
        lines.append(f"| {about} | " + " | ".join(verdict(peer(name), make, right) for name in tools) + " |")
    return "\n".join(lines)


def versions(*libraries: str) -> str:
    """What the table was made with: the tools, and *libraries*."""
    from importlib.metadata import version

    told = {name: version(name) for name in ("dill", "cloudpickle", "copium", "numpy") if available(name)}
    told.update({name: importlib.import_module(name).__version__ for name in libraries})  # of any distribution
    return ", ".join([f"Python {platform.python_version()}", *(f"{name} {told[name]}" for name in told)])


if __name__ == "__main__":
    print(table())
    print()
    print(versions())
