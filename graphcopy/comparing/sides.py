"""One of the two graphs that are compared: its nodes, how they come apart, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..anatomy.parts import Outcome, Parts
from ..errors import CopyError, Obstacle
from ..graph.accessors import Accessor
from ..graph.compact import CompactGraph
from ..graph.paths import Path
from ..walk import Walk

__all__ = ["Side"]


class Side:
    """The graph below one root.

    Nodes are known by their place in it. ``opened`` counts how often a node was taken apart.
    """

    __slots__ = ("_policy", "_walk", "graph", "index", "opened", "root")

    def __init__(self, root: Any, policy: Any) -> None:
        self.root = root
        self._policy = policy
        self._walk = Walk(policy)
        try:
            self.graph: CompactGraph = self._walk.run(root)
        except Obstacle as obstacle:
            raise obstacle.cause or CopyError(obstacle.reason) from None
        self._policy = self._walk.policy  # a class may have brought rules of its own
        self.index = self.graph.index
        self.opened = 0

    def __len__(self) -> int:
        return len(self.graph)

    def is_atom(self, obj: Any) -> bool:
        """Tell whether *obj* is no node of any graph."""
        return self._policy.anatomy(type(obj)) is None

    def place(self, obj: Any) -> int | None:
        """The node that *obj* is, or None for an atom."""
        return None if self.is_atom(obj) else self.index.get(id(obj))

    def outcome(self, place: int) -> Outcome | None:
        """How the node comes apart; hooks that the walk has asked are not asked again."""
        self.opened += 1
        known: Outcome | None = self.graph.outcomes.get(place)
        if known is not None:
            return known
        obj = self.graph.objs[place]
        anatomy = self._policy.anatomy(type(obj))
        return None if anatomy is None else anatomy.open(obj, self._walk)

    def targets(self, parts: Parts) -> Sequence[Any]:
        """What a node refers to weakly."""
        weak = parts.weak
        return weak(iter(self.graph.objs)) if callable(weak) else weak

    def path(self, place: int, step: int | Accessor | None = None) -> Path:
        """The shortest path to a node, and one step further: to a child by its number, or along an accessor."""
        path = self.graph.path(place)
        if step is None:
            return path
        if not isinstance(step, Accessor):
            accessors = self._accessors(place)
            if step >= len(accessors):
                return path
            step = accessors[step]
        return Path([*path.steps, step])

    def _accessors(self, place: int) -> list[Accessor]:
        obj = self.graph.objs[place]
        outcome = self.graph.outcomes.get(place)
        if isinstance(outcome, Parts):
            return list(outcome.accessors(obj))
        anatomy = self._policy.anatomy(type(obj))
        return list(anatomy.accessors(obj)) if anatomy is not None and anatomy.accessors is not None else []
