"""What can be drawn, and the graph behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..graph.compact import CompactGraph
from ..planning import make_plan
from ..policies import policy_for
from .values import type_name

__all__ = ["Note", "Source", "kind_of", "source_of"]


class Note(NamedTuple):
    """What is said of one node beside its treatment: its mark, the reason, and advice."""

    mark: str
    reason: str
    advice: str = ""


class Source(NamedTuple):
    """A graph, notes on some of its nodes, a title, and what could not be shown."""

    graph: CompactGraph
    notes: dict[int, Note]
    title: str
    left_out: tuple[str, ...] = ()


def source_of(thing: Any, rules: Any = ()) -> Source:
    """Find the graph behind *thing*: what a plan, a graph, a report or an error holds, else the plan of the object."""
    kind = kind_of(thing)
    if kind == "CopyError" and thing.plan is not None:
        return _of_plan(thing.plan)
    if kind == "Plan":
        return _of_plan(thing)
    if kind == "Report":
        return _of_report(thing)
    if kind == "ReferenceGraph" and thing.compact is not None:
        return Source(thing.compact, {}, _title(thing.compact.objs[0]))
    return _of_plan(make_plan(thing, policy_for(rules)))


def _of_plan(plan: Any) -> Source:
    graph = plan.compact
    notes = _culprits(graph, plan.culprits)
    graph.forget_index()
    return Source(graph, notes, _title(graph.objs[0]))


def _of_report(report: Any) -> Source:
    graph = report.compact
    notes: dict[int, Note] = {}
    beyond = 0
    for hazard in report.hazards:
        place = graph.index.get(id(hazard.obj))
        if place is None:
            beyond += 1
        else:
            notes[place] = Note("hazard", str(hazard.reason))
    notes.update(_culprits(graph, report.culprits))
    graph.forget_index()
    left_out = (f"{beyond:,} hazards lie in what {report.backend} does not visit: see .hazards",) if beyond else ()
    return Source(graph, notes, f"{_title(graph.objs[0])}, as {report.backend} sees them", left_out)


def _culprits(graph: CompactGraph, culprits: Any) -> dict[int, Note]:
    index = graph.index
    return {
        index[id(culprit.obj)]: Note("culprit", str(culprit.reason), str(culprit.advice))
        for culprit in culprits
        if id(culprit.obj) in index
    }


def kind_of(thing: Any) -> str:
    """The name of a class of graphcopy's own; nothing for any other object."""
    module = type(thing).__module__
    ours = isinstance(module, str) and module.partition(".")[0] == "graphcopy"
    return type(thing).__name__ if ours else ""


def _title(root: Any) -> str:
    return f"References of a {type_name(root)}"
