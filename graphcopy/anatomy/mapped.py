"""Memory-mapped arrays: the file is mapped again, with the same mode and at the same place.

A file that the original creates (mode "w+") is opened by the copy without emptying it. What was written
to a private map (mode "c") is carried over. Without a file name, or when the file is gone, None is
returned and the cells are copied as ordinary memory.
"""

from __future__ import annotations

import mmap
from typing import Any

__all__ = ["map_again"]

_ACCESS = {"r": mmap.ACCESS_READ, "c": mmap.ACCESS_COPY, "r+": mmap.ACCESS_WRITE, "w+": mmap.ACCESS_WRITE}
_CHUNK = 1 << 20


def map_again(owner: Any, old: mmap.mmap) -> mmap.mmap | None:
    """Map the file under the memmap *owner* once more; *old* is its map."""
    filename, mode, offset = (getattr(owner, name, None) for name in ("filename", "mode", "offset"))
    if filename is None or mode not in _ACCESS or offset is None:
        return None
    start = offset - offset % mmap.ALLOCATIONGRANULARITY
    try:
        with open(filename, "rb" if mode in ("r", "c") else "r+b") as file:
            new = mmap.mmap(file.fileno(), len(old), access=_ACCESS[mode], offset=start)
    except (OSError, ValueError):
        return None
    if mode == "c":
        _carry_over(old, new)
    return new


def _carry_over(old: mmap.mmap, new: mmap.mmap) -> None:
    """Write what differs, chunk by chunk: the rest stays backed by the file."""
    with memoryview(old) as before, memoryview(new) as after:
        for start in range(0, len(before), _CHUNK):
            with before[start : start + _CHUNK] as chunk, after[start : start + _CHUNK] as target:
                if chunk != target:
                    target[:] = chunk
