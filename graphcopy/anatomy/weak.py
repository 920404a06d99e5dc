"""Weak references of all kinds: they point at the copy of what they point at.

A weak reference does not make its target part of the graph. When everything is copied it is aimed:
at the target's copy where the target was reached by other ways, at the target itself where not.
"""

from __future__ import annotations

import weakref
from typing import Any

from ..graph.accessors import attribute
from .parts import SHARED, Outcome, Parts
from .registry import anatomy

__all__: list[str] = []


def _make_ref(callback: Any, target: Any) -> Any:
    return weakref.ref(target) if callback is None else weakref.ref(target, callback)


@anatomy(weakref.ref)
def weak_reference(obj: weakref.ref[Any], context: Any) -> Outcome:
    """A plain reference; a dead one is shared. Its callback is copied with the rest."""
    target = obj()
    if target is None:
        return SHARED
    return Parts(_make_ref, (obj.__callback__,), weak=(target,), late=True, where=(attribute("__callback__"),))
