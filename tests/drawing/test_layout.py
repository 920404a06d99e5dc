"""What igraph is asked: only what it answers without reading memory that is not its own."""

from __future__ import annotations

import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphcopy
from graphcopy.drawing.columns import columns_of
from graphcopy.drawing.layout import lay_out
from graphcopy.drawing.painting import paint
from graphcopy.drawing.pairs import paint_pair


def asked(picture, monkeypatch):
    """The layers and edges that igraph gets; it answers with the order that the boxes have."""
    seen = {}

    class Graph:
        def __init__(self, n, edges, directed):
            seen.update(count=n, edges=edges)

        def layout_sugiyama(self, layers, **settings):
            seen.update(layers=layers)
            return [(place, layer) for place, layer in enumerate(layers)]

    monkeypatch.setitem(sys.modules, "igraph", SimpleNamespace(Graph=Graph))
    placed = lay_out(picture)
    assert set(placed.boxes) == {node.key for node in picture.nodes}
    return seen


def objects(steps):
    """Lists that hold one another, as the pairs of numbers say."""
    made = [[place] for place in range(8)]
    for source, target in steps:
        made[source].append(made[target])
    return made[0]


@given(steps=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_every_edge_goes_to_the_next_layer(steps):
    obj = objects(steps)
    for picture in (paint(obj), paint_pair(graphcopy.compare(obj, graphcopy.copy(obj)))):
        with pytest.MonkeyPatch.context() as monkeypatch:
            seen = asked(picture, monkeypatch)
        layers = seen["layers"]
        assert len(layers) == seen["count"]
        assert all(layers[target] == layers[source] + 1 for source, target in seen["edges"])
        columns = columns_of(picture)
        assert layers[: len(columns)] == columns
        number = {node.key: place for place, node in enumerate(picture.nodes)}
        lengths = [abs(columns[number[edge.source]] - columns[number[edge.target]]) for edge in picture.edges]
        assert len(seen["edges"]) == sum(lengths), "an edge keeps its length"
        cut = Counter(place for step in seen["edges"] for place in step if place >= len(columns))
        assert set(cut.values()) <= {2}
