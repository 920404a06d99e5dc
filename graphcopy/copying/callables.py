"""Fast ways in for functions, methods and partials: the common case without a frame.

Each returns what it can make at once from pieces that can be referred to already, and leaves the
rest (mutable defaults, rules on cells, a piece that is still in the making) to the general way in.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from ..anatomy.functions import is_importable
from ..anatomy.parts import NOTHING
from .engine import PENDING, Signal, Slots

__all__ = ["FAST_WAYS", "enter_cell"]

Enter = Callable[[Any, Any, int], Any]
_DEPTH = 40  # pieces that are callables themselves are made by recursion down to this depth

_CONTENTS: Any = types.CellType.__dict__["cell_contents"]
_CELL = ((_CONTENTS.__get__, _CONTENTS.__set__),)


def enter_cell(run: Any, obj: Any, key: int) -> Any:
    """Enter a cell: made empty, and filled when it comes off the stack."""
    there = run.memo.get(key)
    if there is not None:
        return there
    try:
        content = obj.cell_contents
    except ValueError:
        clone = types.CellType()
    else:
        if run.table[type(content)] is None:
            clone = types.CellType(content)
        else:
            clone = types.CellType()
            run.stack[key] = Slots(_CELL, obj, clone)
    run.memo[key] = clone
    run.keep.append(obj)
    return clone


def _function(general: Enter) -> Enter:
    def enter(run: Any, obj: types.FunctionType, key: int) -> Any:
        table = run.table
        closure, own = obj.__closure__, obj.__dict__
        for default in obj.__defaults__ or ():
            if table[type(default)] is not None:
                return general(run, obj, key)
        if obj.__kwdefaults__ or table[types.CellType] is not enter_cell:
            return general(run, obj, key)
        if (not closure and not own) or is_importable(obj):
            return obj
        memo, stack, keep = run.memo, run.stack, run.keep
        cells = []
        for cell in closure or ():
            cell_key = id(cell)
            new = memo.get(cell_key)
            if new is None:
                new = enter_cell(run, cell, cell_key)
            cells.append(new)
        clone = types.FunctionType(obj.__code__, obj.__globals__, obj.__name__, obj.__defaults__, tuple(cells) or None)
        clone.__qualname__ = obj.__qualname__
        if clone.__module__ is not obj.__module__:
            clone.__module__ = obj.__module__
        if clone.__doc__ is not obj.__doc__:
            clone.__doc__ = obj.__doc__
        group = tuple(map(id, closure or ()))
        if obj.__annotations__:
            clone.__annotations__ = annotations = obj.__annotations__.copy()
            group += (run.push(annotations),)
        if getattr(obj, "__type_params__", ()):  # Python 3.12
            clone.__type_params__ = obj.__type_params__
        if own:
            clone.__dict__ = own = own.copy()
            group += (run.push(own),)
        memo[key] = clone
        keep.append(obj)
        stack[key] = group
        return clone

    return enter


def _piece(run: Any, obj: Any) -> Any:
    """The copy of one piece, or PENDING."""
    enter = run.table[type(obj)]
    if enter is None:
        return obj
    key = id(obj)
    new = run.memo.get(key)
    if new is None:
        return enter(run, obj, key)
    stack = run.stack
    if key in stack:
        stack[key] = stack.pop(key)
    return new


def _pieces(run: Any, pieces: Any) -> list[Any] | None:
    """The copies of all pieces; None when one is pending or pruned, or the nesting is deep."""
    if run.depth >= _DEPTH:
        return None
    run.depth += 1
    try:
        found = []
        for piece in pieces:
            new = _piece(run, piece)
            if new.__class__ is Signal:
                return None
            found.append(new)
        return found
    finally:
        run.depth -= 1


def _finish(run: Any, obj: Any, key: int, clone: Any, pieces: tuple[Any, ...]) -> Any:
    there = run.memo.get(key, NOTHING)  # a cycle through one of the pieces may have made it
    if there is not NOTHING:
        return there
    run.memo[key] = clone
    run.keep.append(obj)
    run.stack[key] = tuple(map(id, pieces))
    return clone


def _method(general: Enter) -> Enter:
    def enter(run: Any, obj: types.MethodType, key: int) -> Any:
        if key in run.frames:
            return PENDING
        pieces = (obj.__func__, obj.__self__)
        new = _pieces(run, pieces)
        if new is None:
            return general(run, obj, key)
        if new[0] is pieces[0] and new[1] is pieces[1]:
            return obj
        return _finish(run, obj, key, types.MethodType(*new), pieces)

    return enter


def _partial(general: Enter) -> Enter:
    def enter(run: Any, obj: functools.partial[Any], key: int) -> Any:
        if key in run.frames:
            return PENDING
        keywords = obj.keywords
        if vars(obj):
            return general(run, obj, key)
        pieces = (obj.func, *obj.args, *keywords.values())
        new = _pieces(run, pieces)
        if new is None:
            return general(run, obj, key)
        positional = new[: len(pieces) - len(keywords)]
        clone = functools.partial(*positional, **dict(zip(keywords, new[len(positional) :])))
        if clone.func is not new[0]:  # partial of a partial is flattened: keep the nesting
            return general(run, obj, key)
        return _finish(run, obj, key, clone, pieces)

    return enter


FAST_WAYS: dict[type, Callable[[Enter], Enter]] = {
    types.FunctionType: _function,
    types.MethodType: _method,
    types.CellType: lambda general: enter_cell,
    functools.partial: _partial,
}
"""Type to a function that makes its fast way in from the general one."""
