"""Correctness first: is the copy the same, and does it share nothing that can change?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["verdict"]


def verdict(peer: Callable[[Any], Any], obj: Any) -> str:
    """``right``, ``wrong: why`` or ``fails: why`` for one copy of *obj*."""
    import graphcopy

    try:
        copied = peer(obj)
    except BaseException as error:  # a peer's RecursionError or MemoryError is a figure, too
        return f"fails: {type(error).__name__}"
    found = graphcopy.compare(obj, copied)
    if found.ok:
        return "right"
    return f"wrong: {len(found.shared)} shared, {len(found.differences)} differ"
