"""The memory under an array: where it lies, who owns it, and copies of stretches of it.

Facts from the sources of numpy 2.4: a view's ``base`` is the array that owns the memory as
long as both are of one class, so it may take several steps to the owner; the owner's own base, if it
has one, is the foreign object (bytes, mmap, memoryview, tensor) whose memory it is.
"""

from __future__ import annotations

from typing import Any

__all__ = ["copied_extent", "extent", "lone_copy", "owner_of", "raw_bytes"]

_ALIGNMENT = 64


def extent(array: Any) -> tuple[int, int, int]:
    """Return first byte, end, and length of the stretch of memory that *array* looks into."""
    start = end = int(array.__array_interface__["data"][0])
    if array.size == 0:
        return start, start, 0
    for length, stride in zip(array.shape, array.strides):
        if stride < 0:
            start += (length - 1) * stride
        else:
            end += (length - 1) * stride
    end += array.itemsize
    return start, end, end - start


def owner_of(array: Any) -> tuple[Any, Any]:
    """Return the array that *array* is a view of in the end (or itself), and the foreign object under that one."""
    import numpy

    while isinstance(array.base, numpy.ndarray):
        array = array.base
    foreign = array.base
    while type(foreign) is memoryview:
        inner = foreign.obj
        if isinstance(inner, numpy.ndarray):
            return owner_of(inner)
        foreign = inner
    return array, foreign


class _Stretch:
    """A stretch of memory, as numpy wants it described."""

    __slots__ = ("__array_interface__", "alive")

    def __init__(self, start: int, length: int, alive: Any, fixed: bool) -> None:
        self.__array_interface__ = {"data": (start, fixed), "shape": (length,), "typestr": "|u1", "version": 3}
        self.alive = alive


def raw_bytes(start: int, length: int, alive: Any, fixed: bool = True) -> Any:
    """The bytes from address *start* on as an array, read-only if *fixed*; *alive* keeps the memory there."""
    import numpy

    return numpy.asarray(_Stretch(start, length, alive, fixed))


def copied_extent(start: int, length: int, alive: Any) -> Any:
    """Copy a stretch of memory into a new array of bytes that is aligned as the old one was."""
    import numpy

    shift = start % _ALIGNMENT
    space: Any = numpy.empty(length + _ALIGNMENT, numpy.uint8)
    here = int(space.__array_interface__["data"][0])
    first = (shift - here) % _ALIGNMENT
    new = space[first : first + length]
    new[...] = raw_bytes(start, length, alive)
    return new


def lone_copy(array: Any) -> Any:
    """Copy an array at its own size: with its strides where they cover no more than its cells, else packed.

    >>> import numpy
    >>> lone_copy(numpy.broadcast_to(numpy.arange(3.0), (1000, 3))).strides
    (0, 8)
    """
    import numpy

    flags = array.flags
    plain = type(array) is numpy.ndarray
    foreign = None if array.base is None else owner_of(array)[1]
    if type(foreign) is bytes and array.dtype.kind in "biufcSUVmM" and not array.dtype.hasobject:
        new = _over_bytes(numpy, array)
    elif flags.c_contiguous or flags.f_contiguous or array.dtype.hasobject:
        new = numpy.ndarray.copy(array, order="K")
        plain = True
    else:
        start, _, length = extent(array)
        if length > array.nbytes:
            new = numpy.ndarray.copy(array, order="K")
            plain = True
        else:
            space = copied_extent(start, length, array)
            offset = int(array.__array_interface__["data"][0]) - start
            new = numpy.ndarray(array.shape, array.dtype, buffer=space, offset=offset, strides=array.strides)
    if not plain:
        new = numpy.ndarray.view(new, type(array))
    if new.flags.writeable and not flags.writeable and not array.dtype.hasobject:
        new.flags.writeable = False
    return new


def _over_bytes(numpy: Any, array: Any) -> Any:
    """An array over a copy of the bytes that it looks into: it can never be made writeable, like the original."""
    start, _, length = extent(array)
    if length > array.nbytes:
        space: Any = numpy.ascontiguousarray(array).tobytes()
        return numpy.ndarray(array.shape, array.dtype, buffer=space)
    space = bytes(memoryview(raw_bytes(start, length, array)))
    offset = int(array.__array_interface__["data"][0]) - start
    return numpy.ndarray(array.shape, array.dtype, buffer=space, offset=offset, strides=array.strides)
