"""memoryview: a window into a buffer becomes a window at the same place into the copied buffer."""

from __future__ import annotations

import ctypes
from typing import Any

from ..graph.accessors import attribute
from .parts import SHARED, Outcome, Parts, Refused
from .registry import anatomy

__all__ = ["make_window"]


class _Buffer(ctypes.Structure):
    """``Py_buffer`` as CPython lays it out; only the address is read."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    ]  # fmt: skip


_FULL_READ_ONLY = 0x011C  # PyBUF_FULL_RO


def address_of(obj: Any) -> int:
    """The address of the first element of a buffer."""
    buffer = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(obj), ctypes.byref(buffer), _FULL_READ_ONLY)
    try:
        return buffer.buf or 0
    finally:
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))


def make_window(
    base: Any, offset: int, nbytes: int, format: str, shape: tuple[int, ...], step: int, readonly: bool
) -> memoryview:
    """Open a window of *nbytes* at *offset* into *base*; with *step* only each step-th element is seen."""
    whole: Any = memoryview(base)
    flat = whole.cast("B") if whole.contiguous else whole
    if step == 1:
        window = flat[offset : offset + nbytes]
        window = window.cast(format, list(shape)) if len(shape) != 1 or format != "B" else window
    else:
        size = flat[:0].cast(format).itemsize if format != "B" else 1
        count = shape[0]
        if step > 0:
            window = flat[offset : offset + ((count - 1) * step + 1) * size].cast(format)[::step]
        else:
            first = offset + (count - 1) * step * size
            window = flat[first : offset + size].cast(format)[::step]
    result: memoryview = window.toreadonly() if readonly and not window.readonly else window
    return result


@anatomy(memoryview)
def window(obj: memoryview, context: Any) -> Outcome:
    """A memoryview; over bytes it is immutable and shared."""
    try:
        base = obj.obj
    except ValueError:
        return SHARED  # released
    if type(base) is bytes:
        return SHARED
    step = 1
    if not obj.c_contiguous:
        if obj.ndim != 1 or not obj.strides or obj.strides[0] % obj.itemsize:
            return Refused(
                "a memoryview with gaps in more than one dimension", 'rules=[graphcopy.prune("builtins.memoryview")]'
            )
        step = obj.strides[0] // obj.itemsize
    offset = address_of(obj) - address_of(base) if obj.nbytes else 0
    settings = (offset, obj.nbytes, obj.format, tuple(obj.shape or ()), step, obj.readonly)
    names = ("nbytes", "nbytes", "format", "shape", "strides", "readonly")
    return Parts(make_window, (base, *settings), where=(attribute("obj"), *map(attribute, names)))
