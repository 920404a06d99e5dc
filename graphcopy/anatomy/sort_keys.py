"""Keys of ``functools.cmp_to_key``: made anew around the copied function and object."""

from __future__ import annotations

import functools
import gc
from typing import Any

from ..graph.accessors import Accessor, attribute
from .parts import Outcome, Parts, Refused
from .registry import anatomy

__all__ = ["make_key"]

_KEY: Any = type(functools.cmp_to_key(lambda one, other: 0))


@anatomy(*([_KEY] if _KEY.__module__ == "functools" and _KEY is not type(lambda: 0) else []))
def key(obj: Any, context: Any) -> Outcome:
    """A key holds the function that compares, and, where it is one of an object, that object."""
    referents = gc.get_referents(obj)  # the function is shown to the garbage collector only
    place = next((place for place, each in enumerate(referents) if each is not _KEY), None)
    if place is None:
        return Refused("this Python does not show the function of a cmp_to_key")
    compare = referents[place]
    hidden = Accessor("hidden", "function", "__import__('gc').get_referents(", f")[{place}]", None)
    if len(referents) == place + 1:
        return Parts(make_key, (compare,), where=(hidden,))
    return Parts(make_key, (compare, obj.obj), where=(hidden, attribute("obj")))


def make_key(compare: Any, *objs: Any) -> Any:
    """Make the key of a function, or of an object under it."""
    made: Any = functools.cmp_to_key(compare)
    return made(*objs) if objs else made
