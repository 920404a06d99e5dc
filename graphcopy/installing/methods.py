"""Methods for a class of one's own: ``__deepcopy__`` and ``__reduce_ex__`` that go by rules.

Such a method is for others: to graphcopy it is as if it were not there, but for its rules, which are in force in every
copy that meets an object of the class. So it never leads back to itself.
"""

from __future__ import annotations

import sys
from types import MethodType
from typing import Any

from ..anatomy.reducers import OwnMethod, asking
from ..copying.entering import opened
from ..copying.hooked import LiveMemo
from ..planning import copy_into, under_all_rules
from ..policies import policy_for
from ..resolving import without_deepcopy
from ..rules.ruleset import flatten
from ..shipping.sending import shipping_policy
from .beyond import Beyond
from .copiers import NO_ANSWER, may_hold_none, noted, ruled_copy
from .pieces import Wrapping
from .reducing import reduced_by_rules, reduced_piece
from .stdlib_copy import asked_by_copy
from .stdlib_pickle import is_ruled

__all__ = ["DeepcopyMethod", "ReduceMethod", "deepcopy_method", "reduce_method"]


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

    return noted(obj, copy_into, memo, obj, policy, None, may_hold_none(memo), begin, Beyond(obj, memo, policy))


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


class ReduceMethod(RuledMethod):
    """A ``__reduce_ex__`` that goes by rules."""

    def __call__(self, obj: Any, protocol: Any = 4) -> Any:
        """Return the reduce value of *obj*."""
        if asking.on or asked_by_copy(sys._getframe(1)):  # it is meant for pickle
            return self._beneath(obj, protocol)
        policy = shipping_policy(self.rules, self.defaults, ())
        return reduced_by_rules(obj, policy, Wrapping.current(policy, tells_itself, reduced_piece), otherwise=True)

    def _beneath(self, obj: Any, protocol: Any) -> Any:
        found = [base.__dict__["__reduce_ex__"] for base in type(obj).__mro__ if "__reduce_ex__" in base.__dict__]
        after = found[found.index(self) + 1 :] if self in found else found[-1:]  # object's is the last
        hook = next(each for each in after if not isinstance(each, OwnMethod))
        return hook.__get__(obj, type(obj))(protocol)


def tells_itself(cls: type) -> bool:
    """Tell whether pickle asks rules about objects of *cls* anyway: installed ones, or those of a method."""
    if is_ruled(cls):
        return True
    return any(isinstance(base.__dict__.get("__reduce_ex__"), ReduceMethod) for base in cls.__mro__)


def reduce_method(rules: Any = (), *, defaults: bool = True) -> Any:
    """Make a ``__reduce_ex__`` for a class: pickle, joblib, dask and their like write its objects under *rules*.

    The rules are those of ``graphcopy.dumps``; they hold for the object and all below it. Reading needs graphcopy where
    it is read, and no rules. Aliases and cycles stay: what pickle can write by itself it writes itself, once. What the
    rules have to be asked about is written once below such objects, and once more where it stands outside of them.
    ``copy.copy`` and ``copy.deepcopy`` are as without the method: see ``deepcopy_method``.

    Raises TypeError for what is no rule.

    >>> import pickle, threading, graphcopy
    >>> class Account:
    ...     __reduce_ex__ = graphcopy.reduce_method()
    ...     def __init__(self):
    ...         self.lock = threading.Lock()
    ...         self.interest = lambda amount: amount * 0.02
    >>> pickle.loads(pickle.dumps([Account()]))[0].interest(100)
    2.0
    """
    return ReduceMethod(rules, defaults)
