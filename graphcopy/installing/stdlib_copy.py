"""Make copy.deepcopy ask about each type, and leave copy.copy as it is.

This is the one file that touches what is private to CPython's ``copy``.

``deepcopy`` looks for a type in ``copy._deepcopy_dispatch`` first, before ``__deepcopy__`` and ``copyreg``. It finds
the table as a global of its module, so a function that was imported long ago (``from copy import deepcopy``) sees it
too. The table is replaced by a dict that resolves a type when it is first asked about it. CPython 3.10 to 3.13 do this
alike (Lib/copy.py); where ``deepcopy`` is another function, ``check`` says so.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

from ..anatomy.reducers import Beneath

__all__ = ["DispatchTable", "Ours", "Resolve", "asked_by_copy", "check", "obey", "plain_deepcopy", "shield", "unshield"]

_TABLE = "_deepcopy_dispatch"
_SHALLOW = "_copy_dispatch"
_CLASSES = 4096  # that a table remembers: classes made at run time must be free to die
_ABSENT = object()


class Ours:
    """The base of what stands in the table for a type that rules match."""

    __slots__ = ()

    def __call__(self, one: Any, other: Any) -> Any:
        """Do what the library calls it for."""
        raise NotImplementedError


Resolve = Callable[[type], Ours | None]


class DispatchTable(dict[type, Any]):
    """The table that was there (``beneath``), and in front of it what *resolve* answers for a type.

    To all but ``get`` it is the table beneath: who looks in, sees that one, and who registers a copier does so in that
    one, where it stays. Such a copier is the latest word, and goes before the rules.
    """

    __slots__ = ("_known", "_later", "_resolve", "beneath", "get")

    def __init__(self, beneath: dict[type, Any], resolve: Resolve) -> None:
        super().__init__(beneath)
        self.beneath = beneath
        self._later: dict[type, Any] = {}  # what somebody else registered since, to what was there before
        self._known = known = dict[type, Any]()

        # No method, as each call of deepcopy makes this one: it must cost next to nothing.
        def get(cls: type, default: Any = None) -> Any:
            try:
                return known[cls] or default
            except KeyError:
                return self._find(cls) or default

        self.get = get  # type: ignore[assignment, method-assign]
        self.ask(resolve)

    def ask(self, resolve: Resolve) -> None:
        """Resolve types by *resolve* from now on."""
        self._resolve = resolve
        self._known.clear()

    def _find(self, cls: type) -> Any:
        resolve, known = self._resolve, self._known
        found = None if cls in self._later else resolve(cls)
        if found is None:
            found = self.beneath.get(cls)
        if len(known) >= _CLASSES:
            known.clear()
        if resolve is self._resolve:  # another thread may have changed it meanwhile
            known[cls] = found
        return found

    def __setitem__(self, cls: type, copier: Any) -> None:
        if not isinstance(copier, Ours):
            self._later.setdefault(cls, self.beneath.get(cls, _ABSENT))
            self.beneath[cls] = copier
            super().__setitem__(cls, copier)
        elif cls in self._later:  # somebody puts back what he found here: what stood beneath it goes back too
            before = self._later.pop(cls)
            if before is _ABSENT:
                self.beneath.pop(cls, None)
                super().pop(cls, None)
            else:
                self.beneath[cls] = before
                super().__setitem__(cls, before)
        self._known.pop(cls, None)

    def __delitem__(self, cls: type) -> None:
        del self.beneath[cls]
        super().pop(cls, None)
        self._later.pop(cls, None)
        self._known.pop(cls, None)

    def pop(self, cls: type, *default: Any) -> Any:
        """Take a copier out of the table beneath."""
        found = self.beneath.get(cls, _ABSENT)
        if found is _ABSENT:
            return dict[Any, Any]().pop(cls, *default)  # the default, or KeyError
        del self[cls]
        return found

    def setdefault(self, cls: type, default: Any = None) -> Any:
        """Return the copier beneath, or register *default* there."""
        if cls not in self.beneath:
            self[cls] = default
        return self.beneath.get(cls)

    def update(self, *others: Any, **more: Any) -> None:
        """Register several copiers."""
        for cls, copier in dict(*others, **more).items():
            self[cls] = copier

    def __ior__(self, other: Any) -> DispatchTable:  # type: ignore[misc, override]
        self.update(other)
        return self

    def popitem(self) -> tuple[type, Any]:
        """Take out the copier that was registered last."""
        cls, copier = self.beneath.popitem()
        self.beneath[cls] = copier
        del self[cls]
        return cls, copier

    def clear(self) -> None:
        """Take all copiers out of the table beneath."""
        for cls in list(self.beneath):
            del self[cls]


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
    there = vars(copy).get(_TABLE)
    if _current is not None and there is not _current:
        # Somebody has put a table of his own in the place of ours; it may still lead to ours, which asks nobody now.
        _current.ask(_nobody)
        _current = None
    if resolve is None:
        if _current is not None:
            setattr(copy, _TABLE, _current.beneath)
            _current.ask(_nobody)
            _current = None
    elif _current is not None:
        _current.ask(resolve)
    else:
        check()
        _deepcopy = copy.deepcopy
        _current = DispatchTable(there, resolve)  # type: ignore[arg-type]
        setattr(copy, _TABLE, _current)


def _nobody(cls: type) -> None:
    return None


class _TableBeneath:
    """What stood in the table of copy.deepcopy, whether it is replaced just now or not."""

    __slots__ = ()

    def get(self, cls: type) -> Any:
        table = vars(copy)[_TABLE]
        return (table.beneath if isinstance(table, DispatchTable) else table).get(cls)


def _beside(function: Any, **own: Any) -> Any:
    """The same code with globals of its own."""
    new = FunctionType(
        function.__code__, {**function.__globals__, **own}, function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip
    new.__kwdefaults__ = function.__kwdefaults__
    return new


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
