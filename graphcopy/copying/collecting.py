"""The garbage collector pauses while a copy runs.

A copy makes many objects and frees few, so collections in its midst find nothing and cost much. The
pause is counted across threads, and what was set before is restored whatever happens. If somebody
else calls ``gc.enable()`` or ``gc.disable()`` meanwhile, their word stands.
"""

from __future__ import annotations

import gc
import threading

__all__ = ["pause", "resume"]

_lock = threading.Lock()
_copies = 0
_was_enabled = False


def pause() -> None:
    """Switch the collector off, unless a copy in another thread has done so."""
    global _copies, _was_enabled
    with _lock:
        if _copies == 0:
            _was_enabled = gc.isenabled()
            if _was_enabled:
                gc.disable()
        _copies += 1


def resume() -> None:
    """Switch the collector on again when the last copy ends, if it was on."""
    global _copies
    with _lock:
        _copies -= 1
        if _copies == 0 and _was_enabled:
            gc.enable()
