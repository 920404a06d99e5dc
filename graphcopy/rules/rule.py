"""A rule: which objects it speaks for, and what it answers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from ..anatomy.registry import dotted

__all__ = ["Rule", "as_type"]

Decide = Callable[[Any], Any]


def as_type(given: Any) -> type | str:
    """Understand a class, a dotted name, or a factory such as ``threading.Lock`` (a function on Python 3.12).

    >>> import threading
    >>> as_type(threading.RLock).__name__
    'RLock'
    """
    if isinstance(given, type):
        return given
    if isinstance(given, str):
        if "." not in given:
            raise ValueError(f"{given!r} is no dotted name of a type (module.Class)")
        return given
    if callable(given) and getattr(given, "__module__", None) in ("_thread", "threading"):
        return type(given())
    raise TypeError(f"{given!r} is neither a class nor the dotted name of one")


class Rule:
    """A rule that matches by type.

    ``decide(node)`` returns a treatment, or NotImplemented to pass. ``types`` are classes or dotted
    names; subclasses match unless ``exact``. ``finish(run)`` is called once at the end of every copy.
    """

    __slots__ = (
        "_decide",
        "_ids",
        "_names",
        "_types",
        "description",
        "exact",
        "finish",
        "name",
        "needs_graph",
        "types",
    )

    def __init__(
        self,
        types: Iterable[Any],
        decide: Decide,
        *,
        name: str = "",
        description: str = "",
        exact: bool = False,
        finish: Callable[[Any], None] | None = None,
    ) -> None:
        self.types = tuple(as_type(each) for each in types)
        self._types = tuple(each for each in self.types if not isinstance(each, str))
        self._ids = frozenset(map(id, self._types))  # a metaclass may define __eq__
        self._names = frozenset(each for each in self.types if isinstance(each, str))
        self._decide = decide
        self.exact = exact
        self.name = name or getattr(decide, "__name__", "rule")
        self.description = description or (inspect.getdoc(decide) or "").partition("\n")[0]
        self.needs_graph = False
        self.finish = finish

    def __repr__(self) -> str:
        return f"<rule {self.name}>"

    def matches_type(self, cls: type) -> bool:
        """Tell whether the rule may speak for objects of *cls*."""
        bases: tuple[type, ...] = (cls,) if self.exact else cls.__mro__
        return any(id(base) in self._ids or (self._names and dotted(base) in self._names) for base in bases)

    def decide(self, node: Any) -> Any:
        """Ask the rule about *node*."""
        return self._decide(node)
