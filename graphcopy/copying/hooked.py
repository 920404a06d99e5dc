"""Classes with a ``__deepcopy__`` of their own.

The hook gets a memo that is a dict by type but looks into the running copy: what it asks for by
``copy.deepcopy(child, memo)`` is copied by the same rules, once. A hook that never looks into the
memo although its object holds others was written without one; what it returns would lose aliases,
so it is thrown away and the object is copied by its attributes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..anatomy.parts import NOTHING, Parts
from ..anatomy.reducing import call_hook
from ..errors import Obstacle
from .engine import PRUNED
from .entering import Enter, begun, carry_out
from .frames import Frame
from .hastening import copy_now

__all__ = ["LiveMemo", "enter_by_deepcopy"]


_NOT_OURS: Any = None  # the hook makes the object, no call of ours


class LiveMemo(dict[Any, Any]):
    """The memo that ``__deepcopy__`` hooks get: its look-ups make the copy.

    It holds nothing itself; everything stands in the memo of the run. ``asked`` tells whether
    the hook made use of it.
    """

    def __init__(self, run: Any, owner: int) -> None:
        super().__init__()
        self._run = run
        self._owner = owner  # the id of the object whose hook has this memo
        self.asked = False

    def _find(self, key: Any, caller: Any) -> Any:
        if key == id(self):
            return self._run.keep
        self.asked = True
        run = self._run
        there = run.memo.get(key, NOTHING)
        if type(key) is not int or key == self._owner or (there is not NOTHING and key not in run.stack):
            return there
        # copy.deepcopy knows the object that it asks for by a local name; so do hooks that look for themselves.
        for value in list(caller.f_locals.values()):
            if id(value) == key:
                break
        else:
            return there
        if run.table[type(value)] is None:
            return value
        return self.make(value)

    def copied(self, value: Any) -> Any:
        """The copy of *value*: the one that there is, or a new one."""
        if self._run.table[type(value)] is None:
            return value
        there = self._run.memo.get(id(value), NOTHING)
        return self.make(value) if there is NOTHING or id(value) in self._run.stack else there

    def make(self, value: Any) -> Any:
        """Copy an object for a hook, within the running copy."""
        run = self._run
        self.asked = True
        try:
            new = copy_now(run, value)
        except Obstacle as obstacle:
            if obstacle.cause is None:
                raise
            # The hook sees what copy.deepcopy would show it: the error itself.
            run.raised[id(obstacle.cause)] = obstacle
            raise obstacle.cause from None
        return None if new is PRUNED else new

    def take_in(self) -> None:
        """Enter what C code has written past ``__setitem__``."""
        if dict.__len__(self):
            self.asked = True
            for key, value in dict.items(self):
                if key != id(self):
                    self._run.memo.setdefault(key, value)
            dict.clear(self)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the copy of the object with this id; it is made if need be."""
        found = self._find(key, sys._getframe(1))
        return default if found is NOTHING else found

    def __getitem__(self, key: Any) -> Any:
        found = self._find(key, sys._getframe(1))
        if found is NOTHING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return self._find(key, sys._getframe(1)) is not NOTHING

    def __setitem__(self, key: Any, value: Any) -> None:
        self.asked = True
        self._run.memo[key] = value
        self._run.keep.append(value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the copy with this id, or enter *default*."""
        found = self._find(key, sys._getframe(1))
        if found is NOTHING:
            self[key] = found = default
        return found

    def update(self, *others: Any, **entries: Any) -> None:
        """Enter several copies."""
        for key, value in dict(*others, **entries).items():
            self[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._run.memo[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Take an entry out of the memo."""
        return self._run.memo.pop(key, *default)

    def __len__(self) -> int:
        return len(self._run.memo)

    def __iter__(self) -> Any:
        return iter(self._run.memo)

    def __bool__(self) -> bool:
        return True

    def keys(self) -> Any:
        """The ids that are known."""
        return self._run.memo.keys()

    def values(self) -> Any:
        """The copies made so far."""
        return self._run.memo.values()

    def items(self) -> Any:
        """Ids and copies."""
        return self._run.memo.items()


def enter_by_deepcopy(cls: type, by_attributes: Callable[[], Any]) -> Enter:
    """The way in for a class with ``__deepcopy__``."""
    hook: Any = cls.__deepcopy__  # type: ignore[attr-defined]

    def enter(run: Any, obj: Any, key: int) -> Any:
        there = begun(run, key)
        if there is not NOTHING:
            return there
        memo = LiveMemo(run, key)
        frame = run.frames[key] = Frame(obj, key, Parts(_NOT_OURS))  # who refers back to it meanwhile waits here
        try:
            new = call_hook(run, obj, hook, memo)
        except Obstacle as obstacle:
            inner = run.raised.get(id(obstacle.cause))
            if inner is not None:
                raise inner from obstacle.cause
            raise
        run.keep.append((obj, new))
        memo.take_in()
        if not memo.asked and new is not obj:
            plain = by_attributes()
            outcome = plain.open(obj, run) if plain is not None else None
            if outcome is not None and any(run.table[type(child)] is not None for child in outcome.children()):
                run.note(obj, "copied by its attributes: its __deepcopy__ makes no use of the memo")
                del run.frames[key]
                return carry_out(run, obj, key, outcome)
        frame.finish_as(run, new)
        return new

    return enter
