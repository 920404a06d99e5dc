"""References that rules cut: the graph has them no longer, so each is drawn as a stub at its holder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..anatomy.parts import Parts
from ..graph.accessors import Accessor
from ..graph.compact import CompactGraph

__all__ = ["Cut", "cuts_of"]


class Cut(NamedTuple):
    """One reference that a rule cuts: the node that holds it, the step, what it led to, and the rule."""

    holder: int
    step: Accessor
    obj: Any
    rule: Any


def cuts_of(graph: CompactGraph, nodes: Iterable[int]) -> Iterator[Cut]:
    """The references that are cut at *nodes*."""
    for node in nodes:
        outcome = graph.outcomes.get(node)
        if isinstance(outcome, Parts) and outcome.cut_by:
            children, accessors = list(outcome.children()), outcome.accessors(graph.objs[node])
            for number, rule in outcome.cut_by.items():
                yield Cut(node, accessors[number], children[number], rule)
