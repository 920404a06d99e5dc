"""What stands for a type in a rule: a class, a dotted name, or a factory that is known."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["as_type"]

_FACTORIES = {
    ("_thread", "allocate_lock"), ("_thread", "allocate"), ("threading", "Lock"), ("threading", "RLock"),
    ("_thread", "RLock"),
}  # fmt: skip
_MAKERS = ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore", "Event", "Barrier", "Queue", "SimpleQueue")


def as_type(given: Any) -> type | str:
    """Understand a class, a dotted name, or a factory: ``threading.Lock``, ``multiprocessing.Lock``.

    Raises TypeError or ValueError for what can never match.

    >>> import threading
    >>> as_type(threading.RLock).__name__
    'RLock'
    """
    if isinstance(given, type) and issubclass(type(given), type):  # list[int] says that it is one, on Python 3.10
        return given
    if isinstance(given, str):
        pieces = given.split(".")
        if len(pieces) < 2 or not all(piece.isidentifier() or piece == "<locals>" for piece in pieces):
            hint = "" if not given.isidentifier() or given[0].isupper() else f"; attr={given!r} selects by attribute"
            raise ValueError(f"{given!r} can never match: it is no dotted name of a class (module.Class){hint}")
        return given
    name = getattr(given, "__name__", None)
    if (getattr(given, "__module__", None), name) in _FACTORIES and callable(given):
        return type(given())  # a function up to Python 3.12
    context = sys.modules.get("multiprocessing.context")
    if context is not None and name in _MAKERS and isinstance(getattr(given, "__self__", None), context.BaseContext):
        home = "multiprocessing.queues" if "Queue" in str(name) else "multiprocessing.synchronize"
        return f"{home}.{name}"
    if isinstance(given, (list, tuple, set)):
        raise TypeError(f"{given!r} is no class: give several one after the other, as in share(A, B)")
    origin = getattr(given, "__origin__", None)
    hint = f": write {origin.__qualname__}" if isinstance(origin, type) else ""
    raise TypeError(f"{given!r} is neither a class nor the dotted name of one{hint}")
