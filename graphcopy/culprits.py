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

    obj, type
        The object, and its class.
    path
        A Path whose ``str`` evaluates to the object.
    reason
        Why, in the words of whoever refuses it.
    advice
        One line of code, ``rules=[...]``: passed to ``graphcopy.copy`` it makes this culprit go away.
    alternatives
        Further such lines.
    hint
        What else can be done, in words; mostly empty.
    ways
        How many references lead to the object.
    owner, parts
        The object to which a user would give a rule (an executor, a client), where this is a piece of one; and the
        pieces of this one that are culprits themselves.
    treatment
        What graphcopy does with it, where another tool was asked about.
    cause
        The exception behind it, where one was raised; else None.

    >>> import graphcopy
    >>> culprit = graphcopy.plan({"jobs": (n for n in [1])}).culprits[0]
    >>> str(culprit.path), culprit.type.__name__, culprit.ways
    ("obj['jobs']", 'generator', 1)
    >>> culprit.advice
    'rules=[graphcopy.resource_rules]'
    >>> culprit.alternatives
    ('rules=[graphcopy.share("builtins.generator")]', 'rules=[graphcopy.prune("builtins.generator")]')
    """

    __slots__ = (
        "advice", "alternatives", "cause", "hint", "obj", "owner", "parts", "path", "reason", "treatment", "type",
        "ways",
    )  # fmt: skip

    def __init__(self, obj: Any, path: Path, reason: str, advice: str, ways: int, cause: BaseException | None) -> None:
        self.obj = obj
        self.path = path
        self.type = type(obj)
        self.reason = reason
        self.advice, *alternatives = code_of(advice) or standing_advice(type(obj), root=not path.steps)
        self.alternatives = tuple(alternatives)
        self.hint = words_of(advice)
        self.ways = ways
        self.cause = cause
        self.owner: Culprit | None = None
        self.parts: list[Culprit] = []
        self.treatment = ""

    def __repr__(self) -> str:
        return f"<Culprit {self.path}: {self.type.__qualname__}>"

    def describe(self) -> str:
        """Write it in some lines: where, what and why; then what to do."""
        more = f" ({self.ways} references lead there)" if self.ways > 1 else ""
        lines = [f"  {self.path}: {dotted(self.type)}: {self.reason}{more}"]
        lines += [
            f"    {'or ' if place else 'try:'} {line}" for place, line in enumerate([self.advice, *self.alternatives])
        ]
        if self.hint:
            lines.append(f"    or  {self.hint}")
        return "\n".join(lines)


def code_of(advice: str) -> list[str]:
    """The lines of an advice that are code, each as ``rules=[...]``."""
    found = []
    for piece in advice.split(", or "):
        if piece.startswith("graphcopy."):
            piece = f"rules=[{piece}]"
        if piece.startswith("rules=["):
            found.append(piece)
    return found


def words_of(advice: str) -> str:
    """What of an advice is no code."""
    return ", or ".join(
        piece for piece in advice.split(", or ") if piece and not piece.startswith(("graphcopy.", "rules=["))
    )


def standing_advice(cls: type, *, root: bool = False) -> list[str]:
    """What can be done about any object of *cls*: lines of code."""
    from .rules.resources import resource_rules

    name = dotted(cls)
    lines = [f'rules=[graphcopy.share("{name}")]']
    if root:  # what these rules make None cannot be the whole of a copy
        return lines
    if any(rule.matches_type(cls) for rule in resource_rules):
        lines.insert(0, "rules=[graphcopy.resource_rules]")
    lines.append(f'rules=[graphcopy.prune("{name}")]')
    return lines


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
    labels: dict[int, Any] = {}
    for place in sorted(places):
        outcome = graph.outcomes.get(place)
        obj = graph.objs[place]
        reason, advice, cause = "it cannot be copied", "", None
        if isinstance(outcome, Refused):
            reason, advice, cause = outcome.reason, outcome.advice, outcome.cause
        found.append(Culprit(obj, graph.path(place, labels), reason, advice, max(ways[place], 1), cause))
    return found
