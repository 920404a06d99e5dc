"""Ways into the copier: one ``enter(run, obj, key)`` for each kind of object.

An ``enter`` is called when the memo does not know the object yet. It returns the copy, or something
that will become the copy once the stack is worked off, or a Signal.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

from ..anatomy.containers import open_frozenset, open_set
from ..anatomy.instances import Layout
from ..anatomy.parts import NOTHING, Outcome, Parts, Pruned, Refused, Replaced, Shared
from ..anatomy.putting import default_state
from ..anatomy.registry import Anatomy
from ..errors import NeedsGraph, Obstacle
from .engine import PENDING, PRUNED, Signal, Slots, clone_dict
from .frames import Frame

__all__ = [
    "carry_out",
    "enter_by_anatomy",
    "enter_by_rules",
    "enter_carefully",
    "enter_cutting",
    "enter_frozenset",
    "enter_instance",
    "enter_set",
    "enter_tuple",
]

Enter = Callable[[Any, Any, int], Any]
_NESTED = 40  # tuples in tuples are made by recursion down to this depth, by frames below it


def opened(anatomy: Anatomy, obj: Any, run: Any) -> Outcome:
    """Take *obj* apart; foreign code that runs meanwhile (``__hash__``, a property) may raise."""
    try:
        return anatomy.open(obj, run)
    except (Obstacle, NeedsGraph):
        raise
    except BaseException as error:
        raise Obstacle.caused_by(obj, anatomy.open, error) from error


def carry_out(run: Any, obj: Any, key: int, outcome: Outcome) -> Any:
    """Do what *outcome* says for *obj*."""
    if isinstance(outcome, Parts):
        run.keep.append((obj, outcome))
        if outcome.source == "reduce" and is_of_atoms(run, outcome):
            return make_at_once(run, obj, key, outcome)
        return Frame(obj, key, outcome).begin(run)
    if isinstance(outcome, Shared):
        return obj
    if isinstance(outcome, Replaced):
        run.keep.append(obj)
        run.memo[key] = outcome.value
        return outcome.value
    if isinstance(outcome, Pruned):
        run.keep.append((obj, outcome))
        run.known[key] = outcome
        return PRUNED if outcome.value is NOTHING else outcome.value
    raise Obstacle(obj, outcome.reason, outcome.advice, outcome.cause)


def is_of_atoms(run: Any, parts: Parts) -> bool:
    """Tell whether all pieces are atoms, but for a state dict that holds nothing else: no frame is needed then."""
    if parts.items or parts.pairs or parts.weak or parts.bind is not None or parts.late or parts.cuts:
        return False
    table, state = run.table, parts.state
    for piece in parts.args:
        if table[type(piece)] is not None:
            return False
    if parts.attrs is not None:
        values: Any = parts.attrs.values()
    elif state is NOTHING:
        return True
    elif type(state) is dict:
        if id(state) in run.memo or table[dict] is not clone_dict:
            return False
        for name in state:
            if type(name) is not str:
                return False
        values = state.values()
    else:
        return table[type(state)] is None
    for value in values:  # noqa: SIM110 (a generator for each object would cost as much as all the rest)
        if table[type(value)] is not None:
            return False
    return True


def make_at_once(run: Any, obj: Any, key: int, parts: Parts) -> Any:
    """Make an object whose pieces need no copying."""
    func = parts.func
    try:
        new = func(*parts.args)
        run.memo[key] = new
        state = parts.state if parts.attrs is None else parts.attrs
        if new is obj:
            if state is not NOTHING:
                run.stays(obj)
            return obj
        if state is not NOTHING:
            if type(state) is dict and parts.attrs is None:
                run.keep.append(state)
                run.memo[id(state)] = state = state.copy()
            func = parts.setter or default_state
            func(new, state)
    except Obstacle:
        raise
    except BaseException as error:
        raise Obstacle.caused_by(obj, func, error) from error
    return new


def begun(run: Any, key: int) -> Any:
    """What there is already for *key*: PENDING for an object in the making, a copy that is None, or NOTHING."""
    if key in run.frames:
        return PENDING
    return run.memo.get(key, NOTHING)


def enter_carefully(enter: Enter) -> Enter:
    """The same way in, but what stands in the memo is used even when it is None."""

    def enter_unknown(run: Any, obj: Any, key: int) -> Any:
        return run.memo[key] if key in run.memo else enter(run, obj, key)

    return enter_unknown


def enter_by_anatomy(anatomy: Anatomy) -> Enter:
    """The way in for everything that has no faster one: take it apart, lay the pieces on the stack."""

    hooked = anatomy.source == "reduce"  # a hook that says "share it" is not asked again at the next reference

    def enter(run: Any, obj: Any, key: int) -> Any:
        there = begun(run, key)
        if there is not NOTHING:
            return there
        outcome = run.known.get(key)
        if outcome is None:
            outcome = opened(anatomy, obj, run)
            if hooked or isinstance(outcome, (Parts, Refused)):
                run.known[key] = outcome
            if hooked and isinstance(outcome, Shared):
                run.keep.append(obj)
        return carry_out(run, obj, key, outcome)

    return enter


def enter_by_rules(decide: Callable[[Any, Any], Outcome | None], plain: Anatomy | None) -> Enter:
    """The way in for types that rules speak for; where none answers, the plain way."""
    otherwise = None if plain is None else plain.enter or enter_by_anatomy(plain)

    def enter(run: Any, obj: Any, key: int) -> Any:
        there = begun(run, key)
        if there is not NOTHING:
            return there
        outcome = run.known.get(key)
        if outcome is None:
            outcome = decide(obj, run)
            if outcome is None:
                return obj if otherwise is None else otherwise(run, obj, key)
            run.known[key] = outcome
            run.keep.append(obj)
        return carry_out(run, obj, key, outcome)

    return enter


def enter_cutting(
    plain: Anatomy, cut: Callable[[Any, Parts, Any], None], untouched: Callable[[Any], bool] | None
) -> Enter:
    """The way in where rules cut references: *cut* asks them; *untouched* tells quickly that none speaks."""
    otherwise = plain.enter or enter_by_anatomy(plain)
    hooked = plain.source == "deepcopy"

    def enter(run: Any, obj: Any, key: int) -> Any:
        there = begun(run, key)
        if there is not NOTHING:
            return there
        outcome = run.known.get(key)
        if outcome is None:
            if untouched is not None and untouched(obj):
                return otherwise(run, obj, key)
            outcome = opened(plain, obj, run)
            if isinstance(outcome, Parts):
                cut(obj, outcome, run)
        if hooked:
            if not (isinstance(outcome, Parts) and outcome.cuts):
                return otherwise(run, obj, key)
            run.note(obj, "copied by its attributes: its __deepcopy__ would copy what a rule cuts")
        run.known[key] = outcome
        run.keep.append(obj)
        return carry_out(run, obj, key, outcome)

    return enter


def enter_instance(layout: Layout) -> Enter:
    """The way in for plain instances: made empty, given a shallow clone of their state."""
    new, cls, members, plain = layout.new, layout.cls, layout.members, layout.plain_access
    pairs = [(member.__get__, member.__set__) for _, _, member in members]
    holders = sys.getrefcount

    def enter_dict(run: Any, obj: Any, key: int) -> Any:
        own = obj.__dict__
        if type(own) is not dict or holders(own) > 3:
            return enter_parts(run, obj, key)
        clone = new(cls)
        run.memo[key] = clone
        run.keep.append(obj)
        if own:
            own = own.copy()
            clone.__dict__ = own
            run.stack[key] = own
        return clone

    def enter_slots(run: Any, obj: Any, key: int) -> Any:
        clone = new(cls)
        run.memo[key] = clone
        run.keep.append(obj)
        run.stack[key] = Slots(pairs, obj, clone)
        return clone

    def enter_parts(run: Any, obj: Any, key: int) -> Any:
        there = begun(run, key)
        return carry_out(run, obj, key, layout.parts(obj)) if there is NOTHING else there

    if not layout.has_dict:
        return enter_slots if members else enter_parts
    return enter_dict if plain and not members else enter_parts


def enter_tuple(run: Any, obj: tuple[Any, ...], key: int) -> Any:
    """The way in for tuples: shared when all is atoms, made at once when its pieces can be referred to."""
    table = run.table
    for child in obj:
        if table[type(child)] is not None:
            break
    else:
        return obj
    if key in run.frames:
        return PENDING
    if run.depth >= _NESTED:
        return carry_out(run, obj, key, _tuple_parts(obj))
    memo, stack = run.memo, run.stack
    run.depth += 1
    try:
        same = True
        content = list(obj)
        for place, child in enumerate(content):
            enter = table[type(child)]
            if enter is None:
                continue
            child_key = id(child)
            new = memo.get(child_key)
            if new is None:
                new = enter(run, child, child_key)
                if type(new) is Signal:
                    return carry_out(run, obj, key, _tuple_parts(obj))
            elif child_key in stack:
                stack[child_key] = stack.pop(child_key)
            if new is not child:
                same = False
                content[place] = new
    finally:
        run.depth -= 1
    there: Any = memo.get(key)  # a cycle through one of the pieces may have made it
    if there is not None:
        return there
    clone = obj if same else tuple(content)
    run.keep.append(obj)
    memo[key] = clone
    stack[key] = tuple(map(id, obj))
    return clone


def _tuple_parts(obj: tuple[Any, ...]) -> Parts:
    def make(*content: Any) -> tuple[Any, ...]:
        return obj if all(map(operator.is_, content, obj)) else content

    return Parts(make, obj)


def enter_set(run: Any, obj: set[Any], key: int) -> Any:
    """The way in for sets: cloned when all members are atoms, else filled when the members are complete."""
    table = run.table
    clone = obj.copy()  # first: another thread may change the original
    for member in clone:
        if table[type(member)] is not None:
            there = begun(run, key)
            return carry_out(run, obj, key, open_set(obj, run)) if there is NOTHING else there
    run.memo[key] = clone
    run.keep.append(obj)
    return clone


def enter_frozenset(run: Any, obj: frozenset[Any], key: int) -> Any:
    """The way in for frozensets: shared when all members are atoms."""
    table = run.table
    for member in obj:
        if table[type(member)] is not None:
            there = begun(run, key)
            return carry_out(run, obj, key, open_frozenset(obj, run)) if there is NOTHING else there
    return obj
