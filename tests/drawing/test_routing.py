"""Where boxes, lines and labels stand in SVG and PNG: nothing lies over anything else."""

from __future__ import annotations

import itertools
import threading

import pytest

import graphcopy
from graphcopy.drawing.columns import columns_of
from graphcopy.drawing.pairs import paint_pair

pytest.importorskip("igraph")

from graphcopy.drawing.layout import label_width, lay_out
from graphcopy.drawing.painting import paint
from graphcopy.drawing.routing import reach, routes_of


class Adapter:
    def __init__(self, session):
        self.pool = threading.local()
        self.owner = session
        self.config = {"retries": 3, "wait": [0.1, 0.2]}


class Session:
    def __init__(self):
        self.headers = {"agent": "x"}
        self.lock = threading.RLock()
        self.hooks = [self.log]
        self.adapters = {"http": Adapter(self), "https": Adapter(self)}

    def log(self):
        return None


class Client:
    def __init__(self):
        self.session = Session()
        self.lock = self.session.lock
        self.me = self
        self.condition = threading.Condition(self.lock)
        self.chain = chain = []
        for _ in range(6):
            chain.append([self.session])
            chain = chain[-1]


def corpus():
    star = [[n] for n in range(6)]
    for one in star:
        one.append(star[0])
    client = Client()
    shared = {"a": [[1], [2]], "b": {"c": [3]}}
    return {
        "client": paint(client),
        "star": paint(star, fold=False),
        "plumbing": paint(client, plumbing=True),
        "alone": paint([]),
        "pair": paint_pair(graphcopy.compare(shared, {**shared, "d": [4]})),
        "right pair": paint_pair(graphcopy.compare(client, graphcopy.copy(client))),
    }


@pytest.fixture(params=list(corpus()))
def picture(request):
    return corpus()[request.param]


def rectangles(routes):
    found = []
    for route in routes:
        wide = label_width(route.edge)
        if wide:
            left = route.x - (wide if route.anchor == "end" else 0)
            found.append((left, route.y - 9, left + wide, route.y + 1))
    return found


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_no_label_lies_over_a_label_or_a_box(picture):
    layout = lay_out(picture)
    labels = rectangles(routes_of(picture, layout))
    boxes = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in layout.boxes.values()]
    assert not [pair for pair in itertools.combinations(labels, 2) if overlap(*pair)]
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)]
    assert not [pair for pair in itertools.product(labels, boxes) if overlap(*pair)]
    assert all(one[0] >= 0 and one[2] <= layout.width and one[3] <= layout.height for one in labels + boxes)


def test_no_two_arrows_end_at_one_point_and_all_end_at_their_boxes(picture):
    layout = lay_out(picture)
    routes = routes_of(picture, layout)
    ends = [(route.edge.target, *route.points[-1]) for route in routes]
    assert len(set(ends)) == len(ends)
    for route in routes:
        assert len(route.points) % 3 == 1, "cubic pieces"
        box = layout.boxes[route.edge.target]
        assert route.points[-1][0] in (box.x, box.x + box.width)
        assert box.y < route.points[-1][1] < box.y + box.height


def along(points):
    for place in range(0, len(points) - 3, 3):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[place : place + 4]
        for step in range(33):
            t = step / 32
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            yield a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


def test_no_line_runs_behind_a_box(picture):
    layout = lay_out(picture)
    routes = routes_of(picture, layout)
    furthest = max((x for route in routes for x, _ in along(route.points)), default=0)
    assert furthest <= reach(routes) + 1
    for route in routes:
        for box in layout.boxes.values():
            inside = [
                (x, y) for x, y in along(route.points)
                if box.x + 1 < x < box.x + box.width - 1 and box.y + 1 < y < box.y + box.height - 1
            ]  # fmt: skip
            assert not inside, (route.edge, box.node.title)


def test_columns_are_distances_and_a_copy_is_mirrored():
    assert columns_of(paint([[[1]]])) == [0, 1, 2]
    picture = corpus()["pair"]
    columns = dict(zip([node.key for node in picture.nodes], columns_of(picture)))
    sides = {side: [columns[node.key] for node in nodes] for side, nodes in picture.sides()}
    assert max(sides["original"]) < min(sides["between"]) <= max(sides["between"]) < min(sides["copied"])
    roots = [columns[node.key] for node in picture.nodes if node.root]
    assert roots == [0, max(columns.values())]
