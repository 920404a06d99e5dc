"""How atoms are written in pickle's protocol 5 (PEP 307, 3154, 574)."""

from __future__ import annotations

import pickle
import struct
from typing import Any

__all__ = ["ATOMS", "TUPLES", "bytearray_code", "bytes_code", "float_code", "get_code", "int_code", "text_code"]

TUPLES = (pickle.EMPTY_TUPLE, pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3)
"""The opcodes that make a tuple of none to three."""

_pack = struct.pack


def int_code(value: int) -> bytes:
    """The opcodes of an int."""
    if 0 <= value <= 0xFF:
        return pickle.BININT1 + _pack("<B", value)
    if 0 <= value <= 0xFFFF:
        return pickle.BININT2 + _pack("<H", value)
    if -0x80000000 <= value <= 0x7FFFFFFF:
        return pickle.BININT + _pack("<i", value)
    data = pickle.encode_long(value)
    if len(data) < 256:
        return pickle.LONG1 + _pack("<B", len(data)) + data
    return pickle.LONG4 + _pack("<i", len(data)) + data


def float_code(value: float) -> bytes:
    """The opcodes of a float."""
    return pickle.BINFLOAT + _pack(">d", value)


def text_code(value: str) -> bytes:
    """The opcodes of a str."""
    data = value.encode("utf-8", "surrogatepass")
    if len(data) < 256:
        return pickle.SHORT_BINUNICODE + _pack("<B", len(data)) + data
    if len(data) <= 0xFFFFFFFF:
        return pickle.BINUNICODE + _pack("<I", len(data)) + data
    return pickle.BINUNICODE8 + _pack("<Q", len(data)) + data


def bytes_code(value: bytes) -> bytes:
    """The opcodes of bytes."""
    if len(value) < 256:
        return pickle.SHORT_BINBYTES + _pack("<B", len(value)) + value
    if len(value) <= 0xFFFFFFFF:
        return pickle.BINBYTES + _pack("<I", len(value)) + value
    return pickle.BINBYTES8 + _pack("<Q", len(value)) + value


def bytearray_code(value: Any) -> bytes:
    """The opcodes of a bytearray."""
    return pickle.BYTEARRAY8 + _pack("<Q", len(value)) + bytes(value)


def get_code(place: int) -> bytes:
    """The opcodes that fetch an object from the memo."""
    if place < 256:
        return pickle.BINGET + _pack("<B", place)
    return pickle.LONG_BINGET + _pack("<I", place)


ATOMS = {
    type(None): lambda value: pickle.NONE,
    bool: lambda value: pickle.NEWTRUE if value else pickle.NEWFALSE,
    int: int_code,
    float: float_code,
}
"""Type to what writes its values; none of them is remembered."""
