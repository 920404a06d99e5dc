"""A stream in the making: opcodes, the memo, and what remains to be done, on an explicit stack."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from ..anatomy.parts import NOTHING, Pruned
from ..anatomy.putting import default_fill
from ..errors import Obstacle
from .journey import Journey
from .knots import has_own_hash, members_of
from .opcodes import ATOMS

__all__ = ["NO_CYCLE", "Stack"]

_IN_MAKING = "what it is made from leads back to itself, so it would have to exist before it can be made"
_EMPTY = "its contents can be hashed only when everything has arrived, and {name} is called with it before"
NO_CYCLE = "let what it contains not lead back to it, or give its owner a __getstate__ without it"
_FLUSHED = 1 << 20


def refill(new: Any, content: tuple[Any, Any, Any]) -> None:
    """Put contents in whose hashes need complete objects."""
    fill, items, pairs = content
    (fill or default_fill)(new, items, pairs)


def _is_never_cut(piece: Any) -> bool:
    return False


class Stack:
    """What all steps share.

    ``todo`` holds (step, argument), the next one last. ``memo`` maps an id to (place, object). An object
    is *open* from the moment that it can be referred to until it is complete.
    """

    def __init__(self, journey: Journey) -> None:
        self.journey = journey
        self.graph = journey.graph  # all outcomes are known from here on
        if not any(type(each) is Pruned and each.value is NOTHING for each in list(journey.known.values())):
            self._is_cut = _is_never_cut  # type: ignore[method-assign]
        self.chunks: list[Any] = []
        self.out = bytearray()
        self.memo: dict[int, tuple[int, Any]] = {}
        self.todo: list[tuple[Callable[[Any], Any], Any]] = []
        self.making: dict[int, list[int]] = {}
        self.open: dict[int, Any] = {}
        self.filled_late: list[tuple[Any, Any, Any]] = []
        self.calls: list[Any] = []  # what is called with the arguments that are being written

    def save(self, obj: Any) -> None:
        """Write *obj*, or fetch it from the memo."""
        raise NotImplementedError

    def _drain(self, step: Callable[[Any], Any], argument: Any) -> None:
        todo = self.todo
        todo.append((step, argument))
        while todo:
            step, argument = todo.pop()
            step(argument)

    def write(self, code: bytes) -> None:
        """Write opcodes."""
        self.out += code

    def _memoize(self, obj: Any) -> None:
        self.out += pickle.MEMOIZE
        self.memo[id(obj)] = (len(self.memo), obj)

    def _large(self, code: Any) -> None:
        self.out += code
        if len(self.out) > _FLUSHED:
            self._flush()

    def _flush(self) -> None:
        self.chunks.append(self.out)
        self.out = bytearray()

    def _begin(self, obj: Any) -> None:
        """Enter the making of *obj*; entered again with nothing new in the memo, it would never end."""
        entered = self.making.setdefault(id(obj), [])
        if entered and entered[-1] == len(self.memo):
            raise Obstacle(obj, _IN_MAKING)
        entered.append(len(self.memo))

    def _fill_late(self, obj: Any, fill: Any, items: Any, pairs: Any) -> None:
        """Put contents in at the end, unless *obj* is an argument of what may copy it before."""
        if self.calls:
            home = str(getattr(self.calls[-1], "__module__", ""))
            if home.partition(".")[0] not in ("graphcopy", "functools", "types", "builtins"):
                raise Obstacle(obj, _EMPTY.format(name=getattr(self.calls[-1], "__qualname__", "?")), NO_CYCLE)
        self.filled_late.append((refill, obj, (fill, items, pairs)))

    def _made_meanwhile(self, obj: Any) -> bool:
        entered = self.making[id(obj)]
        entered.pop()
        if not entered:
            del self.making[id(obj)]
        return id(obj) in self.memo

    def _is_cut(self, piece: Any) -> bool:
        outcome = self.journey.known.get(id(piece))
        return type(outcome) is Pruned and outcome.value is NOTHING

    def _unfinished(self, member: Any) -> bool:
        """Tell whether hashing *member* on the other side may need the state of an object that is not complete."""
        if type(member) is str or type(member) in ATOMS or not self.open:
            return False
        return any(
            type(each) not in ATOMS and has_own_hash(type(each)) and id(each) in self.journey.knots
            for each in members_of((member,))
        )
