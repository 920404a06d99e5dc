"""Methods for a class of one's own: ``__deepcopy__`` and ``__reduce_ex__`` that go by rules.

Such a method is for others: to graphcopy it is as if it were not there, but for its rules, which are in force in every
copy that meets an object of the class. So it never leads back to itself.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

from ..anatomy.reducers import OwnMethod
from ..copying.entering import opened
from ..copying.hooked import LiveMemo
from ..planning import copy_into, under_all_rules
from ..policies import policy_for
from ..resolving import without_deepcopy
from ..rules.ruleset import flatten
from .copiers import NO_ANSWER, may_hold_none, noted, ruled_copy

__all__ = ["DeepcopyMethod", "deepcopy_method"]


class RuledMethod(OwnMethod):
    """A method that goes by rules: what ``deepcopy_method`` and ``reduce_method`` return."""

    def __init__(self, rules: Any = (), defaults: bool = True) -> None:
        self.rules = tuple(flatten(rules)) if rules else ()
        self.defaults = defaults

    def __get__(self, obj: Any, cls: type | None = None) -> Any:
        return self if obj is None else MethodType(self, obj)

    def __call__(self, obj: Any, *args: Any) -> Any:
        """Do what the method does for *obj*."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} with {len(self.rules)} rules>"


class DeepcopyMethod(RuledMethod):
    """A ``__deepcopy__`` that goes by rules."""

    def __call__(self, obj: Any, memo: dict[int, Any] | None = None) -> Any:
        """Return the copy of *obj*; what is copied with it is entered in *memo*."""
        memo = {} if memo is None else memo
        if isinstance(memo, LiveMemo):  # a subclass calls it from its own hook, in the midst of a copy of ours
            return memo.made(obj, opened(without_deepcopy(type(obj)), obj, memo.run))
        return under_all_rules(policy_for(self.rules, self.defaults), lambda policy: _copied(obj, memo, policy))


def _copied(obj: Any, memo: dict[int, Any], policy: Any) -> Any:
    cls = type(obj)
    new = ruled_copy(obj, memo, policy, policy.candidates(cls))
    if new is not NO_ANSWER:
        return new
    # The hook of a subclass may have called this: so the object is taken apart here, and no hook is asked again.
    anatomy = without_deepcopy(cls)

    def begin(run: Any) -> Any:
        return LiveMemo(run, id(obj)).made(obj, opened(anatomy, obj, run))

    return noted(obj, copy_into, memo, obj, policy, None, may_hold_none(memo), begin)


def deepcopy_method(rules: Any = (), *, defaults: bool = True) -> Any:
    """Make a ``__deepcopy__`` for a class: its objects are copied by graphcopy, under *rules*.

    The rules are those of ``graphcopy.copy``, of any kind; they hold for the object and all below it. ``copy.deepcopy``
    of a structure that holds such objects keeps aliases and cycles, since both use one memo. The method is inherited,
    and a subclass may call it from a ``__deepcopy__`` of its own.

    Raises TypeError for what is no rule.

    >>> import copy, threading, graphcopy
    >>> class Account:
    ...     __deepcopy__ = graphcopy.deepcopy_method()
    ...     def __init__(self):
    ...         self.lock = threading.Lock()
    ...         self.entries = [1, 2]
    >>> account = Account()
    >>> copied = copy.deepcopy([account, account.entries])
    >>> copied[0].entries is copied[1], copied[0].lock is account.lock
    (True, False)
    """
    return DeepcopyMethod(rules, defaults)
