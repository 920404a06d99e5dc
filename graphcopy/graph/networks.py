"""The reference graph for networkx: a MultiDiGraph whose adjacency reads the compact arrays.

Making it costs nothing; filling a real MultiDiGraph would cost several deep copies. Every algorithm
of networkx that only reads runs on it. ``to_networkx()`` gives a plain graph that can be changed.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping
from typing import Any

import networkx

from .compact import CompactGraph

__all__ = ["ReferenceGraph", "as_networkx"]


class _Nodes(Mapping[int, dict[str, Any]]):
    """Node number to attributes, worked out when asked for."""

    __slots__ = ("_graph",)

    def __init__(self, graph: CompactGraph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return len(self._graph)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._graph)))

    def __contains__(self, node: object) -> bool:
        return _is_node(node, self._graph)

    def __getitem__(self, node: int) -> dict[str, Any]:
        graph = self._graph
        if not _is_node(node, graph):
            raise KeyError(node)
        obj = graph.objs[node]
        return {
            "obj": obj,
            "type": type(obj),
            "path": graph.path(node),
            "mark": graph.mark(node),
            "reason": getattr(graph.outcomes.get(node), "reason", ""),
            "rule": graph.rules.get(node),
            "size": _size(obj),
        }


class _Edges(Mapping[int, dict[str, Any]]):
    """The parallel edges between two nodes: 0, 1, ... to attributes."""

    __slots__ = ("_graph", "_numbers", "_source")

    def __init__(self, graph: CompactGraph, source: int, numbers: list[int]) -> None:
        self._graph = graph
        self._source = source
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._numbers)))

    def __getitem__(self, key: int) -> dict[str, Any]:
        if type(key) is not int or not 0 <= key < len(self._numbers):
            raise KeyError(key)
        graph = self._graph
        accessor = graph.accessors_of(self._source)[self._numbers[key] - graph.offsets[self._source]]
        return {"accessor": accessor, "kind": accessor.kind, "label": accessor.label}


class _Neighbours(Mapping[int, _Edges]):
    """Neighbour to the edges between it and one node."""

    __slots__ = ("_edges",)

    def __init__(self, edges: dict[int, _Edges]) -> None:
        self._edges = edges

    def __len__(self) -> int:
        return len(self._edges)

    def __iter__(self) -> Iterator[int]:
        return iter(self._edges)

    def __contains__(self, node: object) -> bool:
        return node in self._edges

    def __getitem__(self, node: int) -> _Edges:
        return self._edges[node]


class _Adjacency(Mapping[int, _Neighbours]):
    """Node to its successors, or with ``backward`` to its predecessors."""

    __slots__ = ("_backward", "_graph", "_reverse")

    def __init__(self, graph: CompactGraph, backward: bool = False) -> None:
        self._graph = graph
        self._backward = backward
        self._reverse: tuple[array[int], array[int], array[int]] | None = None

    def __len__(self) -> int:
        return len(self._graph)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._graph)))

    def __contains__(self, node: object) -> bool:
        return _is_node(node, self._graph)

    def __getitem__(self, node: int) -> _Neighbours:
        graph = self._graph
        if not _is_node(node, graph):
            raise KeyError(node)
        found: dict[int, list[int]] = {}
        if self._backward:
            starts, sources, numbers = self._reversed()
            for place in range(starts[node], starts[node + 1]):
                found.setdefault(sources[place], []).append(numbers[place])
            return _Neighbours({source: _Edges(graph, source, edges) for source, edges in found.items()})
        for number in range(graph.offsets[node], graph.offsets[node + 1]):
            found.setdefault(graph.targets[number], []).append(number)
        return _Neighbours({target: _Edges(graph, node, edges) for target, edges in found.items()})

    def _reversed(self) -> tuple[array[int], array[int], array[int]]:
        """The references by target: where each target's begin, their sources, their numbers."""
        if self._reverse is None:
            graph = self._graph
            starts = array("q", bytes(8 * (len(graph) + 1)))
            for target in graph.targets:
                starts[target + 1] += 1
            for node in range(len(graph)):
                starts[node + 1] += starts[node]
            sources, numbers = array("i", bytes(4 * len(graph.targets))), array("q", bytes(8 * len(graph.targets)))
            free = array("q", starts)
            for source in range(len(graph)):
                for number in range(graph.offsets[source], graph.offsets[source + 1]):
                    target = graph.targets[number]
                    place = free[target]
                    free[target] += 1
                    sources[place], numbers[place] = source, number
            self._reverse = starts, sources, numbers
        return self._reverse


class ReferenceGraph(networkx.MultiDiGraph):  # type: ignore[misc, type-arg]
    """What a copy would visit: one node for each object, one edge for each reference.

    Nodes are small integers in breadth-first order, the root is 0. Node attributes: ``obj``, ``type``,
    ``path`` (a Path), ``mark``, ``reason``, ``rule``, ``size`` (bytes). Edge attributes: ``accessor``,
    ``kind``, ``label``. The graph cannot be changed; ``to_networkx()`` gives one that can.
    """

    def __init__(self, compact: CompactGraph | None = None, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.compact = compact
        if compact is not None:
            self._node = _Nodes(compact)
            self._adj = _Adjacency(compact)
            self._pred = _Adjacency(compact, backward=True)
            networkx.freeze(self)

    def number_of_edges(self, u: int | None = None, v: int | None = None) -> int:
        """The number of references, in all or between two nodes."""
        if self.compact is None or u is not None:
            count: int = super().number_of_edges(u, v)
            return count
        return len(self.compact.targets)

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """A plain MultiDiGraph with the same nodes, edges and attributes."""
        plain: networkx.MultiDiGraph[int] = networkx.MultiDiGraph()
        plain.add_nodes_from(self.nodes(data=True))
        plain.add_edges_from(self.edges(keys=True, data=True))
        return plain


def as_networkx(graph: CompactGraph) -> ReferenceGraph:
    """See the compact graph as a networkx graph."""
    return ReferenceGraph(graph)


def _is_node(node: object, graph: CompactGraph) -> bool:
    return type(node) is int and 0 <= node < len(graph)


def _size(obj: Any) -> int:
    try:
        return sys.getsizeof(obj)
    except Exception:  # a __sizeof__ of the user's
        return 0
