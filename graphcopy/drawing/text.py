"""The text tree: for a terminal, a log, an issue."""

from __future__ import annotations

from collections import defaultdict

from .painting import lines_of
from .picture import Edge, Node, Picture
from .values import clip

__all__ = ["text_of"]

_REASONED = frozenset(["culprit", "shared", "pruned", "common", "differs", "hazard"])


def text_of(picture: Picture) -> str:
    """Draw as a tree; an object that was drawn before is named again with an arrow.

    Holds no recursion: a picture may be deep.
    """
    nodes = {node.key: node for node in picture.nodes}
    out: dict[str, list[Edge]] = defaultdict(list)
    reached: set[str] = set()
    between = [edge for edge in picture.edges if edge.kind == "between"]
    for edge in picture.edges:
        if edge.kind == "between":
            continue
        out[edge.source].append(edge)
        reached.add(edge.target)
    lines = [picture.title]
    seen: dict[str, str] = {}
    starts = [node for node in picture.nodes if node.root or node.key not in reached] or picture.nodes[:1]
    for start in starts:
        if start.key not in seen:
            lines += _tree(start, nodes, out, seen)
    lines += [_line("", node) for node in picture.nodes if node.key not in seen]
    if between:
        lines += ["", "between the two:"]
        lines += [f"    {nodes[e.source].path} and {nodes[e.target].path}: {e.label}" for e in between]
    legend = [f"{style.sign} {style.meaning}" for style in picture.marks() if style.sign and style.mark != "fold"]
    if legend:
        lines += ["", "legend: " + ", ".join(legend)]
    lines += [f"left out: {note}" for note in picture.left_out]
    return "\n".join(lines) + "\n"


def _tree(start: Node, nodes: dict[str, Node], out: dict[str, list[Edge]], seen: dict[str, str]) -> list[str]:
    """The lines below *start*; *seen* says of each node that is drawn at which place of the tree it is."""
    lines: list[str] = []
    name = start.path if start.path and len(start.path) <= 60 else "obj"
    if start.root and start.side:
        name = ""  # the title says it
    waiting: list[tuple[str, str, Edge | None, str, str]] = [("", "", None, start.key, start.path or name)]
    while waiting:
        prefix, branch, edge, key, place = waiting.pop()
        label = edge.label if edge else name
        if key in seen:
            lines.append(f"{prefix}{branch}{label} -> {nodes[key].title} (see {clip(seen[key], 300)})")
            continue
        seen[key] = place
        lines.append(_line(f"{prefix}{branch}{label}", nodes[key]))
        below = prefix + {"": "", "|-- ": "|   ", "`-- ": "    "}[branch]
        edges = out[key]
        for number in range(len(edges) - 1, -1, -1):
            last, edge = number == len(edges) - 1, edges[number]
            waiting.append((below, "`-- " if last else "|-- ", edge, edge.target, place + edge.label))
    return lines


def _line(front: str, node: Node) -> str:
    title, *more = lines_of(node)
    text = f"{front}: {title}" if front.strip("|`- ") else f"{front}{title}"
    if more:
        text += " (" + ", ".join(more) + ")"
    if node.reason and node.mark in _REASONED:
        text += f" - {node.reason}"
    return text
