"""Forms: how things that belong to a process travel to another one.

Within a process functions, classes, modules, loggers and streams are shared. On the way to another
process each needs a form: a name under which the other side has its own, the pieces to make it anew,
or a refusal. A form is an anatomy that holds for byte streams only, and comes before all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..anatomy.parts import Outcome
from ..anatomy.registry import Open, dotted

__all__ = ["form", "form_of"]

_EXACT: dict[type | str, Open] = {}
_FAMILY: dict[type | str, Open] = {}
_F = TypeVar("_F", bound=Open)


def form(*types: type | str, subclasses: bool = False) -> Callable[[_F], _F]:
    """Register the decorated function as the form of *types*; ``function(obj, context)`` gives an Outcome."""

    def enter(function: _F) -> _F:
        table = _FAMILY if subclasses else _EXACT
        for cls in types:
            if cls in table:
                raise ValueError(f"{cls!r} has a form already")
            table[cls] = function
        return function

    return enter


def form_of(cls: type) -> Callable[[Any, Any], Outcome] | None:
    """The form of objects of *cls*, or None."""
    found = _EXACT.get(cls) or _EXACT.get(dotted(cls))
    if found is not None:
        return found
    for base in cls.__mro__:
        found = _FAMILY.get(base) or _FAMILY.get(dotted(base))
        if found is not None:
            return found
    return None
