"""Folding: plumbing disappears into its references, long runs of the same kind become one box."""

from __future__ import annotations

import types
from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Any, NamedTuple

from ..graph.accessors import Accessor
from ..graph.compact import CompactGraph
from .values import clip

__all__ = ["Fold", "Link", "fold_plumbing", "fold_repeats", "label_of", "links_of"]

SHOWN = 3  # of a long run, so many are drawn
RUN = 8  # a run is long from here on


Fold = tuple[str, int, str, int]
"""Key, owner, what is folded, and how many."""


class Link(NamedTuple):
    """A reference between two chosen nodes, with the label that a person would write."""

    source: int
    target: int
    label: str
    weak: bool = False


def label_of(accessor: Accessor) -> str:
    """What a person would write for one step."""
    return clip(accessor.label, 40)


def links_of(graph: CompactGraph, nodes: list[int]) -> list[Link]:
    """All references among *nodes*."""
    chosen = set(nodes)
    found = []
    for node in nodes:
        for accessor, target in graph.references(node):
            if target in chosen:
                found.append(Link(node, target, label_of(accessor), accessor.kind == "weak"))
    return found


def fold_plumbing(
    graph: CompactGraph, nodes: list[int], links: list[Link], keep: Collection[int] = ()
) -> tuple[list[int], list[Link]]:
    """Leave out cells, dicts of one attribute only, and classes that pickle names; references join up. *keep* stays."""
    into: dict[int, list[Link]] = defaultdict(list)
    out: dict[int, list[Link]] = defaultdict(list)
    for link in links:
        into[link.target].append(link)
        out[link.source].append(link)
    gone = {
        node
        for node in nodes
        if node
        and node not in keep
        and _is_plumbing(graph, node, into[node], out[node])
        and all(link.source != node for link in into[node])
    }
    joined: list[Link] = []
    waiting = [link for link in links if link.source not in gone]
    while waiting:
        link = waiting.pop()
        if link.target not in gone:
            joined.append(link)
            continue
        cell = type(graph.objs[link.target]) is types.CellType
        for follow in out[link.target]:
            label = link.label if cell else _joined(link.label, follow.label)
            waiting.append(Link(link.source, follow.target, label, link.weak))
    joined.sort(key=lambda link: (link.source, link.target))
    return [node for node in nodes if node not in gone], joined


def _joined(label: str, further: str) -> str:
    return f"{label} {further}" if further[:1].isalpha() else label + further


def _is_plumbing(graph: CompactGraph, node: int, into: list[Link], out: list[Link]) -> bool:
    obj = graph.objs[node]
    if isinstance(obj, type) and not out and all(".__reduce" in link.label for link in into):
        return True  # a class that pickle names, one beside each of its instances
    if graph.mark(node) != "copied" or not out:
        return False
    kind = type(graph.objs[node])
    if kind is types.CellType:
        return True
    return kind is dict and len(into) == 1 and into[0].label.startswith(".")


def fold_repeats(
    graph: CompactGraph, nodes: list[int], links: list[Link], keep: set[int]
) -> tuple[list[int], list[Link], list[Fold]]:
    """Fold leaves of one kind under one node; return nodes, links, and folds as (key, owner, type, count)."""
    out: Counter[int] = Counter(link.source for link in links)
    into: Counter[int] = Counter(link.target for link in links)
    runs: dict[tuple[int, type, str], list[int]] = defaultdict(list)
    for link in links:
        node = link.target
        if node not in keep and not out[node] and into[node] == 1:
            runs[link.source, type(graph.objs[node]), graph.mark(node)].append(node)
    gone: set[int] = set()
    folds: list[Fold] = []
    for (owner, kind, mark), members in runs.items():
        if len(members) >= RUN:
            gone.update(members[SHOWN:])
            folds.append((f"fold{len(folds)}", owner, _kind_name(kind, mark), len(members) - SHOWN))
    return (
        [node for node in nodes if node not in gone],
        [link for link in links if link.target not in gone],
        folds,
    )


def _kind_name(kind: Any, mark: str) -> str:
    name = clip(str(kind.__name__))
    return name if mark == "copied" else f"{name}, {mark}"
