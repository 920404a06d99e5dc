"""Arrays that look into one memory go on doing so on the other side.

A view of an array that travels along is made over that array. Views that overlap, of an array that stays
behind, are made over one stretch of memory, which is sent once. All others are sent on their own.
"""

from __future__ import annotations

import array as arrays
import pickle
from collections.abc import Sequence
from typing import Any

from ..anatomy.arrays import may_share
from ..anatomy.memory import extent, owner_of, raw_bytes
from ..anatomy.views import flat_cells, groups_of, view_at

__all__ = ["Memories", "Stretch", "array_over", "cells_for", "memory_of"]


class Stretch:
    """Stands in the stream for the memory that several views cover together."""

    __slots__ = ("cells", "fixed", "length", "start", "views")

    def __init__(self, views: Sequence[Any]) -> None:
        spans = [extent(view) for view in views]
        self.start = min(span[0] for span in spans)
        self.length = max(span[1] for span in spans) - self.start
        self.fixed = not any(view.flags.writeable for view in views)
        self.views = views
        owner = owner_of(views[0])[0]
        self.cells = None
        if owner.dtype.hasobject:  # what the cells refer to is put in by the views
            self.start -= (self.start - extent(owner)[0]) % owner.itemsize
            self.cells = (-(-(max(span[1] for span in spans) - self.start) // owner.itemsize), owner.dtype)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        if self.cells is not None:
            return (cells_for, self.cells)
        raw = raw_bytes(self.start, self.length, self.views, self.fixed)
        return (memory_of, (pickle.PickleBuffer(raw) if protocol >= 5 else bytearray(raw), self.fixed))


def memory_of(data: Any, fixed: bool) -> Any:
    """Make the memory that views look into."""
    import numpy

    memory = numpy.frombuffer(data, numpy.uint8)
    return memory if fixed or memory.flags.writeable else memory.copy()


def cells_for(count: int, dtype: Any) -> Any:
    """Make empty cells for views of objects."""
    import numpy

    return numpy.zeros(count, dtype)


class _Shape:
    """What ``view_at`` wants to know of a view."""

    __slots__ = ("dtype", "shape", "strides")

    def __init__(self, dtype: Any, shape: Any, strides: Any) -> None:
        self.dtype, self.shape, self.strides = dtype, shape, strides


def array_over(base: Any, cls: Any, look: tuple[Any, Any, Any, int, bool]) -> Any:
    """Make a view of *base*: an array, a bytearray, an ``array.array``."""
    import numpy

    dtype, shape, strides, offset, writeable = look
    if isinstance(base, numpy.ndarray):
        flat, locked = flat_cells(numpy, base)
        try:
            new = view_at(numpy, flat, None, _Shape(dtype, shape, strides), offset)
        finally:
            if locked:
                base.flags.writeable = False
    else:
        new = numpy.ndarray(shape, dtype, buffer=base, offset=offset, strides=strides)
    if cls is not numpy.ndarray:
        new = numpy.ndarray.view(new, cls)
    if new.flags.writeable and not writeable and not (dtype.hasobject and new.size):  # those are filled first
        new.flags.writeable = False
    return new


class Memories:
    """The arrays of a journey, by the memory that they look into."""

    __slots__ = ("_places",)

    def __init__(self, objs: Sequence[Any]) -> None:
        self._places: dict[int, tuple[Any, int]] = {}  # by id of a view: what it looks into, and where that begins
        views: dict[int, list[Any]] = {}
        owners: dict[int, tuple[Any, Any]] = {}
        present = {id(obj) for obj in objs}
        for obj in objs:
            if hasattr(type(obj), "__array_finalize__") and may_share(obj):
                owner, foreign = owner_of(obj)
                if getattr(owner, "_mmap", None) is None and obj.dtype.kind != "T":
                    key = id(owner if foreign is None else foreign)
                    views.setdefault(key, []).append(obj)
                    owners[key] = (owner, foreign)
        for key, found in views.items():
            self._place(found, *owners[key], present)

    def _place(self, views: list[Any], owner: Any, foreign: Any, present: set[int]) -> None:
        under = owner if foreign is None else foreign
        if foreign is None and not owner.flags.writeable and any(view.flags.writeable for view in views):
            # What is written to through a view cannot lie over the owner, which arrives read-only.
            views = [*views, owner] if id(owner) in present else views
        elif id(under) in present and (foreign is None or type(foreign) in (bytearray, arrays.array)):
            start = _start_of(under)
            if start is not None:
                for view in views:
                    if view is not under:
                        self._places[id(view)] = (under, start)
                return
        for group in groups_of(views):
            if len(group) > 1 and _alike(group):
                stretch = Stretch(group)
                self._places.update((id(view), (stretch, stretch.start)) for view in group)

    def over(self, view: Any) -> tuple[Any, ...] | None:
        """How *view* is made over what it shares with others: (function, what, class, look); None where it is alone."""
        found = self._places.get(id(view))
        if found is None:
            return None
        base, start = found
        offset = int(view.__array_interface__["data"][0]) - start
        return (array_over, base, type(view), (view.dtype, view.shape, view.strides, offset, view.flags.writeable))


def _start_of(under: Any) -> int | None:
    """The address at which the cells of something begin that arrives with the same layout; None for others."""
    import numpy

    if not isinstance(under, numpy.ndarray):
        return int(numpy.frombuffer(under, numpy.uint8).__array_interface__["data"][0]) if len(under) else None
    flags = under.flags
    return extent(under)[0] if flags.c_contiguous or flags.f_contiguous else None


def _alike(group: Sequence[Any]) -> bool:
    """Tell whether views can look into one new memory: of bytes, or of the objects that all of them see."""
    owner = owner_of(group[0])[0]
    return not owner.dtype.hasobject or all(view.dtype == owner.dtype for view in group)
