"""From what is to be drawn (object, plan, graph, error) to a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..graph.compact import CompactGraph
from .choosing import choose, holders
from .folding import fold_plumbing, fold_repeats, links_of
from .picture import Edge, Node, Picture
from .sources import source_of
from .values import clip, human_size, short_value, type_name

__all__ = ["lines_of", "paint", "paint_graph"]


def paint(thing: Any, rules: Any = (), *, title: str | None = None, **options: Any) -> Picture:
    """Make the picture of an object, a plan, a reference graph or a CopyError; see ``paint_graph`` for *options*."""
    source = source_of(thing, rules)
    return paint_graph(source.graph, source.advice, title=title or source.title, **options)


def paint_graph(
    graph: CompactGraph,
    advice: dict[int, tuple[str, str]],
    *,
    title: str,
    focus: str | None = None,
    depth: int | None = None,
    only: str | None = None,
    hide: Iterable[Any] = (),
    max_nodes: int = 200,
    values: bool = True,
    plumbing: bool = False,
    fold: bool = True,
) -> Picture:
    """Make the picture of one graph; *advice* maps culprits to reason and advice."""
    culprits = {node for node, mark in graph.marks.items() if mark == "culprit"} | set(advice)
    holding = holders(graph, culprits)
    choice = choose(graph, culprits, holding, focus=focus, depth=depth, only=only, hide=hide, max_nodes=max_nodes)
    nodes = choice.nodes
    links = links_of(graph, nodes)
    if not plumbing:
        nodes, links = fold_plumbing(graph, nodes, links)
    folds: list[tuple[str, int, str, int]] = []
    if fold:
        nodes, links, folds = fold_repeats(graph, nodes, links, culprits | {choice.nodes[0]})
    drawn = [
        _node(graph, node, node in culprits, node in holding, advice.get(node), values, node == choice.nodes[0])
        for node in nodes
    ]
    edges = [Edge(f"n{link.source}", f"n{link.target}", link.label, link.weak) for link in links]
    for key, owner, name, count in folds:
        drawn.append(Node(key, f"+{count:,} {name}", mark="fold"))
        edges.append(Edge(f"n{owner}", key, ""))
    left_out = list(choice.left_out)
    if folds:
        left_out.append(f"{sum(count for *_, count in folds):,} leaves of the same kind are folded: fold=False")
    return Picture(title, drawn, edges, left_out)


def _node(
    graph: CompactGraph,
    place: int,
    culprit: bool,
    holds: bool,
    advice: tuple[str, str] | None,
    values: bool,
    root: bool,
) -> Node:
    obj = graph.objs[place]
    rule = graph.rules.get(place)
    outcome = graph.outcomes.get(place)
    reason = advice[0] if advice else str(getattr(outcome, "reason", "") or getattr(outcome, "lost", "") or "")
    return Node(
        key=f"n{place}",
        type=clip(type_name(obj), 60),
        value=short_value(obj) if values else "",
        size=_size(obj),
        mark="culprit" if culprit else graph.mark(place),
        holds=holds,
        path=str(graph.path(place)) if len(graph.path(place)) < 200 else graph.path(place).pretty(),
        reason=reason,
        rule=str(getattr(rule, "name", "") or ""),
        advice=advice[1] if advice else "",
        root=root,
    )


def _size(obj: Any) -> int:
    try:
        return int(getattr(obj, "nbytes", 0) or 0) or sys.getsizeof(obj)
    except Exception:  # a __sizeof__ or nbytes of the user's
        return 0


def lines_of(node: Node) -> list[str]:
    """The lines of a node's label."""
    lines = [node.title]
    if node.value:
        lines.append(node.value)
    if node.size >= 10_000:
        lines.append(human_size(node.size))
    return lines
