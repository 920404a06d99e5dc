"""Selectors: which objects, or which references to them, a rule speaks for.

A selector is a small value. It tells by type alone whether it can match (``by_type``), so that rules by type cost
nothing for all other objects. Attributes and paths select *references*; types and predicates select objects.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from ..anatomy.registry import dotted
from .names import class_named
from .patterns import Step, parse
from .types import as_type

__all__ = ["And", "Attribute", "Not", "Or", "Path", "Selector", "Types", "Way", "Where", "written"]


class Way:
    """One reference: the attribute that holds it, and the path patterns that lead there."""

    __slots__ = ("attribute", "patterns")

    def __init__(self, attribute: str | None = None, patterns: frozenset[tuple[Step, ...]] = frozenset()) -> None:
        self.attribute = attribute
        self.patterns = patterns


class Selector:
    """The base of selectors; ``&``, ``|`` and ``~`` combine them.

    >>> import graphcopy
    >>> graphcopy.select(list) & ~graphcopy.select(attr="kept*")
    select(list) & ~select(attr='kept*')
    """

    __slots__ = ()

    def by_type(self, cls: type) -> bool | None:
        """Tell whether it matches objects of *cls*; None where that depends on the object or the reference."""
        return self.guess(cls, None)

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        """Tell whether it matches, as far as the type and the reference tell; None where that is unknown."""
        raise NotImplementedError

    def matches(self, node: Any, way: Way | None) -> bool:
        """Tell whether it matches *node*, or the reference *way* to it."""
        raise NotImplementedError

    def parts(self) -> Iterator[Selector]:
        """The simple selectors in it."""
        yield self

    def key(self) -> tuple[Any, ...]:
        """What makes it equal to another."""
        raise NotImplementedError

    def __and__(self, other: Any) -> Selector:
        return NotImplemented if not isinstance(other, Selector) else And(self, other)

    def __or__(self, other: Any) -> Selector:
        return NotImplemented if not isinstance(other, Selector) else Or(self, other)

    def __invert__(self) -> Selector:
        return Not(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selector) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"select({self})"


def _is_found(cls: type) -> bool:
    return cls.__module__ != "builtins" or getattr(builtins, cls.__qualname__, None) is cls


def written(given: Any) -> str:
    """Write a type as a user would."""
    return given if isinstance(given, str) else str(getattr(given, "__name__", given))


class Types(Selector):
    """Objects of these classes, and of subclasses unless ``exact``."""

    __slots__ = ("_ids", "_last", "_names", "exact", "types")

    def __init__(self, types: tuple[Any, ...], exact: bool = False) -> None:
        self.types = tuple(as_type(each) for each in types)
        self.exact = exact
        self._ids = frozenset(
            id(each) for each in self.types if not isinstance(each, str)
        )  # a metaclass may have __eq__
        self._names = frozenset(each for each in self.types if isinstance(each, str))
        self._last = {each.rpartition(".")[2] for each in self._names}

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        if cls is None:
            return None
        bases: tuple[type, ...] = (cls,) if self.exact else cls.__mro__
        return any(id(base) in self._ids or (bool(self._names) and self._is_named(base)) for base in bases)

    def _is_named(self, cls: type) -> bool:
        name = dotted(cls)
        if name in self._names:
            return True
        last = name.rpartition(".")[2]  # packages offer classes under other names, which mostly end in the same word
        return last in self._last and any(class_named(each) is cls for each in self._names if each.endswith(f".{last}"))

    def matches(self, node: Any, way: Way | None) -> bool:
        return bool(self.guess(node.type, None))

    def key(self) -> tuple[Any, ...]:
        return ("types", self._ids, self._names, self.exact)

    def __str__(self) -> str:
        return ", ".join(map(written, self.types)) + (", exact=True" if self.exact else "")

    def __reduce__(self) -> tuple[Any, ...]:
        # Some types of the interpreter (that of functions) are not found under their name.
        types = tuple(each if isinstance(each, str) or _is_found(each) else dotted(each) for each in self.types)
        return (Types, (types, self.exact))


class Where(Selector):
    """Objects of which ``predicate(node)`` is true."""

    __slots__ = ("predicate",)

    def __init__(self, predicate: Callable[[Any], Any]) -> None:
        if not callable(predicate):
            raise TypeError(f"where={predicate!r} is no function of the node")
        self.predicate = predicate

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        return None

    def matches(self, node: Any, way: Way | None) -> bool:
        return bool(self.predicate(node))

    def key(self) -> tuple[Any, ...]:
        return ("where", id(self.predicate))

    def __str__(self) -> str:
        return f"where={getattr(self.predicate, '__name__', 'predicate')}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Where, (self.predicate,))


class Attribute(Selector):
    """References that are held by an attribute of this name; ``*`` stands for any letters."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"attr={name!r} is no name of an attribute")
        if not name.replace("*", "x").isidentifier():
            raise ValueError(f"attr={name!r} can never match: it is no name of an attribute (path= selects by path)")
        self.name = name

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        return None if way is None else self.matches(None, way)

    def fits(self, name: str) -> bool:
        """Tell whether an attribute is selected."""
        return name == self.name or ("*" in self.name and fnmatchcase(name, self.name))

    def matches(self, node: Any, way: Way | None) -> bool:
        return way is not None and way.attribute is not None and self.fits(way.attribute)

    def key(self) -> tuple[Any, ...]:
        return ("attr", self.name)

    def __str__(self) -> str:
        return f"attr={self.name!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Attribute, (self.name,))


