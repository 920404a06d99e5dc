"""Opt-in: what happens to things that hold a place in the operating system.

``graphcopy.copy(obj, rules=[graphcopy.resource_rules])``. Nothing is taken from the original, and no
file that is being written is touched. All of it stands on the receipt.
"""

from __future__ import annotations

import io
import os
from typing import Any

from ..anatomy.parts import Parts
from .live import is_standard_stream
from .making import prune, rebuild, rule
from .newlines import UNKNOWN, newline_of
from .ruleset import RuleSet

__all__ = ["resource_rules"]


def open_again(path: Any, mode: str, settings: dict[str, Any], position: int) -> Any:
    """Open a file for reading, at *position*."""
    new = open(path, mode, **settings)  # noqa: SIM115
    new.seek(position)
    return new


def _reopened(obj: Any) -> Parts | None:
    mode = str(getattr(obj, "mode", ""))
    path = getattr(obj, "name", None)
    if obj.closed or not obj.readable() or obj.writable() or not isinstance(path, (str, bytes, os.PathLike)):
        return None
    if not obj.seekable() or not os.path.isfile(path):
        return None
    try:
        position = obj.tell()
    except OSError:  # telling is switched off while a text file is iterated over
        return None
    settings: dict[str, Any] = {}
    if isinstance(obj, io.TextIOBase):
        settings = {"encoding": obj.encoding, "errors": obj.errors}
        newline = newline_of(obj) if type(obj) is io.TextIOWrapper else UNKNOWN
        if newline is not UNKNOWN:
            settings["newline"] = newline
        mode = mode.replace("b", "") or "r"
    else:
        mode = "rb"
        if isinstance(obj, io.RawIOBase):
            settings = {"buffering": 0}
    made: Parts = rebuild(open_again, path, mode, settings, position)
    made.lost = "it is opened anew, at the same place"
    if isinstance(obj, io.TextIOBase) and "newline" not in settings:
        made.lost += "; the newline= that it was opened with cannot be told"
    return made


@rule("_io._IOBase")
def file(node: Any) -> Any:
    "A file that is read is opened again at its place; one that is written is None, and never truncated."
    obj = node.obj
    if isinstance(obj, (io.StringIO, io.BytesIO)) or is_standard_stream(obj):
        return NotImplemented
    if node.type.__module__ not in ("_io", "io", "tempfile", "socket"):
        return NotImplemented
    if obj.closed:
        return prune(value=None)
    return _reopened(obj) or prune(value=None)


@rule("socket.socket", "_socket.socket", "multiprocessing.connection._ConnectionBase", "mmap.mmap")
def connection(node: Any) -> Any:
    "A socket, a pipe or a mapped file is None: a connection cannot be cloned."
    return prune(value=None)


@rule(
    "threading.Thread", "_thread._ThreadHandle", "multiprocessing.process.BaseProcess", "subprocess.Popen",
    "_asyncio.Task", "_asyncio.Future", "asyncio.futures.Future", "asyncio.tasks.Task",
    "concurrent.futures._base.Future", "asyncio.events.AbstractEventLoop",
)  # fmt: skip
def work(node: Any) -> Any:
    "A running thread, process, task or future is None: work cannot be cloned. A thread not started is made anew."
    started = getattr(node.obj, "_started", None)
    if started is not None and hasattr(started, "is_set") and not started.is_set():
        return NotImplemented
    return prune(value=None)


@rule("builtins.generator", "builtins.coroutine", "builtins.async_generator", "builtins.frame")
def suspended(node: Any) -> Any:
    "A generator or coroutine is None: what it has begun cannot be cloned, and is not consumed."
    return prune(value=None)


def fresh_selector(cls: Any) -> Any:
    """Make an empty selector."""
    return cls()


@rule("selectors.BaseSelector", "select.epoll", "select.poll", "select.kqueue", "select.devpoll")
def selector(node: Any) -> Any:
    "A selector is a fresh one, in which nothing is registered."
    if node.type.__module__ == "select":
        import select

        return rebuild(getattr(select, node.type.__name__))
    made = rebuild(fresh_selector, node.type)
    made.lost = "what was registered"
    return made


def fresh_primitive(context: Any, name: str, *args: Any) -> Any:
    """Make a multiprocessing primitive of the same kind."""
    return getattr(context, name)(*args)


@rule(
    "multiprocessing.synchronize.SemLock", "multiprocessing.synchronize.Condition",
    "multiprocessing.synchronize.Event", "multiprocessing.synchronize.Barrier", "multiprocessing.queues.Queue",
    "multiprocessing.queues.SimpleQueue",
)  # fmt: skip
def process_primitive(node: Any) -> Any:
    "A multiprocessing primitive is a fresh one of the same kind and size."
    import multiprocessing

    obj, name = node.obj, node.type.__name__
    method = _start_method(obj)
    args: tuple[Any, ...] = ()
    if name in ("Semaphore", "BoundedSemaphore"):
        args = (obj.get_value() if name == "Semaphore" else obj._semlock.maxvalue,)
    elif name in ("Queue", "JoinableQueue"):
        args = (obj._maxsize,)
    elif name == "Barrier":
        args = (obj.parties, obj._action, obj._timeout)
    made = rebuild(fresh_primitive, multiprocessing.get_context(method), name, *args)
    made.lost = "its state in other processes"
    return made


def fresh_shared(method: str | None, kind: Any, data: bytes, lock: Any) -> Any:
    """Make a shared value or array of the ctypes type *kind* that holds *data*, guarded by *lock*."""
    import ctypes
    import multiprocessing.sharedctypes

    shared_memory = multiprocessing.sharedctypes
    raw: Any = shared_memory.RawValue(kind)
    ctypes.memmove(ctypes.addressof(raw), data, len(data))
    return shared_memory.synchronized(raw, lock, multiprocessing.get_context(method))


@rule("multiprocessing.sharedctypes.SynchronizedBase")
def shared_value(node: Any) -> Any:
    "A shared value or array is one of its own, with the same content and a lock of its own."
    obj = node.obj
    lock = obj.get_lock()
    raw = obj.get_obj()
    data = bytes(memoryview(raw).cast("B"))  # without the lock: who holds it may never let go
    made = rebuild(fresh_shared, _start_method(lock), type(raw), data, lock)
    made.lost = "its alias in other processes"
    return made


def _start_method(obj: Any) -> str | None:
    context = getattr(obj, "_ctx", None)
    return None if context is None else context.get_start_method()


@rule("multiprocessing.context.BaseContext")
def process_context(node: Any) -> Any:
    "A multiprocessing context is a setting of the process: shared."
    from .making import share

    return share()


def fresh_bar(cls: Any, settings: dict[str, Any]) -> Any:
    """Make a progress bar at the same count."""
    return cls(**settings)


@rule("tqdm.std.tqdm")
def progress_bar(node: Any) -> Any:
    "A progress bar is one of its own at the same count, on the same terminal."
    obj = node.obj
    settings = {
        "total": obj.total, "initial": obj.n, "desc": (obj.desc or "").removesuffix(": ") or None, "unit": obj.unit,
        "leave": obj.leave, "disable": obj.disable, "file": getattr(getattr(obj, "fp", None), "_wrapped", None),
    }  # fmt: skip
    if obj.disable:
        settings = {"total": obj.total, "disable": True}
    return rebuild(fresh_bar, node.type, settings)


resource_rules = RuleSet(
    "resources",
    [file, connection, work, suspended, selector, process_primitive, shared_value, process_context, progress_bar],
    description="things that hold a place in the operating system",
)
