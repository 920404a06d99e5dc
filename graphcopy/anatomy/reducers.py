"""What graphcopy puts in the places of others, and how it looks through that itself.

While rules are installed for pickle, ``copyreg.dispatch_table`` holds reducers that ask them. They are meant for
pickle: graphcopy itself, copy.copy and what copy.deepcopy does without the rules ask for what stood there before. The
methods that graphcopy makes for a class (``deepcopy_method``, ``reduce_method``) are for others, too.
"""

from __future__ import annotations

import copyreg
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

__all__ = [
    "Beneath",
    "InstalledReducer",
    "OwnMethod",
    "asked_by_us",
    "asking",
    "method_rules",
    "reducer_of",
]  # fmt: skip


class InstalledReducer:
    """The base of reducers that stand in ``copyreg.dispatch_table`` while rules are installed."""

    __slots__ = ("beneath",)

    def __init__(self, beneath: Any) -> None:
        self.beneath = beneath  # what stood there before: a reducer of somebody else's, or None


def reducer_of(cls: type) -> Any:
    """The reducer that somebody has registered for *cls*, or None."""
    found = copyreg.dispatch_table.get(cls)
    return found.beneath if isinstance(found, InstalledReducer) else found


def is_looked_through(cls: type) -> bool:
    """Tell whether pickle would call something of ours for objects of *cls*."""
    return isinstance(copyreg.dispatch_table.get(cls), InstalledReducer) or isinstance(cls.__reduce_ex__, OwnMethod)


class Beneath:
    """``copyreg.dispatch_table`` as it is without ours."""

    __slots__ = ()

    def get(self, cls: type) -> Any:
        """The reducer that somebody has registered for *cls*, or None."""
        return reducer_of(cls)


class OwnMethod:
    """The base of methods that graphcopy makes for a class: to graphcopy it is as if they were not there.

    *rules* hold wherever graphcopy meets an object of such a class.
    """

    rules: tuple[Any, ...] = ()


class _Asking(threading.local):
    """Whether graphcopy itself asks a reduce method of a class just now, in this thread."""

    on = False


asking = _Asking()


def asked_by_us(hook: Callable[..., Any]) -> Callable[..., Any]:
    """The reduce method *hook* of a subclass, which may call the one that graphcopy has made for its base."""

    @wraps(hook)
    def asked(*args: Any) -> Any:
        before, asking.on = asking.on, True
        try:
            return hook(*args)
        finally:
            asking.on = before

    return asked


def method_rules(cls: type) -> tuple[Any, ...]:
    """The rules of the methods that graphcopy has made for *cls* or its bases."""
    found: tuple[Any, ...] = ()
    for base in cls.__mro__:
        own = base.__dict__
        for name in ("__deepcopy__", "__reduce_ex__"):
            if name in own and isinstance(own[name], OwnMethod):
                found += tuple(rule for rule in own[name].rules if rule not in found)
    return found
