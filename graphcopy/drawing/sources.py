"""What can be drawn, and the graph behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..graph.compact import CompactGraph

__all__ = ["Source", "source_of"]


class Source(NamedTuple):
    """A graph, the reason and advice of its culprits by node, and a title."""

    graph: CompactGraph
    advice: dict[int, tuple[str, str]]
    title: str


def source_of(thing: Any, rules: Any = ()) -> Any:
    """Find the graph behind *thing*; a comparison is given back as it is."""
    kind = type(thing).__name__ if type(thing).__module__.startswith("graphcopy") else ""
    if kind == "Comparison":
        return thing
    if kind == "Report":
        return _of_report(thing, rules)
    if kind == "CopyError" and thing.plan is not None:
        return _of_plan(thing.plan)
    if kind == "Plan":
        return _of_plan(thing)
    if kind == "ReferenceGraph" and thing.compact is not None:
        return Source(thing.compact, {}, _title(thing.compact.objs[0]))
    from ..planning import make_plan
    from ..policies import policy_for

    return _of_plan(make_plan(thing, policy_for(rules)))


def _of_plan(plan: Any) -> Source:
    graph = plan.compact
    return Source(graph, _advice(graph, plan.culprits), _title(graph.objs[0]))


def _of_report(report: Any, rules: Any) -> Source:
    graph = getattr(report, "compact", None)
    if graph is None:
        from ..planning import make_plan
        from ..policies import policy_for

        graph = make_plan(report.root, policy_for(rules)).compact
    backend = getattr(report, "backend", "graphcopy")
    return Source(graph, _advice(graph, report.culprits), f"{_title(graph.objs[0])} under {backend}")


def _advice(graph: CompactGraph, culprits: Any) -> dict[int, tuple[str, str]]:
    index = graph.index
    found = {index[id(c.obj)]: (str(c.reason), str(c.advice)) for c in culprits if id(c.obj) in index}
    graph.forget_index()
    return found


def _title(root: Any) -> str:
    return f"References of a {type(root).__qualname__}"
