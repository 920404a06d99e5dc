"""A rule: which objects it speaks for, and what it answers."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

from .selectors import And, Attribute, Or, Path, Selector, Types, Way, Where
from .types import as_type

__all__ = ["Rule", "as_type", "caller", "check_decide"]

Decide = Callable[[Any], Any]
_HERE = os.path.dirname(os.path.abspath(__file__))
_MAINS = ("__main__", "__mp_main__")


class Rule:
    """A rule: it selects objects, or references to them, and decides what happens there.

    ``decide(node)`` returns a treatment, or NotImplemented to pass. ``types`` are classes or dotted
    names; subclasses match unless ``exact``. ``selector`` stands instead of both. ``finish(run)`` is called once at the
    end of every copy. A rule is a value: equal rules match and do the same.
    """

    __slots__ = (
        "_decide",
        "_hash",
        "_looks",
        "by_reference",
        "cuts",
        "description",
        "finish",
        "name",
        "needs_graph",
        "place",
        "selector",
        "types",
    )

    def __init__(
        self,
        types: Iterable[Any],
        decide: Decide,
        *,
        name: str = "",
        description: str = "",
        exact: bool = False,
        finish: Callable[[Any], None] | None = None,
        selector: Selector | None = None,
        place: str = "",
    ) -> None:
        self.selector = Types(tuple(types), exact) if selector is None else selector
        self.types = _types_of(self.selector)
        self._decide = decide
        self.name = name or getattr(decide, "__name__", "rule")
        self.description = description or (inspect.getdoc(decide) or "").partition("\n")[0]
        self.finish = finish
        self.place = place or _place_of(decide)
        parts = list(self.selector.parts())
        self.by_reference = any(isinstance(each, (Attribute, Path)) for each in parts)
        self.cuts = self.by_reference and bool(getattr(decide, "cuts", False))  # the reference, not the object
        self._looks = any(isinstance(each, Where) for each in parts)  # at the object, when it is asked
        self.needs_graph = self.by_reference and not (self.cuts and not any(isinstance(each, Path) for each in parts))
        self._hash = hash(self._key())

    def __repr__(self) -> str:
        return f"<rule {self.name}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rule) and self._hash == other._hash and self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash

    def _key(self) -> tuple[Any, ...]:
        decide: Any = self._decide
        what = decide.key() if hasattr(type(decide), "key") else id(decide)
        return (self.selector.key(), what, id(self.finish), self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        module, name = getattr(self._decide, "__module__", None), getattr(self._decide, "__qualname__", None)
        if type(module) is str and type(name) is str and module not in _MAINS and _found(module, name) is self:
            return (_found, (module, name))
        return (_made, (self.selector, self._decide, self.name, self.description, self.finish, self.place))

    @property
    def exact(self) -> bool:
        """Tell whether subclasses do not match."""
        return isinstance(self.selector, Types) and self.selector.exact

    def matches_type(self, cls: type) -> bool:
        """Tell whether the rule may speak for objects of *cls*."""
        return self.selector.by_type(cls) is not False

    def matches(self, node: Any, way: Way) -> bool:
        """Tell whether the rule speaks for the reference *way* to *node*."""
        return self.selector.matches(node, way)

    def decide_cut(self) -> Any:
        """What stands where this rule cuts a reference: the treatment prune()."""
        return self._decide(None)

    def decide(self, node: Any) -> Any:
        """Ask the rule about *node*."""
        if self.by_reference:
            if not any(self.selector.matches(node, way) for way in node.ways):
                return NotImplemented
        elif self._looks and not self.selector.matches(node, None):
            return NotImplemented
        return self._decide(node)


def _types_of(selector: Selector) -> tuple[Any, ...]:
    """The types outside of which *selector* never matches; ``object`` where it may match any."""
    if isinstance(selector, Types):
        return selector.types
    if isinstance(selector, Or):
        both = (_types_of(selector.left), _types_of(selector.right))
        return (object,) if (object,) in both else both[0] + both[1]
    if isinstance(selector, And):
        left = _types_of(selector.left)
        return _types_of(selector.right) if left == (object,) else left
    return (object,)


def _place_of(decide: Any) -> str:
    code = getattr(decide, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else ""


def caller() -> str:
    """The place (file:line) outside of this package from which a rule is made."""
    frame = sys._getframe(1)
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == _HERE:
        frame = frame.f_back  # type: ignore[assignment]
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


def check_decide(decide: Any, name: str) -> None:
    """Raise TypeError where *decide* cannot be asked about a node: said with its name and place."""
    where = _place_of(decide)
    said = f"the rule {name}" + (f" ({where})" if where else "")
    if isinstance(decide, type) or not callable(decide):
        raise TypeError(f"{said} is made of {decide!r}, which is no function of the node")
    if inspect.iscoroutinefunction(decide) or inspect.isgeneratorfunction(decide):
        raise TypeError(f"{said} is a coroutine or generator function: a rule returns its treatment")
    try:
        signature = inspect.signature(decide)
    except (TypeError, ValueError):  # a builtin that does not tell
        return
    try:
        signature.bind(None)
    except TypeError:
        raise TypeError(f"{said} takes {signature}: a rule is called with one argument, the node") from None


def _found(module: str, name: str) -> Any:
    """The rule of this name in a module that is imported, or importable; None where there is none."""
    found: Any = sys.modules.get(module)
    if found is None:
        from importlib import import_module

        found = import_module(module)
    for piece in name.split("."):
        found = getattr(found, piece, None)
    return found


def _made(selector: Selector, decide: Decide, name: str, description: str, finish: Any, place: str) -> Rule:
    """Make a rule that arrives in another process."""
    return Rule((), decide, name=name, description=description, finish=finish, selector=selector, place=place)
