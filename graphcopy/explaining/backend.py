"""What the backends have in common: a table from types to how the tool takes their objects apart.

A backend looks like a policy to the walk. It follows the edges that the tool itself would follow,
and never runs the tool on a part: that would take quadratic time, and a failed deep copy of a
half-understood object can take its original with it.
"""

from __future__ import annotations

import copyreg
from typing import Any

from ..anatomy.instances import layout_of
from ..anatomy.parts import Outcome, Parts, Refused
from ..anatomy.reducing import type_hook
from ..anatomy.registry import Anatomy
from ..cutting import Cutting
from ..resolving import attributes_anatomy
from .boundaries import boundary_of, is_boundary

__all__ = ["Backend", "in_its_words"]


_HOOKS = (
    "__deepcopy__", "__reduce_ex__", "__reduce__", "__getstate__", "__setstate__", "__getnewargs__",
    "__getnewargs_ex__", "__new__", "__getattr__", "__getattribute__",
)  # fmt: skip


class Backend:
    """One tool, as the walk sees it."""

    name = ""
    rules: tuple[Any, ...] = ()

    def __init__(self) -> None:
        self.cutting = Cutting(())  # no tool is told to leave references out
        self._known: dict[type, Anatomy | None] = {}
        self.found_out: dict[Any, Any] = {}  # once for a class

    def anatomy(self, cls: type) -> Anatomy | None:
        """How the tool takes objects of *cls* apart; None for what it takes as it is."""
        try:
            return self._known[cls]
        except KeyError:
            found = None if self.is_atom(cls) else self.static(cls) or self._by_attributes(cls) or self._asking(cls)
            self._known[cls] = found
            return found

    def is_atom(self, cls: type) -> bool:
        """Tell whether the tool takes all objects of *cls* as they are."""
        raise NotImplementedError

    def static(self, cls: type) -> Anatomy | None:
        """The anatomy of a container that the tool knows by itself."""
        return None

    def open(self, obj: Any, context: Any) -> Outcome:
        """Take *obj* apart as the tool does."""
        raise NotImplementedError

    def names(self, cls: type) -> bool:
        """Tell whether the tool can say of which class an object is."""
        return True

    def _by_attributes(self, cls: type) -> Anatomy | None:
        """The anatomy of a class without any hook: the tool copies attributes, and nothing can fail at the object."""
        if cls in copyreg.dispatch_table or any(type_hook(cls, hook) is not None for hook in _HOOKS):
            return None
        if layout_of(cls) is None or is_boundary(cls) or not self.names(cls):
            return None
        return attributes_anatomy(cls)

    def _asking(self, cls: type) -> Anatomy:
        def open(obj: Any, context: Any) -> Outcome:
            whole = boundary_of(obj)
            return self.open(obj, context) if whole is None else whole

        return Anatomy(cls.__qualname__, open, source=self.name)


def in_its_words(error: BaseException, within: Parts | None = None) -> Refused:
    """A culprit with the tool's own words: its message, and the kind of error where that is not a TypeError."""
    text = str(error).strip().partition("\n")[0]
    if type(error) is not TypeError or not text:
        text = f"{type(error).__name__}: {text}".rstrip(": ")
    return Refused(text, cause=error, within=within)
