"""Culprits: what nobody knows how to reproduce, with path, reason and advice."""

from __future__ import annotations

from typing import Any

from .anatomy.parts import Refused
from .anatomy.registry import dotted
from .graph.compact import CompactGraph
from .graph.paths import Path

__all__ = ["Culprit", "culprits_of"]


class Culprit:
    """One object that cannot be copied.

    ``path`` is a Path whose ``str`` evaluates to the object; ``ways`` counts the references to it.
    """

    __slots__ = ("advice", "cause", "obj", "path", "reason", "type", "ways")

    def __init__(self, obj: Any, path: Path, reason: str, advice: str, ways: int, cause: BaseException | None) -> None:
        self.obj = obj
        self.path = path
        self.type = type(obj)
        self.reason = reason
        self.advice = advice
        self.ways = ways
        self.cause = cause

    def __repr__(self) -> str:
        return f"<Culprit {self.path}: {self.type.__qualname__}>"

    def describe(self) -> str:
        """Write it in two lines: where, what and why; then what to do."""
        more = f" ({self.ways} references lead there)" if self.ways > 1 else ""
        return f"  {self.path}: {dotted(self.type)}: {self.reason}{more}\n    try: {self.advice}"


def advice_for(cls: type) -> str:
    """A line that can be pasted."""
    name = dotted(cls)
    return f'rules=[graphcopy.share("{name}")], or graphcopy.prune("{name}")'


def culprits_of(graph: CompactGraph) -> list[Culprit]:
    """List the culprits of a graph in breadth-first order."""
    places = [place for place, mark in graph.marks.items() if mark == "culprit"]
    if not places:
        return []
    wanted = set(places)
    ways = dict.fromkeys(places, 0)
    for target in graph.targets:
        if target in wanted:
            ways[target] += 1
    found = []
    for place in sorted(places):
        outcome = graph.outcomes.get(place)
        obj = graph.objs[place]
        reason, advice, cause = "it cannot be copied", "", None
        if isinstance(outcome, Refused):
            reason, advice, cause = outcome.reason, outcome.advice, outcome.cause
        found.append(
            Culprit(obj, graph.path(place), reason, advice or advice_for(type(obj)), max(ways[place], 1), cause)
        )
    return found
