"""How each edge runs: from the side of one box to its own place at the side of another, and where its label stands."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import NamedTuple

from .layout import BETWEEN, Box, Layout, label_width
from .picture import Edge, Picture

__all__ = ["Route", "reach", "routes_of"]

Point = tuple[float, float]


class Route(NamedTuple):
    """The points of an edge, three more for each further piece of the curve, and where its label stands.

    ``anchor`` says which end of the label is at that place: "start" or "end".
    """

    edge: Edge
    points: list[Point]
    x: float
    y: float
    anchor: str


def routes_of(picture: Picture, layout: Layout) -> list[Route]:
    """Run all edges so that no two arrows end at one point, and no edge hides behind a box that it passes.

    A label stands above the end of its edge, which runs straight there, and what leaves a box beside labels runs
    straight below them first: lines cross no labels near a box.
    """
    boxes = layout.boxes
    columns: dict[int, list[Box]] = defaultdict(list)
    for box in boxes.values():
        columns[box.column].append(box)
    for column in columns.values():
        column.sort(key=lambda box: box.y)
    sides: dict[tuple[str, int], _Side] = defaultdict(_Side)
    for place, edge in enumerate(picture.edges):
        one, other = boxes[edge.source], boxes[edge.target]
        sides[edge.source, _leaves(one, other)].leaves = True
        side = sides[edge.target, _enters(one, other)]
        side.arriving.append(place)
        side.run = max(side.run, label_width(edge) + 14)
    ends: dict[int, float] = {}
    for (key, _), side in sides.items():
        box = boxes[key]
        side.arriving.sort(key=lambda place: boxes[picture.edges[place].source].middle)
        step = box.height / (len(side.arriving) + side.leaves)
        side.start = box.y + box.height - step / 2
        for slot, place in enumerate(side.arriving):
            ends[place] = box.y + step * (slot + 0.5)
    return [_route(edge, boxes, columns, sides, ends[place], place % 3) for place, edge in enumerate(picture.edges)]


def reach(routes: list[Route]) -> float:
    """How far to the right the lines go."""
    found = 0.0
    for route in routes:
        xs = [x for x, _ in route.points]
        for place in range(0, len(xs) - 3, 3):
            a, b, c, d = xs[place : place + 4]
            found = max(found, a, d, (a + 3 * b + 3 * c + d) / 8)  # half way along the piece
    return found


class _Side:
    """One side of a box: the edges that arrive there, how wide their labels are, and where edges leave."""

    def __init__(self) -> None:
        self.arriving: list[int] = []
        self.run = 0.0
        self.leaves = False
        self.start = 0.0


def _leaves(one: Box, other: Box) -> int:
    return 1 if one.column <= other.column else -1


def _enters(one: Box, other: Box) -> int:
    return -1 if one.column < other.column else 1


def _route(
    edge: Edge,
    boxes: dict[str, Box],
    columns: dict[int, list[Box]],
    sides: dict[tuple[str, int], _Side],
    end: float,
    lane: int,
) -> Route:
    one, other = boxes[edge.source], boxes[edge.target]
    out, into = _leaves(one, other), _enters(one, other)
    side = sides[edge.source, out]
    start: Point = (one.x + (one.width if out > 0 else 0), side.start)
    goal: Point = (other.x + (other.width if into > 0 else 0), end)
    near_goal: Point = (goal[0] + into * (label_width(edge) + 14), end)
    label = (goal[0] + into * 12, end - 4, "start" if into > 0 else "end")
    points = [start]
    if side.arriving:
        points += _straight(start, (start[0] + out * side.run, start[1]))
    if one.column == other.column:  # around the boxes between
        points += _bow(points[-1], near_goal, columns[one.column], one is other)
    else:
        for column in range(one.column + out, other.column, out):
            inside = columns.get(column)
            if not inside:
                continue
            done = (column - one.column) / (other.column - one.column)
            y = _gap(inside, start[1] + (end - start[1]) * done) + (lane - 1) * 4
            left, right = inside[0].x - 6, max(box.x + box.width for box in inside) + 6
            near, far = (left, right) if out > 0 else (right, left)
            points += _bend(points[-1], (near, y))
            points += _straight((near, y), (far, y))
        points += _bend(points[-1], near_goal)
    points += _straight(near_goal, goal)
    return Route(edge, points, *label)


def _straight(one: Point, other: Point) -> list[Point]:
    third = (other[0] - one[0]) / 3
    return [(one[0] + third, one[1]), (other[0] - third, other[1]), other]


def _bend(one: Point, other: Point) -> list[Point]:
    half = (one[0] + other[0]) / 2
    return [(half, one[1]), (half, other[1]), other]


def _bow(one: Point, other: Point, column: list[Box], itself: bool) -> list[Point]:
    low, high = sorted((one[1], other[1]))
    passed = [box.x + box.width for box in column if low < box.y + box.height and box.y < high]
    reach = max(one[0], other[0], *passed) + (10 if itself else 12 + min(40, (high - low) / 10))
    bend = (reach - (one[0] + other[0]) / 2) / 0.75  # a cubic goes three quarters of the way to its handles
    middle = (one[0] + other[0]) / 2 + bend
    return [(middle, one[1]), (middle, other[1]), other]


def _gap(column: list[Box], wanted: float) -> float:
    """The height nearest to the wanted one at which nothing of the column stands."""
    free = [column[0].y - BETWEEN / 2, *(box.y + box.height + BETWEEN / 2 for box in column)]
    for box, after in itertools.pairwise(column):
        if box.y + box.height + BETWEEN / 2 < wanted < after.y - BETWEEN / 2:
            return wanted
    if wanted < free[0] or wanted > free[-1]:
        return wanted
    return min(free, key=lambda y: abs(y - wanted))
