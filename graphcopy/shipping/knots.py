"""Objects that lead back to themselves, and hash containers among them.

Whoever hashes a member on the other side may need its state. In a knot that state may not be there yet: the
member leads to the container, and the container to the member. Such containers are filled at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..anatomy.reducing import type_hook
from ..graph.compact import CompactGraph

__all__ = ["has_own_hash", "hashed", "knots_of", "may_hash_too_early", "members_of"]


def has_own_hash(cls: type) -> bool:
    """Tell whether instances of *cls* are hashed by what they hold, not by their identity."""
    return type_hook(cls, "__hash__") is not None


def knots_of(graph: CompactGraph) -> dict[int, int]:
    """The objects in cycles, by id, each with the number of its strongly connected component (Tarjan)."""
    found: dict[int, int] = {}
    order, low = [-1] * len(graph), [0] * len(graph)
    done = bytearray(len(graph))
    stack: list[int] = []
    count = 0
    for root in range(len(graph)):
        if order[root] >= 0:
            continue
        order[root] = low[root] = count
        count += 1
        stack.append(root)
        work = [(root, iter(graph.successors(root)))]
        while work:
            place, following = work[-1]
            for target in following:
                if order[target] < 0:
                    order[target] = low[target] = count
                    count += 1
                    stack.append(target)
                    work.append((target, iter(graph.successors(target))))
                    break
                if not done[target]:
                    low[place] = min(low[place], order[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[place])
                if low[place] == order[place]:
                    _close(graph, place, stack, done, found)
    return found


def _close(graph: CompactGraph, place: int, stack: list[int], done: bytearray, found: dict[int, int]) -> None:
    """Take a finished component off the stack; enter it where it is a cycle."""
    members: list[int] = []
    while not members or members[-1] != place:
        members.append(stack.pop())
        done[members[-1]] = 1
    if len(members) > 1 or place in graph.successors(place):
        found.update((id(graph.objs[each]), place) for each in members)


def may_hash_too_early(graph: CompactGraph, knots: dict[int, int]) -> bool:
    """Tell whether a dict or set stands in a knot with one of its own keys or members that hashes what it holds."""
    for obj in graph.objs:
        knot = knots.get(id(obj)) if isinstance(obj, (dict, set, frozenset)) else None
        if knot is None:
            continue
        for each in members_of(hashed(obj)):
            if knots.get(id(each)) == knot and has_own_hash(type(each)):
                return True
    return False


def hashed(obj: Any) -> Iterable[Any]:
    """What a dict or set hashes: its keys or members."""
    if isinstance(obj, dict):
        return dict.keys(obj)
    return set.__iter__(obj) if isinstance(obj, set) else frozenset.__iter__(obj)


def members_of(found: Iterable[Any]) -> Iterator[Any]:
    """All of *found*, and what stands in tuples and frozensets among them."""
    pending, seen = list(found), set()
    while pending:
        each = pending.pop()
        if not isinstance(each, (tuple, frozenset)):
            yield each
        elif id(each) not in seen:
            seen.add(id(each))
            pending.extend(each)
