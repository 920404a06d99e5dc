"""The walk: from an object to its reference graph, breadth first, over the anatomies."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from .anatomy.parts import Outcome, Parts, Pruned, Refused, Replaced, Shared
from .anatomy.registry import Anatomy
from .errors import NeedsGraph, NeedsRules, Obstacle
from .graph.accessors import Accessor, Items
from .graph.compact import CompactGraph
from .graph.paths import Path
from .rules.asking import Asking
from .rules.node import Node
from .rules.patterns import attribute_of
from .rules.selectors import Way

__all__ = ["Walk", "walk"]


class Walk(Asking):
    """One walk in progress."""

    __slots__ = ("_look_at", "_ruled", "failed", "graph", "hits", "known", "notes", "order", "policy", "ways")

    def __init__(self, policy: Any, known: dict[int, Outcome] | None = None) -> None:
        self.policy = policy
        self.known: dict[int, Any] = {} if known is None else known
        self.graph = CompactGraph()
        self.notes: list[tuple[Any, Any]] = []
        self.order: list[tuple[Any, Any, Any]] = []
        self.hits: dict[int, dict[int, frozenset[Any]]] = {}
        self.ways: dict[int, list[Way]] = {}
        self._look_at: Any = None  # while references are followed: looks for a path in a graph of its own
        self._ruled: set[int] = set()

    def node_of(self, obj: Any) -> Node:
        """A node that knows its path: the graph is at hand."""
        if self._look_at is not None:
            return Node(obj, look=self._look_at)
        return Node(obj, self.graph, self.graph.index[id(obj)])

    def child_node(self, obj: Any, child: Any, accessor: Accessor) -> Node:
        """A node that may not be in the graph yet: its path goes by the object that refers to it."""
        graph = self.graph
        there = graph.index.get(id(child))
        if there is not None:
            return Node(child, graph, there)
        return Node(child, path=lambda: Path((*graph.path(graph.index[id(obj)]).steps, accessor)))

    def matched(self, rule: Any, obj: Any, treatment: Any) -> None:
        """Enter in the graph which rule spoke."""
        if self._look_at is not None:
            self._ruled.add(id(obj))
        else:
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
        if self.policy.cutting.traces:
            self.hits, self.ways = {}, {}
            Tracing(self).run(root)
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
        if anatomy.children is not None and id(obj) not in self.known and id(obj) not in self.hits:
            return anatomy.children(obj)
        outcome = self._open(anatomy, obj)
        graph.outcomes[place] = outcome
        if isinstance(outcome, Parts) and self.policy.cutting:
            self.policy.cutting.cut(obj, outcome, self)
        if isinstance(outcome, Parts):
            if place in graph.rules:
                graph.marks[place] = "rebuilt"
            return kept_children(outcome)
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


class Tracing:
    """Follows references before a walk: where do the path patterns lead, and how is each object referred to?

    The graph is the one before anything is cut, so that the order of rules and references does not matter: a pattern
    matches when *any* way to a reference fits it. Only what a pattern can still lead through is looked at, unless a
    rule treats objects by how they are referred to; and each object once for every step of a pattern at most.
    """

    def __init__(self, walk: Walk) -> None:
        self._owner = walk
        self._cutting = walk.policy.cutting
        self._policy = walk.policy.uncut
        self._context = context = copy.copy(walk)
        context.policy, context.graph, context.hits, context.ways = self._policy, CompactGraph(), {}, {}
        context._look_at = self._look
        self._plain: CompactGraph | None = None
        self._keep: list[Any] = []
        self._table: dict[type, Anatomy | None] = {}
        self._root: Any = None

    def run(self, root: Any) -> None:
        """Fill ``hits`` and ``ways`` of the walk."""
        self._root = root
        before = set(self._owner.known)
        try:
            visited = self._follow(root)
            if self._cutting.by_way:
                self._collect(root, visited)
        finally:
            known = self._owner.known
            for key in [key for key in known if key not in before and (key < 0 or key in self._context._ruled)]:
                del known[key]  # rules are asked again where the references that they cut are gone
        self._owner.hits = {key: found for key, (found, _) in self._found.items()}
        self._owner.order.append((self._keep, None, None))  # what is known by its id stays alive

    def _follow(self, root: Any) -> list[Any]:
        automaton, patterns = self._cutting.automaton, self._cutting.patterns
        everywhere = bool(self._cutting.by_way)
        self._found: dict[int, tuple[dict[int, frozenset[Any]], Any]] = {}
        masks = {id(root): automaton.start}
        new = dict(masks)
        pending: deque[Any] = deque([root])
        visited = []
        while pending:
            obj = pending.popleft()
            mask = new.pop(id(obj))
            visited.append(obj)
            for place, (child, accessor) in enumerate(self._references(obj)):
                after, done = automaton.advance(mask, accessor)
                if done:
                    hits = self._found.setdefault(id(obj), ({}, obj))[0]
                    hits[place] = hits.get(place, frozenset()) | {patterns[number] for number in done}
                if not (after or everywhere) or self._anatomy(type(child)) is None:
                    continue
                key = id(child)
                there = masks.get(key)
                fresh = after if there is None else after & ~there
                if there is None or fresh:
                    masks[key] = (there or 0) | after
                    if key not in new:
                        new[key] = 0
                        pending.append(child)
                    new[key] |= fresh
        return visited

    def _collect(self, root: Any, visited: list[Any]) -> None:
        """Note for every object the different references to it."""
        ways, relevant = self._owner.ways, self._cutting.relevant
        seen: set[tuple[Any, ...]] = set()
        for obj in {id(each): each for each in visited}.values():
            found = self._found.get(id(obj), ({}, None))[0]
            for place, (child, accessor) in enumerate(self._references(obj)):
                if self._anatomy(type(child)) is None:
                    continue
                way = Way(relevant(attribute_of(accessor)), found.get(place, frozenset()))
                key = (id(child), way.attribute, way.patterns)
                if key not in seen:
                    seen.add(key)
                    ways.setdefault(id(child), []).append(way)
        ways.setdefault(id(root), []).append(Way())

    def _anatomy(self, cls: type) -> Anatomy | None:
        try:
            return self._table[cls]
        except KeyError:
            known: Anatomy | None = self._policy.anatomy(cls)
            self._table[cls] = known
            return known

    def _references(self, obj: Any) -> Iterable[tuple[Any, Accessor]]:
        """What *obj* refers to, atoms included, in the order of its parts."""
        anatomy = self._anatomy(type(obj))
        if anatomy is None:
            return ()
        known = self._context.known
        self._keep.append(obj)
        if anatomy.children is not None and id(obj) not in known:
            children = list(anatomy.children(obj))
            self._keep.append(children)
            return zip(children, anatomy.accessors(obj))  # type: ignore[misc]
        outcome = known.get(id(obj))
        if outcome is None:
            known[id(obj)] = outcome = self._context._open(anatomy, obj)
        return zip(outcome.children(), outcome.accessors(obj)) if isinstance(outcome, Parts) else ()

    def _look(self, obj: Any) -> tuple[CompactGraph, int]:
        """The graph before anything is cut, for a rule that asks for a path meanwhile."""
        if self._plain is None:
            plain = copy.copy(self._context)
            plain.graph, plain._look_at = CompactGraph(), None
            self._plain = plain.run(self._root)
        place = self._plain.index.get(id(obj))
        if place is None:
            raise NeedsGraph
        return self._plain, place


def kept_children(parts: Parts) -> Iterable[Any]:
    """The children that no rule cuts."""
    cuts = parts.cuts
    if not cuts:
        return parts.children()
    return [child for number, child in enumerate(parts.children()) if number not in cuts]


def walk(root: Any, policy: Any, known: dict[int, Outcome] | None = None) -> CompactGraph:
    """Walk *root* under *policy*; ``known`` holds what is already taken apart, by id."""
    return Walk(policy, known).run(root)


def child_accessors(graph: CompactGraph, place: int, policy: Any) -> Sequence[Accessor]:
    """The accessors of all references of a node that the graph holds, in order."""
    obj = graph.objs[place]
    outcome = graph.outcomes.get(place)
    children: Sequence[Any]
    accessors: Sequence[Accessor]
    if isinstance(outcome, Refused) and outcome.within is not None:
        outcome = outcome.within
    if isinstance(outcome, Parts):
        children = list(outcome.children())
        accessors = outcome.accessors(obj)
        cuts = outcome.cuts
        if cuts:
            return [
                accessor
                for number, (child, accessor) in enumerate(zip(children, accessors))
                if number not in cuts and policy.anatomy(type(child)) is not None
            ]
    elif outcome is not None:
        return []
    else:
        anatomy = policy.anatomy(type(obj))
        if anatomy is None or anatomy.children is None:
            return []
        children, accessors = list(anatomy.children(obj)), anatomy.accessors(obj)
    atomic: dict[type, bool] = {}
    nodes = []
    for number, child in enumerate(children[: len(accessors)]):
        kind = type(child)
        if kind not in atomic:
            atomic[kind] = policy.anatomy(kind) is None
        if not atomic[kind]:
            nodes.append(number)
    return accessors.at(nodes) if isinstance(accessors, Items) else [accessors[number] for number in nodes]
