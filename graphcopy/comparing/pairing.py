"""Walking both graphs in step: which node became which, and where they differ.

Nodes are paired along the references that both sides have; members of sets, which have no place by which they
could be found again, in ``members``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..anatomy.instances import WHOLE, read_dict
from ..anatomy.parts import NOTHING, Parts, Shared
from ..graph.accessors import Accessor, attribute
from .identities import Identities
from .members import Sets
from .sides import Side
from .values import difference_of_values, same_atom, short

__all__ = ["Finding", "Pairing", "Step"]

Step = int | Accessor | None
_GONE = ("pruned",)
_OTHERWISE = ("pruned", "replaced", "culprit")


class Finding(NamedTuple):
    """Where the two graphs differ: kind, a sentence, and the place (with a step below it) on either side."""

    kind: str
    detail: str
    place: int
    step: Step
    its_place: int
    its_step: Step


class Pairing:
    """The isomorphism between two graphs, as far as there is one."""

    def __init__(self, one: Side, other: Side, excused: Callable[[int], bool]) -> None:
        self.one = one
        self.other = other
        self.excused = excused  # a receipt says that something else stands there
        self.twin: dict[int, int] = {}
        self.its_twin: dict[int, int] = {}
        self.findings: list[Finding] = []
        self.alike: list[tuple[int, int]] = []  # (place of the set, how many members)
        self._dicts: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._pending: list[tuple[int, int]] = []
        self._sets = Sets(self)
        self.identities = Identities(self)
        self._weak: list[tuple[int, int, Sequence[Any], Sequence[Any]]] = []
        self._said: set[tuple[int, int]] = set()

    def run(self) -> None:
        """Walk from both roots."""
        self.meet(self.one.root, self.other.root, 0, None, 0, None)
        self._drain()
        while self.identities.settle() or (self._sets.open and (self._sets.settle() or self._sets.tell_apart())):
            self._drain()
        self.identities.conclude()
        self.alike = [(entry.place, len(entry.left)) for entry in self._sets.open]
        self._check_weak()

    def _drain(self) -> None:
        while self._pending:
            self._compare(*self._pending.pop())

    def say(self, kind: str, detail: str, place: int, step: Step, its_place: int, its_step: Step) -> None:
        """Note where the two graphs differ."""
        self.findings.append(Finding(kind, detail, place, step, its_place, its_step))

    # -- one reference ---------------------------------------------------------------------------

    def meet(self, mine: Any, its: Any, place: int, step: Step, its_place: int, its_step: Step) -> None:
        """Compare what stands at one place on both sides."""
        a, b = self.one.place(mine), self.other.place(its)
        where = (place, step, its_place, its_step)
        if a is None and b is None:
            if not same_atom(mine, its) and not self.identities.put_off_value(mine, its, where):
                self.say("value", f"{short(mine)} became {short(its)}", *where)
            return
        if a is not None and self._stands_otherwise(a):
            return
        if a is None or b is None:
            self.say("type", f"{short(mine)} became {short(its)}", *where)
            return
        twin, its_twin = self.twin.get(a), self.its_twin.get(b)
        if twin == b:
            return
        if twin is None and its_twin is None:
            self.twin[a], self.its_twin[b] = b, a
            self._pending.append((a, b))
        elif (a, b) not in self._said:
            self._said.add((a, b))
            if twin is not None:
                self.say("alias lost", "one object became two", a, None, b, None)
            else:
                self.say("alias invented", "two objects became one", a, None, b, None)

    def _stands_otherwise(self, place: int) -> bool:
        return self.one.graph.marks.get(place) in _OTHERWISE or self.excused(place)

    def may_be_gone(self, obj: Any) -> bool:
        """Tell whether a rule or a receipt says that *obj* is left out."""
        place = self.one.place(obj)
        return place is not None and (self.one.graph.marks.get(place) in _GONE or self.excused(place))

    # -- one pair of nodes -----------------------------------------------------------------------

    def _compare(self, a: int, b: int) -> None:
        mine, its = self.one.graph.objs[a], self.other.graph.objs[b]
        if mine is its:
            outcome = self.one.outcome(a)
            if isinstance(outcome, Parts) and outcome.weak:
                self._weak.append((a, b, self.one.targets(outcome), self.other.targets(outcome)))
            return
        if type(mine) is not type(its):
            self.say("type", f"{type(mine).__qualname__} became {type(its).__qualname__}", a, None, b, None)
            return
        values = difference_of_values(mine, its)
        if values:
            self.say("value", values, a, None, b, None)
            return
        x, y = self.one.outcome(a), self.other.outcome(b)
        if isinstance(x, Shared) and a in self.one.graph.rules:
            self.say("not shared", "a rule shares it, but another object stands there", a, None, b, None)
        if isinstance(x, Parts) and isinstance(y, Parts):
            self._parts(a, b, x, y)

    def _parts(self, a: int, b: int, x: Parts, y: Parts) -> None:
        cuts = x.cuts or {}
        mine = self.one.graph.objs[a]
        at, its_at = 0, 0
        if x.sparse and issubclass(type(mine), frozenset):
            self._sets.add(a, b, x.args, y.args)
        else:
            self._sequence("arguments", a, b, x.args, y.args, 0, 0, cuts)
        at, its_at = len(x.args), len(y.args)
        own, its_own = _mapping(x), _mapping(y)
        if own is not None and its_own is not None:
            self._attributes(a, b, x, y, own, its_own, cuts)
        elif x.state is not NOTHING and y.state is not NOTHING:
            if at not in cuts:
                self.meet(x.state, y.state, a, at, b, its_at)
        elif (own or x.state is not NOTHING or its_own or y.state is not NOTHING) and at not in cuts:
            self.say("missing" if _has_state(x) else "added", "state", a, None, b, None)
        at += _width(x)
        its_at += _width(y)
        if x.sparse:
            self._sets.add(a, b, x.items, y.items)
        else:
            self._sequence("items", a, b, x.items, y.items, at, its_at, cuts)
        self._pairs(a, b, x.pairs, y.pairs, at + len(x.items), its_at + len(y.items), cuts)
        if x.weak or y.weak:
            self._weak.append((a, b, self.one.targets(x), self.other.targets(y)))

    def _sequence(
        self, what: str, a: int, b: int, xs: Sequence[Any], ys: Sequence[Any], at: int, its_at: int, cuts: Any
    ) -> None:
        if len(xs) != len(ys):
            self.say("length", f"{len(xs)} {what} became {len(ys)}", a, None, b, None)
        for number, (mine, its) in enumerate(zip(xs, ys)):
            if at + number not in cuts:
                self.meet(mine, its, a, at + number, b, its_at + number)

    def _attributes(
        self, a: int, b: int, x: Parts, y: Parts, own: dict[Any, Any], its_own: dict[Any, Any], cuts: Any
    ) -> None:
        if (WHOLE in own) != (WHOLE in its_own):
            own, its_own = _unfolded(own), _unfolded(its_own)
            mine, its = read_dict(self.one.graph.objs[a]), read_dict(self.other.graph.objs[b])
            known = self._dicts[0].setdefault(id(mine), id(its)), self._dicts[1].setdefault(id(its), id(mine))
            if known != (id(its), id(mine)):
                kind, detail = "alias lost", "one __dict__ became two"
                if known[0] == id(its):
                    kind, detail = "alias invented", "two __dict__ became one"
                self.say(kind, detail, a, attribute("__dict__"), b, attribute("__dict__"))
            numbers: dict[Any, int] = {}
        else:
            numbers = {key: len(x.args) + number for number, key in enumerate(own)} if own is x.attrs else {}
        for key, mine in own.items():
            number = numbers.get(key, -1)
            if number in cuts:
                continue
            step = number if number >= 0 else _step_to(key)
            if key in its_own:
                its_step = _number(y, key) if number >= 0 else _step_to(key)
                self.meet(mine, its_own[key], a, step, b, its_step)
            elif not self.may_be_gone(mine):
                self.say("missing", f"{_named(key)} is missing", a, step, b, None)
        for key in its_own:
            if key not in own:
                self.say("added", f"{_named(key)} is new", a, None, b, _step_to(key))

    def _pairs(self, a: int, b: int, xs: Sequence[Any], ys: Sequence[Any], at: int, its_at: int, cuts: Any) -> None:
        mine = [
            (at + 2 * number, key, value)
            for number, (key, value) in enumerate(xs)
            if not (cuts and (at + 2 * number in cuts or at + 2 * number + 1 in cuts))
        ]
        its = [(its_at + 2 * number, key, value) for number, (key, value) in enumerate(ys)]
        if len(mine) != len(its) or not all(self._same_key(x[1], y[1]) for x, y in zip(mine, its)):
            mine, its = self._aligned(a, b, mine, its)
        for (step, key, value), (its_step, its_key, its_value) in zip(mine, its):
            if type(key) is int and key == its_key:
                self.identities.watch(a, b, "key", key)
            self.meet(key, its_key, a, step, b, its_step)
            self.meet(value, its_value, a, step + 1, b, its_step + 1)

    def _same_key(self, key: Any, its_key: Any) -> bool:
        a, b = self.one.place(key), self.other.place(its_key)
        return same_atom(key, its_key) if a is None and b is None else a is not None and b is not None

    def _aligned(self, a: int, b: int, mine: list[Any], its: list[Any]) -> tuple[list[Any], list[Any]]:
        """Find entries again by their keys where those are atoms, by their order where not."""
        by_key = {(type(entry[1]), entry[1]): entry for entry in its if self.other.place(entry[1]) is None}
        firsts, seconds, order, missing = [], [], [], []
        for entry in mine:
            if self.one.place(entry[1]) is not None:
                continue
            there = by_key.pop((type(entry[1]), entry[1]), None)
            if there is not None:
                firsts.append(entry)
                seconds.append(there)
                order.append(there[0])
            else:
                missing.append(entry)
        missing, added = self.identities.put_off_entries(a, b, missing, list(by_key.values()))
        for step, key, value in missing:
            if not self.may_be_gone(value):
                self.say("missing", f"key {short(key)} is missing", a, step, b, None)
        for step, key, _ in added:
            self.say("added", f"key {short(key)} is new", a, None, b, step)
        if order != sorted(order):
            self.say("order", "the keys stand in another order", a, None, b, None)
        rest = [
            entry
            for entry in mine
            if self.one.place(entry[1]) is not None
            and not self.may_be_gone(entry[1])
            and not self.may_be_gone(entry[2])
        ]
        its_rest = [entry for entry in its if self.other.place(entry[1]) is not None]
        if len(rest) != len(its_rest):
            self.say("length", f"{len(rest)} keys became {len(its_rest)}", a, None, b, None)
        return firsts + rest, seconds + its_rest

    # -- weak references -------------------------------------------------------------------------

    def _check_weak(self) -> None:
        for a, b, targets, its_targets in self._weak:
            if len(targets) != len(its_targets):
                detail = f"{len(targets)} weak references became {len(its_targets)}"
                self.say("weak", detail, a, None, b, None)
                continue
            expected = []
            for target in targets:
                place = self.one.index.get(id(target))
                if place is None:
                    expected.append(id(target))
                    continue
                twin = self.twin.get(place)
                if twin is None or self._stands_otherwise(place):
                    expected = []
                    break
                expected.append(id(self.other.graph.objs[twin]))
            if expected and sorted(expected) != sorted(map(id, its_targets)):
                self.say("weak", "it does not point at the copy of what it pointed at", a, None, b, None)


def _has_state(parts: Parts) -> bool:
    return bool(parts.attrs) or parts.state is not NOTHING


def _width(parts: Parts) -> int:
    return len(parts.attrs) if parts.attrs is not None else int(parts.state is not NOTHING)


def _mapping(parts: Parts) -> dict[Any, Any] | None:
    """The attributes, also where they came as one dict; {} where there are none."""
    if parts.attrs is not None:
        return parts.attrs
    return {} if parts.state is NOTHING else None


def _unfolded(own: dict[Any, Any]) -> dict[Any, Any]:
    whole = own.get(WHOLE)
    return {**whole, **{key: value for key, value in own.items() if key is not WHOLE}} if type(whole) is dict else own


def _number(parts: Parts, key: Any) -> int:
    return len(parts.args) + list(parts.attrs or ()).index(key)


def _step_to(key: Any) -> Accessor | None:
    if type(key) is tuple and len(key) == 2:
        key = key[1]
    return attribute(key) if type(key) is str and key.isidentifier() else None


def _named(key: Any) -> str:
    if type(key) is tuple and len(key) == 2:
        kind, key = key
        if isinstance(kind, type):
            return f"slot {key!r} of {kind.__qualname__}"
        return f"{kind} {key!r}"
    return f"attribute {key!r}" if type(key) is str else "__dict__"
