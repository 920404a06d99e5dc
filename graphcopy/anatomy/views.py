"""Views of one memory: made together, at the end of a copy, when it is known which of them there are.

A view over an array that is copied as well becomes a view over that copy. Views that overlap although
their base is not in the graph become views over one copy of the memory that they cover together. A view
that turns out to be alone is copied at its own size.
"""

from __future__ import annotations

import array as arrays
import mmap
from collections.abc import Callable, Sequence
from typing import Any

from .mapped import map_again
from .memory import copied_extent, extent, lone_copy, owner_of

__all__ = ["make_views", "view_over"]

_NEIGHBOURS = 32  # views whose extents overlap that are compared cell by cell
_EFFORT = 10_000  # for the question whether two strided views have a cell in common


def make_views(originals: Sequence[Any], copied: Callable[[Any], Any]) -> list[Any]:
    """Make the copies of *originals*; ``copied(x)`` is the copy of an object, or None where there is none."""
    made: list[Any] = [None] * len(originals)
    memories: dict[int, tuple[Any, Any, list[int]]] = {}
    for place, view in enumerate(originals):
        owner, foreign = owner_of(view)
        memory = owner if foreign is None else foreign
        memories.setdefault(id(memory), (owner, foreign, []))[2].append(place)
    for owner, foreign, places in memories.values():
        under = None if foreign is None else _copied_foreign(owner, foreign, copied)
        rest = []
        for place in places:
            made[place] = new = _over_a_copy(originals[place], under, foreign, copied)
            if new is None:
                rest.append(place)
        for group in _groups(originals, rest):
            if len(group) == 1:
                made[group[0]] = lone_copy(originals[group[0]])
            else:
                _over_one_copy(originals, group, made)
    return made


def _over_a_copy(view: Any, under: Any, foreign: Any, copied: Callable[[Any], Any]) -> Any:
    """The view over the copy of one of its bases; None where none of them is in the graph."""
    import numpy

    base = view.base
    while isinstance(base, numpy.ndarray):
        new = copied(base)
        if isinstance(new, numpy.ndarray):
            new = view_over(new, base, None, view)
            if new is not None:
                return new
        base = base.base
    return None if under is None else view_over(under, base, foreign, view)


def _copied_foreign(owner: Any, foreign: Any, copied: Callable[[Any], Any]) -> Any:
    """The copy of foreign memory as something that arrays can be views of, where that is copied by itself."""
    if isinstance(foreign, mmap.mmap) and copied(foreign) is None:
        return map_again(owner, foreign)
    new = copied(foreign)
    if isinstance(new, (bytearray, arrays.array, mmap.mmap)) and isinstance(foreign, type(new)):
        return new
    if new is not None and type(new).__module__.partition(".")[0] == "torch":
        return new.detach().numpy()
    return None


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
        flat, locked = _flat(numpy, base)
        try:
            new = _at(numpy, flat, owner, view, here - start)
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


def _flat(numpy: Any, base: Any) -> tuple[Any, bool]:
    """All cells of *base* in the order of its memory, writeable; and whether *base* is to be locked again."""
    locked = not base.flags.writeable
    if locked:
        base.flags.writeable = True
    plain = numpy.ndarray.view(base, numpy.ndarray)
    order = sorted(range(plain.ndim), key=lambda axis: -plain.strides[axis])
    return plain.transpose(order).reshape(-1), locked


def _at(numpy: Any, flat: Any, owner: Any, view: Any, offset: int) -> Any:
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


def _groups(originals: Sequence[Any], places: list[int]) -> list[list[int]]:
    """Part views of one memory into groups that have memory in common."""
    import numpy

    runs: list[list[int]] = []
    reach = -1
    for start, end, place in sorted((*extent(originals[place])[:2], place) for place in places):
        if runs and start < reach:
            runs[-1].append(place)
        else:
            runs.append([place])
        reach = max(reach, end)
    found: list[list[int]] = []
    for members in runs:
        found += [members] if len(members) == 1 or len(members) > _NEIGHBOURS else _joined(numpy, originals, members)
    return found


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


def _over_one_copy(originals: Sequence[Any], group: list[int], made: list[Any]) -> None:
    """Copy the stretch that a group of views covers, once, and make them views of it."""
    import numpy

    spans = [extent(originals[place]) for place in group]
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    if any(originals[place].dtype.hasobject for place in group):
        _over_one_object_copy(numpy, originals, group, made, start, end)
        return
    space = copied_extent(start, end - start, [originals[place] for place in group])
    for place in group:
        view = originals[place]
        offset = int(view.__array_interface__["data"][0]) - start
        new = numpy.ndarray(view.shape, view.dtype, buffer=space, offset=offset, strides=view.strides)
        made[place] = dressed(numpy, new, view)


def _over_one_object_copy(
    numpy: Any, originals: Sequence[Any], group: list[int], made: list[Any], start: int, end: int
) -> None:
    """The same for object cells: a new array of them; each view then fills those that it sees."""
    owner = owner_of(originals[group[0]])[0]
    size = owner.itemsize
    low = start - (start - extent(owner)[0]) % size
    space = numpy.zeros((end - low + size - 1) // size, owner.dtype)
    for place in group:
        view = originals[place]
        new = None
        if view.dtype.kind != "T":
            new = _at(numpy, space, owner, view, int(view.__array_interface__["data"][0]) - low)
        made[place] = lone_copy(view) if new is None else dressed(numpy, new, view)
        if view.dtype.names:
            made[place][...] = view  # the fields that hold no objects
