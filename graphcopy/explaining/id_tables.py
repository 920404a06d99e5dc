"""Tables keyed by ``id()``: the keys of a copied one are still the originals', and look-ups fail or find others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..graph.compact import CompactGraph
from ..graph.paths import Path
from .hazard import Hazard

__all__ = ["keyed_by_ids"]

_TABLES = frozenset([dict, set])
_ADDRESSES = 1 << 20  # below it there are counters, years, positions; no object stands there


def keyed_by_ids(graph: CompactGraph, path_of: Callable[[int], Path]) -> Iterator[Hazard]:
    """The dicts and sets that are copied as they are, though keys of theirs are ids of objects that are copied too."""
    likely = [(place, obj) for place, obj in enumerate(graph.objs) if type(obj) in _TABLES and obj and _looks_so(obj)]
    for place, obj in likely:
        if graph.mark(place) != "copied" or _under_a_rule(graph, place):
            continue
        known = [graph.index[key] for key in list(obj) if type(key) is int and key in graph.index]
        count = sum(graph.mark(each) != "shared" for each in known)
        if count:
            keys = (
                "a key of it is the id of an object that is"
                if count == 1
                else f"{count} of its keys are ids of objects that are"
            )
            reason = f"{keys} copied too: the copy looks for the original's (try graphcopy.rekey_ids)"
            yield Hazard(path_of(place), obj, reason)


def _under_a_rule(graph: CompactGraph, place: int) -> bool:
    """Tell a table of an object that a rule makes anew: Keras' trackers get the ids of the copies there."""
    while place > 0:
        place = graph.parents[place]
        if place in graph.rules:
            return True
        if type(graph.objs[place]) not in (dict, list, tuple):
            return False
    return False


def _looks_so(table: Any) -> bool:
    """Tell by its first key, as such tables have nothing else in them."""
    try:
        first = next(iter(table))
    except (StopIteration, RuntimeError):  # another thread changes it
        return False
    return type(first) is int and first > _ADDRESSES
