"""DOT: for graphviz and everything that reads its language."""

from __future__ import annotations

from .painting import lines_of
from .picture import Node, Picture
from .style import SIDES, STYLES
from .values import clip

__all__ = ["dot_of"]


def dot_of(picture: Picture) -> str:
    """Draw in the DOT language."""
    lines = [
        "digraph references {",
        '    graph [rankdir=LR, fontname="Helvetica", labelloc=t, label=' + _quoted(picture.title) + "];",
        '    node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=11];',
        '    edge [fontname="Helvetica", fontsize=9, color="#71717a", fontcolor="#3f3f46"];',
    ]
    for side, nodes in picture.sides():
        boxes = [_node(node) for node in nodes]
        if side in SIDES:
            boxes = [f"    {box}" for box in boxes]
            boxes.insert(0, f'    subgraph cluster_{side} {{ label={_quoted(SIDES[side])}; color="#d4d4d8";')
            boxes.append("    }")
        lines += boxes
    mirrored = {node.key for node in picture.nodes if node.side == "copied"}  # read from right to left
    for edge in picture.edges:
        ends, look = f"{edge.source} -> {edge.target}", ""
        if edge.kind == "between":
            look = f', dir=none, style=dotted, constraint=false, color="{STYLES["differs"].line}"'
        elif edge.weak:
            look = ", style=dashed"
        if edge.source in mirrored and edge.kind != "between":
            ends, look = f"{edge.target} -> {edge.source}", look + ", dir=back"
        lines.append(f"    {ends} [label={_quoted(edge.label)}{look}];")
    lines.append('    subgraph cluster_legend { label="legend"; color="#d4d4d8"; fontsize=10;')
    for style in picture.marks():
        text = f"{style.sign} {style.meaning}".strip()
        lines.append(
            f"        legend_{style.mark} [label={_quoted(text)}, shape={style.dot_shape}, "
            f'fillcolor="{style.fill}", color="{style.line}", fontsize=9];'
        )
    for place, note in enumerate(picture.left_out):
        lines.append(f'        note{place} [label={_quoted(note)}, shape=plaintext, style="", fontsize=9];')
    lines += ["    }", "}"]
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    style = node.style
    return (
        f"    {node.key} [label={_quoted(chr(10).join(lines_of(node)))}, shape={style.dot_shape}, "
        f'fillcolor="{style.fill}", color="{style.line}", tooltip={_quoted(clip(node.path, 300))}];'
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
