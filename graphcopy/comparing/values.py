"""What two objects of one type hold that is no reference: numbers, text, code, the cells of an array."""

from __future__ import annotations

import sys
import types
from typing import Any

__all__ = ["difference_of_values", "same_atom", "short"]

_VALUES: tuple[Any, ...] = (int, float, complex, str, bytes, bytearray)


def same_atom(one: Any, other: Any) -> bool:
    """Tell whether two atoms are the same to whoever reads them.

    >>> same_atom(1, True), same_atom(0.0, -0.0), same_atom(float("nan"), float("nan"))
    (False, False, True)
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in (float, complex):
        return repr(one) == repr(other)
    try:
        return bool(one == other) or (one != one and other != other)
    except Exception:  # a signalling NaN refuses to be compared
        return repr(one) == repr(other)


def difference_of_values(one: Any, other: Any) -> str:
    """Say how the values of two nodes of one type differ; "" when they do not, or when they have none.

    >>> difference_of_values(bytearray(b"ab"), bytearray(b"ac"))
    "bytearray(b'ab') became bytearray(b'ac')"
    """
    cls = type(one)
    for base in _VALUES:
        if issubclass(cls, base):
            plain = base.__repr__
            return "" if plain(one) == plain(other) else f"{plain(one)[:80]} became {plain(other)[:80]}"
    if cls is types.FunctionType:
        if one.__code__ != other.__code__:
            return "the functions have different code"
        return "" if one.__name__ == other.__name__ else f"{one.__name__} became {other.__name__}"
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(cls, numpy.ndarray):
        return _difference_of_arrays(numpy, one, other)
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(cls, getattr(torch, "Tensor", ())):
        return _difference_of_tensors(torch, one, other)
    return ""


def _difference_of_arrays(numpy: Any, one: Any, other: Any) -> str:
    if one.dtype != other.dtype:
        return f"dtype {one.dtype} became {other.dtype}"
    if one.shape != other.shape:
        return f"shape {one.shape} became {other.shape}"
    if one.flags.writeable != other.flags.writeable:
        return "it was writeable" if one.flags.writeable else "it was read-only"
    if one.dtype.hasobject:
        return ""  # its cells are references
    one, other = numpy.asarray(one), numpy.asarray(other)
    if numpy.array_equal(one, other) or one.tobytes() == other.tobytes():
        return ""
    try:
        if numpy.array_equal(one, other, equal_nan=True):
            return ""
    except TypeError:  # a dtype without NaN
        pass
    return "the arrays have different cells"


def _difference_of_tensors(torch: Any, one: Any, other: Any) -> str:
    for name in ("dtype", "shape", "device", "requires_grad", "layout"):
        if getattr(one, name) != getattr(other, name):
            return f"{name} {getattr(one, name)} became {getattr(other, name)}"
    if one.device.type == "meta" or one.layout != torch.strided:
        return ""
    one, other = one.detach(), other.detach()
    if torch.equal(one, other):
        return ""
    same = one == other
    if one.is_floating_point() or one.is_complex():
        same |= (one != one) & (other != other)
    return "" if bool(same.all()) else "the tensors have different cells"


def short(value: Any) -> str:
    """A few words for a value."""
    kind = type(value)
    if kind in (int, float, complex, str, bytes, bool, type(None)):
        text = repr(value) if kind is not int or abs(value) < 10**50 else "a large int"
        return text if len(text) <= 80 else text[:77] + "..."
    return f"a {kind.__qualname__}" if not issubclass(kind, type) else f"the class {value.__qualname__}"
