"""Short values for labels: what a repr may do must not break a drawing."""

from __future__ import annotations

import collections
import reprlib
import types
from typing import Any

__all__ = ["human_size", "short_value", "type_name"]

LIMIT = 48
_short = reprlib.Repr()
_short.maxstring = _short.maxother = LIMIT
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = _short.maxdeque = 4
_short.maxlevel = 2


def type_name(obj: Any) -> str:
    """The name of the type as a person would write it, on one line."""
    names = {types.FunctionType: "function", types.MethodType: "method", types.BuiltinFunctionType: "builtin method"}
    cls = type(obj)
    name = names.get(cls) or getattr(cls, "__qualname__", None) or cls.__name__
    return clip(str(name).rpartition("<locals>.")[2], 60)


def short_value(obj: Any) -> str:
    """A few characters that tell one object from another; empty where the type says it all."""
    try:
        return clip(_value(obj))
    except Exception as error:  # a repr, a __len__ or a shape of the user's
        return f"(repr raises {type(error).__name__})"


def _value(obj: Any) -> str:
    cls: Any = type(obj)
    if isinstance(obj, (list, tuple, set, frozenset, dict, collections.deque)):
        return _contents(obj)
    if isinstance(obj, (str, bytes, int, float, complex)):
        return _short.repr(cls.__mro__[-2](obj)) if cls.__mro__[-2] in (str, bytes, int, float, complex) else ""
    if isinstance(obj, (types.FunctionType, types.BuiltinFunctionType)):
        return f"{obj.__name__}()"
    if isinstance(obj, type):
        return str(type.__getattribute__(obj, "__qualname__"))
    if isinstance(obj, types.MethodType):
        return f"{getattr(obj.__func__, '__name__', '?')}()"
    if isinstance(obj, types.CellType):  # what it refers to has a box of its own, but for numbers and text
        try:
            held = obj.cell_contents
        except ValueError:
            return "empty"
        return _value(held) if isinstance(held, (str, bytes, int, float, complex)) else ""
    if hasattr(cls, "shape") and hasattr(cls, "dtype"):  # of the class: asking an object may load something
        shape, dtype = obj.shape, obj.dtype
        if shape is not None and dtype is not None:
            return f"{getattr(dtype, 'name', dtype)} {tuple(shape)}"
    if cls.__repr__ in (object.__repr__, type.__repr__):
        return ""
    text = repr(obj)
    return "" if text.startswith("<") and " at 0x" in text else text


def _contents(obj: Any) -> str:
    count = sum(1 for _ in dict.keys(obj)) if isinstance(obj, dict) else len(obj)
    if not count:
        return "empty"
    values = list(dict.values(obj)) if isinstance(obj, dict) else list(obj)
    kinds = collections.Counter(type(value).__name__ for value in values[:100_000])
    named = ", ".join(f"{number:,} {name}" for name, number in kinds.most_common(3))
    return named + (", ..." if len(kinds) > 3 else "")


def clip(text: str, limit: int = LIMIT) -> str:
    """One line of at most *limit* characters, without control characters."""
    text = "".join(char if char.isprintable() else " " for char in text[: 4 * limit])
    return text if len(text) <= limit else text[: limit - 3] + "..."


def human_size(size: int) -> str:
    """Bytes for a person.

    >>> human_size(48), human_size(8_000_000)
    ('48 B', '8.0 MB')
    """
    amount = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"
