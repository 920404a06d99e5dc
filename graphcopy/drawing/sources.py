"""What can be drawn, and the graph behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..graph.compact import CompactGraph
from ..planning import make_plan
from ..policies import policy_for

__all__ = ["Source", "source_of"]


class Source(NamedTuple):
    """A graph, the reason and advice of its culprits by node, and a title."""

    graph: CompactGraph
    advice: dict[int, tuple[str, str]]
    title: str


def source_of(thing: Any, rules: Any = ()) -> Source:
    """Find the graph behind *thing*: what a plan, a graph or an error holds, else the plan of the object."""
    kind = type(thing).__name__ if type(thing).__module__.startswith("graphcopy") else ""
    if kind == "CopyError" and thing.plan is not None:
        return _of_plan(thing.plan)
    if kind == "Plan":
        return _of_plan(thing)
    if kind == "ReferenceGraph" and thing.compact is not None:
        return Source(thing.compact, {}, _title(thing.compact.objs[0]))
    return _of_plan(make_plan(thing, policy_for(rules)))


def _of_plan(plan: Any) -> Source:
    graph = plan.compact
    return Source(graph, _advice(graph, plan.culprits), _title(graph.objs[0]))


def _advice(graph: CompactGraph, culprits: Any) -> dict[int, tuple[str, str]]:
    index = graph.index
    found = {index[id(c.obj)]: (str(c.reason), str(c.advice)) for c in culprits if id(c.obj) in index}
    graph.forget_index()
    return found


def _title(root: Any) -> str:
    return f"References of a {type(root).__qualname__}"
