"""What copy.deepcopy finds in its table for a type that rules match: a copier that asks these rules.

What a rule answers for is copied by graphcopy, with all below it, into deepcopy's own memo: so it refers to what
deepcopy has copied before, and deepcopy finds what graphcopy has copied. Where no rule answers for an object,
deepcopy goes on as if nothing were installed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from ..anatomy.parts import NOTHING, Pruned
from ..anatomy.registry import dotted
from ..copying.hooked import LiveMemo
from ..copying.run import Run
from ..errors import CopyError, NeedsGraph, NeedsRules, Obstacle, add_note
from ..planning import copy_into, raise_explained, under_all_rules
from ..rules.treatments import Copy
from .beyond import Beyond
from .stdlib_copy import plain_deepcopy
from .tables import Ours

__all__ = ["NO_ANSWER", "CopierAsBefore", "RuledCopier", "may_hold_none", "noted", "ruled_copy"]

NO_ANSWER: Any = object()


class RuledCopier(Ours):
    """Copies the objects of one class as the installed rules say."""

    __slots__ = ("_cls", "_policy", "_policy_now", "_rules")

    def __init__(self, cls: type, policy_now: Callable[[], Any]) -> None:
        self._cls = cls
        self._policy_now = policy_now  # libraries that are imported later bring rules of their own
        self._policy: Any = None
        self._rules: list[Any] = []

    def __bool__(self) -> bool:
        return True

    def __call__(self, obj: Any, memo: Any) -> Any:
        """Return the copy of *obj*; what is copied with it is entered in *memo*."""
        if isinstance(memo, LiveMemo):  # a hook has called deepcopy in the midst of a copy of ours
            return memo.copied(obj)
        policy = self._policy_now()
        if policy is not self._policy:
            self._rules = policy.candidates(self._cls)
            self._policy = policy
        try:
            new = ruled_copy(obj, memo, policy, self._rules)
        except NeedsRules as needed:
            new = under_all_rules(
                policy.widened(needed.rules), lambda wider: ruled_copy(obj, memo, wider, wider.candidates(self._cls))
            )
        return plain_deepcopy(obj, memo) if new is NO_ANSWER else new


class CopierAsBefore(Ours):
    """Copies as copy.deepcopy does by itself: for classes of which only pickle is told."""

    __slots__ = ()

    def __call__(self, obj: Any, memo: Any) -> Any:
        """Return the copy of *obj*."""
        return plain_deepcopy(obj, memo)


def ruled_copy(obj: Any, memo: dict[int, Any], policy: Any, rules: list[Any]) -> Any:
    """Copy *obj* into *memo* as the first of *rules* that answers says; NO_ANSWER when none does.

    Raises CopyError, and NeedsRules where a class brings rules of its own.
    """
    known: dict[int, Any] = {}
    careful = may_hold_none(memo)
    run = Run(policy, memo, known, careful)
    run.root = obj
    node = run.node_of(obj)
    try:
        for rule in rules:
            treatment = run.ask(rule, node)
            if treatment is not NotImplemented:
                break
        else:
            return NO_ANSWER
    except NeedsGraph:  # the plan finds out
        pass
    except NeedsRules:
        raise
    except Obstacle as obstacle:
        raise_explained(obj, policy, known, obstacle)
    else:
        if isinstance(treatment, Pruned):  # deepcopy cannot cut the reference: something has to stand there
            return None if treatment.value is NOTHING else treatment.value
        if isinstance(treatment, Copy):
            known[~id(obj)] = obj
        else:
            known[id(obj)] = treatment
    return noted(obj, copy_into, memo, obj, policy, known, careful, None, Beyond(obj, memo, policy))


def noted(obj: Any, copier: Callable[..., Any], *args: Any) -> Any:
    """Call *copier*; a CopyError that it raises tells whose paths they are."""
    try:
        return copier(*args)
    except CopyError as error:
        add_note(error, f"obj is the {dotted(type(obj))} that copy.deepcopy has met")
        raise


class _Scan:
    """Stands in a memo: how far it has been looked through for a copy that is None."""

    __slots__ = ("found", "scanned")

    def __init__(self) -> None:
        self.scanned = 0
        self.found = False


_SCAN = id(_Scan)  # the id of something that is never copied


def may_hold_none(memo: dict[int, Any]) -> bool:
    """Tell whether a copy in *memo* is None; only what has come since the last time is looked at."""
    scan = memo.get(_SCAN)
    if scan is None:
        scan = memo[_SCAN] = _Scan()
    if not scan.found:
        new = len(memo) - scan.scanned
        values = memo.values() if new < 0 else islice(reversed(memo.values()), new)
        scan.found = any(value is None for value in values)
        scan.scanned = len(memo)
    return bool(scan.found)
