"""Make copy.deepcopy ask about each type, and leave copy.copy as it is.

This is the one file that touches what is private to CPython's ``copy``.

``deepcopy`` looks for a type in ``copy._deepcopy_dispatch`` first, before ``__deepcopy__`` and ``copyreg``. It finds
the table as a global of its module, so a function that was imported long ago (``from copy import deepcopy``) sees it
too. The table is replaced by a dict that resolves a type when it is first asked about it. CPython 3.10 to 3.13 do this
alike (Lib/copy.py); where ``deepcopy`` is another function, ``check`` says so.
"""

from __future__ import annotations

import copy
import sys
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any

from ..anatomy.reducers import Beneath
from .tables import DispatchTable, Resolve

__all__ = ["asked_by_copy", "check", "deepcopied", "deepcopied_root", "obey", "plain_deepcopy", "shield", "unshield"]

_TABLE = "_deepcopy_dispatch"
_SHALLOW = "_copy_dispatch"


class _Quick(dict[type, Any]):
    """What copy.deepcopy itself sees of a table: its look-up, which is a function in C.

    That one costs next to nothing, but does not know a default. All others see the table: see ``_Module``.
    """

    __slots__ = ("get", "table")

    def __init__(self, table: DispatchTable) -> None:
        super().__init__()
        self.table = table
        self.get = table.lookup  # type: ignore[assignment, method-assign]


class _Module(ModuleType):
    """The module ``copy`` while rules are installed: who asks it for the table gets the one with all methods."""

    @property
    def _deepcopy_dispatch(self) -> Any:
        there = vars(self)[_TABLE]
        return there.table if isinstance(there, _Quick) else there

    @_deepcopy_dispatch.setter
    def _deepcopy_dispatch(self, table: Any) -> None:
        there = vars(self)[_TABLE]
        if not isinstance(there, _Quick) or table is not there.table:
            vars(self)[_TABLE] = table


def _there() -> Any:
    """The table that copy.deepcopy looks into, as others see it."""
    there = vars(copy).get(_TABLE)
    return there.table if isinstance(there, _Quick) else there


def check() -> None:
    """Raise RuntimeError when copy.deepcopy does not ask the table that this file knows."""
    code = getattr(copy.deepcopy, "__code__", None)
    if code is None or _TABLE not in code.co_names or copy.deepcopy.__globals__ is not vars(copy):
        raise RuntimeError(
            f"rules cannot be installed for copy.deepcopy: {copy.deepcopy!r} does not look into copy.{_TABLE} as "
            "CPython's own does (it was replaced, or this Python is not known). Use graphcopy.copy(obj, rules=...), or "
            "__deepcopy__ = graphcopy.deepcopy_method(rules) in the class"
        )
    if not isinstance(vars(copy).get(_TABLE), dict):
        raise RuntimeError(f"rules cannot be installed for copy.deepcopy: copy.{_TABLE} is no dict any more")


_current: DispatchTable | None = None
_deepcopy: Any = copy.deepcopy  # the function that looks into the table


def obey(resolve: Resolve | None) -> None:
    """Let copy.deepcopy ask *resolve* about each type; None puts back the table that was there.

    Whoever calls this holds the lock of ``installation``.
    """
    global _current, _deepcopy
    there = _there()
    if _current is not None and there is not _current:
        # Somebody has put a table of his own in the place of ours; it may still lead to ours, which asks nobody now.
        _current.ask(_nobody)
        _current = None
    if resolve is None:
        if _current is not None:
            vars(copy)[_TABLE] = _current.beneath
            _current.ask(_nobody)
            _current = None
        if type(copy) is _Module:
            copy.__class__ = ModuleType  # type: ignore[assignment]
    elif _current is not None:
        _current.ask(resolve)
    else:
        check()
        _deepcopy = copy.deepcopy
        _current = DispatchTable(there, resolve)
        plain = type(copy) in (ModuleType, _Module)  # else somebody has the same idea: the slower table will do
        vars(copy)[_TABLE] = _Quick(_current) if plain else _current
        if plain:
            copy.__class__ = _Module


def _nobody(cls: type) -> None:
    return None


class _TableBeneath:
    """What stood in the table of copy.deepcopy, whether it is replaced just now or not."""

    __slots__ = ()

    def get(self, cls: type) -> Any:
        table = _there()
        return (table.beneath if isinstance(table, DispatchTable) else table).get(cls)


def _beside(function: Any, **own: Any) -> Any:
    """The same code with globals of its own."""
    new = FunctionType(
        function.__code__, {**function.__globals__, **own}, function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip
    new.__kwdefaults__ = function.__kwdefaults__
    return new


def deepcopied_root(memo: Any) -> Any:
    """What the outermost copy.deepcopy that works with *memo* just now was called for; None when there is none."""
    root, frame = None, sys._getframe(1)
    while frame is not None:
        if frame.f_code is _deepcopy.__code__ and frame.f_locals.get("memo") is memo:
            root = frame.f_locals.get("x")
        frame = frame.f_back  # type: ignore[assignment]
    return root


def deepcopied(obj: Any, memo: Any) -> Any:
    """Deep-copy *obj* into *memo*, as copy.deepcopy does it now."""
    return _deepcopy(obj, memo)


def asked_by_copy(frame: Any) -> bool:
    """Tell whether *frame*, which has called a ``__reduce_ex__``, is one of copy.copy or copy.deepcopy."""
    return frame.f_globals.get("__name__") == "copy" and frame.f_code.co_name in ("copy", "deepcopy")


@lru_cache(maxsize=2)
def _without_ours(function: Any) -> Any:
    return _beside(function, **{_TABLE: _TableBeneath(), "dispatch_table": Beneath()})


def plain_deepcopy(obj: Any, memo: Any) -> Any:
    """Deep-copy *obj* as copy.deepcopy would without the rules; its parts are copied with them."""
    return _without_ours(_deepcopy)(obj, memo)


class _AsBefore:
    """Stands in the table of copy.copy for a class that has a reducer of ours: copies as without it."""

    __slots__ = ()

    def __call__(self, obj: Any) -> Any:
        return _shallow(copy.copy)(obj)


_as_before = _AsBefore()


class _ShallowBeneath:
    """The table of copy.copy without what is ours."""

    __slots__ = ()

    def get(self, cls: type) -> Any:
        found = vars(copy)[_SHALLOW].get(cls)
        return None if found is _as_before else found


@lru_cache(maxsize=2)
def _shallow(function: Any) -> Any:
    return _beside(function, **{_SHALLOW: _ShallowBeneath(), "dispatch_table": Beneath()})


def shield(cls: type) -> None:
    """Let copy.copy go on as before for *cls*, for which ``copyreg`` has a reducer of ours."""
    code = getattr(copy.copy, "__code__", None)
    if code is not None and _SHALLOW in code.co_names:
        vars(copy)[_SHALLOW].setdefault(cls, _as_before)


def unshield(cls: type) -> None:
    """Take back what ``shield`` has done."""
    table = vars(copy)[_SHALLOW]
    if table.get(cls) is _as_before:
        del table[cls]
