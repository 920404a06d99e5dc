"""Where each box goes, when there is no system graphviz: igraph's layered layout (extra ``draw``)."""

from __future__ import annotations

from typing import Any, NamedTuple

from .painting import lines_of
from .picture import Node, Picture

__all__ = ["Box", "DrawError", "Layout", "lay_out"]

CHAR, LINE, PAD = 7.0, 16.0, 8.0  # sizes of the type in pixels
GAP = 60.0


class DrawError(RuntimeError):
    """A drawing needs something that is not installed, or the file name has an unknown ending."""


class Box(NamedTuple):
    """A node in its place: the upper left corner and the size, in pixels."""

    node: Node
    x: float
    y: float
    width: float
    height: float
    lines: list[str]


class Layout(NamedTuple):
    """All boxes, and the size of the canvas, in pixels."""

    boxes: dict[str, Box]
    width: float
    height: float


def lay_out(picture: Picture) -> Layout:
    """Place the boxes in layers from left to right.

    Raises DrawError when igraph is not installed.
    """
    try:
        import igraph
    except ImportError:
        raise DrawError(
            "to draw SVG or PNG, install graphviz (the system's `dot` is used when it is there) or the extra: "
            "pip install graphcopy[draw]. Without either, .html, .mmd, .dot and .txt work."
        ) from None
    number = {node.key: place for place, node in enumerate(picture.nodes)}
    edges = [(number[edge.source], number[edge.target]) for edge in picture.edges]
    graph: Any = igraph.Graph(n=len(number), edges=edges, directed=True)
    layers = _layers(picture, number)
    placed = graph.layout_sugiyama(layers=layers, hgap=1, vgap=1, maxiter=60)
    return _boxes(picture, [placed[place] for place in range(len(number))], layers)


def _layers(picture: Picture, number: dict[str, int]) -> list[int]:
    """The distance of each node from the root: the layout keeps the order in which one reads."""
    out: dict[int, list[int]] = {}
    for edge in picture.edges:
        out.setdefault(number[edge.source], []).append(number[edge.target])
    layers = [-1] * len(number)
    starts = [place for place, node in enumerate(picture.nodes) if node.root] or [0]
    for start in [*starts, *range(len(number))]:
        if layers[start] >= 0:
            continue
        layers[start] = 0
        waiting = [start]
        for place in waiting:
            for target in out.get(place, ()):
                if layers[target] < 0:
                    layers[target] = layers[place] + 1
                    waiting.append(target)
    return layers


def _boxes(picture: Picture, placed: list[Any], layers: list[int]) -> Layout:
    lines = [lines_of(node) for node in picture.nodes]
    widths = [max(len(line) for line in each) * CHAR + 2 * PAD for each in lines]
    heights = [len(each) * LINE + PAD for each in lines]
    columns = max(layers, default=0) + 1
    column_width = [0.0] * columns
    for place, layer in enumerate(layers):
        column_width[layer] = max(column_width[layer], widths[place])
    labels = [0.0] * columns
    number = {node.key: place for place, node in enumerate(picture.nodes)}
    for edge in picture.edges:
        layer = layers[number[edge.source]]
        labels[layer] = max(labels[layer], len(edge.label) * CHAR * 0.85)
    left = [GAP / 2] * columns
    for layer in range(1, columns):
        left[layer] = left[layer - 1] + column_width[layer - 1] + GAP + labels[layer - 1]
    boxes: dict[str, Box] = {}
    bottom = 0.0
    for layer in range(columns):  # the order in the layer is the layout's; the distance fits the boxes
        members = sorted((place for place in range(len(layers)) if layers[place] == layer), key=lambda p: placed[p][0])
        y = 40.0
        for place in members:
            node = picture.nodes[place]
            boxes[node.key] = Box(node, left[layer], y, widths[place], heights[place], lines[place])
            y += heights[place] + 18
        bottom = max(bottom, y)
    for layer in range(columns):  # each layer is centred
        column = [box for box in boxes.values() if box.x == left[layer]]
        used = max((box.y + box.height for box in column), default=0.0)
        shift = (bottom - 18 - used) / 2
        for box in column:
            boxes[box.node.key] = box._replace(y=box.y + shift)
    return Layout(boxes, left[-1] + column_width[-1] + GAP / 2, bottom + 30)
