"""Asking the rules, for whoever goes over the graph: walker, copier, pickler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..anatomy.parts import Parts
from ..errors import NeedsGraph, Obstacle
from .node import Node
from .treatments import Treatment

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

    hits: Mapping[int, Mapping[int, frozenset[Any]]] = {}
    """The path patterns that lead to a reference: by the id of the object that holds it and its number there."""
    ways: Mapping[int, Sequence[Any]] = {}
    """By the id of an object: the different kinds of references to it, as far as rules tell them apart."""

    def child_node(self, obj: Any, child: Any, accessor: Any) -> Node:
        """What a rule gets to see of *child*, to which *obj* refers."""
        return self.node_of(child)

    def ask(self, rule: Any, node: Node) -> Any:
        """Ask *rule* about *node*; what it raises is told with its name."""
        if self.shipping:
            node.travels = True
        if rule.by_reference:
            node.ways = self.ways.get(id(node.obj), ())
        try:
            treatment = rule.decide(node)
        except (NeedsGraph, Obstacle):
            raise
        except BaseException as error:
            raise _raised(rule, node, error) from error
        if treatment is not NotImplemented and not isinstance(treatment, Treatment):
            raise Obstacle(node.obj, f"{_said(rule)} returned {_no_treatment(treatment)}", _MEND)
        if isinstance(treatment, Parts) and treatment.by is None:
            treatment.by = rule
        return treatment

    def selects(self, rule: Any, node: Node, way: Any) -> bool:
        """Tell whether *rule* speaks for the reference *way* to *node*; what it raises is told with its name."""
        try:
            return bool(rule.matches(node, way))
        except (NeedsGraph, Obstacle):
            raise
        except BaseException as error:
            raise _raised(rule, node, error) from error

    def matched(self, rule: Any, obj: Any, treatment: Any) -> None:
        """Called when *rule* answers for *obj*."""

    def note(self, obj: Any, text: str) -> None:
        """Put something on the receipt."""
        self.notes.append((obj, text))

    def note_touched(self, cls: type, hook: Any) -> None:
        """Note that a hook of *cls* changed the object that it was asked about."""
        self.notes.append((cls, f"{getattr(hook, '__qualname__', hook)} changes the original; it was put back"))


_MEND = "mend the rule: it is asked about every object that it selects, and may return NotImplemented to pass"


def blamed(parts: Parts, obstacle: Obstacle) -> Obstacle:
    """Say which rule rebuilds the object so, where carrying that out failed."""
    if parts.by is None:
        return obstacle
    return Obstacle(obstacle.obj, f"{obstacle.reason}; {_said(parts.by)} rebuilds it so", _MEND, obstacle.cause)


def _raised(rule: Any, node: Node, error: BaseException) -> Obstacle:
    text = f"{_said(rule)} raised {type(error).__name__}: {error}".rstrip(": ")
    return Obstacle(node.obj, text, _MEND, cause=error)


def _said(rule: Any) -> str:
    return f"the rule {rule.name} ({rule.place})" if rule.place else f"the rule {rule.name}"


def _no_treatment(given: Any) -> str:
    if hasattr(given, "matches_type"):
        hint = "a rule: without a selection, share() and its like are the treatment"
    elif getattr(given, "__module__", "").startswith("graphcopy."):
        hint = "a function: call it"
    else:
        known = "share(), prune(), replace(value), rebuild(...), plain(), refuse(reason)"
        hint = f"no treatment: return {known}, or NotImplemented to pass"
    return f"{given!r}"[:80] + f", which is {hint}"
