"""How state and contents are put into a new object when its anatomy does not say: as pickle does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["default_fill", "default_state", "set_attributes"]

_MISSING = object()


def set_attributes(new: Any, attributes: dict[Any, Any]) -> None:
    """Put *attributes* into the instance's ``__dict__``, or into slots where it has none by that name."""
    try:
        own = object.__getattribute__(new, "__dict__")
    except AttributeError:
        own = None
    for name, value in attributes.items():
        if own is not None:
            own[name] = value
        else:
            object.__setattr__(new, name, value)


def default_state(new: Any, state: Any) -> None:
    """Do what pickle does: ``__setstate__``, else update ``__dict__`` and set slots."""
    setstate = getattr(type(new), "__setstate__", None)
    if setstate is not None:
        setstate(new, state)
        return
    slots = None
    if type(state) is tuple and len(state) == 2:
        state, slots = state
    if state:
        set_attributes(new, state)
    if slots:
        for name, value in slots.items():
            setattr(new, name, value)


def default_fill(new: Any, items: Sequence[Any], pairs: Sequence[tuple[Any, Any]]) -> None:
    """Do what pickle does: ``extend`` or ``append`` the items, assign the pairs."""
    if items:
        extend = getattr(type(new), "extend", None)
        if extend is not None:
            extend(new, items)
        else:
            for item in items:
                new.append(item)
    for key, value in pairs:
        new[key] = value
