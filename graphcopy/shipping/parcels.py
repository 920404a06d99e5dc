"""What a Shipment is on its way: a stream, and the large arrays beside it.

Arrays above a certain size are kept out of the stream. Where the engine takes buffers out of band
(PEP 574: Dask, Ray, joblib with loky), they go out of band with it, and nothing is copied.
"""

from __future__ import annotations

import os
import pickle
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from .loading import unpickled
from .sending import stream_of

__all__ = ["LEAST", "Parcel", "in_own_memory", "packed"]

LEAST = 1 << 16
"""Arrays smaller than this many bytes stay in the stream: an engine has work with every buffer."""

_this_program = uuid.uuid4().hex


def _here() -> str:
    """What no other process has; a forked child has the same memory, but changes it alone."""
    return f"{_this_program}-{os.getpid()}"


def in_own_memory(buffers: Iterable[Any]) -> Iterator[Any]:
    """Buffers that can be written to: one that cannot is copied.

    >>> [type(each).__name__ for each in in_own_memory([b"ab", bytearray(b"ab")])]
    ['bytearray', 'bytearray']
    """
    for each in buffers:
        with memoryview(each) as view:
            fixed = view.readonly
        yield bytearray(each) if fixed else each


class Parcel:
    """A stream, its buffers, which of them could be written to, and the process that it was last in."""

    __slots__ = ("buffers", "home", "stream", "writable")

    def __init__(self, stream: Any, writable: str, home: str, buffers: Iterable[Any]) -> None:
        self.stream = stream
        self.writable = writable  # a letter for each buffer: w or r
        self.home = home
        self.buffers = tuple(buffers)

    @property
    def size(self) -> int:
        """Bytes of the stream and of all buffers."""
        return sum(memoryview(each).nbytes for each in (self.stream, *self.buffers))

    def opened(self) -> Any:
        """Make the object.

        Its arrays lie on the buffers themselves where those are free to be written to: not those of shared
        memory (Ray), and not those of this process, which may be the memory of the original.
        """
        return unpickled(self.stream, self._places())

    def _places(self) -> Iterator[Any]:
        shared = self.home == _here()
        for kind, each in zip(self.writable, self.buffers):
            if shared:
                yield bytearray(each)
            elif kind == "w":
                yield from in_own_memory([each])
            else:
                yield each

    def pieces(self, protocol: int) -> tuple[Any, ...]:
        """The arguments of Parcel, as a pickle of this protocol takes them."""
        if protocol < 5:
            kinds = zip(self.writable, self.buffers)
            buffers = tuple(bytearray(each) if kind == "w" else bytes(each) for kind, each in kinds)
            return (bytes(self.stream), self.writable, _here(), buffers)
        large = memoryview(self.stream).nbytes >= LEAST
        stream = pickle.PickleBuffer(self.stream) if large else bytes(self.stream)
        return (stream, self.writable, _here(), tuple(map(pickle.PickleBuffer, self.buffers)))


def packed(obj: Any, policy: Any) -> Parcel:
    """Write *obj*; raises CopyError with all that cannot travel."""
    taken: list[pickle.PickleBuffer] = []
    stream = stream_of(obj, policy, taken, least=LEAST)
    flat = [each.raw() for each in taken]
    return Parcel(stream, "".join("r" if each.readonly else "w" for each in flat), _here(), flat)
