"""The registry: what is known of how each type comes apart.

An anatomy is registered for a class, or for its dotted name so that nothing heavy is imported. The
function takes the object and answers with Parts, SHARED or Refused. Where none is registered the
order is the one of DESIGN: ``__deepcopy__``, ``copyreg``, ``__reduce_ex__``, dill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from ..graph.accessors import Accessor
from .parts import Outcome
from .reducers import OwnMethod

__all__ = ["Anatomy", "anatomy", "dotted", "registered", "registered_types"]

Open = Callable[[Any, Any], Outcome]
_WHOLE_COPY = ("__deepcopy__", "__reduce_ex__", "__reduce__")
_F = TypeVar("_F", bound=Open)


class Anatomy:
    """How the objects of one type come apart.

    ``open(obj, context)`` gives Parts, SHARED or Refused. The few types of which graphs mostly
    consist also have ``enter`` (the copier's fast way in) and ``children`` with ``accessors`` (the
    walker's); for all others these follow from ``open``. A test holds the two against each other.
    """

    __slots__ = ("accessors", "children", "enter", "name", "open", "source")

    def __init__(
        self,
        name: str,
        open: Open,
        *,
        source: str = "graphcopy",
        enter: Callable[[Any, Any, int], Any] | None = None,
        children: Callable[[Any], Iterable[Any]] | None = None,
        accessors: Callable[[Any], Sequence[Accessor]] | None = None,
    ) -> None:
        self.name = name
        self.open = open
        self.source = source
        self.enter = enter
        self.children = children
        self.accessors = accessors

    def __repr__(self) -> str:
        return f"<anatomy of {self.name}, from {self.source}>"


_EXACT: dict[type | str, Anatomy] = {}
_FAMILY: dict[type | str, Anatomy] = {}
_HEEDING: set[Anatomy] = set()


def dotted(cls: type) -> str:
    """Return ``module.qualname`` of a class.

    >>> dotted(dict)
    'builtins.dict'
    """
    return f"{getattr(cls, '__module__', '?')}.{getattr(cls, '__qualname__', '?')}"


def register(known: Anatomy, types: Iterable[type | str], *, subclasses: bool = False) -> None:
    """Enter an anatomy; a second one for the same type is refused."""
    table = _FAMILY if subclasses else _EXACT
    for cls in types:
        if cls in table:
            raise ValueError(f"{cls!r} has an anatomy already: {table[cls]!r}")
        table[cls] = known


def anatomy(*types: type | str, subclasses: bool = False, heeds_reduce: bool = False) -> Callable[[_F], _F]:
    """Register the decorated function for *types*, and with ``subclasses`` for what derives from them.

    It gives way to a subclass that says itself how its objects are copied; with ``heeds_reduce`` only to
    a ``__deepcopy__``, since the function asks a reduce method of the subclass itself.
    """

    def enter(function: _F) -> _F:
        known = Anatomy(function.__name__, function)
        register(known, types, subclasses=subclasses)
        if heeds_reduce:
            _HEEDING.add(known)
        return function

    return enter


def registered(cls: type) -> Anatomy | None:
    """Find the anatomy of *cls*: its own, else that of the nearest base that speaks for subclasses."""
    found = _EXACT.get(cls) or _EXACT.get(dotted(cls))
    if found is not None:
        return found
    for place, base in enumerate(cls.__mro__):
        found = _FAMILY.get(base) or _FAMILY.get(dotted(base))
        if found is not None:
            package = base.__module__.partition(".")[0]
            hooks = ("__deepcopy__",) if found in _HEEDING else _WHOLE_COPY
            return None if any(_decides(each, package, hooks) for each in cls.__mro__[:place]) else found
    return None


def _decides(cls: type, package: str, hooks: Iterable[str]) -> bool:
    """Tell whether a subclass that is not of *package* says itself how its objects are copied as a whole."""
    own = cls.__dict__
    decides = any(hook in own and not isinstance(own[hook], OwnMethod) for hook in hooks)
    return decides and cls.__module__.partition(".")[0] != package


def registered_types() -> dict[str, Anatomy]:
    """List what is registered, by dotted name."""
    both = {**_FAMILY, **_EXACT}
    return {cls if isinstance(cls, str) else dotted(cls): known for cls, known in both.items()}
