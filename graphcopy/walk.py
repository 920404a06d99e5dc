"""The walk: from an object to its reference graph, breadth first, over the anatomies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .anatomy.parts import Outcome, Parts, Pruned, Refused, Replaced, Shared
from .anatomy.registry import Anatomy
from .errors import NeedsGraph, NeedsRules, Obstacle
from .graph.accessors import Accessor
from .graph.compact import CompactGraph
from .rules.asking import Asking
from .rules.node import Node

__all__ = ["Walk", "walk"]


class Walk(Asking):
    """One walk in progress."""

    __slots__ = ("failed", "graph", "known", "notes", "order", "policy")

    def __init__(self, policy: Any, known: dict[int, Outcome] | None = None) -> None:
        self.policy = policy
        self.known: dict[int, Any] = {} if known is None else known
        self.graph = CompactGraph()
        self.notes: list[tuple[Any, Any]] = []
        self.order: list[tuple[Any, Any, Any]] = []

    def node_of(self, obj: Any) -> Node:
        """A node that knows its path: the graph is at hand."""
        return Node(obj, self.graph, self.graph.index[id(obj)])

    def matched(self, rule: Any, obj: Any, treatment: Any) -> None:
        """Enter in the graph which rule spoke."""
        self.graph.rules[self.graph.index[id(obj)]] = rule

    def passed(self) -> dict[int, Any]:
        """What the rules were asked about and passed on, to be handed to the copy."""
        return {key: obj for key, obj in self.known.items() if key < 0}

    def run(self, root: Any) -> CompactGraph:
        """Walk all that is reachable from *root*; where a class brings rules of its own, under these too."""
        while True:
            count = len(self.known)
            try:
                return self._run(root)
            except NeedsRules as needed:
                self.policy = self.policy.widened(needed.rules)
                self.graph, self.notes, self.order = CompactGraph(), [], []
                for key in list(self.known)[count:]:
                    del self.known[key]

    def _run(self, root: Any) -> CompactGraph:
        graph = self.graph
        graph.add(root)
        graph.accessors_of = lambda place: child_accessors(graph, place, self.policy)
        table: dict[type, Anatomy | None] = {}
        objs, index, targets, offsets = graph.objs, graph.index, graph.targets, graph.offsets
        parents, slots = graph.parents, graph.slots
        place = 0
        while place < len(objs):
            obj = objs[place]
            for child in self._children(place, obj, table):
                kind = type(child)
                try:
                    known = table[kind]
                except KeyError:
                    known = table[kind] = self.policy.anatomy(kind)
                if known is None:
                    continue
                key = id(child)
                there = index.get(key)
                if there is None:
                    there = index[key] = len(objs)
                    objs.append(child)
                    parents.append(place)
                    slots.append(len(targets))
                targets.append(there)
            offsets.append(len(targets))
            place += 1
        graph.forget_index()
        return graph

    def _children(self, place: int, obj: Any, table: dict[type, Anatomy | None]) -> Iterable[Any]:
        kind = type(obj)
        anatomy = table.get(kind) or self.policy.anatomy(kind)
        graph = self.graph
        if anatomy is None:  # an atom as root
            graph.marks[place] = "shared"
            return ()
        if anatomy.children is not None and id(obj) not in self.known:
            return anatomy.children(obj)
        outcome = self._open(anatomy, obj)
        graph.outcomes[place] = outcome
        if isinstance(outcome, Parts):
            if place in graph.rules or anatomy.source == "rule":
                graph.marks[place] = "rebuilt" if place in graph.rules else "copied"
            return outcome.children()
        if isinstance(outcome, Shared):
            graph.marks[place] = "shared"
        elif isinstance(outcome, Pruned):
            graph.marks[place] = "pruned"
        elif isinstance(outcome, Replaced):
            graph.marks[place] = "replaced"
        elif isinstance(outcome, Refused):
            graph.marks[place] = "culprit"
            return () if outcome.within is None else outcome.within.children()
        return ()

    def _open(self, anatomy: Anatomy, obj: Any) -> Outcome:
        known: Outcome | None = self.known.get(id(obj))
        if known is not None:
            return known
        try:
            return anatomy.open(obj, self)
        except Obstacle as obstacle:
            if obstacle.special is not None or isinstance(obstacle, NeedsRules):
                raise
            return Refused(obstacle.reason, obstacle.advice, obstacle.cause)
        except NeedsGraph:
            raise
        except BaseException as error:  # foreign code that ran meanwhile: __hash__, a property
            found = Obstacle.caused_by(obj, anatomy.open, error)
            if found.special is not None:
                raise found from error
            return Refused(found.reason, found.advice, found.cause)


def walk(root: Any, policy: Any, known: dict[int, Outcome] | None = None) -> CompactGraph:
    """Walk *root* under *policy*; ``known`` holds what is already taken apart, by id."""
    return Walk(policy, known).run(root)


def child_accessors(graph: CompactGraph, place: int, policy: Any) -> list[Accessor]:
    """The accessors of all references of a node that the graph holds, in order."""
    obj = graph.objs[place]
    outcome = graph.outcomes.get(place)
    children: Sequence[Any]
    accessors: Sequence[Accessor]
    if isinstance(outcome, Refused) and outcome.within is not None:
        outcome = outcome.within
    if isinstance(outcome, Parts):
        children, accessors = list(outcome.children()), outcome.accessors(obj)
    elif outcome is not None:
        return []
    else:
        anatomy = policy.anatomy(type(obj))
        if anatomy is None or anatomy.children is None:
            return []
        children, accessors = list(anatomy.children(obj)), anatomy.accessors(obj)
    return [accessor for child, accessor in zip(children, accessors) if policy.anatomy(type(child)) is not None]
