"""How a file is laid out: magic, version, signature, then pieces with their lengths.

    magic (14 bytes) | version (1) | signed: 0 or 1 (1) | HMAC-SHA-256 (32, if signed) | count (4)
    then count pieces, each: length (8), data.  Numbers are little-endian.

The first piece is the header (JSON), the second the pickle stream, the others are its out-of-band buffers. The
signature covers everything but itself.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from struct import Struct
from typing import Any

from ..errors import LoadError, SignatureError
from ..shipping.foreign import FILE_MAGIC, looks_like

__all__ = ["VERSION", "Pieces", "checked_key", "laid_out", "read_pieces"]

VERSION = 1
_COUNT = Struct("<I")
_LENGTH = Struct("<Q")
_CHUNK = 1 << 24
_SIGNED = {0: False, 1: True}


def checked_key(key: Any) -> bytes | None:
    """The key as bytes; raises TypeError for what is no key, ValueError for an empty one."""
    if key is None:
        return None
    if isinstance(key, str):
        raise TypeError("key= wants bytes: a str has no one form as bytes; write key.encode()")
    if not isinstance(key, (bytes, bytearray, memoryview)):
        raise TypeError(f"key= wants bytes, not {type(key).__name__}")
    if not len(key):
        raise ValueError(
            "key= is empty: a signature under it would be worth nothing; secrets.token_bytes(32) makes one"
        )
    return bytes(key)


def laid_out(pieces: Sequence[Any], key: bytes | None) -> Iterator[Any]:
    """Give what is to be written, in order; *pieces* are bytes-like and not copied."""
    start = FILE_MAGIC + bytes([VERSION, 1 if key is not None else 0])
    following = [_COUNT.pack(len(pieces))]
    for piece in pieces:
        with memoryview(piece) as view:
            following.append(_LENGTH.pack(view.nbytes))
        following.append(piece)
    yield start
    if key is not None:
        signature = hmac.new(key, start, hashlib.sha256)
        for each in following:
            signature.update(each)
        yield signature.digest()
    yield from following


class Pieces:
    """The pieces of a file as they were read, and whether it is signed."""

    __slots__ = ("buffers", "header", "signed", "size", "stream")

    def __init__(self, header: bytes, stream: bytes, buffers: list[Any], signed: bool, size: int) -> None:
        self.header = header
        self.stream = stream
        self.buffers = buffers
        self.signed = signed
        self.size = size


class _Reader:
    """Reads from a file and signs along; a piece that is not whole is an error."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.signature: Any = None
        self.size = 0

    def read(self, count: int, what: str) -> bytearray:
        found = bytearray()
        while len(found) < count:  # in chunks: a length that is not true takes no memory
            chunk = self.file.read(min(count - len(found), _CHUNK))
            if not chunk:
                raise LoadError(
                    f"this file is cut off: its {what} has {count:,} bytes, and {len(found):,} of them are here"
                )
            found += chunk
        self.size += count
        if self.signature is not None:
            self.signature.update(found)
        return found

    def piece(self, what: str) -> bytearray:
        (length,) = _LENGTH.unpack(self.read(_LENGTH.size, "length of the " + what))
        return self.read(length, what)


def read_pieces(file: Any, key: bytes | None, *, check: bool = True) -> Pieces:
    """Read a file, and verify its signature before anything in it is looked at.

    Without *check* the signature is left alone: for those who only look. Raises SignatureError when the file is not
    signed by *key*, or is signed and there is none; LoadError when it is foreign or cut off.
    """
    reader = _Reader(file)
    start = file.read(len(FILE_MAGIC) + 2)
    if not start.startswith(FILE_MAGIC):
        start += file.read(512)
        raise LoadError(f"this is no file of graphcopy.dump: it looks like {looks_like(start)}")
    if len(start) < len(FILE_MAGIC) + 2:
        raise LoadError("this file of graphcopy.dump is cut off: there is nothing behind its first bytes")
    reader.size = len(start)
    version, kind = start[-2:]
    if version != VERSION:
        raise LoadError(
            f"this file is of format {version}, and this graphcopy reads format {VERSION}: it was written by another "
            "version of graphcopy, or is damaged"
        )
    if kind not in _SIGNED:
        raise LoadError("this file is damaged: it says neither that it is signed nor that it is not")
    signed = _SIGNED[kind]
    if check and signed and key is None:
        raise SignatureError("this file is signed, and no key was given: graphcopy.load(path, key=...) verifies it")
    if check and not signed and key is not None:
        raise SignatureError(
            "this file is not signed, and key= was given: it was written without key=, or somebody has put another "
            "file in its place"
        )
    given = bytes(reader.read(32, "signature")) if signed else b""
    if check and key is not None:
        reader.signature = hmac.new(key, start, hashlib.sha256)
    (count,) = _COUNT.unpack(reader.read(_COUNT.size, "number of pieces"))
    pieces = [reader.piece("header" if n == 0 else "stream" if n == 1 else f"buffer {n - 1}") for n in range(count)]
    if reader.signature is not None and not hmac.compare_digest(reader.signature.digest(), given):
        raise SignatureError("this file is not signed by this key, or was changed after it was signed")
    if count < 2:
        raise LoadError(f"this file is damaged: it has {count} pieces, and a header and a stream are the least")
    return Pieces(bytes(pieces[0]), bytes(pieces[1]), list(pieces[2:]), signed, reader.size)
