"""From what is to be drawn (object, plan, graph, report, error) to a picture."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from ..graph.compact import CompactGraph
from ..graph.paths import Path
from .choosing import Choice, choose, holders
from .cuts import cuts_of
from .folding import Fold, fold_plumbing, fold_repeats, label_of, links_of
from .picture import Edge, Node, Picture
from .sources import Note, Source, source_of
from .values import clip, human_size, short_value, type_name

__all__ = ["Options", "describe", "lines_of", "paint"]


PATH = 2000  # characters of a path


class Options(NamedTuple):
    """What of a graph is drawn, and how: see ``draw``."""

    focus: str | None = None
    depth: int | None = None
    only: str | None = None
    hide: Iterable[Any] = ()
    max_nodes: int = 200
    values: bool = True
    plumbing: bool = False
    fold: bool = True

    def chosen(self, graph: CompactGraph, marked: Collection[int], holding: set[int], limit: int) -> Choice:
        """The nodes that these options choose, *limit* of them at most."""
        return choose(
            graph, marked, holding, focus=self.focus, depth=self.depth, only=self.only, hide=self.hide, max_nodes=limit
        )


def paint(thing: Any, rules: Any = (), *, title: str | None = None, **options: Any) -> Picture:
    """Make the picture of an object, plan, reference graph, report or CopyError; for *options* see ``Options``."""
    return _paint(source_of(thing, rules), title, Options(**options))


def _paint(source: Source, title: str | None, options: Options) -> Picture:
    graph, notes = source.graph, source.notes
    culprits = {node for node, mark in graph.marks.items() if mark == "culprit"}
    culprits |= {node for node, note in notes.items() if note.mark == "culprit"}
    marked = culprits | set(notes)
    holding = holders(graph, culprits)
    core = holding if marked == culprits else holders(graph, marked)
    choice = options.chosen(graph, marked, core, options.max_nodes)
    nodes = choice.nodes
    links = links_of(graph, nodes)
    cuts = list(cuts_of(graph, nodes))
    if not options.plumbing:
        nodes, links = fold_plumbing(graph, nodes, links, {*notes, *(cut.holder for cut in cuts)})
    folds: list[Fold] = []
    if options.fold:
        nodes, links, folds = fold_repeats(graph, nodes, links, marked | {choice.nodes[0]})
    drawn = []
    for node in nodes:
        box = describe(graph, node, notes.get(node), options.values)
        if node in culprits:
            box.mark = "culprit"
        box.holds, box.root = node in holding, node == choice.nodes[0]
        drawn.append(box)
    keys = {node: f"n{number}" for number, node in enumerate(nodes)}
    for node, box in zip(nodes, drawn):
        box.key = keys[node]
    edges = [Edge(keys[link.source], keys[link.target], link.label, link.weak) for link in links]
    for key, owner, name, count in folds:
        drawn.append(Node(key, f"+{count:,} {name}", mark="fold"))
        edges.append(Edge(keys[owner], key, ""))
    there = len(drawn)
    for number, cut in enumerate(cuts[: max(options.max_nodes - there, 0)]):
        if cut.holder in keys:
            drawn.append(_stub(f"cut{number}", graph, cut, options.values))
            edges.append(Edge(keys[cut.holder], f"cut{number}", label_of(cut.step)))
    left_out = [*choice.left_out, *source.left_out]
    if len(cuts) > options.max_nodes - there:
        left_out.append(
            f"{len(cuts) - max(options.max_nodes - there, 0):,} references that rules cut: raise max_nodes="
        )
    if folds:
        left_out.append(f"{sum(count for *_, count in folds):,} leaves of the same kind are folded: fold=False")
    return Picture(title or source.title, drawn, edges, left_out)


def _stub(key: str, graph: CompactGraph, cut: Any, values: bool) -> Node:
    return Node(
        key=key,
        type=type_name(cut.obj),
        value=short_value(cut.obj) if values else "",
        mark="pruned",
        path=_path(Path((*graph.path(cut.holder).steps, cut.step)), "obj"),
        rule=str(getattr(cut.rule, "name", "") or ""),
    )


def describe(graph: CompactGraph, place: int, note: Note | None, values: bool, root: str = "obj") -> Node:
    """The box of one node; *root* is what its path begins with."""
    obj = graph.objs[place]
    rule = graph.rules.get(place)
    outcome = graph.outcomes.get(place)
    path = graph.path(place)
    reason = note.reason if note else str(getattr(outcome, "reason", "") or getattr(outcome, "lost", "") or "")
    return Node(
        key=f"n{place}",
        type=type_name(obj),
        value=short_value(obj) if values else "",
        size=_size(obj),
        mark=note.mark if note else graph.mark(place),
        path=_path(path, root),
        reason=reason,
        rule=str(getattr(rule, "name", "") or ""),
        advice=note.advice if note else "",
    )


def _path(path: Path, root: str) -> str:
    text = path.render(root) if len(path) < 200 else path.pretty()
    return text if len(text) <= PATH and text.isprintable() else clip(text, PATH)


def _size(obj: Any) -> int:
    try:
        own = int(obj.nbytes or 0) if hasattr(type(obj), "nbytes") else 0
        return own or sys.getsizeof(obj)
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
