"""Objects of the standard library that copy themselves: digests, contexts, struct formats, thread-local data."""

from __future__ import annotations

import contextvars
import copy
import hashlib
import io
import random
import threading
from collections.abc import Sequence
from typing import Any

from ..graph.accessors import Accessor, attribute
from .instances import Layout, put_state
from .parts import SHARED, Outcome, Parts
from .registry import anatomy

__all__ = ["Carried", "copy_of_itself"]


class Carried:
    """Carries an object to its own ``copy`` method: to the walk it is an atom."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def __call__(self) -> Any:
        return copy_of_itself(self.obj)


def copy_of_itself(obj: Any) -> Any:
    """What the object's own ``copy`` method returns."""
    return obj.copy() if hasattr(obj, "copy") else copy.copy(obj)


_DIGESTS = {type(hashlib.new(name)) for name in ("md5", "sha256", "blake2b", "blake2s", "sha3_256")}


@anatomy(*_DIGESTS, "_hashlib.HASH", "_hashlib.HASHXOF", "_hashlib.HMAC", "_md5.md5", "_sha1.sha1", "_sha2.SHA256Type",
         "zlib.Compress", "zlib.Decompress")  # fmt: skip
def digest(obj: Any, context: Any) -> Outcome:
    """A digest or a compressor in midstream goes on by itself in the copy."""
    return Parts(Carried(obj), where=())


def make_system_random(cls: Any) -> Any:
    """Make a source of the system's randomness, which has no state."""
    return cls()


@anatomy(random.SystemRandom)
def system_random(obj: random.SystemRandom, context: Any) -> Outcome:
    """The system's source of randomness has no state to copy: the copy has a source of its own."""
    return Parts(make_system_random, (type(obj),), where=(attribute("__class__"),))


def _set_variables(new: contextvars.Context, items: object, pairs: Sequence[tuple[Any, Any]]) -> None:
    for variable, value in pairs:
        new.run(variable.set, value)


def _variable_accessors(obj: contextvars.Context, parts: Parts) -> list[Accessor]:
    found: list[Accessor] = []
    for place, (variable, _) in enumerate(parts.pairs):
        found.append(Accessor("key", f"key {place}", "list(", f")[{place}]", place))
        found.append(Accessor("value", f"[{variable.name}]", "list(", f".values())[{place}]", place))
    return found


@anatomy(contextvars.Context)
def context_of_variables(obj: contextvars.Context, context: Any) -> Outcome:
    """A Context holds the same variables, with the copied values; what is set in the copy stays there."""
    return Parts(contextvars.Context, pairs=list(obj.items()), fill=_set_variables, where=_variable_accessors)


@anatomy(contextvars.ContextVar, contextvars.Token)
def context_variable(obj: Any, context: Any) -> Outcome:
    """A ContextVar is the key under which contexts keep their value: it is shared."""
    return SHARED


def set_local(new: Any, state: dict[Any, Any]) -> None:
    """Give a thread-local its attributes in this thread."""
    new.__dict__.update(state)


def make_local(cls: Any) -> Any:
    """Make an empty thread-local, without the ``__init__`` of a subclass."""
    return cls.__new__(cls)


@anatomy(threading.local, subclasses=True)
def thread_local(obj: Any, context: Any) -> Outcome:
    """Thread-local data: the values of the current thread are copied, other threads see an empty one."""
    attrs = dict(obj.__dict__)
    return Parts(
        make_local, (type(obj),), attrs=attrs, setter=set_local, lost="the values of other threads",
        where=lambda obj, parts: [attribute("__class__"), *(attribute(name) for name in parts.attrs or ())],
    )  # fmt: skip


def make_text(text: str, newline: Any, position: int) -> Any:
    """Make a StringIO at the same position."""
    new: Any = io.StringIO()
    new.__setstate__((text, newline, position, None))
    return new


def make_bytes(content: bytes, position: int) -> Any:
    """Make a BytesIO at the same position."""
    new = io.BytesIO(content)
    new.seek(position)
    return new


_STATE = Accessor("reduce", "state", "", ".__getstate__()")


@anatomy(io.StringIO, io.BytesIO)
def memory_file(obj: Any, context: Any) -> Outcome:
    """A file in memory is at the same position in the copy, over content and attributes of its own."""
    layout = Layout(type(obj), object.__new__)
    attrs = layout.values(obj) or None
    args: tuple[Any, ...]
    if obj.closed:
        func: Any = closed_text if isinstance(obj, io.StringIO) else closed_bytes
        args = ()
    elif isinstance(obj, io.BytesIO):
        func, args = make_bytes, (obj.getvalue(), obj.tell())
    else:
        func, args = make_text, tuple(obj.__getstate__()[:3])
    return Parts(
        func, args, attrs=attrs, setter=put_state,
        where=lambda obj, parts: [*[_STATE] * len(parts.args), *(layout.accessors(obj) if parts.attrs else ())],
    )  # fmt: skip


def closed_text() -> Any:
    """Make a closed StringIO."""
    new = io.StringIO()
    new.close()
    return new


def closed_bytes() -> Any:
    """Make a closed BytesIO."""
    new = io.BytesIO()
    new.close()
    return new
