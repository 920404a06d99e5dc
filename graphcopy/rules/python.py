"""The rules for plain Python, in force unless ``defaults=False``: locks, live objects, executors, databases."""

from __future__ import annotations

import asyncio
import threading
from _thread import allocate_lock  # the name of the factory in every Python: a stream of 3.13 is read by 3.10
from typing import Any

from .databases import database_rules
from .executors import executor_rules
from .live import live_rules
from .making import rebuild, rule
from .queues import queue_rules
from .ruleset import RuleSet

__all__ = ["python_rules"]


@rule(threading.Lock)
def fresh_lock(node: Any) -> Any:
    "A lock protects its owner: the copy gets its own, unlocked."
    return rebuild(allocate_lock)


@rule(threading.RLock, "threading._RLock")
def fresh_rlock(node: Any) -> Any:
    "A re-entrant lock protects its owner: the copy gets its own, unlocked."
    return rebuild(node.type if node.type.__module__ == "threading" else threading.RLock)


@rule(threading.Condition)
def condition(node: Any) -> Any:
    "A condition is made around the copied lock; nobody waits for it yet."
    lock: Any = vars(node.obj)["_lock"]
    return rebuild(threading.Condition, lock) if node.type is threading.Condition else NotImplemented


@rule(threading.Barrier)
def barrier(node: Any) -> Any:
    "A barrier is fresh: same parties, action and timeout, nobody waits."
    obj = node.obj
    if node.type is not threading.Barrier:
        return NotImplemented
    return rebuild(threading.Barrier, obj.parties, obj._action, obj._timeout)


def drop_waiters(new: Any, state: dict[str, Any]) -> None:
    """Give an asyncio primitive its state: in no loop, with nobody waiting."""
    for name, value in state.items():
        new.__dict__[name] = value


@rule(asyncio.Lock, asyncio.Event, asyncio.Condition, asyncio.Semaphore, asyncio.Queue)
def asyncio_primitive(node: Any) -> Any:
    "An asyncio primitive belongs to no loop in the copy, and nobody waits; flag, count and items are kept."
    obj = node.obj
    state = {k: v for k, v in vars(obj).items() if k not in ("_loop", "_waiters", "_getters", "_putters")}
    for name in ("_waiters", "_getters", "_putters"):
        if name in vars(obj):
            value = vars(obj)[name]
            state[name] = None if value is None else type(value)()
    if "_loop" in vars(obj):
        state["_loop"] = None
    if isinstance(obj, asyncio.Lock):
        state["_locked"] = False
    if isinstance(obj, asyncio.Condition):  # its methods are the lock's own
        for name in ("locked", "acquire", "release"):
            if name in state:
                state[name] = getattr(state["_lock"], name)
    return rebuild(make_plain, node.type, attrs=state, setter=drop_waiters)


def make_plain(cls: Any) -> Any:
    """Make an empty instance."""
    return object.__new__(cls)


@rule(threading.Thread)
def unstarted_thread(node: Any) -> Any:
    "A thread that was not started can be made anew, with its target copied; a running one is a culprit."
    obj = node.obj
    if obj._started.is_set():
        return NotImplemented
    state = {
        k: v
        for k, v in vars(obj).items()
        if k not in ("_stderr", "_invoke_excepthook", "_tstate_lock", "_handle", "_started")
    }
    return rebuild(make_thread, node.type, attrs=state, setter=set_thread)


def make_thread(cls: Any) -> Any:
    """Make a thread that was not started, without the ``__init__`` of a subclass."""
    new = cls.__new__(cls)
    threading.Thread.__init__(new)
    return new


def set_thread(new: Any, state: dict[str, Any]) -> None:
    """Give the thread its name, target, arguments and attributes."""
    new.__dict__.update(state)


python_rules = RuleSet(
    "python",
    [
        fresh_lock, fresh_rlock, condition, barrier, asyncio_primitive, unstarted_thread, *queue_rules, *executor_rules,
        *database_rules, *live_rules,
    ],
    description="plain Python",
)  # fmt: skip
