"""The picture: the nodes and edges that are drawn, whatever the format.

It is made from a graph in four steps: find what holds a culprit, choose the nodes, fold plumbing and
repeats, write the labels. What is left out is counted and said.
"""

from __future__ import annotations

import dataclasses

from .style import Style, style_of

__all__ = ["Edge", "Node", "Picture"]


@dataclasses.dataclass
class Node:
    """One box: an object, or some of the same kind folded into one."""

    key: str
    type: str
    value: str = ""
    size: int = 0
    mark: str = "copied"
    holds: bool = False
    path: str = ""
    reason: str = ""
    rule: str = ""
    advice: str = ""
    root: bool = False
    side: str = ""  # of a comparison: "original", "copied", or "between" for what both hold

    @property
    def style(self) -> Style:
        """How the node looks."""
        return style_of(self.mark, self.holds)

    @property
    def title(self) -> str:
        """The first line of its label: type, and the sign of its mark."""
        sign = self.style.sign
        text = f"{self.side}: {self.type}" if self.root and self.side else self.type
        return f"{sign} {text}" if sign and self.mark != "fold" else text


@dataclasses.dataclass
class Edge:
    """One reference."""

    source: str
    target: str
    label: str
    weak: bool = False
    kind: str = ""  # "between" for what an original and its copy share


@dataclasses.dataclass
class Picture:
    """What is drawn."""

    title: str
    nodes: list[Node]
    edges: list[Edge]
    left_out: list[str] = dataclasses.field(default_factory=list)

    def sides(self) -> list[tuple[str, list[Node]]]:
        """The nodes of each side of a comparison; of any other picture all of them, under an empty name."""
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            found.setdefault(node.side, []).append(node)
        return list(found.items())

    def marks(self) -> list[Style]:
        """The styles that occur, for the legend."""
        found: dict[str, Style] = {}
        for node in self.nodes:
            found.setdefault(node.style.mark, node.style)
        return list(found.values())

    def note(self) -> str:
        """What was left out, in one line."""
        return "; ".join(self.left_out)
