"""Ids of objects that stand in tables: in a right copy they are the ids of the copies.

Tables keyed by ``id()`` (memos, Keras' trackers, ``rekey_ids``) and names in which an id is written
(``"140230_ib-0"``) differ between original and copy, and must. Which object an id belongs to is known at once,
which copy only when the pairing has got there: so what differs waits until nothing else is left to pair. Names that an
object has and its copy cannot keep (the unique id of a TensorFlow variable) are told by its anatomy (``known_as``).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from ..anatomy.parts import Parts
from .values import short

__all__ = ["Identities"]

ADDRESSES = 1 << 20  # no object stands below it, and most counters and positions do
_NUMBER = re.compile(r"\d{9,}")  # ids are addresses


class _Table(NamedTuple):
    place: int
    its_place: int
    entries: list[tuple[int, Any, Any]]
    its_entries: list[tuple[int, Any, Any]]


class Identities:
    """What differs and may be an id."""

    def __init__(self, pairing: Any) -> None:
        self._pairing = pairing
        self._values: list[tuple[Any, Any, tuple[Any, ...]]] = []
        self._members: list[tuple[int, int, list[Any], list[Any]]] = []
        self._tables: list[_Table] = []
        self._kept: list[tuple[int, int, str, int]] = []
        self._names: dict[str, int] | None = None

    @property
    def names(self) -> dict[str, int]:
        """The nodes of the original that tables know by a name, such as the unique id of a variable."""
        if self._names is None:
            self._names = {
                outcome.known_as: place
                for place, outcome in self._pairing.one.graph.outcomes.items()
                if isinstance(outcome, Parts) and outcome.known_as is not None
            }
        return self._names

    def may_be(self, value: Any) -> bool:
        """Tell whether *value*, of the original, is the id of an object there, or holds one."""
        index = self._pairing.one.index
        if type(value) is int:
            return value in index
        if type(value) is not str:
            return False
        return value in self.names or any(int(number) in index for number in _NUMBER.findall(value))

    def translated(self, value: Any) -> Any:
        """The value with the ids of the copies; the ids of what has no copy yet stay."""
        if type(value) is int:
            return self._its_id(value)
        place = self.names.get(value)
        if place is not None:
            outcome = self._pairing.other.graph.outcomes.get(self._pairing.twin.get(place, -1))
            return outcome.known_as if isinstance(outcome, Parts) else value
        return _NUMBER.sub(lambda found: str(self._its_id(int(found[0]))), value)

    def _its_id(self, number: int) -> int:
        pairing = self._pairing
        twin = pairing.twin.get(pairing.one.index.get(number, -1))
        return number if twin is None else id(pairing.other.graph.objs[twin])

    # -- what waits ------------------------------------------------------------------------------

    def put_off_value(self, mine: Any, its: Any, where: tuple[Any, ...]) -> bool:
        """Let two values that differ wait; tell whether the first may be an id."""
        if type(mine) is not type(its) or not self.may_be(mine):
            return False
        self._values.append((mine, its, where))
        return True

    def put_off_members(self, a: int, b: int, missing: list[Any], added: list[Any]) -> tuple[list[Any], list[Any]]:
        """Let members of two sets wait; give back those that are no ids, where there are as many new ones."""
        waiting = [each for each in missing if self.may_be(each)]
        if not waiting or not added:
            return missing, added
        self._members.append((a, b, waiting, added))
        return [each for each in missing if not self.may_be(each)], []

    def put_off_entries(
        self, a: int, b: int, entries: list[Any], its_entries: list[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Let entries of two dicts wait whose keys are ids; give back the others."""
        waiting = [entry for entry in entries if self.may_be(entry[1])]
        if not waiting or not its_entries:
            return entries, its_entries
        self._tables.append(_Table(a, b, waiting, its_entries))
        return [entry for entry in entries if not self.may_be(entry[1])], []

    def watch(self, a: int, b: int, what: str, key: Any) -> None:
        """Keep in mind a key or member that both have: when it is an id, the copy should have another."""
        if type(key) is int and key > ADDRESSES and key in self._pairing.one.index:
            self._kept.append((a, b, what, key))

    # -- when nothing else is left to pair -------------------------------------------------------

    def settle(self) -> bool:
        """Pair the values of dicts whose keys are found by now; tell whether there were any."""
        progress = False
        for table in self._tables:
            there = {(type(key), key): entry for entry in table.its_entries for key in (entry[1],)}
            for entry in list(table.entries):
                key = self.translated(entry[1])
                found = there.get((type(key), key))
                if found is not None:
                    table.entries.remove(entry)
                    table.its_entries.remove(found)
                    self._pairing.meet(entry[2], found[2], table.place, entry[0] + 1, table.its_place, found[0] + 1)
                    progress = True
        return progress

    def conclude(self) -> None:
        """Say what differs after all."""
        say = self._pairing.say
        for a, b, what, key in self._kept:
            if self._its_id(key) != key:
                say("value", f"{what} {key} is still the id of an object of the original", a, None, b, None)
        for mine, its, where in self._values:
            if self.translated(mine) != its:
                say("value", f"{short(mine)} became {short(its)}", *where)
        for a, b, missing, added in self._members:
            left = Counter(added)
            for member in missing:
                new = self.translated(member)
                if left[new]:
                    left[new] -= 1
                else:
                    say("missing", f"member {short(member)} is missing", a, None, b, None)
            for member in left.elements():
                say("added", f"member {short(member)} is new", a, None, b, None)
        for table in self._tables:
            for step, key, value in table.entries:
                if not self._pairing.may_be_gone(value):
                    say("missing", f"key {short(key)} is missing", table.place, step, table.its_place, None)
            for step, key, _ in table.its_entries:
                say("added", f"key {short(key)} is new", table.place, None, table.its_place, step)
