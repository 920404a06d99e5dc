"""The reference graph for networkx: every algorithm of networkx runs on it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .compact import CompactGraph

if TYPE_CHECKING:
    import networkx

__all__ = ["as_networkx"]


def as_networkx(graph: CompactGraph) -> networkx.MultiDiGraph[int]:
    """Give the graph as a networkx.MultiDiGraph with the attributes that DESIGN lists."""
    import networkx

    result: networkx.MultiDiGraph[int] = networkx.MultiDiGraph()
    for place, obj in enumerate(graph.objs):
        outcome: Any = graph.outcomes.get(place)
        result.add_node(
            place, obj=obj, type=type(obj), path=graph.path(place), mark=graph.mark(place),
            reason=getattr(outcome, "reason", ""), rule=graph.rules.get(place), size=_size(obj),
        )  # fmt: skip
    for place in range(len(graph)):
        for accessor, target in graph.references(place):
            result.add_edge(place, target, accessor=accessor, kind=accessor.kind, label=accessor.label)
    return result


def _size(obj: Any) -> int:
    try:
        return sys.getsizeof(obj)
    except Exception:  # a __sizeof__ of the user's
        return 0
