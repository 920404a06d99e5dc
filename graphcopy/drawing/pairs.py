"""The picture of a comparison: an original and its copy side by side, and between them what both hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from ..graph.compact import CompactGraph
from .choosing import holders
from .folding import Fold, fold_plumbing, fold_repeats, links_of
from .painting import Options, describe
from .picture import Edge, Node, Picture
from .sources import Note
from .values import type_name

__all__ = ["paint_pair"]

Pairs = dict[tuple[int, int], dict[str, None]]
"""Places on both sides, and what is the matter with them."""


def paint_pair(comparison: Any, *, title: str | None = None, **options: Any) -> Picture:
    """Make the picture of what ``graphcopy.compare`` found.

    An object that both sides hold is drawn once, between them. A dotted line joins what differs, and what lies in
    one memory, and says how.
    """
    wanted = Options(**options)
    one, other = comparison.graphs
    mine, its, pairs = _notes(comparison)
    index = one.index
    twins = {place: index[id(obj)] for place, obj in enumerate(other.objs) if id(obj) in index}
    one.forget_index()
    common = set(twins.values())

    limit = max(2, wanted.max_nodes // 2)
    left = wanted.chosen(one, set(mine), holders(one, mine), limit)
    right = wanted.chosen(other, set(its), holders(other, its), limit)
    lefts = sorted({*left.nodes, *(twins[place] for place in right.nodes if place in twins)})
    shown = set(lefts)
    rights = sorted({*(place for place in right.nodes if place not in twins), *(p for p in twins if twins[p] in shown)})

    def left_key(place: int) -> str:
        return f"n{place}"

    def right_key(place: int) -> str:
        return f"n{twins[place]}" if place in twins else f"m{place}"

    picture = Picture(title or f"A {type_name(one.objs[0])} and its copy", [], [])
    _half(picture, one, lefts, mine, set(), common, left_key, "original", wanted)
    _half(picture, other, rights, its, set(twins), set(twins), right_key, "copied", wanted)
    for node in picture.nodes:
        node.root = node.key in (left_key(left.nodes[0]), right_key(right.nodes[0]))
    keys = {node.key for node in picture.nodes}
    for (a, b), kinds in pairs.items():
        ends = left_key(a), right_key(b)
        if ends[0] != ends[1] and keys.issuperset(ends):
            picture.edges.append(Edge(*ends, ", ".join(kinds), kind="between"))
    picture.left_out += [f"original: {note}" for note in left.left_out]
    picture.left_out += [f"copied: {note}" for note in right.left_out]
    return picture


def _half(
    picture: Picture,
    graph: CompactGraph,
    nodes: list[int],
    notes: dict[int, Note],
    elsewhere: set[int],
    common: set[int],
    key_of: Callable[[int], str],
    side: str,
    options: Options,
) -> None:
    """Enter the boxes and edges of one side; *elsewhere* are nodes that the other side has entered."""
    links = [link for link in links_of(graph, nodes) if link.source not in elsewhere]
    keep = {nodes[0], *notes, *common}
    if not options.plumbing:
        nodes, links = fold_plumbing(graph, nodes, links, keep)
    folds: list[Fold] = []
    if options.fold:
        nodes, links, folds = fold_repeats(graph, nodes, links, keep)
    for place in nodes:
        if place not in elsewhere:
            node = describe(graph, place, notes.get(place), options.values, side)
            node.key = key_of(place)
            node.side = "between" if place in common else side
            if place not in notes:  # what would become of it in another copy is not the question
                node.mark = "shared" if place in common else "copied"
                node.reason = node.rule = ""
            picture.nodes.append(node)
    picture.edges += [Edge(key_of(link.source), key_of(link.target), link.label, link.weak) for link in links]
    for key, owner, name, count in folds:
        picture.nodes.append(Node(f"{side}_{key}", f"+{count:,} {name}", mark="fold", side=side))
        picture.edges.append(Edge(key_of(owner), f"{side}_{key}", ""))
    if folds:
        count = sum(count for *_, count in folds)
        picture.left_out.append(f"{side}: {count:,} leaves of the same kind are folded: fold=False")


def _notes(comparison: Any) -> tuple[dict[int, Note], dict[int, Note], Pairs]:
    """What is said of the nodes of either side, and which belong together."""
    said: tuple[dict[int, list[str]], dict[int, list[str]]] = (defaultdict(list), defaultdict(list))
    marks: tuple[dict[int, str], dict[int, str]] = ({}, {})
    pairs: Pairs = defaultdict(dict)
    for mark, found in (("common", comparison.shared), ("differs", comparison.differences)):
        for entry in found:
            kind, reason = (entry.how, entry.how) if mark == "common" else (entry.kind, f"{entry.kind}: {entry.detail}")
            pairs[entry.places][kind] = None
            for place, reasons, known in zip(entry.places, said, marks):
                known.setdefault(place, mark)
                if reason not in reasons[place]:
                    reasons[place].append(reason)
    mine, its = (
        {place: Note(known[place], "; ".join(reasons)) for place, reasons in side.items()}
        for side, known in zip(said, marks)
    )
    return mine, its, pairs
