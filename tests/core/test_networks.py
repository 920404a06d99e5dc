"""The view gives networkx the same answers as a real graph."""

from __future__ import annotations

import random

import networkx
import pytest

import graphcopy


def tangle(size: int = 300) -> list:
    random.seed(1)
    nodes: list = [[] for _ in range(size)]
    for node in nodes:
        node.extend(random.choice(nodes) for _ in range(random.randint(0, 3)))
    return nodes


@pytest.fixture(scope="module")
def graphs():
    view = graphcopy.reference_graph(tangle())
    return view, view.to_networkx()


def test_nodes_and_edges_are_the_same(graphs):
    view, plain = graphs
    assert isinstance(view, networkx.MultiDiGraph)
    assert list(view) == list(plain)
    assert sorted(view.edges(keys=True)) == sorted(plain.edges(keys=True))
    assert view.number_of_edges() == plain.number_of_edges() == len(list(view.edges()))
    assert dict(view.in_degree()) == dict(plain.in_degree())
    assert view.nodes[5]["path"] == plain.nodes[5]["path"]


@pytest.mark.parametrize(
    "answer",
    [
        lambda graph: sorted(map(sorted, networkx.strongly_connected_components(graph))),
        lambda graph: sorted(networkx.descendants(graph, 3)),
        lambda graph: sorted(networkx.ancestors(graph, 40)),
        lambda graph: networkx.single_source_shortest_path_length(graph, 0),
        lambda graph: networkx.immediate_dominators(graph, 0),
        lambda graph: sorted(graph.subgraph(range(50)).edges(keys=True)),
        lambda graph: sorted(graph.reverse().edges(keys=True)),
        lambda graph: networkx.number_weakly_connected_components(graph),
        lambda graph: sorted(networkx.pagerank(networkx.DiGraph(graph)).items()) if _has_scipy() else None,
        lambda graph: sorted(graph.copy().edges(keys=True)),
    ],
)
def test_algorithms_give_the_same_answer(graphs, answer):
    view, plain = graphs
    assert answer(view) == answer(plain)


def _has_scipy() -> bool:
    try:
        import scipy  # noqa: F401
    except ImportError:
        return False
    return True


def test_parallel_references_are_parallel_edges():
    one: list = []
    graph = graphcopy.reference_graph({"a": one, "b": one})
    assert [data["label"] for data in graph[0][1].values()] == ["['a']", "['b']"]


def test_the_view_cannot_be_changed(graphs):
    view, _ = graphs
    with pytest.raises(networkx.NetworkXError):
        view.add_node(1)
