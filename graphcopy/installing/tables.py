"""A table from types to functions, with rules in front of the table that was there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["DispatchTable", "Ours", "Resolve"]

_CLASSES = 4096  # that a table remembers: classes made at run time must be free to die
_ABSENT = object()


class Ours:
    """The base of what stands in the table for a type that rules match."""

    __slots__ = ()

    def __call__(self, one: Any, other: Any) -> Any:
        """Do what the library calls it for."""
        raise NotImplementedError


Resolve = Callable[[type], Ours | None]


class _Known(dict[type, Any]):
    """What was found for a type; an unknown one is looked for."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[type], Any]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, cls: type) -> Any:
        return self._find(cls)


class DispatchTable(dict[type, Any]):
    """The table that was there (``beneath``), and in front of it what *resolve* answers for a type.

    To all but ``get`` it is the table beneath: who looks in, sees that one, and who registers a copier does so in that
    one, where it stays. Such a copier is the latest word, and goes before the rules.
    """

    __slots__ = ("_known", "_later", "_resolve", "beneath", "lookup")

    def __init__(self, beneath: dict[type, Any], resolve: Resolve) -> None:
        super().__init__(beneath)
        self.beneath = beneath
        self._later: dict[type, Any] = {}  # what somebody else registered since, to what was there before
        self._known = _Known(self._find)
        self.lookup = self._known.__getitem__
        self.ask(resolve)

    def get(self, cls: type, default: Any = None) -> Any:
        """What is to be called for objects of *cls*."""
        return self._known[cls] or default

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
