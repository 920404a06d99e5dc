"""What the rules made by ``share``, ``prune``, ``replace`` and ``plain`` answer: small values, equal and picklable."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..anatomy.parts import NOTHING, Shared
from ..graph.accessors import is_literal
from .treatments import COPY, Copy, pruned, rebuilt, replaced, shared

__all__ = ["Made", "Plain", "Put", "Sharing", "needs_object"]


def _identity(value: Any) -> tuple[Any, ...]:
    return (type(value), value) if is_literal(value) else (id(value),)


class Sharing:
    """Answers: the copy refers to the same object."""

    __slots__ = ("live", "reason")

    def __init__(self, reason: str = "a rule shares it", live: bool = True) -> None:
        self.reason = reason
        self.live = live

    def __call__(self, node: Any) -> Shared:
        return shared(self.reason, live=self.live)

    def key(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        return ("share", self.reason, self.live)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Sharing, (self.reason, self.live))


class Put:
    """Answers: references are cut; *value* stands there, if one is given. With ``whole`` it replaces the object."""

    __slots__ = ("value", "whole")

    def __init__(self, value: Any = NOTHING, whole: bool = False) -> None:
        self.value = value
        self.whole = whole

    @property
    def cuts(self) -> bool:
        """Tell whether it is about references."""
        return not self.whole

    def __call__(self, node: Any) -> Any:
        return replaced(self.value) if self.whole else pruned(self.value)

    def key(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        return ("put", self.whole, *_identity(self.value))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Put, (self.value, self.whole))


class Made:
    """Answers: what a factory makes stands in its place; a factory that needs an argument gets the object.

    Where the copy is made of bytes, a factory that needs nothing travels itself and is called on arrival: an executor
    or a connection that is made here could not travel any more than the one that it replaces.
    """

    __slots__ = ("factory", "given")

    def __init__(self, factory: Callable[..., Any]) -> None:
        self.factory = factory
        self.given = needs_object(factory)

    def __call__(self, node: Any) -> Any:
        if self.given:
            return replaced(self.factory(node.obj))
        return rebuilt(self.factory) if node.travels else replaced(self.factory())

    def key(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        return ("made", id(self.factory))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Made, (self.factory,))


class Plain:
    """Answers: copied as if no further rule matched."""

    __slots__ = ()

    def __call__(self, node: Any) -> Copy:
        return COPY

    def key(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        return ("plain",)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Plain, ())


def needs_object(factory: Any) -> bool:
    """Tell whether a factory has to be given the object: it has a positional parameter without a default.

    Raises TypeError where it wants more than that.

    >>> needs_object(lambda obj: None), needs_object(lambda: None), needs_object(dict)
    (True, False, False)
    """
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):  # a builtin that does not tell
        return False
    needed = [each for each in parameters if each.default is each.empty and each.kind not in (2, 4)]
    if len(needed) > 1 or any(each.kind is each.KEYWORD_ONLY for each in needed):
        raise TypeError(f"{factory!r} cannot be called with one argument, the object, or with none")
    return bool(needed)
