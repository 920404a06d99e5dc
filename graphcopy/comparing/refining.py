"""Structural refinement: tell set members apart by what they are made of.

Two nodes get the same colour when their types, their atoms and the colours of their children agree;
this is repeated until no class of colours splits any more. Nodes that are paired already are
colours of their own. Colours are shared by both graphs, so equal colours are candidates for a pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..anatomy.parts import Parts
from .sides import Side

__all__ = ["colours"]

_ROUNDS = 64  # members that differ only deeper than this stay "not told apart"


class _Painter:
    """The nodes of one side that take part, and their colours."""

    def __init__(self, side: Side, roots: Iterable[int], paired: dict[int, Any], names: dict[Any, int]) -> None:
        self.side = side
        self.paired = paired
        self.names = names
        self.shapes: dict[int, tuple[list[int], bool]] = {}
        self.colour: dict[int, int] = {}
        pending = list(roots)
        while pending:
            place = pending.pop()
            if place in self.colour:
                continue
            if place in paired:
                self.colour[place] = self._name("pair", paired[place])
                continue
            label, children, unordered = self._shape(place)
            self.colour[place] = self._name("node", type(side.graph.objs[place]), label)
            self.shapes[place] = children, unordered
            pending.extend(children)

    def _name(self, *key: Any) -> int:
        return self.names.setdefault(key, len(self.names))

    def _shape(self, place: int) -> tuple[Any, list[int], bool]:
        """What the node holds: atoms (with their positions) as a label, nodes as children."""
        outcome = self.side.outcome(place)
        obj = self.side.graph.objs[place]
        label: list[Any] = []
        nodes: list[int] = []
        if isinstance(outcome, Parts):
            label.append(tuple(outcome.attrs) if outcome.attrs is not None else ())
            for number, child in enumerate(outcome.children()):
                there = self.side.place(child)
                if there is not None:
                    nodes.append(there)
                    label.append(())
                elif outcome.sparse:
                    label.append((_atom(child),))
                else:
                    label.append((number, _atom(child)))
            if outcome.sparse:
                return frozenset(label), nodes, True
        if issubclass(type(obj), (int, float, complex, str, bytes, bytearray)):
            label.append(repr(obj))
        return tuple(label), nodes, False

    def refine(self) -> None:
        """Give every node a colour made of its own and those of its children."""
        fresh = {}
        for place, (children, unordered) in self.shapes.items():
            below = [self.colour[child] for child in children]
            fresh[place] = self._name("round", self.colour[place], tuple(sorted(below) if unordered else below))
        self.colour.update(fresh)


def _atom(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return type(value), id(value)
    return type(value), repr(value) if type(value) in (float, complex) else value


def colours(
    one: Side, members: Iterable[int], other: Side, its_members: Iterable[int], pairs: dict[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Colour *members* of one graph and *its_members* of the other; *pairs* maps paired nodes."""
    names: dict[Any, int] = {}
    mine = _Painter(one, members, {place: place for place in pairs}, names)
    its = _Painter(other, its_members, {twin: place for place, twin in pairs.items()}, names)
    count = 0
    for _ in range(_ROUNDS):
        mine.refine()
        its.refine()
        now = len({*mine.colour.values(), *its.colour.values()})
        if now == count:
            break
        count = now
    return mine.colour, its.colour
