"""From an object to bytes: the C pickler first, the writer that knows no depth where that cannot; all errors told."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from ..anatomy.parts import Refused
from ..anatomy.registry import dotted
from ..copying.collecting import pause, resume
from ..culprits import Culprit, culprits_of
from ..errors import CopyError, NeedsGraph, NeedsRules, Obstacle
from ..policies import rules_in_force
from ..rules.ruleset import flatten
from .journey import Journey
from .naming import Naming
from .pickling import AnotherWay, pickled
from .policy import ShippingPolicy
from .writing import written

__all__ = ["Buffers", "policy_of_rules", "shipping_policy", "stream_of"]

Buffers = list[Any] | Callable[[pickle.PickleBuffer], Any] | None


_CACHED = 64
_policies: dict[tuple[Any, ...], ShippingPolicy] = {}


def shipping_policy(rules: Any, defaults: bool, by_value: Iterable[str]) -> ShippingPolicy:
    """The policy for streams: *rules*, then the rules in force, then forms and anatomies; kept for the next stream."""
    given = tuple(flatten(rules)) if rules else ()
    return policy_of_rules(rules_in_force(given, defaults), by_value, len(given))


def policy_of_rules(rules: tuple[Any, ...], by_value: Iterable[str] = (), given: int = 0) -> ShippingPolicy:
    """The policy for streams under these rules and no others; the first *given* come before those of a class."""
    naming = Naming(by_value)
    key = (rules, naming.by_value, given)
    policy = _policies.get(key)
    if policy is None:
        while len(_policies) >= _CACHED:
            _policies.pop(next(iter(_policies)), None)
        policy = _policies[key] = ShippingPolicy(*key)
    return policy


def stream_of(
    obj: Any, policy: ShippingPolicy, buffers: Buffers = None, journey: Journey | None = None, *, least: int = 0
) -> bytes:
    """Write *obj* as a pickle stream; raises CopyError with all culprits before a byte is handed out.

    Buffers of fewer than *least* bytes stay in the stream.
    """
    journey = journey or Journey(policy, obj)
    taken: list[pickle.PickleBuffer] = []

    def take_large(buffer: pickle.PickleBuffer) -> bool:
        with buffer.raw() as raw:
            if raw.nbytes < least:
                return True
        taken.append(buffer)
        return False

    take = None if buffers is None else take_large if least else taken.append
    try:
        pause()
        stream = _written_under_all_rules(journey, take, taken)
    finally:
        try:
            resume()
        except BaseException:  # a signal handler raised in the midst of it
            resume()
            raise
    if isinstance(buffers, list):
        buffers += taken
    elif buffers is not None:
        for each in taken:
            buffers(each)
    return stream


def _written_under_all_rules(journey: Journey, take: Any, taken: list[Any]) -> bytes:
    while True:
        try:
            return _written(journey, take, taken)
        except NeedsRules as needed:
            journey.widen(needed.rules)
            taken.clear()


def _written(journey: Journey, take: Any, taken: list[Any]) -> bytes:
    failed: Obstacle | None = None
    if journey.policy.plain_containers:
        try:
            return pickled(journey, take)
        except (AnotherWay, RecursionError, NeedsGraph):
            pass
        except NeedsRules:
            raise
        except Obstacle as obstacle:
            if not isinstance(obstacle.cause, RecursionError):
                failed = obstacle
        except pickle.PicklingError as error:
            raise CopyError(f"it cannot be written: {error}") from error
        taken.clear()
    if failed is None:
        try:
            return written(journey, take)
        except NeedsRules:
            raise
        except Obstacle as obstacle:
            failed = obstacle
    _explain(journey, failed)


def _explain(journey: Journey, obstacle: Obstacle) -> NoReturn:
    """Raise CopyError with every culprit of the graph; or the error itself, where it is none of an object."""
    if obstacle.special is not None:
        raise obstacle.special
    journey.known[id(obstacle.obj)] = Refused(obstacle.reason, obstacle.advice, obstacle.cause)
    journey.keep.append(obstacle.obj)
    journey.walk_again()
    culprits = [_without_sharing(culprit) for culprit in culprits_of(journey.graph)]
    if not culprits:
        name = type(obstacle.obj).__qualname__
        raise CopyError(f"an object of type {name} cannot travel: {obstacle.reason}") from obstacle.cause
    raise CopyError.about(culprits) from obstacle.cause


def _without_sharing(culprit: Culprit) -> Culprit:
    """Leave ``share`` out of the advice: what is shared within a process has to travel to another one all the same."""
    lines = [line for line in (culprit.advice, *culprit.alternatives) if "graphcopy.share(" not in line]
    if not lines:
        lines = [f'rules=[graphcopy.replace("{dotted(culprit.type)}", factory)]']
    culprit.advice, *alternatives = lines
    culprit.alternatives = tuple(alternatives)
    return culprit
