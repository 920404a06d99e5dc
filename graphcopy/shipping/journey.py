"""One journey: what walker and writers of one byte stream have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Any

from ..anatomy.builtins import MakeContainer, MakeValue
from ..anatomy.instances import MakeInstance
from ..anatomy.parts import Outcome, Parts, Refused
from ..anatomy.registry import Anatomy
from ..errors import NeedsGraph, Obstacle
from ..graph.accessors import Accessor, attribute, is_literal
from ..graph.compact import CompactGraph
from ..rules.asking import Asking
from ..rules.node import Node
from ..walk import Walk, child_accessors
from .functions import Sources
from .instead import stands_instead
from .knots import knots_of
from .memories import Memories
from .namespaces import Namespaces

__all__ = ["Journey", "ShippingWalk", "makers_of"]

_MAKERS = (MakeInstance, MakeContainer, MakeValue)


def makers_of(parts: Parts, policy: Any) -> list[tuple[Any, Accessor]]:
    """What travels with an object beside its pieces: what makes and fills it, where that is no importable function."""
    found: list[tuple[Any, Accessor]] = []
    for each in (parts.func, parts.setter, parts.fill, parts.bind):
        cls = type(each)
        if each is None or cls is BuiltinFunctionType or (cls is FunctionType and policy.naming.by_name(each)):
            continue
        if isinstance(each, _MAKERS):
            if not policy.naming.by_name(each.cls):
                found.append((each.cls, attribute("__class__")))
        elif isinstance(each, type):
            if not policy.naming.by_name(each):
                found.append((each, _MADE_BY))
        elif cls.__module__.partition(".")[0] != "graphcopy":
            found.append((each, _MADE_BY))
    return found


_INSTEAD = Accessor("hidden", "what replaces it", "what_replaces(", ")", None)  # no Python: it is not to be had
_MADE_BY = Accessor("hidden", "what makes it", "", "", None)


class ShippingWalk(Walk):
    """The walk over what a byte stream takes along."""

    __slots__ = ("namespaces", "naming", "source_of")

    shipping = True

    def __init__(self, journey: Journey) -> None:
        super().__init__(journey.policy, journey.known)
        self.naming = journey.naming
        self.namespaces = journey.namespaces
        self.source_of = journey.source_of

    def run(self, root: Any) -> CompactGraph:
        """Walk all that is reachable from *root*."""
        graph = super().run(root)
        graph.accessors_of = self._accessors
        return graph

    def _accessors(self, place: int) -> Sequence[Accessor]:
        found = child_accessors(self.graph, place, self.policy)
        outcome = self.graph.outcomes.get(place)
        if stands_instead(outcome):
            value = outcome.value
            return [] if is_literal(value) or self.policy.anatomy(type(value)) is None else [_INSTEAD]
        if isinstance(outcome, Parts):
            found = [*found, *(accessor for _, accessor in makers_of(outcome, self.policy))]
        return found

    def _children(self, place: int, obj: Any, table: dict[type, Anatomy | None]) -> Iterable[Any]:
        children = super()._children(place, obj, table)
        outcome = self.graph.outcomes.get(place)
        if stands_instead(outcome):
            if is_literal(outcome.value):
                return ()
            self.known.setdefault(~id(outcome.value), outcome.value)  # as Journey.takes_instead
            return (outcome.value,)
        if isinstance(outcome, Parts):
            makers = makers_of(outcome, self.policy)
            if makers:
                return [*children, *(each for each, _ in makers)]
        return children


class Journey(Asking):
    """What is known of one object on its way into a stream: how its parts come apart, by id."""

    shipping = True

    def __init__(self, policy: Any, root: Any) -> None:
        self.policy = policy
        self.naming = policy.naming
        self.root = root
        self.namespaces = Namespaces(policy.naming)
        self.sources = Sources()
        self.known: dict[int, Any] = {}
        self.keep: list[Any] = []  # what is known by its id stays alive
        self.notes: list[tuple[Any, Any]] = []
        self._graph: CompactGraph | None = None
        self._memories: Memories | None = None
        self._knots: dict[int, int] | None = None

    def source_of(self, function: Any, namespace: Any) -> Any:
        """The text of the file of a function whose module is not on the other side."""
        return None if namespace.kept is None else self.sources.of(function)

    @property
    def graph(self) -> CompactGraph:
        """The graph of all that travels; what walking it asks of hooks is not asked again."""
        if self._graph is None:
            walk = ShippingWalk(self)
            graph = walk.run(self.root)
            self.policy = walk.policy
            self.keep.append(graph)
            self.notes += walk.notes
            for place, outcome in graph.outcomes.items():
                self.known.setdefault(id(graph.objs[place]), outcome)
            self._graph = graph
        return self._graph

    def widen(self, rules: tuple[Any, ...]) -> None:
        """Start anew with *rules* that a class brings."""
        self.policy = self.policy.widened(rules)
        self.known.clear()
        self.notes.clear()
        self.walk_again()

    @property
    def memories(self) -> Memories:
        """Which arrays look into the same memory."""
        if self._memories is None:
            self._memories = Memories(self.graph.objs)
        return self._memories

    @property
    def knots(self) -> dict[int, int]:
        """The objects of the graph that stand in cycles, by id, each with the number of its knot."""
        if self._knots is None:
            self._knots = knots_of(self.graph)
        return self._knots

    def walk_again(self) -> None:
        """Forget the graph: something that was thought to travel does not."""
        self._graph = self._knots = None

    def takes_instead(self, value: Any) -> None:
        """Let *value*, which a rule puts in the place of something, travel as it is."""
        self.known.setdefault(~id(value), value)

    def travels_along(self, target: Any) -> bool:
        """Tell whether *target* is in the stream, or on the other side already."""
        if self.policy.anatomy(type(target)) is None or id(target) in self.graph.index:
            return True
        return isinstance(target, (type, FunctionType)) and self.naming.by_name(target)

    def node_of(self, obj: Any) -> Node:
        """What a rule gets to see of *obj*; its path is looked up in the graph."""
        return Node(obj, look=self._look)

    def _look(self, obj: Any) -> tuple[CompactGraph, int]:
        key = ~id(obj)
        self.known[key] = obj  # the rule is being asked about this one already
        try:
            graph = self.graph
        finally:
            del self.known[key]
        place = graph.index.get(id(obj))
        if place is None:
            raise NeedsGraph
        return graph, place

    def outcome(self, obj: Any, open: Callable[[Any, Any], Outcome]) -> Outcome:
        """How *obj* comes apart; asked once."""
        outcome: Outcome | None = self.known.get(id(obj))
        if outcome is None:
            try:
                outcome = open(obj, self)
            except (Obstacle, NeedsGraph):
                raise
            except BaseException as error:
                raise Obstacle.caused_by(obj, open, error) from error
            self.known[id(obj)] = outcome
            self.keep.append(obj)
        if isinstance(outcome, Refused):
            raise Obstacle(obj, outcome.reason, outcome.advice, outcome.cause)
        return outcome
