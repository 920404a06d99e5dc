"""Asking the rules, for whoever goes over the graph: walker, copier, pickler."""

from __future__ import annotations

from typing import Any

from ..errors import NeedsGraph, Obstacle
from .node import Node

__all__ = ["Asking"]


class Asking:
    """What walker, copier and pickler have in common: they ask rules and take notes for the receipt."""

    __slots__ = ()

    shipping = False
    notes: list[tuple[Any, Any]]
    known: dict[int, Any]
    """By id: how an object comes apart, where that was asked of a hook or rule. By ~id: where all rules passed."""

    def node_of(self, obj: Any) -> Node:
        """What a rule gets to see of *obj*."""
        return Node(obj)

    def ask(self, rule: Any, node: Node) -> Any:
        """Ask *rule* about *node*; what it raises is told with its name."""
        if self.shipping:
            node.travels = True
        try:
            return rule.decide(node)
        except (NeedsGraph, Obstacle):
            raise
        except BaseException as error:
            raise Obstacle.caused_by(node.obj, rule, error) from error

    def matched(self, rule: Any, obj: Any, treatment: Any) -> None:
        """Called when *rule* answers for *obj*."""

    def note(self, obj: Any, text: str) -> None:
        """Put something on the receipt."""
        self.notes.append((obj, text))

    def note_touched(self, cls: type, hook: Any) -> None:
        """Note that a hook of *cls* changed the object that it was asked about."""
        self.notes.append((cls, f"{getattr(hook, '__qualname__', hook)} changes the original; it was put back"))
