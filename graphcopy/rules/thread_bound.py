"""Things that can be read only in the thread that made them, such as a connection of sqlite3.

An engine may pickle in a thread of its own (loky does). Who wraps an object for it has to know whether
there is any such thing in it; the rule that reads one says so here.
"""

from __future__ import annotations

import threading

__all__ = ["met", "note"]


class _Met(threading.local):
    count = 0


_here = _Met()


def note() -> None:
    """Note that something was read which only this thread can read."""
    _here.count += 1


def met() -> int:
    """How often that was noted in this thread."""
    return _here.count
