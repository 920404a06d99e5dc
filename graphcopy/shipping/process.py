"""What belongs to a process: loggers, streams, TLS contexts, context variables, records of execution.

The other side has its own: it is asked for by name, or a fresh one is made. What has no counterpart is
left out (None) and named on the receipt, or refused.
"""

from __future__ import annotations

import contextvars
import io
import logging
import sys
import threading
import weakref
from typing import Any

from ..anatomy.parts import Outcome, Parts, Pruned, Refused
from ..anatomy.states import make_local
from ..graph.accessors import attribute
from .forms import form

__all__ = ["make_logger", "make_tls_context", "standard_stream"]

_STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")


@form(logging.Logger, subclasses=True)
def logger(obj: logging.Logger, context: Any) -> Outcome:
    """A logger is the other side's under the same name; one that no manager knows is made anew, without handlers."""
    if obj is logging.root:
        return Parts(logging.getLogger, (), where=())
    if logging.Logger.manager.loggerDict.get(obj.name) is obj:
        return Parts(logging.getLogger, (obj.name,), where=(attribute("name"),))
    own = {
        name: vars(obj)[name] for name in vars(obj) if name not in ("handlers", "manager", "parent", "_cache", "root")
    }
    return Parts(
        make_logger, (type(obj), obj.name, obj.level), attrs=own, setter=put_logger_state, lost="its handlers",
        where=[attribute("__class__"), attribute("name"), attribute("level"), *map(attribute, own)],
    )  # fmt: skip


def make_logger(cls: Any, name: str, level: int) -> Any:
    """Make a logger that no manager knows."""
    new = cls.__new__(cls)
    logging.Logger.__init__(new, name, level)
    return new


def put_logger_state(new: Any, state: dict[str, Any]) -> None:
    """Give the logger its attributes."""
    vars(new).update(state)


@form(logging.Manager)
def manager(obj: Any, context: Any) -> Outcome:
    """The manager of all loggers."""
    return Parts(the_manager, (), where=())


def the_manager() -> Any:
    """The manager of all loggers of this process."""
    return logging.Logger.manager


@form(logging.Handler, subclasses=True)
def handler(obj: Any, context: Any) -> Outcome:
    """A handler is an output of this process."""
    return Pruned(None)


@form("_io.TextIOWrapper", "_io.BufferedWriter", "_io.BufferedReader", "_io.FileIO", "_io._IOBase", subclasses=True)
def stream(obj: Any, context: Any) -> Outcome:
    """A standard stream is the other side's own, with the buffers below it. A file in memory travels as it is."""
    for name in _STREAMS:
        each, depth = getattr(sys, name, None), 0
        while each is not None:
            if each is obj:
                return Parts(standard_stream, (name, depth), where=())
            each = getattr(each, "buffer", None) or getattr(each, "raw", None)
            each, depth = (each if isinstance(each, io.IOBase) else None), depth + 1
    if isinstance(obj, (io.StringIO, io.BytesIO)) or type(obj).__module__ not in ("_io", "io", "tempfile", "socket"):
        return NotImplemented  # type: ignore[no-any-return]
    return Refused("a file has a place in the operating system", "rules=[graphcopy.resource_rules]")


def standard_stream(name: str, depth: int) -> Any:
    """A standard stream of this process, or a buffer below it; None where there is none."""
    if name not in _STREAMS:
        raise ValueError(f"{name!r} is no standard stream")
    found = getattr(sys, name, None)
    for _ in range(depth):
        found = getattr(found, "buffer", None) or getattr(found, "raw", None)
    return found


@form("_ssl._SSLContext", subclasses=True)
def tls_context(obj: Any, context: Any) -> Outcome:
    """A TLS context is made anew: same settings, same certificate authorities."""
    settings = {
        name: int(getattr(obj, name))
        for name in ("options", "verify_flags", "minimum_version", "maximum_version")
        if hasattr(obj, name)
    }
    authorities = tuple(obj.get_ca_certs(binary_form=True))
    args = (int(obj.protocol), bool(obj.check_hostname), int(obj.verify_mode), settings, authorities)
    return Parts(make_tls_context, args, where=(), lost="its client certificates and session tickets")


def make_tls_context(protocol: int, check: bool, verify: int, settings: dict[str, int], authorities: Any) -> Any:
    """Make a TLS context with these settings; authorities that the original has not read yet are the default ones."""
    import ssl

    new: Any = ssl.SSLContext(ssl._SSLMethod(protocol))  # type: ignore[attr-defined]
    kinds = {
        "options": ssl.Options, "verify_flags": ssl.VerifyFlags, "minimum_version": ssl.TLSVersion,
        "maximum_version": ssl.TLSVersion,
    }  # fmt: skip
    for name, value in settings.items():
        setattr(new, name, kinds[name](value))
    new.check_hostname = False  # before the mode, which it holds
    new.verify_mode = ssl.VerifyMode(verify)
    new.check_hostname = check
    if authorities:
        new.load_verify_locations(cadata=b"".join(authorities))
    elif verify:
        new.load_default_certs()
    return new


