"""Atoms: what a copy shares without a second look, and the graph leaves out.

Immutable values without references of their own, and what belongs to the program rather than to
the data: classes, modules, code, descriptors of C types.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import re
import struct
import sys
import types
import typing
import uuid
from typing import Any

__all__ = ["ATOMS", "is_atomic_type"]

ATOMS: frozenset[Any] = frozenset(
    [
        type(None), bool, int, float, complex, str, bytes, type, range,
        type(Ellipsis), type(NotImplemented), types.CodeType, types.ModuleType,
        types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType,
        types.GetSetDescriptorType, types.MemberDescriptorType,
        types.GenericAlias, types.UnionType, typing.TypeVar, typing.ParamSpec, typing.ForwardRef,
        re.Pattern, struct.Struct, decimal.Decimal, fractions.Fraction, uuid.UUID,
        datetime.date, datetime.timedelta, datetime.timezone,
        *(type(getattr(sys, name)) for name in ("flags", "version_info", "float_info", "int_info", "hash_info")),
    ]
)  # fmt: skip
"""Types of which every instance is an atom."""

_FAMILIES = (type, enum.Enum, types.ModuleType)
_NUMPY = ("numpy", "numpy.dtypes", "numpy.core", "numpy._core")
_VALUES = frozenset(
    ["numpy.number", "numpy.bool_", "numpy.bool", "numpy.character", "numpy.datetime64", "numpy.dtype", "numpy.ufunc"]
)  # not numpy.void: a record can be written to
_TYPING: tuple[type, ...] = (getattr(typing, "_Final", type(None)),)


def is_atomic_type(cls: type) -> bool:
    """Tell whether all instances of *cls* are atoms: classes, enum members, modules, typing constructs.

    >>> is_atomic_type(int), is_atomic_type(list)
    (True, False)
    """
    if cls in ATOMS:
        return True
    mro: tuple[Any, ...] = cls.__mro__
    return (
        any(base is family for family in _FAMILIES for base in mro)
        or (cls.__module__ == "typing" and any(base is family for family in _TYPING for base in mro))
        or (cls.__module__ in _NUMPY and any(f"{base.__module__}.{base.__name__}" in _VALUES for base in mro))
    )
