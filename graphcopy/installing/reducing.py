"""From an object that rules match to a reduce value for somebody else's pickler.

The pickler writes the pieces itself, by its own memo: so an object that is referred to from here and from elsewhere
is written once. What has to wait until everything is there in a stream of ours (``Parts.bind``) is done here as soon as
the object has its state; what it is aimed at is written before.
"""

from __future__ import annotations

import copyreg
import importlib
from typing import Any

from ..anatomy.parts import NOTHING, Outcome, Parts, Refused, Shared
from ..anatomy.putting import default_fill, default_state
from ..anatomy.registry import dotted
from ..errors import CopyError, Obstacle
from ..planning import under_all_rules
from ..resolving import without_reduce
from ..rules.treatments import Copy
from ..shipping.journey import Journey
from ..shipping.reduced import CUT, Reducer, complete, same
from .copiers import NO_ANSWER
from .pieces import Wrapping

__all__ = ["bound", "made_anew", "named", "reduced_by_rules", "reduced_piece"]


_newobj: Any = copyreg.__newobj__  # type: ignore[attr-defined]


def reduced_by_rules(obj: Any, policy: Any, wrapping: Wrapping | None, *, otherwise: bool = False) -> Any:
    """The reduce value of *obj* as the first rule of *policy* that answers says; NO_ANSWER when none does.

    With *wrapping*, pieces that pickle would fail on are wrapped. With *otherwise* an object for which no rule answers
    is taken apart as graphcopy does.

    Raises CopyError for what cannot travel.
    """
    return under_all_rules(policy, lambda policy: _by_rules(obj, policy, wrapping, otherwise))


def _by_rules(obj: Any, policy: Any, wrapping: Wrapping | None, otherwise: bool) -> Any:
    context = Journey(policy, obj) if wrapping is None else wrapping.context_for(obj, policy)
    node = context.node_of(obj)
    try:
        for rule in policy.candidates(type(obj)):
            treatment = context.ask(rule, node)
            if treatment is not NotImplemented:
                break
        else:
            if not otherwise:
                return NO_ANSWER
            treatment = Copy()
        if isinstance(treatment, Copy):
            context.known[~id(obj)] = obj
            anatomy = without_reduce(type(obj)) if otherwise else policy.anatomy(type(obj))
            outcome = policy.travels(obj, anatomy.open(obj, context), context)
        else:
            outcome = policy.travels(obj, treatment, context)
    except Obstacle as obstacle:
        raise _told(obj, obstacle) from obstacle.cause
    return _value(obj, outcome, context, wrapping)


def reduced_piece(obj: Any, *, wrapping: Wrapping) -> Any:
    """The reduce value of something below an object that rules match, which pickle itself would fail on."""
    return under_all_rules(wrapping.policy, lambda policy: _piece(obj, policy, wrapping))


def _piece(obj: Any, policy: Any, wrapping: Wrapping) -> Any:
    context = wrapping.context_for(obj, policy)
    try:
        outcome = policy.anatomy(type(obj)).open(obj, context)
    except Obstacle as obstacle:
        raise _told(obj, obstacle) from obstacle.cause
    return _value(obj, outcome, context, wrapping)


def _told(obj: Any, obstacle: Obstacle) -> BaseException:
    if obstacle.special is not None:
        return obstacle.special
    advice = f"; try: {obstacle.advice}" if obstacle.advice else ""
    return CopyError(f"a {dotted(type(obj))} cannot be pickled: {obstacle.reason}{advice}")


def _value(obj: Any, outcome: Outcome, context: Any, wrapping: Wrapping | None) -> Any:
    if isinstance(outcome, Refused):
        raise _told(obj, Obstacle(obj, outcome.reason, outcome.advice, outcome.cause)) from outcome.cause
    bind: Any = None
    targets: list[Any] = []
    if isinstance(outcome, Parts):
        outcome, bind, targets = _for_a_pickler(outcome, wrapping)
    elif isinstance(outcome, Shared):
        return _under_its_name(obj, getattr(outcome, "name", None), wrapping)
    value = Reducer(context, cut=lambda piece: False).value(obj, outcome)
    if value is CUT:  # a reference cannot be cut from outside: something has to stand there
        return (same, (None,))
    if isinstance(value, str):
        return value
    func, args, state, items, pairs, setter = (tuple(value) + (None,) * 6)[:6]
    if func is _newobj and wrapping is not None:  # pickle checks the class of what it writes, which may be a Piece
        func = made_anew
    if setter is complete:  # it is handed functions with the state
        setter_of, fill, *rest = state
        state = (*_wrapped([setter_of, fill], wrapping), *rest)
    if bind is not None:
        state = (*_wrapped([setter], wrapping), state, list(items or ()), list(pairs or ()), bind, targets)
        items, pairs, setter = None, None, bound
    func, setter = _wrapped([func, setter], wrapping)
    return (func, args, state, items, pairs, setter)


def made_anew(cls: Any, *args: Any) -> Any:
    """Make an instance by the ``__new__`` of its class."""
    return cls.__new__(cls, *args)


def _under_its_name(obj: Any, name: str | None, wrapping: Wrapping | None) -> Any:
    name = name or obj.__qualname__
    if wrapping is None or type(getattr(obj, "__module__", None)) is not str:
        return name
    return (named, (obj.__module__, name))  # a Piece would be looked for in our own module


def named(module: str, name: str) -> Any:
    """Find what stands under *name* in *module*."""
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _wrapped(makers: list[Any], wrapping: Wrapping | None) -> list[Any]:
    return makers if wrapping is None else wrapping.pieces(makers)


def _for_a_pickler(parts: Parts, wrapping: Wrapping | None) -> tuple[Parts, Any, list[Any]]:
    """The parts with pieces wrapped, where that is asked for, and with what is referred to weakly made plain."""
    wrap = list if wrapping is None else wrapping.pieces
    targets = [] if callable(parts.weak) else wrap(parts.weak)
    pairs = wrap([piece for pair in parts.pairs for piece in pair])
    made = Parts(
        parts.func, [*wrap(parts.args), *(targets if parts.late else ())],
        state=parts.state if parts.state is NOTHING else wrap([parts.state])[0],
        attrs=None if parts.attrs is None else dict(zip(parts.attrs, wrap(parts.attrs.values()))),
        items=wrap(parts.items), pairs=list(zip(pairs[::2], pairs[1::2])),
        setter=parts.setter, fill=parts.fill, sparse=parts.sparse,
    )  # fmt: skip
    made.cuts = parts.cuts
    return made, None if parts.late else parts.bind, targets


def bound(new: Any, pieces: tuple[Any, Any, list[Any], list[Any], Any, list[Any]]) -> None:
    """Give *new* its state and contents, and bind it to what it refers to weakly."""
    setter, state, items, pairs, bind, targets = pieces
    if state is not None:
        (setter or default_state)(new, state)
    if items or pairs:
        default_fill(new, items, pairs)
    bind(new, targets)
