"""Memory-mapped arrays, and maps of no file.

The file under an array is mapped again, with the same mode and at the same place.

A file that the original creates (mode "w+") is opened by the copy without emptying it. What was written
to a private map (mode "c") is carried over. Without a file name, or when the file is gone, None is
returned and the cells are copied as ordinary memory.
"""

from __future__ import annotations

import mmap
from typing import Any

from .parts import Outcome, Parts, Refused
from .registry import anatomy

__all__ = ["CarriedMemory", "StoredMemory", "make_memory", "map_again"]

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


@anatomy(mmap.mmap)
def memory(obj: mmap.mmap, context: Any) -> Outcome:
    """A map of no file is memory: the copy has its own, with the same content; one of a file is a resource."""
    if not _is_anonymous(obj):
        return Refused("a mapped file has a place in the operating system", "rules=[graphcopy.resource_rules]")
    return Parts(CarriedMemory(obj), where=(), lost="that forked processes see it")


class CarriedMemory:
    """Carries a map of no file to where its content is written into a new one."""

    __slots__ = ("obj",)

    def __init__(self, obj: mmap.mmap) -> None:
        self.obj = obj

    def __call__(self) -> mmap.mmap:
        return make_memory(self.obj, self.obj.tell())

    def __reduce__(self) -> tuple[Any, ...]:
        return (StoredMemory, (self.obj[:], self.obj.tell()))


class StoredMemory:
    """Makes a map with the content that came along."""

    __slots__ = ("content", "position")

    def __init__(self, content: bytes, position: int) -> None:
        self.content = content
        self.position = position

    def __call__(self) -> mmap.mmap:
        return make_memory(self.content, self.position)


def make_memory(content: Any, position: int) -> mmap.mmap:
    """Make a map of no file that holds *content*."""
    new = mmap.mmap(-1, len(content))
    with memoryview(content) as source, memoryview(new) as target:
        target[:] = source
    new.seek(position)
    return new


def _is_anonymous(obj: mmap.mmap) -> bool:
    """Tell whether no file is behind a map, as far as the system tells (Linux)."""
    if obj.closed:
        return False
    try:
        import ctypes

        address = ctypes.addressof(ctypes.c_char.from_buffer(obj))  # refused for one that cannot be written
        with open("/proc/self/maps", encoding="ascii", errors="replace") as regions:
            for line in regions:
                start, _, end = line.partition(" ")[0].partition("-")
                if int(start, 16) <= address < int(end, 16):
                    path = line.split(maxsplit=5)[5:]
                    return not path or path[0].startswith("/dev/zero")
    except (ImportError, OSError, TypeError, ValueError):
        return False
    return False
