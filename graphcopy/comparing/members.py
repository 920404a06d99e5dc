"""Members of sets: paired although they have no place by which they could be found again.

They are paired when their partner is known by another way, when only one is left, or when structural refinement
tells them apart. Those that stay alike are not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .refining import colours
from .values import short

__all__ = ["Sets"]


class _Set(NamedTuple):
    place: int
    its_place: int
    left: list[int]
    its_left: list[int]


class Sets:
    """The sets of two graphs whose members are not all paired yet."""

    def __init__(self, pairing: Any) -> None:
        self._pairing = pairing
        self.open: list[_Set] = []

    def add(self, a: int, b: int, xs: Iterable[Any], ys: Iterable[Any]) -> None:
        """Take up the members of two sets; those that are atoms are compared at once."""
        left, its_left = [], []
        atoms: dict[Any, int] = {}
        for member in xs:
            place = self._pairing.one.place(member)
            if place is None:
                atoms[type(member), member] = atoms.get((type(member), member), 0) + 1
            elif not self._pairing.may_be_gone(member):
                left.append(place)
        for member in ys:
            place = self._pairing.other.place(member)
            if place is None:
                atoms[type(member), member] = atoms.get((type(member), member), 0) - 1
            else:
                its_left.append(place)
        for (_, member), count in atoms.items():
            if not count:
                self._pairing.identities.watch(a, b, "member", member)
        missing = [member for (_, member), count in atoms.items() if count > 0]
        added = [member for (_, member), count in atoms.items() if count < 0]
        missing, added = self._pairing.identities.put_off_members(a, b, missing, added)
        for member in missing:
            self._pairing.say("missing", f"member {short(member)} is missing", a, None, b, None)
        for member in added:
            self._pairing.say("added", f"member {short(member)} is new", a, None, b, None)
        if left or its_left:
            self.open.append(_Set(a, b, left, its_left))

    def settle(self) -> bool:
        """Pair members whose partner is known or the only one left; tell whether anything came of it."""
        progress = False
        waiting: list[_Set] = []
        for entry in self.open:
            a, b, left, its_left = entry
            there = set(its_left)
            open_left = []
            for place in left:
                twin = self._pairing.twin.get(place)
                if twin is None:
                    same = self._pairing.other.index.get(id(self._pairing.one.graph.objs[place]))
                    if same is None or same not in there or same in self._pairing.its_twin:
                        open_left.append(place)
                        continue
                    self._pairing.twin[place], self._pairing.its_twin[same] = same, place
                    twin = same
                if twin in there:
                    there.discard(twin)
                else:
                    self._pairing.say("members", "its copy is no member", place, None, b, None)
                progress = True
            its_open = []
            for place in its_left:
                if place in there:
                    if place in self._pairing.its_twin:
                        self._pairing.say("members", "a member that the original has not", a, None, place, None)
                        progress = True
                    else:
                        its_open.append(place)
            if len(open_left) == 1 == len(its_open):
                self._pair(open_left[0], its_open[0])
                progress = True
            elif not open_left or not its_open:
                for place in open_left:
                    self._pairing.say("members", "the member is missing", place, None, b, None)
                for place in its_open:
                    self._pairing.say("members", "the member is new", a, None, place, None)
                progress = True
            else:
                waiting.append(_Set(a, b, open_left, its_open))
        self.open = waiting
        return progress

    def _pair(self, a: int, b: int) -> None:
        self._pairing.meet(self._pairing.one.graph.objs[a], self._pairing.other.graph.objs[b], a, None, b, None)

    def tell_apart(self) -> bool:
        """Pair members that structure tells apart; tell whether there were any."""
        mine, its = colours(
            self._pairing.one, [place for entry in self.open for place in entry.left],
            self._pairing.other, [place for entry in self.open for place in entry.its_left], self._pairing.twin,
        )  # fmt: skip
        progress = False
        for index, (a, b, left, its_left) in enumerate(self.open):
            groups: dict[int, tuple[list[int], list[int]]] = {}
            for place in left:
                groups.setdefault(mine[place], ([], []))[0].append(place)
            for place in its_left:
                groups.setdefault(its[place], ([], []))[1].append(place)
            odd: tuple[list[int], list[int]] = ([], [])
            stay: tuple[list[int], list[int]] = ([], [])
            for ones, others in groups.values():
                if len(ones) == 1 == len(others):
                    if self._pairing.twin.get(ones[0]) is None and self._pairing.its_twin.get(others[0]) is None:
                        self._pair(ones[0], others[0])
                    progress = True
                elif len(ones) == len(others):
                    stay[0].extend(ones)
                    stay[1].extend(others)
                else:
                    odd[0].extend(ones)
                    odd[1].extend(others)
            if odd[0] or odd[1]:
                progress = True
                if len(odd[0]) == 1 == len(odd[1]):
                    self._pair(odd[0][0], odd[1][0])  # the one that differs: say how
                else:
                    detail = f"of its members, {len(odd[0])} have no counterpart among {len(odd[1])} in the copy"
                    self._pairing.say("members", detail, a, None, b, None)
            self.open[index] = _Set(a, b, *stay)
        self.open = [entry for entry in self.open if entry.left]
        return progress
