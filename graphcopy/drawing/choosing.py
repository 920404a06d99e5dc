"""Choosing what of a graph is drawn: focus, depth, only culprits, hidden types, a limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import Any

from ..anatomy.registry import dotted
from ..graph.compact import CompactGraph

__all__ = ["Choice", "choose", "holders", "reverse_edges"]


class Choice:
    """The chosen nodes in breadth-first order, and what was left out and how to see it."""

    def __init__(self, nodes: list[int], left_out: list[str]) -> None:
        self.nodes = nodes
        self.left_out = left_out


def reverse_edges(graph: CompactGraph) -> list[list[int]]:
    """The nodes that refer to each node."""
    sources: list[list[int]] = [[] for _ in range(len(graph))]
    for node in range(len(graph)):
        for target in graph.successors(node):
            sources[target].append(node)
    return sources


def holders(graph: CompactGraph, culprits: Iterable[int]) -> set[int]:
    """The nodes from which a culprit can be reached, the culprits not counted."""
    start = list(culprits)
    if not start:
        return set()
    sources = reverse_edges(graph)
    found: set[int] = set()
    waiting = list(start)
    while waiting:
        for source in sources[waiting.pop()]:
            if source not in found:
                found.add(source)
                waiting.append(source)
    return found - set(start)


def choose(
    graph: CompactGraph,
    culprits: Collection[int],
    holding: set[int],
    *,
    focus: str | None = None,
    depth: int | None = None,
    only: str | None = None,
    hide: Iterable[Any] = (),
    max_nodes: int = 200,
) -> Choice:
    """Choose the nodes to draw.

    *focus* is a path: the picture starts there. *depth* counts steps from the start. ``only="culprits"``
    leaves culprits, what leads to them, and one level around. *hide* names types. Above *max_nodes*
    the culprits' neighbourhood is drawn, or the nodes nearest to the start.
    """
    if only not in (None, "culprits"):
        raise ValueError(f'only={only!r}: the one choice is only="culprits"')
    _check("max_nodes", max_nodes, 1)
    if depth is not None:
        _check("depth", depth, 0)
    start = 0 if focus is None else _find(graph, focus)
    hidden = _hidden(graph, hide)
    reached = _reach(graph, start, depth, hidden)
    left_out = []
    if hidden:
        left_out.append(f"{len(hidden):,} node{'s' if len(hidden) > 1 else ''} of hidden types not drawn: hide=()")
    left_out += [f"no node is of a type {name!r}: hide=" for name in _idle(graph, hide)]
    if depth is not None:
        deeper = len(_reach(graph, start, None, hidden)) - len(reached)
        if deeper:
            steps = f"{depth} step{'s' * (depth != 1)}"
            left_out.append(f"{deeper:,} node{'s' * (deeper > 1)} deeper than {steps} not drawn: depth=None")
    if only == "culprits":
        kept = _neighbourhood(graph, reached, culprits, holding)
        if len(kept) < len(reached):
            left_out.append(f"{len(reached) - len(kept):,} nodes that lead to no culprit are not drawn: only=None")
        reached = kept
    if len(reached) > max_nodes:
        total = len(reached)
        if culprits and only is None:
            reached = _neighbourhood(graph, reached, culprits, holding)
        reached = _nearest(reached, culprits, holding, max_nodes)
        left_out.append(
            f"{total - len(reached):,} of {total:,} nodes are not drawn: raise max_nodes={max_nodes}, "
            "or narrow it with focus=, depth=, hide=, only="
        )
    return Choice(reached, left_out)


def _check(name: str, given: Any, least: int) -> None:
    if type(given) is not int:
        raise TypeError(f"{name}={given!r} is no whole number")
    if given < least:
        raise ValueError(f"{name}={given} is too small: it is {least} at the least")


def _find(graph: CompactGraph, focus: str) -> int:
    text = str(focus)
    for node in range(len(graph)):
        if str(graph.path(node)) == text:
            return node
    try:  # any other way to write it
        index = graph.index
        return index[id(eval(text, {"obj": graph.objs[0]}))]
    except Exception as error:
        raise ValueError(f"focus={text!r} leads to no node of the graph: write it as in its paths") from error


def _kinds(hide: Any) -> list[Any]:
    return [hide] if isinstance(hide, (str, type)) else list(hide)


def _idle(graph: CompactGraph, hide: Any) -> list[str]:
    """The names of types that no object has: a slip, mostly."""
    names = {kind for kind in _kinds(hide) if isinstance(kind, str)}
    kinds = set(map(type, graph.objs)) if names else set()
    return sorted(names - {kind.__name__ for kind in kinds} - set(map(dotted, kinds)))


def _hidden(graph: CompactGraph, hide: Any) -> set[int]:
    kinds = _kinds(hide)
    if not kinds:
        return set()
    names = {kind for kind in kinds if isinstance(kind, str)}
    classes = tuple(kind for kind in kinds if isinstance(kind, type))
    return {
        node
        for node, obj in enumerate(graph.objs)
        if node and (isinstance(obj, classes) or type(obj).__name__ in names or dotted(type(obj)) in names)
    }


def _reach(graph: CompactGraph, start: int, depth: int | None, hidden: set[int]) -> list[int]:
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        if depth is not None and distance[node] >= depth:
            continue
        for target in graph.successors(node):
            if target not in distance and target not in hidden:
                distance[target] = distance[node] + 1
                waiting.append(target)
    return list(distance)


def _neighbourhood(graph: CompactGraph, reached: list[int], culprits: Collection[int], holding: set[int]) -> list[int]:
    core = set(culprits) | holding | {reached[0]}
    kept = set(core)
    for node in reached:
        if node in core:
            kept.update(graph.successors(node))
    return [node for node in reached if node in kept]


def _nearest(reached: list[int], culprits: Collection[int], holding: set[int], limit: int) -> list[int]:
    if len(reached) <= limit:
        return reached
    first = {reached[0], *(node for node in reached if node in culprits or node in holding)}
    kept = set([node for node in reached if node in first][:limit])
    for node in reached:
        if len(kept) >= limit:
            break
        kept.add(node)
    return [node for node in reached if node in kept]
