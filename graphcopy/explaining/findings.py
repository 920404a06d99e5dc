"""One run over an object under one backend: the walk, the culprits with their owners, the hazards."""

from __future__ import annotations

from typing import Any

from ..culprits import Culprit, culprits_of
from ..graph.compact import CompactGraph
from ..walk import Walk
from .cloudpickling import CloudPickle
from .deepcopying import DeepCopy
from .dilling import Dill
from .owners import owner_of
from .pickling import Pickle

__all__ = ["BACKENDS", "find_culprits", "walked"]

BACKENDS: dict[str, Any] = {
    "deepcopy": DeepCopy,
    "pickle": Pickle,
    "cloudpickle": CloudPickle,
    "dill": Dill,
}
"""Name to backend; "graphcopy" is the plan itself."""


def walked(obj: Any, backend: str) -> CompactGraph:
    """The graph of what the tool would visit."""
    return Walk(BACKENDS[backend]()).run(obj)


def find_culprits(graph: CompactGraph) -> list[Culprit]:
    """All culprits of *graph*: each failing object, and above it the one to which a user would give a rule."""
    found = {id(culprit.obj): culprit for culprit in culprits_of(graph)}
    order = list(found.values())
    index = graph.index
    labels: dict[int, Any] = {}
    owners: dict[int, int] = {}
    for culprit in list(order):
        place = owner_of(graph, index[id(culprit.obj)])
        if place is None:
            continue
        obj = graph.objs[place]
        owner = found.get(id(obj))
        if owner is None:
            owner = Culprit(obj, graph.path(place, labels), "it holds what cannot be copied", "", 1, None)
            found[id(obj)] = owner
            owners[place] = 0
            order.append(owner)
        culprit.owner = owner
        owner.parts.append(culprit)
    if owners:
        for target in graph.targets:
            if target in owners:
                owners[target] += 1
        for place, ways in owners.items():
            found[id(graph.objs[place])].ways = max(1, ways)
    return sorted(order, key=lambda culprit: index[id(culprit.obj)])
