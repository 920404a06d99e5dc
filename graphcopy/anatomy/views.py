"""Views: made over the copy of what they look into, or over one copy of the stretch that a group covers."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from typing import Any

from .memory import copied_extent, extent, lone_copy, owner_of

__all__ = ["flat_cells", "groups_of", "over_one_copy", "view_at", "view_over"]

_NEIGHBOURS = 32  # views whose extents overlap that are compared cell by cell
_EFFORT = 10_000  # for the question whether two strided views have a cell in common


def view_over(base: Any, owner: Any, foreign: Any, view: Any) -> Any:
    """A view of *base* that stands to it as *view* stands to *owner*; None where that cannot be had."""
    import numpy

    here = int(view.__array_interface__["data"][0])
    if isinstance(base, numpy.ndarray) and foreign is None:
        start, _, length = extent(owner)
        if extent(base)[2] != length or length != owner.nbytes or not _alike(base, owner):
            return None
        low, high, _ = extent(view)
        if low < start or high > start + length:
            return None
        flat, locked = flat_cells(numpy, base)
        try:
            new = view_at(numpy, flat, owner, view, here - start)
        finally:
            if locked:
                base.flags.writeable = False
    else:
        offset = here - _start_of(numpy, foreign)
        try:
            new = numpy.ndarray(view.shape, view.dtype, buffer=base, offset=offset, strides=view.strides)
        except (TypeError, ValueError):
            return None
    return None if new is None else dressed(numpy, new, view)


def _alike(one: Any, other: Any) -> bool:
    """Tell whether two arrays of one shape have their cells in the same order, upwards in memory."""
    steps = [(a, b) for length, a, b in zip(one.shape, one.strides, other.strides) if length > 1]
    return one.shape == other.shape and all(a == b > 0 for a, b in steps)


def dressed(numpy: Any, new: Any, view: Any) -> Any:
    """Give a plain view the class and the flag of the original one."""
    if type(view) is not numpy.ndarray:
        new = numpy.ndarray.view(new, type(view))
    if new.flags.writeable and not view.flags.writeable and not view.dtype.hasobject:
        new.flags.writeable = False  # object cells are put in later, and then it is locked
    mapped = getattr(view, "_mmap", None)
    if mapped is not None:
        new._mmap = _mapping_under(new)
    return new


def _mapping_under(array: Any) -> Any:
    base = array.base
    while base is not None and not isinstance(base, mmap.mmap):
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    return base


def _start_of(numpy: Any, foreign: Any) -> int:
    if hasattr(foreign, "data_ptr"):  # a tensor
        return int(foreign.data_ptr())
    return int(numpy.frombuffer(foreign, numpy.uint8).__array_interface__["data"][0])


def flat_cells(numpy: Any, base: Any) -> tuple[Any, bool]:
    """All cells of *base* in the order of its memory, writeable; and whether *base* is to be locked again."""
    locked = not base.flags.writeable
    if locked:
        try:
            base.flags.writeable = True
        except ValueError:  # the memory under it is read-only, and so will be the view
            locked = False
    plain = numpy.ndarray.view(base, numpy.ndarray)
    order = sorted(range(plain.ndim), key=lambda axis: -plain.strides[axis])
    return plain.transpose(order).reshape(-1), locked


def view_at(numpy: Any, flat: Any, owner: Any, view: Any, offset: int) -> Any:
    """The view at a byte offset into *flat*; the memory of an array with objects is entered by its cells only."""
    if not flat.dtype.hasobject:
        return numpy.ndarray(view.shape, view.dtype, buffer=flat.view(numpy.uint8), offset=offset, strides=view.strides)
    cell, inside = divmod(offset, flat.itemsize)
    if view.dtype != flat.dtype or inside:
        try:
            flat = flat.getfield(view.dtype, inside)
        except (TypeError, ValueError):
            return None
    return numpy.lib.stride_tricks.as_strided(flat[cell:], view.shape, view.strides)


def groups_of(views: Sequence[Any]) -> list[list[Any]]:
    """Part views of one memory into groups that have memory in common."""
    import numpy

    runs: list[list[int]] = []
    reach = -1
    for start, end, place in sorted((*extent(view)[:2], place) for place, view in enumerate(views)):
        if runs and start < reach:
            runs[-1].append(place)
        else:
            runs.append([place])
        reach = max(reach, end)
    found: list[list[int]] = []
    for members in runs:
        found += [members] if len(members) == 1 or len(members) > _NEIGHBOURS else _joined(numpy, views, members)
    return [[views[place] for place in group] for group in found]


def _joined(numpy: Any, originals: Sequence[Any], members: list[int]) -> list[list[int]]:
    """Group those whose cells overlap: two columns of one table lie in one stretch, but share nothing."""
    too_hard: Any = getattr(numpy, "exceptions", numpy).TooHardError
    groups: list[list[int]] = []
    for place in members:
        together = []
        for group in groups:
            for other in group:
                try:
                    shares = numpy.shares_memory(originals[other], originals[place], max_work=_EFFORT)
                except too_hard:
                    shares = True
                if shares:
                    together.append(group)
                    break
        groups = [group for group in groups if not any(group is each for each in together)]
        groups.append([*(other for group in together for other in group), place])
    return groups


def over_one_copy(group: Sequence[Any]) -> list[Any]:
    """Copy the stretch that a group of views covers, once, and make views of it."""
    import numpy

    spans = [extent(view) for view in group]
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    if any(view.dtype.hasobject for view in group):
        return _over_one_object_copy(numpy, group, start, end)
    space = copied_extent(start, end - start, group)
    made = []
    for view in group:
        offset = int(view.__array_interface__["data"][0]) - start
        new = numpy.ndarray(view.shape, view.dtype, buffer=space, offset=offset, strides=view.strides)
        made.append(dressed(numpy, new, view))
    return made


def _over_one_object_copy(numpy: Any, group: Sequence[Any], start: int, end: int) -> list[Any]:
    """The same for object cells: a new array of them; each view then fills those that it sees."""
    owner = owner_of(group[0])[0]
    size = owner.itemsize
    low = start - (start - extent(owner)[0]) % size
    space = numpy.zeros((end - low + size - 1) // size, owner.dtype)
    made = []
    for view in group:
        new = None
        if view.dtype.kind != "T":  # variable-width strings live in an arena of their dtype
            new = view_at(numpy, space, owner, view, int(view.__array_interface__["data"][0]) - low)
        made.append(lone_copy(view) if new is None else dressed(numpy, new, view))
        if view.dtype.names:
            made[-1][...] = view  # the fields that hold no objects
    return made
