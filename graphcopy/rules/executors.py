"""Executors: one resource made of many locks, queues and threads. Idle ones are made anew from their settings."""

from __future__ import annotations

from typing import Any

from .making import rebuild, refuse, rule

__all__ = ["executor_rules"]


def make_threads(cls: Any, max_workers: int, prefix: str, initializer: Any, initargs: Any) -> Any:
    """Make a thread pool of the same size."""
    return cls(max_workers, prefix, initializer, initargs)


def make_processes(cls: Any, max_workers: int, context: Any, initializer: Any, initargs: Any) -> Any:
    """Make a process pool of the same size."""
    return cls(max_workers, context, initializer, initargs)


@rule("concurrent.futures.thread.ThreadPoolExecutor")
def thread_pool(node: Any) -> Any:
    "An idle thread pool is made anew: same size, names and initializer, threads of its own."
    obj = node.obj
    if _threads_busy(obj):
        return _at_work(node)
    new = rebuild(
        make_threads, node.type, obj._max_workers, obj._thread_name_prefix, getattr(obj, "_initializer", None),
        getattr(obj, "_initargs", ()),
    )  # fmt: skip
    new.lost = "its threads"
    return new


@rule("concurrent.futures.process.ProcessPoolExecutor")
def process_pool(node: Any) -> Any:
    "An idle process pool is made anew: same size, context and initializer, processes of its own."
    obj = node.obj
    if obj._pending_work_items:
        return _at_work(node)
    new = rebuild(make_processes, node.type, obj._max_workers, obj._mp_context, obj._initializer, obj._initargs)
    new.lost = "its processes"
    return new


def _threads_busy(obj: Any) -> bool:
    """Tell whether work is queued or running: every idle thread has released the semaphore once."""
    if not obj._work_queue.empty():
        return True
    return bool(obj._threads) and obj._idle_semaphore._value < len(obj._threads)


def _at_work(node: Any) -> Any:
    name = f"{node.type.__module__}.{node.type.__qualname__}"
    return refuse(
        "it has work pending or running, which belongs to this executor alone",
        f'rules=[graphcopy.share("{name}")], or wait for the work to end',
    )


executor_rules = [thread_pool, process_pool]
