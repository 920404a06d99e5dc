"""The hot loop: patch shallow clones until no original is left in them.

Every list, dict and instance is cloned whole when it is first met, entered in the memo, and put on
the stack; when it comes off the stack, each child that is no atom is replaced by its own clone. So
there is no recursion, and depth costs nothing. What needs finished children before it can be made
or filled (a reduce call, ``__setstate__``, a set whose members are hashed) is a *frame*: it lies on
the stack below its pieces and takes its next step when it comes up again.

The stack is a dict from id(original) to the clone, and ``popitem`` takes from its end: so it also
answers "is this one still waiting?", and a clone that is needed by a later frame can be moved to
the top. That keeps the order of a depth-first search, which user code relies on: when a frame takes
its step, all that is reachable from its pieces is complete, but for cycles through itself. An
object that lays several things on the stack leaves a tuple of their keys under its own id, so that
they move together.

This file is the one seam behind which a compiled loop may stand later. It knows nothing of types:
``run.table`` maps a type to None (an atom) or to a function ``enter(run, obj, id)`` that returns the
clone, or a Signal.
"""

from __future__ import annotations

from types import CellType
from typing import Any, Final

__all__ = ["FLOOR", "PENDING", "PRUNED", "Signal", "Slots", "clone_dict", "clone_list", "drain"]


class Signal:
    """What ``enter`` returns when there is no clone to put in place."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


PENDING: Final = Signal("PENDING")  # it is being made; the slot is filled when it is there
PRUNED: Final = Signal("PRUNED")  # a rule cuts the reference
FLOOR: Final = Signal("FLOOR")  # lies on the stack where a nested drain has to stop


class Slots:
    """A slotted instance on the stack: (get, set) pairs, the original and its clone."""

    __slots__ = ("clone", "members", "original")

    def __init__(self, members: Any, original: Any, clone: Any) -> None:
        self.members = members
        self.original = original
        self.clone = clone

    def __setitem__(self, put: Any, value: Any) -> None:
        put(self.clone, value)


class Content:
    """A cell as a container of one, for those who wait."""

    __slots__ = ("cell",)

    def __init__(self, cell: CellType) -> None:
        self.cell = cell

    def __setitem__(self, place: int, value: Any) -> None:
        self.cell.cell_contents = value


def clone_list(run: Any, obj: Any, key: int) -> Any:
    """Enter a list: a shallow clone, on the stack when it is not empty."""
    clone = obj[:]
    run.memo[key] = clone
    run.keep.append(obj)
    if clone:
        run.stack[key] = clone
    return clone


def clone_dict(run: Any, obj: Any, key: int) -> Any:
    """Enter a dict: a shallow clone, on the stack when it is not empty."""
    clone = obj.copy()
    run.memo[key] = clone
    run.keep.append(obj)
    if clone:
        run.stack[key] = clone
    return clone


def drain(run: Any) -> None:
    """Work off the stack down to the next FLOOR."""
    table = run.table
    memo = run.memo
    pending, pruned = PENDING, PRUNED  # told by identity: asking an object for its class may run a property
    known = memo.get
    stack = run.stack
    take = stack.popitem
    keep = run.keep.append
    while True:
        top, clone = take()
        kind = type(clone)
        if kind is dict:
            cut = keyed = None
            for name, child in clone.items():
                if type(name) is not str and table[type(name)] is not None:
                    keyed = True
                    break
                enter = table[type(child)]
                if enter is None:
                    continue
                key = id(child)
                new = known(key)
                if new is None:
                    if enter is clone_dict:
                        new = child.copy()
                        memo[key] = new
                        keep(child)
                        if new:
                            stack[key] = new
                    elif enter is clone_list:
                        new = child[:]
                        memo[key] = new
                        keep(child)
                        if new:
                            stack[key] = new
                    else:
                        new = enter(run, child, key)
                        if new is pending or new is pruned:
                            if new is PRUNED:
                                cut = [name] if cut is None else [*cut, name]
                                continue
                            run.wait(key, clone, name)
                            new = PENDING
                elif key in stack:
                    stack[key] = stack.pop(key)
                clone[name] = new
            if keyed:
                run.rekey(top, clone)
            if cut is not None:
                for name in cut:
                    del clone[name]
        elif kind is list:
            for place, child in enumerate(clone):
                enter = table[type(child)]
                if enter is None:
                    continue
                key = id(child)
                new = known(key)
                if new is None:
                    if enter is clone_dict:
                        new = child.copy()
                        memo[key] = new
                        keep(child)
                        if new:
                            stack[key] = new
                    elif enter is clone_list:
                        new = child[:]
                        memo[key] = new
                        keep(child)
                        if new:
                            stack[key] = new
                    else:
                        new = enter(run, child, key)
                        if new is pending or new is pruned:
                            if new is PENDING:
                                run.wait(key, clone, place)
                            else:
                                new = run.cut_from(top, new)
                elif key in stack:
                    stack[key] = stack.pop(key)
                clone[place] = new
        elif kind is tuple:  # a group: what one object laid on the stack goes to the top together
            for key in clone:
                if key in stack:
                    stack[key] = stack.pop(key)
        elif kind is CellType:
            child = clone.cell_contents
            key = id(child)
            new = known(key)
            if new is None:
                new = table[type(child)](run, child, key)
                if new is pending or new is pruned:
                    if new is PENDING:
                        run.wait(key, Content(clone), 0)
                    new = None
            elif key in stack:
                stack[key] = stack.pop(key)
            clone.cell_contents = new
        elif kind is Slots:
            original, target = clone.original, clone.clone
            for get, put in clone.members:
                try:
                    child = get(original)
                except AttributeError:
                    continue  # an unset slot stays unset
                enter = table[type(child)]
                if enter is not None:
                    key = id(child)
                    new = known(key)
                    if new is None:
                        new = enter(run, child, key)
                        if new is pending or new is pruned:
                            if new is PENDING:
                                run.wait(key, clone, put)
                            continue
                    elif key in stack:
                        stack[key] = stack.pop(key)
                    child = new
                put(target, child)
        elif clone is FLOOR:
            return
        else:
            clone.step(run)
