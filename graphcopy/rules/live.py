"""Live objects that belong to the process: shared, and named on the receipt."""

from __future__ import annotations

import io
import logging
import sys
from typing import Any

from ..anatomy.parts import Shared
from .making import rebuild, refuse, rule
from .treatments import shared

__all__ = ["live_rules"]


def _live(reason: str) -> Shared:
    return shared(reason, live=True)


@rule(logging.Logger, logging.Handler, logging.Manager, "logging.RootLogger")
def logger(node: Any) -> Any:
    "A logger or handler is an output of the process: the copy logs to the same place."
    return _live("an output channel of the process")


@rule("builtins.traceback", "builtins.frame")
def record_of_execution(node: Any) -> Any:
    "A traceback is a read-only record: it is shared."
    if node.type.__name__ == "traceback":
        return _live("a read-only record")
    return refuse("a frame is code at work", 'rules=[graphcopy.prune("builtins.frame")]')


@rule("_ssl._SSLContext")
def tls_context(node: Any) -> Any:
    "A TLS context cannot be cloned, and holds no state of its user: it is shared."
    return _live("a TLS context")


def is_standard_stream(obj: Any) -> bool:
    """Tell whether *obj* is one of the process's own streams, or the buffer below one."""
    for name in ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__"):
        stream = getattr(sys, name, None)
        while stream is not None:
            if stream is obj:
                return True
            below = getattr(stream, "buffer", None) or getattr(stream, "raw", None)
            stream = below if isinstance(below, io.IOBase) else None
    return False


def empty(cls: Any) -> Any:
    """Make a file object that has no attributes yet."""
    return cls.__new__(cls)


@rule("_io._IOBase")
def stream(node: Any) -> Any:
    "The standard streams are the process's own; any other open file is a culprit; a closed one is shared."
    obj = node.obj
    if isinstance(obj, (io.StringIO, io.BytesIO)):
        return NotImplemented
    if is_standard_stream(obj):
        return _live("a standard stream of the process")
    if node.type.__module__ not in ("_io", "io", "tempfile", "socket"):
        return NotImplemented  # a file-like class written in Python
    if isinstance(getattr(obj, "_file", None), io.BytesIO):
        return rebuild(empty, node.type, attrs=vars(obj))  # a spooled file that is still in memory
    if obj.closed and not node.travels:
        return shared("a closed file: nothing can be read from it or written to it", live=False)
    what, mode = "a closed" if obj.closed else "an open", getattr(obj, "mode", "")
    name = f"{node.type.__module__}.{node.type.__qualname__}"
    return refuse(
        f"{what} file ({getattr(obj, 'name', '?')!r}, mode {mode!r}) has a place in the operating system",
        f'rules=[graphcopy.resource_rules], or graphcopy.share("{name}")',
    )


live_rules = [logger, record_of_execution, tls_context, stream]
