"""The garbage collector pauses while a copy runs.

A copy makes many objects and frees few, so collections in its midst find nothing and cost much. The
first one that begins while a copy runs switches the collector off for the rest of it; so a small
copy never touches the switch. It goes on again with the end of the last copy of all threads, whatever
happens. If somebody else calls ``gc.enable()`` meanwhile, their word stands; so does a ``gc.disable()``, unless ours
came first: then nobody can tell them apart.

What a signal handler raises comes when a call of C code returns, or at the entry of a function. So a flag is set before
the switch that it tells of, and cleared after it; and whoever was interrupted in ``resume`` calls it again.
"""

from __future__ import annotations

import gc
import threading

__all__ = ["pause", "resume"]

_lock = threading.RLock()  # a signal handler or a finalizer may copy in the midst of this
_switched_off = False  # by us


def _at_collection(phase: str, info: dict[str, int]) -> None:
    """Switch the collector off at the first collection; it stands in ``gc.callbacks`` once for each running copy."""
    global _switched_off
    if phase == "start":
        with _lock:
            if not _switched_off and gc.isenabled() and _at_collection in gc.callbacks:
                _switched_off = True
                gc.disable()


def pause() -> None:
    """Let no more than one collection begin until ``resume`` is called, unless somebody asks for it."""
    gc.callbacks.append(_at_collection)


def resume() -> None:
    """Switch the collector on again when the last copy ends, if it was on; also when ``pause`` was interrupted."""
    global _switched_off
    try:
        gc.callbacks.remove(_at_collection)
    except ValueError:  # pause was interrupted, or somebody has cleared the list
        pass
    if _switched_off:
        with _lock:
            if _switched_off and _at_collection not in gc.callbacks:
                gc.enable()
                _switched_off = False
