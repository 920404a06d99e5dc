"""Classes with a ``__deepcopy__`` of their own.

The hook gets a memo that is a dict by type but looks into the running copy: what it asks for by
``copy.deepcopy(child, memo)`` is copied by the same rules, once. A hook that never looks into the
memo although its object holds others was written without one; what it returns would lose aliases,
so it is thrown away and the object is copied by its attributes.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

from ..anatomy.parts import NOTHING, Outcome, Parts
from ..anatomy.reducing import Guard, type_hook
from ..errors import Obstacle
from .engine import FLOOR, PENDING, PRUNED, drain
from .entering import Enter, begun, carry_out, opened
from .frames import Frame
from .hastening import copy_now
from .unwinding import Mark

__all__ = ["DeepCopied", "LiveMemo", "enter_by_deepcopy"]


_NOT_OURS: Any = None  # the hook makes the object, no call of ours


class LiveMemo(dict[Any, Any]):
    """The memo that ``__deepcopy__`` hooks get: its look-ups make the copy.

    It holds nothing itself; everything stands in the memo of the run. ``asked`` tells whether
    the hook made use of it.
    """

    def __init__(self, run: Any, owner: int) -> None:
        super().__init__()
        self.run = run
        self._owner = owner  # the id of the object whose hook has this memo
        self.asked = False

    def copied(self, value: Any) -> Any:
        """The copy of *value*: the one that there is, or a new one."""
        if self.run.table[type(value)] is None:
            return value
        there = self.run.memo.get(id(value), NOTHING)
        return self.make(value) if there is NOTHING or id(value) in self.run.stack else there

    def make(self, value: Any) -> Any:
        """Copy an object for a hook, within the running copy."""
        run = self.run
        self.asked = True
        try:
            new = copy_now(run, value)
        except Obstacle as obstacle:
            self._show(obstacle)
            raise
        return None if new is PRUNED else new

    def made(self, obj: Any, outcome: Outcome) -> Any:
        """Make the copy of the object whose hook is running, from *outcome*: the hook gives it back."""
        run, key = self.run, id(obj)
        self.asked = True
        waiting = run.frames.pop(key, None)
        mark = Mark(run, run.push(FLOOR))
        try:
            new = carry_out(run, obj, key, outcome)
            drain(run)
            new = run.memo[key] if new is PENDING else new
        except BaseException as error:
            run.failed(mark, error)
            self._show(error)
            raise
        finally:
            if waiting is not None:
                run.frames.setdefault(key, waiting)
        return new

    def _show(self, error: BaseException) -> None:
        """Raise what copy.deepcopy would raise in the hook: the error itself, not where it came from."""
        if isinstance(error, Obstacle) and error.cause is not None:
            self.run.raised[id(error.cause)] = error
            raise error.cause from None

    def take_in(self) -> None:
        """Enter what C code has written past ``__setitem__``."""
        if dict.__len__(self):
            self.asked = True
            for key, value in dict.items(self):
                if key != id(self):
                    self.run.memo.setdefault(key, value)
            dict.clear(self)

    def get(self, key: Any, default: Any = None, *, caller: Any = None) -> Any:
        """Return the copy of the object with this id; it is made if need be.

        All in one function, since hooks nest: each call of Python's counts against the recursion limit.
        """
        if key == id(self):
            return self.run.keep
        self.asked = True
        run = self.run
        there = run.memo.get(key, default)
        if type(key) is not int or key == self._owner or (key in run.memo and key not in run.stack):
            return there
        # copy.deepcopy knows the object that it asks for by a local name; so do hooks that look for themselves.
        for value in list((caller or sys._getframe(1)).f_locals.values()):
            if id(value) == key:
                break
        else:
            return there
        enter = run.table[type(value)]
        if enter is None:
            return value
        if key in run.memo or key in run.frames:
            return self.make(value)
        mark = Mark(run, run.push(FLOOR))
        try:
            new = enter(run, value, key)
            drain(run)
            if new is PENDING:
                new = self.make(value)
        except BaseException as error:
            run.failed(mark, error)
            self._show(error)
            raise
        return None if new is PRUNED else new

    def __getitem__(self, key: Any) -> Any:
        found = self.get(key, NOTHING, caller=sys._getframe(1))
        if found is NOTHING:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return self.get(key, NOTHING, caller=sys._getframe(1)) is not NOTHING

    def __setitem__(self, key: Any, value: Any) -> None:
        self.asked = True
        self.run.memo[key] = value
        self.run.keep.append(value)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the copy with this id, or enter *default*."""
        found = self.get(key, NOTHING, caller=sys._getframe(1))
        if found is NOTHING:
            self[key] = found = default
        return found

    def update(self, *others: Any, **entries: Any) -> None:
        """Enter several copies."""
        for key, value in dict(*others, **entries).items():
            self[key] = value

    def __delitem__(self, key: Any) -> None:
        del self.run.memo[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Take an entry out of the memo."""
        return self.run.memo.pop(key, *default)

    def __len__(self) -> int:
        return len(self.run.memo)

    def __iter__(self) -> Any:
        return iter(self.run.memo)

    def __bool__(self) -> bool:
        return True

    def keys(self) -> Any:
        """The ids that are known."""
        return self.run.memo.keys()

    def values(self) -> Any:
        """The copies made so far."""
        return self.run.memo.values()

    def items(self) -> Any:
        """Ids and copies."""
        return self.run.memo.items()


class DeepCopied:
    """Makes the copy of an object by its own hook, where a plan has nothing else to say of it."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def __call__(self) -> Any:
        return copy.deepcopy(self.obj)


def enter_by_deepcopy(cls: type, by_attributes: Callable[[], Any]) -> Enter:
    """The way in for a class with ``__deepcopy__``."""
    hook = type_hook(cls, "__deepcopy__")
    inherited = not hasattr(hook, "__globals__") and "__deepcopy__" not in cls.__dict__ and bool(cls.__flags__ & 1 << 9)
    bind = getattr(type(hook), "__get__", None)  # as Python does for special methods: also a classmethod works

    def enter(run: Any, obj: Any, key: int) -> Any:
        there = begun(run, key)
        if there is not NOTHING:
            return there
        memo = LiveMemo(run, key)
        frame = run.frames[key] = Frame(obj, key, Parts(_NOT_OURS))  # who refers back to it meanwhile waits here
        guard = Guard(obj)
        try:
            new = (hook if bind is None else bind(hook, obj, cls))(memo)
        except Obstacle:
            raise
        except BaseException as error:
            raise run.raised.get(id(error)) or Obstacle.caused_by(obj, hook, error) from error
        finally:
            if guard.restore():
                run.note_touched(cls, hook)
        run.keep.append((obj, new))
        memo.take_in()
        if inherited and type(new) is not cls:
            # A hook in C that knows its own class only (array.array, xml's Element) makes an object of that one.
            del run.frames[key]
            run.note(obj, "copied past the __deepcopy__ of a base class, which makes an object of that class")
            return carry_out(run, obj, key, opened(by_attributes(), obj, run))
        if not memo.asked and new is not obj and type(new) is cls:
            plain = by_attributes()
            outcome = opened(plain, obj, run) if plain is not None else None
            if isinstance(outcome, Parts) and any(run.table[type(child)] is not None for child in outcome.children()):
                run.note(obj, "copied by its attributes: its __deepcopy__ makes no use of the memo")
                del run.frames[key]
                return carry_out(run, obj, key, outcome)
        frame.finish_as(run, new)
        return new

    return enter
