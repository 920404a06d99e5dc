"""``dump`` and ``load``: an object in a file."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable
from typing import Any

from ..errors import LoadError, Obstacle
from ..safety.trusting import Trust
from ..safety.wall import load_trusted
from ..shipping.journey import Journey
from ..shipping.loading import Unpickler, read_stream
from ..shipping.naming import names_of_modules
from ..shipping.sending import shipping_policy, stream_of
from .atomic import write_whole
from .headers import checked_header, header_of
from .layout import Pieces, checked_key, laid_out, read_pieces

__all__ = ["dump", "load", "pieces_of"]

_BESIDE = 1 << 16
"""Buffers of at least this many bytes stand beside the stream: they are not copied on the way."""


def dump(
    obj: Any,
    path_or_file: Any,
    rules: Any = (),
    *,
    defaults: bool = True,
    by_value: Iterable[Any] = (),
    key: bytes | None = None,
) -> None:
    """Write *obj* to a file: a header that tells what is in it, and the stream of ``graphcopy.dumps``.

    *path_or_file* is a path, or a file open for writing bytes. Under a path the file is written whole or not at all:
    whatever happens meanwhile, the old one stays until the new one is on the disk; its permission bits are kept.
    With ``key`` (bytes) the file is signed by HMAC-SHA-256. The other arguments are those of ``graphcopy.dumps``.

    Raises CopyError, which names everything that cannot travel, before anything is written; TypeError for what is no
    rule; ValueError for a name in *by_value* that no module has; OSError.

    >>> import graphcopy, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "state.graphcopy")
    >>> graphcopy.dump({"step": 3}, path, key=b"secret")
    >>> graphcopy.load(path, key=b"secret")
    {'step': 3}
    """
    secret = checked_key(key)
    write = None if isinstance(path_or_file, (str, bytes, os.PathLike)) else _writer(path_or_file)
    journey = Journey(shipping_policy(rules, defaults, names_of_modules(by_value)), obj)
    with contextlib.suppress(Obstacle):  # the writer meets it again, and explains it
        journey.graph  # first: the walk is told by which rule each outcome came, for the receipt  # noqa: B018
    buffers: list[Any] = []
    stream = stream_of(obj, journey.policy, buffers, journey, least=_BESIDE)
    flat = [each.raw() for each in buffers]
    pieces = laid_out([header_of(journey, stream, flat), stream, *flat], secret)
    if write is None:
        write_whole(path_or_file, pieces)
        return
    for piece in pieces:
        write(piece)


def _writer(file: Any) -> Any:
    write = getattr(file, "write", None)
    if write is None or isinstance(file, io.TextIOBase):
        raise TypeError(f"dump wants a path, or a file open for writing bytes (mode 'wb'), not {file!r}")
    return write


def load(path_or_file: Any, *, trusted: Iterable[Any] | None = None, key: bytes | None = None) -> Any:
    """Read the object in a file of ``graphcopy.dump``.

    *path_or_file* is a path, or a file open for reading bytes; of such a file only what belongs to the object is
    read. Reading a pickle runs code. So give the ``key`` that it was signed with, which is verified before the first
    byte is unpickled; or list in ``trusted`` what the file may name: dotted names, classes and functions exactly, or
    all classes of a package as ``"mypkg.*"``. Everything else is refused before anything is built. What travels by
    value is code, and always refused then. See docs/security.md for what this protects from.

    Raises UntrustedError with all names that are refused; SignatureError where the file is not signed by *key*, or
    signed and none is given; LoadError for a foreign, damaged or cut off file, and where a module or class is missing
    here, with the path under which it stood.

    >>> import graphcopy, io
    >>> file = io.BytesIO()
    >>> graphcopy.dump([1, 2], file)
    >>> graphcopy.dump("next", file)
    >>> _ = file.seek(0)
    >>> graphcopy.load(file), graphcopy.load(file)
    ([1, 2], 'next')
    >>> _ = file.seek(0)
    >>> graphcopy.load(file, trusted=[])
    [1, 2]
    """
    secret = checked_key(key)
    trust = None if trusted is None else Trust(trusted)
    pieces = pieces_of(path_or_file, secret)
    places = checked_header(pieces)["places"]
    if trust is not None:
        return load_trusted(pieces.stream, pieces.buffers, trust, places)
    return read_stream(Unpickler(io.BytesIO(pieces.stream), buffers=pieces.buffers, places=places))


def pieces_of(path_or_file: Any, key: bytes | None, *, check: bool = True) -> Pieces:
    """Read the pieces of a file."""
    if not isinstance(path_or_file, (str, bytes, os.PathLike)):
        if not hasattr(path_or_file, "read") or isinstance(path_or_file, io.TextIOBase):
            raise TypeError(f"a path is wanted, or a file open for reading bytes (mode 'rb'), not {path_or_file!r}")
        return read_pieces(path_or_file, key, check=check)
    with open(path_or_file, "rb") as file:
        pieces = read_pieces(file, key, check=check)
        if file.read(1):
            raise LoadError("this file is damaged: there is more behind its end")
    return pieces
