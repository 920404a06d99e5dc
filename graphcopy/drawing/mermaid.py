"""Mermaid: for issues, pull requests and Markdown pages."""

from __future__ import annotations

import re

from .painting import lines_of
from .picture import Node, Picture
from .style import SIDES, Style

__all__ = ["mermaid_of"]


def mermaid_of(picture: Picture) -> str:
    """Draw as a Mermaid flowchart."""
    lines = ["---", f'title: "{_plain(picture.title)}"', "---", "flowchart LR"]
    for side, nodes in picture.sides():
        boxes = [_node(node) for node in nodes]
        title = SIDES.get(side)
        if title:
            boxes = [f'    subgraph {side}_side["{title}"]', *(f"    {box}" for box in boxes), "    end"]
        lines += boxes
    for edge in picture.edges:
        arrow = "-.-" if edge.kind == "between" else "-.->" if edge.weak else "-->"
        label = f'|"{_escape(edge.label)}"|' if edge.label else ""
        lines.append(f"    {edge.source} {arrow}{label} {edge.target}")
    lines.append('    subgraph legend["legend"]')
    for style in picture.marks():
        before, after = style.mermaid
        text = f"{style.sign} {style.meaning}".strip()
        lines.append(f'        legend_{style.mark}{before}"{_escape(text)}"{after}:::{style.mark}')
    for place, note in enumerate(picture.left_out):
        lines.append(f'        note{place}["{_escape(note)}"]')
    lines.append("    end")
    lines += [_class(style) for style in picture.marks()]
    return "\n".join(lines) + "\n"


def _node(node: Node) -> str:
    before, after = node.style.mermaid
    text = "<br/>".join(_escape(line) for line in lines_of(node))
    return f'    {node.key}{before}"{text}"{after}:::{node.style.mark}'


def _class(style: Style) -> str:
    return f"    classDef {style.mark} fill:{style.fill},stroke:{style.line},color:#18181b"


def _escape(text: str) -> str:
    """Write every character that Mermaid or HTML could take for its own as an entity."""
    return re.sub(r"[^\w \-.,()/*+=']", lambda found: f"#{ord(found[0])};", text)


def _plain(text: str) -> str:
    """Write a title, which YAML reads, with the letters that both leave alone; others are blanks."""
    return " ".join(re.sub(r"[^\w .,()'/+=*-]", " ", text).split())
