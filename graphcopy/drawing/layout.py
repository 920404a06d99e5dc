"""Where each box goes, when there is no system graphviz: igraph's layered layout (extra ``draw``)."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, NamedTuple

from .columns import columns_of
from .painting import lines_of
from .picture import Edge, Node, Picture

__all__ = ["CHAR", "LINE", "Box", "DrawError", "Layout", "inset", "label_width", "lay_out"]

CHAR, LINE, PAD = 7.0, 16.0, 8.0  # sizes of the type in pixels
GAP, BETWEEN, PORT = 60.0, 20.0, 14.0  # between columns, between boxes of one column, between arrows at one box
SMALL = 0.86  # how wide the type of edge labels is, of CHAR
TOP = 40.0


class DrawError(RuntimeError):
    """A drawing needs something that is not installed, or the file name has an unknown ending.

    >>> import graphcopy
    >>> graphcopy.draw([1], "graph.gif")
    Traceback (most recent call last):
    ...
    graphcopy.drawing.layout.DrawError: 'graph.gif': the suffix says what to draw, and it is one of ...
    """


class Box(NamedTuple):
    """A node in its place: its column, the upper left corner and the size, in pixels."""

    node: Node
    column: int
    x: float
    y: float
    width: float
    height: float
    lines: list[str]

    @property
    def middle(self) -> float:
        """Half way down."""
        return self.y + self.height / 2


class Layout(NamedTuple):
    """All boxes, and the size of the canvas, in pixels."""

    boxes: dict[str, Box]
    width: float
    height: float


def lay_out(picture: Picture) -> Layout:
    """Place the boxes in columns from left to right; a copy stands in columns from right to left.

    Raises DrawError when igraph is not installed.
    """
    try:
        import igraph
    except ImportError:
        raise DrawError(
            "to draw SVG or PNG, install graphviz (the system's `dot` is used when it is there) or the extra: "
            "pip install graphcopy[draw]. Without either, .html, .mmd, .dot and .txt work."
        ) from None
    columns = columns_of(picture)
    layers, steps = _steps(picture, columns)
    graph: Any = igraph.Graph(n=len(layers), edges=steps, directed=True)
    placed = graph.layout_sugiyama(layers=layers, hgap=1, vgap=1, maxiter=100)
    order = [placed[place][0] for place in range(len(columns))]
    return _boxes(picture, columns, order)


def _steps(picture: Picture, columns: list[int]) -> tuple[list[int], list[tuple[int, int]]]:
    """The column of every box and of every place where an arrow crosses a column, and the steps between neighbours.

    igraph would cut long edges itself, but 1.0.0 then reads behind the end of its matrices (seen with valgrind; now
    and then it ends the process), and does not when every edge goes from one layer to the next.
    """
    number = {node.key: place for place, node in enumerate(picture.nodes)}
    layers, steps = list(columns), []
    for edge in picture.edges:
        last, target = sorted((number[edge.source], number[edge.target]), key=lambda place: layers[place])
        for column in range(layers[last] + 1, layers[target]):
            layers.append(column)
            steps.append((last, len(layers) - 1))
            last = len(layers) - 1
        if layers[last] < layers[target]:
            steps.append((last, target))
    return layers, steps


def _boxes(picture: Picture, columns: list[int], order: list[float]) -> Layout:
    column_of = {node.key: column for node, column in zip(picture.nodes, columns)}
    entries = _entries(picture.edges, column_of)
    boxes = []
    for node, column in zip(picture.nodes, columns):
        lines = lines_of(node)
        ports = max(entries[node.key, -1], entries[node.key, 1])
        width = max(map(len, lines)) * CHAR + 2 * inset(node)
        boxes.append(Box(node, column, 0, 0, width, max(len(lines) * LINE + PAD, ports * PORT + 4), lines))
    count = max(columns, default=0) + 1
    members: list[list[Box]] = [[] for _ in range(count)]
    for _, box in sorted(zip(order, boxes), key=lambda pair: pair[0]):
        members[box.column].append(box)
    left = _lefts(picture.edges, column_of, members)
    placed = _heights(picture.edges, members)
    done = {box.node.key: box._replace(x=left[box.column], y=placed[box.node.key]) for box in boxes}
    right = max((box.x + box.width for box in done.values()), default=0.0)
    for edge in picture.edges:
        if _enters(edge, column_of) > 0:
            box = done[edge.target]
            right = max(right, box.x + box.width + label_width(edge) + BETWEEN)
    bottom = max((box.y + box.height for box in done.values()), default=0.0)
    return Layout(done, right + GAP / 2, bottom + 48)


def inset(node: Node) -> float:
    """How far the text stands from the border; round ends need more."""
    return 2 * PAD if node.style.mark == "shared" else PAD


def label_width(edge: Edge) -> float:
    """How wide the label is, in pixels."""
    return len(edge.label) * CHAR * SMALL


def _enters(edge: Edge, column_of: dict[str, int]) -> int:
    """On which side of its target an edge ends: -1 is the left."""
    return -1 if column_of[edge.source] < column_of[edge.target] else 1


def _entries(edges: list[Edge], column_of: dict[str, int]) -> Counter[tuple[str, int]]:
    """How many places for arrows a box needs on either side; what leaves it takes one of them."""
    found: Counter[tuple[str, int]] = Counter((edge.target, _enters(edge, column_of)) for edge in edges)
    leaving = {(edge.source, 1 if column_of[edge.source] <= column_of[edge.target] else -1) for edge in edges}
    for key in leaving:
        if found[key]:
            found[key] += 1
    return found


def _lefts(edges: list[Edge], column_of: dict[str, int], members: list[list[Box]]) -> list[float]:
    """Where each column begins: the labels of the arrows that end at it must have room."""
    before: dict[int, float] = defaultdict(float)
    behind: dict[int, float] = defaultdict(float)
    for edge in edges:
        column = column_of[edge.target]
        room = before if _enters(edge, column_of) < 0 else behind
        room[column] = max(room[column], label_width(edge))
    lefts = [GAP / 2]
    for column in range(1, len(members)):
        widest = max((box.width for box in members[column - 1]), default=0.0)
        fan = min(120.0, max(len(members[column - 1]), len(members[column])) * 4.0)  # steep lines are hard to follow
        lefts.append(lefts[-1] + widest + behind[column - 1] + before[column] + GAP + fan)
    return lefts


def _heights(edges: list[Edge], members: list[list[Box]]) -> dict[str, float]:
    """How far down each box stands: the fullest column first, then the others beside what they are linked with."""
    near: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    tall = [sum(box.height + BETWEEN for box in boxes) for boxes in members]
    start = max(range(len(members)), key=lambda column: tall[column])
    found: dict[str, float] = {}
    middles: dict[str, float] = {}
    for column in [*range(start, len(members)), *range(start - 1, -1, -1)]:
        wanted, default = [], tall[start] / 2
        for box in members[column]:
            known = [middles[key] for key in near[box.node.key] if key in middles]
            default = sum(known) / len(known) if known else default
            wanted.append(default - box.height / 2)
        for box, y in zip(members[column], _spread(wanted, [box.height + BETWEEN for box in members[column]])):
            found[box.node.key] = y
        middles.update((box.node.key, found[box.node.key] + box.height / 2) for box in members[column])
    top = min(found.values(), default=0.0)
    return {key: y - top + TOP for key, y in found.items()}


def _spread(wanted: list[float], sizes: list[float]) -> list[float]:
    """The places nearest to the wanted ones at which nothing overlaps, in the same order (isotonic regression)."""
    blocks: list[tuple[float, int]] = []  # (sum of wanted places, how many), each after taking off what is above
    above = 0.0
    for place, size in zip(wanted, sizes):
        total, count = place - above, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            more, members = blocks.pop()
            total, count = total + more, count + members
        blocks.append((total, count))
        above += size
    found: list[float] = []
    above = 0.0
    for total, count in blocks:
        for _ in range(count):
            found.append(total / count + above)
            above += sizes[len(found) - 1]
    return found