class Path(Selector):
    """References to which a way leads that fits a pattern."""

    __slots__ = ("pattern", "text")

    def __init__(self, text: str) -> None:
        self.pattern = parse(text)
        self.text = text

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        return None if way is None else self.matches(None, way)

    def matches(self, node: Any, way: Way | None) -> bool:
        return way is not None and self.pattern in way.patterns

    def key(self) -> tuple[Any, ...]:
        return ("path", self.pattern)

    def __str__(self) -> str:
        return f"path={self.text!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path, (self.text,))


class And(Selector):
    """What both match."""

    __slots__ = ("left", "right")

    def __init__(self, left: Selector, right: Selector) -> None:
        self.left = left
        self.right = right

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        both = (self.left.guess(cls, way), self.right.guess(cls, way))
        return False if False in both else None if None in both else True

    def matches(self, node: Any, way: Way | None) -> bool:
        return self.left.matches(node, way) and self.right.matches(node, way)

    def parts(self) -> Iterator[Selector]:
        yield from self.left.parts()
        yield from self.right.parts()

    def key(self) -> tuple[Any, ...]:
        return (type(self).__name__, self.left.key(), self.right.key())

    def __str__(self) -> str:
        return f"{_bracketed(self.left)} & {_bracketed(self.right)}"

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.left, self.right))


class Or(And):
    """What either matches."""

    __slots__ = ()

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        both = (self.left.guess(cls, way), self.right.guess(cls, way))
        return True if True in both else None if None in both else False

    def matches(self, node: Any, way: Way | None) -> bool:
        return self.left.matches(node, way) or self.right.matches(node, way)

    def __str__(self) -> str:
        return f"{_bracketed(self.left)} | {_bracketed(self.right)}"


class Not(Selector):
    """What the other does not match."""

    __slots__ = ("inner",)

    def __init__(self, inner: Selector) -> None:
        self.inner = inner

    def guess(self, cls: type | None, way: Way | None) -> bool | None:
        inner = self.inner.guess(cls, way)
        return None if inner is None else not inner

    def matches(self, node: Any, way: Way | None) -> bool:
        return not self.inner.matches(node, way)

    def parts(self) -> Iterator[Selector]:
        yield from self.inner.parts()

    def key(self) -> tuple[Any, ...]:
        return ("not", self.inner.key())

    def __str__(self) -> str:
        return f"~{_bracketed(self.inner)}"

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Not, (self.inner,))


def _bracketed(selector: Selector) -> str:
    return f"({selector})" if isinstance(selector, And) else repr(selector)
