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
    if not _PLAIN.fullmatch(spec) or state.kind != "tuple" or len(state.content) not in (8, 9):
        return False
    version, order, subarray, names, fields, size, alignment, flags = state.content[:8]
    if any(each.kind != "atom" for each in (version, subarray, names, fields, size, alignment, flags)):
        return False
    if any(each.content is not None for each in (subarray, names, fields)) or flags.content not in _FLAGS:
        return False
    due = int(spec[1:]) * (4 if spec[0] == "U" else 1) if spec[0] in "SU" else -1
    if _text(order) not in ("<", ">", "=", "|") or size.content != due:
        return False
    return len(state.content) == 8 or _is_unit(state.content[8])


def _is_unit(metadata: Any) -> bool:
    """The unit of a time: no metadata, and plain values."""
    if metadata.kind != "tuple" or len(metadata.content) != 2:
        return False
    extra, unit = metadata.content
    plain = unit.kind == "tuple" and all(each.kind in ("atom", "text") for each in unit.content)
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


def _check(dtype: Any) -> None:
    import numpy

    if not isinstance(dtype, numpy.dtype) or dtype.hasobject or dtype.fields or dtype.subdtype or dtype.kind == "V":
        raise UntrustedError(f"a trusted file may not make an array of {dtype!r}: {_ONLY_PLAIN}")


_GUARDS = {"_frombuffer": _frombuffer, "_reconstruct": _reconstruct, "scalar": _scalar}


def guarded_numpy(module: str, name: str) -> Any:
    """What stands behind a name that arrays of numpy are made by, or None."""
    if (module, name) == DTYPE:
        return _dtype
    guard = _GUARDS.get(name) if module in _MODULES else None
    return None if guard is None else guard(getattr(import_module(module), name))
