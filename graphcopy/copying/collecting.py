"""The garbage collector pauses while a copy runs.

A copy makes many objects and frees few, so collections in its midst find nothing and cost much. The
pause is counted across threads, and what was set before is restored whatever happens. If somebody
else calls ``gc.enable()`` or ``gc.disable()`` meanwhile, their word stands.
"""

from __future__ import annotations

import gc
import threading

__all__ = ["pause", "resume"]

_lock = threading.RLock()  # a signal handler or a finalizer may copy in the midst of this
_running: set[int] = set()  # ids of those who want it paused
_was_enabled = False


def pause(owner: object) -> None:
    """Switch the collector off for *owner*, unless a copy in another thread has done so."""
    global _was_enabled
    with _lock:
        if not _running:
            _was_enabled = gc.isenabled()
        _running.add(id(owner))
        if _was_enabled:
            gc.disable()


def resume(owner: object) -> None:
    """Switch the collector on again when the last copy ends, if it was on; also when ``pause`` was interrupted."""
    with _lock:
        _running.discard(id(owner))
        if not _running and _was_enabled:
            gc.enable()