@form(contextvars.ContextVar)
def context_variable(obj: contextvars.ContextVar[Any], context: Any) -> Outcome:
    """A ContextVar is known by its identity: it is the one under the same name in the module that has it."""
    for name, found in list(sys.modules.items()):
        own = getattr(found, "__dict__", None)
        if type(own) is dict and context.naming.reachable(name):
            for key, value in list(own.items()):
                if value is obj:
                    return Parts(variable_named, (name, key), where=())
    return Parts(contextvars.ContextVar, (obj.name,), where=(attribute("name"),), lost="its default and its values")


def variable_named(module: str, name: str) -> Any:
    """The ContextVar of a module."""
    import importlib

    found = getattr(importlib.import_module(module), name)
    if not isinstance(found, contextvars.ContextVar):
        raise TypeError(f"{module}.{name} is no ContextVar")
    return found


@form(contextvars.Context, contextvars.Token, "builtins.traceback", weakref.finalize)
def bound_to_here(obj: Any, context: Any) -> Outcome:
    """A context, a traceback or a finalizer belongs to what this process does."""
    return Pruned(None)


@form(
    "_hashlib.HASH", "_hashlib.HASHXOF", "_hashlib.HMAC", "_md5.md5", "_sha1.sha1", "_sha2.SHA256Type",
    "_blake2.blake2b", "_blake2.blake2s", "_sha3.sha3_256", "zlib.Compress", "zlib.Decompress",
)  # fmt: skip
def midstream(obj: Any, context: Any) -> Outcome:
    """A digest or a compressor in midstream keeps its state in C, where nobody can read it."""
    name = f"{type(obj).__module__}.{type(obj).__qualname__}"
    return Refused(
        "its state cannot be read", f'feed it on this side, or rules=[graphcopy.prune("{name}", value=None)]'
    )


@form(threading.local, subclasses=True)
def thread_local(obj: Any, context: Any) -> Outcome:
    """Thread-local data: the threads of the other process begin with none."""
    return Parts(make_local, (type(obj),), where=(attribute("__class__"),), lost="its values")


@form(weakref.ref, subclasses=True)
def dead_reference(obj: Any, context: Any) -> Any:
    """A dead weak reference is dead on the other side."""
    if obj() is not None or (type(obj) is not weakref.ref and not isinstance(obj, weakref.WeakMethod)):
        return NotImplemented
    return Parts(dead_method if isinstance(obj, weakref.WeakMethod) else dead_reference_again, (), where=())


class Gone:
    """Dies at once: what a dead weak reference was made to."""

    __slots__ = ("__weakref__",)

    def method(self) -> None:
        """Be referred to."""


def dead_reference_again(*_: Any) -> Any:
    """Make a dead weak reference."""
    return weakref.ref(Gone())


def dead_method(*_: Any) -> Any:
    """Make a dead weak bound method."""
    return weakref.WeakMethod(Gone().method)


def dead_proxy(*_: Any) -> Any:
    """Make a dead weak proxy."""
    return weakref.proxy(Gone())


@form(memoryview)
def window(obj: memoryview, context: Any) -> Any:
    """A memoryview over bytes is made over the same bytes; a released one is None."""
    try:
        base = obj.obj
    except ValueError:
        return Pruned(None)
    if type(base) is not bytes:
        return NotImplemented
    return Parts(view_of_bytes, (obj.tobytes(), obj.format, tuple(obj.shape or ())), where=())


def view_of_bytes(content: bytes, format: str, shape: tuple[int, ...]) -> memoryview:
    """Make a memoryview of bytes."""
    view = memoryview(content)
    return view if format == "B" and len(shape) == 1 else view.cast("B").cast(format, list(shape))  # type: ignore[call-overload,no-any-return]


@form("numpy.random.mtrand.RandomState")
def random_state(obj: Any, context: Any) -> Any:
    """The random state behind ``numpy.random.normal`` is the other side's own."""
    module = sys.modules.get("numpy.random.mtrand")
    return Parts(global_random_state, (), where=()) if obj is getattr(module, "_rand", None) else NotImplemented


def global_random_state() -> Any:
    """The random state behind numpy's functions."""
    import numpy

    return numpy.random.mtrand._rand  # type: ignore[attr-defined]
