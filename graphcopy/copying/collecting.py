"""The garbage collector pauses while a copy runs.

A copy makes many objects and frees few, so collections in its midst find nothing and cost much. The
first one that begins while a copy runs switches the collector off for the rest of it; so a small
copy never touches the switch. It goes on again with the end of the last copy of all threads, whatever
happens. If somebody else calls ``gc.enable()`` meanwhile, their word stands; so does a ``gc.disable()`` that came
before a copy began, or before the collection that ours came with.

What a signal handler raises comes when a call of C code returns, or at the entry of a function. In a callback of the
collector it would be lost: a Ctrl-C that arrives during a collection, with a note on stderr. So what the collector
calls is C code throughout, in which flag and switch are one step; and who was interrupted in ``resume`` calls it again.
"""

from __future__ import annotations

import gc
import threading
from collections import defaultdict
from functools import partial
from typing import Any

__all__ = ["pause", "resume"]

_lock = threading.RLock()  # a signal handler or a finalizer may copy in the midst of this

_switched_off: defaultdict[str, None] = defaultdict(gc.disable)
"""Holds a key when the collector was switched off by us: who looks up one that is missing calls ``gc.disable()``."""

_at_collection: Any = partial("{0[by us].__class__.__name__}".format, _switched_off)
"""Looks a key up there, whatever it is called with; it stands in ``gc.callbacks`` once for each running copy.

What it formats is a string, since ``repr`` looks for signals.
"""


def pause() -> None:
    """Let no more than one collection begin until ``resume`` is called, unless somebody asks for it."""
    if gc.isenabled() or _switched_off:
        gc.callbacks.append(_at_collection)


def resume() -> None:
    """Switch the collector on again when the last copy ends, if it was on; also when ``pause`` was interrupted."""
    try:
        gc.callbacks.remove(_at_collection)
    except ValueError:  # the collector was off, pause was interrupted, or somebody has cleared the list
        pass
    if _switched_off:
        with _lock:
            if _switched_off and _at_collection not in gc.callbacks:
                gc.enable()
                _switched_off.clear()
