"""Make pickle, cloudpickle and multiprocessing ask the rules: reducers in ``copyreg.dispatch_table``, for exact types.

pickle looks there before ``__reduce_ex__``, for the class itself and for no other; it insists on a plain dict. So each
class that the rules match is entered. What looks there too and is not meant is looked after: copy.copy gets back what
was there before (``stdlib_copy.shield``), and copy.deepcopy has a table of its own that comes first.
"""

from __future__ import annotations

import copyreg
import pickle
import sys
from collections.abc import Callable, Iterable
from typing import Any

from ..anatomy.reducers import InstalledReducer, reducer_of
from . import stdlib_copy
from .copiers import NO_ANSWER
from .pieces import Wrapping
from .reducing import reduced_by_rules, reduced_piece

__all__ = ["PickleReducer", "forget", "is_ruled", "register"]

PolicyNow = Callable[[], Any]
_ABSENT: Any = object()


class PickleReducer(InstalledReducer):
    """Reduces the objects of one class as the rules say; where none answers, as it was done before."""

    __slots__ = ("policy_now", "wraps")

    def __init__(self, beneath: Any, policy_now: PolicyNow | None, wraps: bool) -> None:
        super().__init__(beneath)
        self.policy_now = policy_now  # None when the rules were taken out, but somebody keeps the reducer
        self.wraps = wraps

    def __call__(self, obj: Any) -> Any:
        """Return the reduce value of *obj*."""
        if self.policy_now is not None:
            policy = self.policy_now()
            wrapping = Wrapping.current(policy, is_ruled, reduced_piece) if self.wraps else None
            value = reduced_by_rules(obj, policy, wrapping)
            if value is not NO_ANSWER:
                return value
        beneath = self.beneath or reducer_of(type(obj))
        if beneath is not None:
            return beneath(obj)
        return obj.__reduce_ex__(min(pickle.DEFAULT_PROTOCOL, 4))


_registered: dict[int, tuple[dict[Any, Any], type, PickleReducer]] = {}


def is_ruled(cls: type) -> bool:
    """Tell whether pickle asks the rules about *cls*."""
    return isinstance(copyreg.dispatch_table.get(cls), PickleReducer)


def register(classes: Iterable[type], policy_now: PolicyNow) -> None:
    """Let pickle ask the rules about objects of *classes*."""
    own = _table_of_cloudpickle()
    for cls in classes:
        _enter(copyreg.dispatch_table, cls, policy_now, wraps=True)
        if own is not None:  # it knows functions by itself, and asks its own table first
            _enter(own, cls, policy_now, wraps=False)
        stdlib_copy.shield(cls)


def _enter(table: dict[Any, Any], cls: type, policy_now: PolicyNow, *, wraps: bool) -> None:
    there = table.get(cls)
    if isinstance(there, PickleReducer):
        there.policy_now = policy_now
        return
    reducer = PickleReducer(there, policy_now, wraps)
    table[cls] = reducer
    _registered[id(reducer)] = (table, cls, reducer)


def forget() -> None:
    """Take all of our reducers out; what stood there before is put back, what others have put there since stays."""
    for key, (table, cls, reducer) in list(_registered.items()):
        reducer.policy_now = None
        if table.get(cls) is reducer:
            if reducer.beneath is None:
                del table[cls]
            else:
                table[cls] = reducer.beneath
        stdlib_copy.unshield(cls)
        del _registered[key]


def _table_of_cloudpickle() -> dict[Any, Any] | None:
    """The table that cloudpickle's pickler asks before ``copyreg``, when it is imported."""
    module = sys.modules.get("cloudpickle")
    table = getattr(getattr(module, "CloudPickler", None), "dispatch_table", None)
    maps = getattr(table, "maps", None)  # a ChainMap: its own, then copyreg's
    if maps and type(maps[0]) is dict and maps[0] is not copyreg.dispatch_table:
        return maps[0]
    return None
