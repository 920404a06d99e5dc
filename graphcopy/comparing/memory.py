"""Memory that objects look into: arrays and views that are distinct objects over the same bytes."""

from __future__ import annotations

import array
import ctypes
import mmap
import sys
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

__all__ = ["Range", "overlaps", "ranges_of"]

Range = tuple[int, int, int]
"""First byte, end, and the place of the node that looks there."""

_CANDIDATES = 100  # views whose extents overlap although their cells do not, looked at for each view
_WORK = 100_000  # effort for the question whether two strided views have a cell in common


def ranges_of(obj: Any) -> list[tuple[int, int]]:
    """The stretches of writable memory that *obj* looks into: (first byte, end)."""
    cls = type(obj)  # isinstance would ask a proxy for its __class__
    if issubclass(cls, (bytearray, array.array, memoryview, mmap.mmap)):
        return _buffer(obj)
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(cls, numpy.ndarray):
        return _numpy(numpy, obj)
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(cls, getattr(torch, "Tensor", ())):
        return _torch(obj)
    pandas = sys.modules.get("pandas")
    if pandas is not None and numpy is not None and issubclass(cls, getattr(pandas.core.generic, "NDFrame", ())):
        found = []
        for block in getattr(getattr(obj, "_mgr", None), "arrays", ()):
            if isinstance(block, numpy.ndarray):
                found += _numpy(numpy, block)
        return found
    return []


def _buffer(obj: Any) -> list[tuple[int, int]]:
    try:
        with memoryview(obj) as view:
            if view.readonly or not view.contiguous or not view.nbytes:
                return []
            start = ctypes.addressof(ctypes.c_char.from_buffer(view))
            return [(start, start + view.nbytes)]
    except (BufferError, TypeError, ValueError):  # released, closed, or of a kind that ctypes cannot look at
        return []


def _numpy(numpy: Any, obj: Any) -> list[tuple[int, int]]:
    base = obj
    while isinstance(base, numpy.ndarray) and base.base is not None:
        base = base.base
    if isinstance(base, bytes) or obj.size == 0 or obj.itemsize == 0:
        return []
    bounds = getattr(numpy, "byte_bounds", None) if numpy.__version__.startswith("1.") else None
    start, end = bounds(obj) if bounds is not None else numpy.lib.array_utils.byte_bounds(obj)
    return [(start, end)]


def _torch(obj: Any) -> list[tuple[int, int]]:
    try:
        storage = obj.untyped_storage()
        start = storage.data_ptr()
        return [(start, start + storage.nbytes())] if start and storage.nbytes() else []
    except (RuntimeError, NotImplementedError, AttributeError):  # sparse, meta, functorch
        return []


def overlaps(ones: list[Range], others: Iterable[Range], objs: Any, other_objs: Any) -> Iterable[tuple[int, int]]:
    """Pairs of places whose memory overlaps: at most one for each of *others*. Takes n log n steps."""
    ones = sorted(ones)
    starts = [start for start, _, _ in ones]
    reach: list[int] = []  # the furthest end among those up to here
    for _, end, _ in ones:
        reach.append(max(end, reach[-1] if reach else end))
    for start, end, place in others:
        at = bisect_left(starts, end) - 1
        tries = 0
        while at >= 0 and reach[at] > start and tries < _CANDIDATES:
            _, its_end, its_place = ones[at]
            at -= 1
            if its_end <= start:
                continue
            tries += 1
            if _share(objs[its_place], other_objs[place]):
                yield its_place, place
                break


def _share(one: Any, other: Any) -> bool:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(one, numpy.ndarray) and isinstance(other, numpy.ndarray):
        too_hard: Any = getattr(numpy, "exceptions", numpy).TooHardError
        try:
            return bool(numpy.shares_memory(one, other, max_work=_WORK))
        except too_hard:
            return True
    return True
