"""numpy in a trusted file: arrays of numbers, times and texts where ``numpy.ndarray`` is trusted, behind guards.

A dtype with fields can point anywhere in memory, and one of objects holds whatever lies there, so both are refused:
in the symbolic run (a state that makes a dtype into something else) and here (what is asked of numpy).
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from ..errors import UntrustedError

__all__ = ["DTYPE", "guarded_numpy", "is_plain_dtype"]

DTYPE = ("numpy", "dtype")
_PLAIN = re.compile(r"[?]|[biufc]\d{1,2}|[mM]8|[SU]\d{1,9}")
_ONLY_PLAIN = "only numbers, times and texts are plain"
_FLAGS = (0, 8)  # 8: memory is set to zero before it is used; all others are about objects
_MODULES = ("numpy._core.multiarray", "numpy.core.multiarray", "numpy._core.numeric", "numpy.core.numeric")


def _text(value: Any) -> str:
    return value.content if value.kind == "text" else ""


def is_plain_dtype(given: Any, state: Any) -> bool:
    """Tell of the stand-ins for the arguments and the state of a dtype whether they make a plain one."""
    spec = _text(given.content[0]) if given.kind == "tuple" and given.content else ""
    is_time = spec[:1] in ("m", "M")  # numpy crashes on one without its unit
    if not _PLAIN.fullmatch(spec) or state.kind != "tuple" or len(state.content) != (9 if is_time else 8):
        return False
    version, order, subarray, names, fields, size, alignment, flags = state.content[:8]
    if any(each.kind != "atom" for each in (version, subarray, names, fields, size, alignment, flags)):
        return False
    if any(each.content is not None for each in (subarray, names, fields)) or alignment.content not in (-1, 1, 4):
        return False
    if version.content not in (3, 4) or flags.content not in _FLAGS:
        return False
    due = int(spec[1:]) * (4 if spec[0] == "U" else 1) if spec[0] in "SU" else -1
    if _text(order) not in ("<", ">", "=", "|") or size.content != due:
        return False
    return not is_time or _is_unit(state.content[8])


def _is_unit(metadata: Any) -> bool:
    """The unit of a time: no metadata, and plain values."""
    if metadata.kind != "tuple" or len(metadata.content) != 2:
        return False
    extra, unit = metadata.content
    plain = unit.kind == "tuple" and len(unit.content) == 4 and all(each.kind == "atom" for each in unit.content)
    if not plain or not all(type(each.content) is int for each in unit.content[1:]):
        return False
    plain = unit.content[1].content > 0 and [each.content for each in unit.content[2:]] == [1, 1]
    empty = (extra.kind == "dict" and extra.size == 1) or (extra.kind == "atom" and extra.content is None)
    return bool(plain and empty)


def _dtype(spec: Any, align: Any = False, copy: Any = False) -> Any:
    import numpy

    if type(spec) is not str or not _PLAIN.fullmatch(spec):
        raise UntrustedError(f"a trusted file may not make the dtype {spec!r}: {_ONLY_PLAIN}")
    return numpy.dtype(spec, align=bool(align), copy=bool(copy))  # type: ignore[call-overload]


def _frombuffer(real: Any) -> Any:
    def make(buffer: Any, dtype: Any, *shape: Any) -> Any:
        _check(dtype)
        return real(buffer, dtype, *shape)

    return make


def _reconstruct(real: Any) -> Any:
    def make(cls: Any, shape: Any, code: Any) -> Any:
        import numpy

        if cls is not numpy.ndarray or shape != (0,) or code != b"b":
            raise UntrustedError(f"a trusted file may not make an array of {cls!r} with the shape {shape!r}")
        return real(cls, shape, code)

    return make


def _scalar(real: Any) -> Any:
    def make(dtype: Any, data: Any) -> Any:
        _check(dtype)
        if type(data) is not bytes:
            raise UntrustedError(f"a trusted file may not make a scalar of a {type(data).__name__}")
        return real(dtype, data)

    return make


def _buffer_array(real: Any) -> Any:
    def make(cls: Any, dtype: Any, shape: Any, order: Any, writeable: Any, data: Any) -> Any:
        _check_array(cls, dtype, shape)
        return real(cls, dtype, shape, "F" if order == "F" else "C", bool(writeable), _bytes(data))

    return make


def _memory_of(real: Any) -> Any:
    def make(data: Any, fixed: Any) -> Any:
        return real(_bytes(data), bool(fixed))

    return make


def _array_over(real: Any) -> Any:
    """Guard what makes a view of a memory: it must not look beyond it."""

    def make(base: Any, cls: Any, look: Any) -> Any:
        import numpy

        dtype, shape, strides, offset, writeable = look
        _check_array(cls, dtype, shape)
        if type(base) is numpy.ndarray:
            _check(base.dtype)
            room = base.nbytes if base.flags.c_contiguous or base.flags.f_contiguous else -1
        else:
            room = len(base) if type(base) is bytearray else -1
        if type(offset) is not int or type(strides) is not tuple or len(strides) != len(shape):
            raise UntrustedError(f"a trusted file may not make a view with the strides {strides!r}")
        ways = [int(step) * (count - 1) for step, count in zip(strides, shape)] if 0 not in shape else []
        first = offset + sum(min(0, way) for way in ways)
        if first < 0 or offset + sum(max(0, way) for way in ways) + dtype.itemsize > room:
            raise UntrustedError("a trusted file may not make a view that looks beyond the memory below it")
        return real(base, cls, (dtype, shape, strides, offset, bool(writeable)))

    return make


def _bytes(data: Any) -> Any:
    if type(data) not in (bytes, bytearray, memoryview):
        raise UntrustedError(f"a trusted file may not make an array of a {type(data).__name__}")
    return data


def _check_array(cls: Any, dtype: Any, shape: Any) -> None:
    import numpy

    _check(dtype)
    counts = type(shape) is tuple and all(type(count) is int and count >= 0 for count in shape)
    if cls is not numpy.ndarray or not counts:
        raise UntrustedError(f"a trusted file may not make an array of {cls!r} with the shape {shape!r}")


def _check(dtype: Any) -> None:
    import numpy

    if not isinstance(dtype, numpy.dtype) or dtype.hasobject or dtype.fields or dtype.subdtype or dtype.kind == "V":
        raise UntrustedError(f"a trusted file may not make an array of {dtype!r}: {_ONLY_PLAIN}")


_GUARDS = {"_frombuffer": _frombuffer, "_reconstruct": _reconstruct, "scalar": _scalar}


_OWN = {
    "graphcopy.anatomy.arrays.BufferArray": _buffer_array,
    "graphcopy.shipping.memories.array_over": _array_over,
    "graphcopy.shipping.memories.memory_of": _memory_of,
}


def guarded_numpy(module: str, name: str) -> Any:
    """What stands behind a name that arrays of numpy are made by, or None."""
    if (module, name) == DTYPE:
        return _dtype
    guard = _GUARDS.get(name) if module in _MODULES else _OWN.get(f"{module}.{name}")
    return None if guard is None else guard(getattr(import_module(module), name))
