"""Fast ways in for functions, methods and partials: the common case without a frame.

Each returns what it can make at once from pieces that can be referred to already, and leaves the
rest (mutable defaults, rules on cells, a piece that is still in the making) to the general way in.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from ..anatomy.functions import bind_method, is_importable, taken_over
from .engine import PENDING, Signal, clone_dict, clone_list

__all__ = ["FAST_WAYS", "enter_cell"]

Enter = Callable[[Any, Any, int], Any]
_HAS_TYPE_PARAMS = sys.version_info >= (3, 12)
_Cell, _Function = types.CellType, types.FunctionType
_LEAF = 8  # items of a container that is looked through before it is laid on the stack
_DEPTH = 40  # pieces that are callables themselves are made by recursion down to this depth


def enter_cell(run: Any, obj: Any, key: int) -> Any:
    """Enter a cell: a clone around the same content, which is patched when it comes off the stack."""
    there = run.memo.get(key)
    if there is not None:
        return there
    try:
        content = obj.cell_contents
    except ValueError:
        clone = _Cell()
    else:
        clone = _Cell(content)
        if run.table[type(content)] is not None:
            run.stack[key] = clone
    run.memo[key] = clone
    run.keep.append(obj)
    return clone


def _function(general: Enter) -> Enter:
    def enter(run: Any, obj: types.FunctionType, key: int) -> Any:
        closure, own, defaults, name = obj.__closure__, obj.__dict__, obj.__defaults__, obj.__qualname__
        table = run.table
        if obj.__kwdefaults__ or table[_Cell] is not enter_cell or (own and taken_over(own)):
            return general(run, obj, key)
        group: tuple[int, ...] = ()
        if defaults:
            for default in defaults:
                if table[type(default)] is not None:
                    found = None if _is_shared(obj, name) else _pieces(run, defaults)
                    if found is None:
                        return general(run, obj, key)
                    group = tuple(map(id, defaults))
                    defaults = tuple(found)
                    break
        if not closure and not own and not group:
            return obj
        if "<" not in name and is_importable(obj):
            return obj
        memo = run.memo
        if group:
            there = memo.get(key)  # a cycle through a default may have made it
            if there is not None or key in run.frames:
                return there if there is not None else PENDING
        keep = run.keep
        cells: Any = None
        if closure:
            known, stack, cells = memo.get, run.stack, []
            for cell in closure:  # as enter_cell does; a call for each would cost as much as all the rest
                cell_key = id(cell)
                new = known(cell_key)
                if new is None:
                    try:
                        content = cell.cell_contents
                    except ValueError:
                        new = _Cell()
                    else:
                        enter = table[type(content)]
                        done = content if enter is None else _leaf(run, content, enter)
                        if done is not None or enter is None:
                            new = _Cell(done)
                        else:
                            new = stack[cell_key] = _Cell(content)
                            group = (*group, cell_key)
                    memo[cell_key] = new
                    keep.append(cell)
                elif cell_key in stack:
                    group = (*group, cell_key)
                cells.append(new)
            cells = tuple(cells)
        clone = _Function(obj.__code__, obj.__globals__, obj.__name__, defaults, cells)
        if clone.__qualname__ is not name:
            clone.__qualname__ = name
        if clone.__module__ is not obj.__module__:
            clone.__module__ = obj.__module__
        if clone.__doc__ is not obj.__doc__:
            clone.__doc__ = obj.__doc__
        annotations = obj.__annotations__
        if annotations:
            clone.__annotations__ = annotations = annotations.copy()
            group += (run.push(annotations),)
        if _HAS_TYPE_PARAMS and obj.__type_params__:  # type: ignore[attr-defined]
            clone.__type_params__ = obj.__type_params__  # type: ignore[attr-defined]
        if own:
            clone.__dict__ = own = own.copy()
            group += (run.push(own),)
        memo[key] = clone
        keep.append(obj)
        if group:
            run.stack[key] = group
        return clone

    return enter


def _leaf(run: Any, obj: Any, enter: Any) -> Any:
    """The copy of a small list or dict that holds nothing but atoms, complete at once; None for any other.

    Closures over counters, caches and options are common: neither they nor their cells need the stack.
    """
    key = id(obj)
    if (enter is not clone_list and enter is not clone_dict) or len(obj) > _LEAF or key in run.memo:
        return None
    clone = obj.copy()  # first: another thread may change the original
    table = run.table
    for child in clone if enter is clone_list else clone.values():
        if table[type(child)] is not None:
            return None
    if enter is clone_dict:
        for name in clone:
            if type(name) is not str:
                return None
    run.memo[key] = clone
    run.keep.append(obj)
    return clone


def _is_shared(obj: types.FunctionType, name: str) -> bool:
    return "<" not in name and is_importable(obj)


def _pieces(run: Any, pieces: Any) -> list[Any] | None:
    """The copies of all pieces; None when one is pending or pruned, or the nesting is deep."""
    if run.depth >= _DEPTH:
        return None
    run.depth += 1
    table, memo, stack = run.table, run.memo, run.stack
    try:
        found = []
        for piece in pieces:
            enter = table[type(piece)]
            if enter is not None:
                key = id(piece)
                new = memo.get(key)
                if new is None:
                    piece = enter(run, piece, key)
                    if type(piece) is Signal:
                        return None
                else:
                    piece = new
                    if key in stack:
                        stack[key] = stack.pop(key)
            found.append(piece)
        return found
    finally:
        run.depth -= 1


def _finish(run: Any, obj: Any, key: int, clone: Any, pieces: Sequence[Any]) -> Any:
    memo, stack = run.memo, run.stack
    there = memo.get(key)  # a cycle through one of the pieces may have made it
    if there is not None:
        return there
    memo[key] = clone
    run.keep.append(obj)
    group: tuple[int, ...] = ()
    for piece in pieces:
        if id(piece) in stack:
            group = (*group, id(piece))
    if group:
        stack[key] = group
    return clone


def _method(general: Enter) -> Enter:
    def enter(run: Any, obj: types.MethodType, key: int) -> Any:
        if run.frames and key in run.frames:
            return PENDING
        pieces = (obj.__func__, obj.__self__)
        new = _pieces(run, pieces)
        if new is None:
            return general(run, obj, key)
        if new[0] is pieces[0] and new[1] is pieces[1]:
            return obj
        return _finish(run, obj, key, bind_method(*new), pieces)

    return enter


def _partial(general: Enter) -> Enter:
    def enter(run: Any, obj: functools.partial[Any], key: int) -> Any:
        if run.frames and key in run.frames:
            return PENDING
        # Asked for its state, since who asks for its __dict__ gives it one.
        state: Any = obj.__reduce__()[2]
        func, args, keywords, own = state
        if own:
            return general(run, obj, key)
        pieces = (func, *args, *keywords.values()) if keywords else (func, *args)
        new: Any = _pieces(run, pieces)
        if new is None:
            return general(run, obj, key)
        if keywords:
            count = len(pieces) - len(keywords)
            clone = functools.partial(*new[:count], **dict(zip(keywords, new[count:])))
        else:
            clone = functools.partial(*new)
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
