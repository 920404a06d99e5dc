"""Make dill ask the rules: through ``dill.Pickler.dispatch``, which it looks into before all else.

dill is never imported for this: the table is replaced when dill is there already.
"""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.reducers import reducer_of
from .copiers import NO_ANSWER
from .reducing import reduced_by_rules
from .stdlib_pickle import PolicyNow
from .tables import DispatchTable, Ours, Resolve

__all__ = ["DillSaver", "obey"]


class DillSaver(Ours):
    """Saves the objects of one class as the rules say; where none answers, as dill does."""

    __slots__ = ("_cls", "_policy_now")

    def __init__(self, cls: type, policy_now: PolicyNow) -> None:
        self._cls = cls
        self._policy_now = policy_now

    def __bool__(self) -> bool:
        return True

    def __call__(self, pickler: Any, obj: Any) -> Any:
        """Write *obj*."""
        value = reduced_by_rules(obj, self._policy_now(), None)
        if value is NO_ANSWER:
            table = type(pickler).dispatch
            save = table.beneath.get(self._cls) if isinstance(table, DispatchTable) else table.get(self._cls)
            if save is not None and not isinstance(save, Ours):
                save(pickler, obj)
                return
            reductor = reducer_of(self._cls)
            value = obj.__reduce_ex__(pickler.proto) if reductor is None else reductor(obj)
        if isinstance(value, str):
            pickler.save_global(obj, value)
        else:
            pickler.save_reduce(*value, obj=obj)


_current: DispatchTable | None = None


def obey(resolve: Resolve | None) -> None:
    """Let dill ask *resolve* about each type; None puts back the table that was there."""
    global _current
    dill = sys.modules.get("dill")
    if dill is None:
        return
    pickler = dill.Pickler
    there = pickler.dispatch
    if _current is not None and there is not _current:
        _current.ask(_nobody)
        _current = None
    if resolve is None:
        if _current is not None:
            pickler.dispatch = _current.beneath
            _current.ask(_nobody)
            _current = None
    elif _current is not None:
        _current.ask(resolve)
    else:
        _current = DispatchTable(there, resolve)
        pickler.dispatch = _current


def _nobody(cls: type) -> None:
    return None
