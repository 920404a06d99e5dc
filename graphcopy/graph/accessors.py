"""Accessors: the step from an object to one that it refers to, as a piece of Python.

An accessor wraps an expression: ``before + expression + after``. That is enough to write ``obj.x``,
``obj[3]`` and ``list(obj)[2]`` alike, and it needs no look at the object, so rendering a path never
runs a property or a ``__getattr__``.
"""

from __future__ import annotations

import enum
import keyword
from collections.abc import Iterator, Sequence
from types import MemberDescriptorType
from typing import Any, NamedTuple, overload

__all__ = [
    "Accessor",
    "Items",
    "attribute",
    "cell",
    "instance_attribute",
    "is_literal",
    "item",
    "key_of",
    "member",
    "raw_item",
    "reduced",
    "value_of",
]


class Accessor(NamedTuple):
    """One step of a path.

    ``kind`` is one of ``attribute``, ``item``, ``key``, ``value``, ``member``, ``cell``, ``reduce``,
    ``weak`` or ``hidden``; ``label`` is what a person would write; ``name`` is the attribute name,
    key or position that rules match on.

    >>> attribute("x").render("obj")
    'obj.x'
    >>> member(2).render("obj.s")
    'list(obj.s)[2]'
    """

    kind: str
    label: str
    before: str
    after: str
    name: Any = None

    def render(self, expression: str) -> str:
        """Return the Python expression that takes this step from *expression*."""
        return f"{self.before}{expression}{self.after}"

    def follow(self, obj: Any) -> Any:
        """Take the step on *obj* by evaluating the rendered expression."""
        return eval(self.render("obj"), {"obj": obj})


def attribute(name: str) -> Accessor:
    """A plain ``.name``, for attributes that are known not to be hidden."""
    return Accessor("attribute", f".{name}", "", f".{name}", name)


def cell(position: int, name: str | None = None) -> Accessor:
    """The cell at *position* of a function's closure."""
    label = f"closure {name}" if name else f".__closure__[{position}]"
    return Accessor("cell", label, "", f".__closure__[{position}]", name)


def member(position: int) -> Accessor:
    """A member of a set, by its place in the iteration order."""
    return Accessor("member", f"member {position}", "list(", f")[{position}]", position)


def key_of(position: int) -> Accessor:
    """A key of a dict, by its place in the order of the dict."""
    return Accessor("key", f"key {position}", "list(dict.keys(", f"))[{position}]", position)


def value_of(position: int) -> Accessor:
    """A value of a dict whose key cannot be written down, by its place in the order of the dict."""
    return Accessor("value", f"value {position}", "list(dict.values(", f"))[{position}]", position)


def reduced(*positions: int | str, listed: bool = False) -> Accessor:
    """A piece of what ``__reduce_ex__(4)`` returns, for what no attribute leads to."""
    first, *rest = positions
    before, after = "", f".__reduce_ex__(4)[{first}]"
    if listed:
        before, after = "list(", after + ")"
    after += "".join(f"[{position!r}]" for position in rest)
    return Accessor(
        "reduce", after if not listed else f"reduced {positions}", before, after, rest[-1] if rest else first
    )


_LITERALS = (int, str, bytes, bool, type(None))


def is_literal(value: object) -> bool:
    """Tell whether ``repr(value)`` is Python that evaluates to an equal value of the same type."""
    kind = type(value)
    if kind in _LITERALS:
        return True
    if kind is float:
        return value == value and value not in (float("inf"), float("-inf"))
    if kind is tuple:
        return all(is_literal(part) for part in value)  # type: ignore[attr-defined]
    return False


def item(key: object) -> Accessor:
    """A plain ``[key]``; *key* must be a literal."""
    return Accessor("item", f"[{key!r}]", "", f"[{key!r}]", key)


class Items(Sequence[Accessor]):
    """The accessors ``[0]``, ``[1]``, ... each made when it is asked for: a path needs one of perhaps a million."""

    __slots__ = ("_places",)

    def __init__(self, places: Sequence[int]) -> None:
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, number: int) -> Accessor: ...
    @overload
    def __getitem__(self, number: slice) -> Items: ...
    def __getitem__(self, number: int | slice) -> Accessor | Items:
        return Items(self._places[number]) if isinstance(number, slice) else item(self._places[number])

    def __iter__(self) -> Iterator[Accessor]:
        return map(item, self._places)

    def at(self, numbers: Sequence[int]) -> Items:
        """Those with these numbers."""
        return Items([self._places[number] for number in numbers])


def raw_item(base: type, key: object) -> Accessor:
    """``base.__getitem__(obj, key)``, for a subclass that overrides ``__getitem__``."""
    return Accessor("item", f"[{key!r}]", f"{base.__name__}.__getitem__(", f", {key!r})", key)


_PLAIN_GETATTRIBUTE = object.__getattribute__
_MISSING = object()


def _on_type(cls: type, name: str) -> object:
    for base in cls.__mro__:
        found = base.__dict__.get(name, _MISSING)
        if found is not _MISSING:
            return found
    return _MISSING


def _is_name(name: object) -> bool:
    return type(name) is str and name.isidentifier() and not keyword.iskeyword(name)


def instance_attribute(obj: object, name: Any, *, slot_of: type | None = None) -> Accessor:
    """The step to what stands in ``obj.__dict__[name]``, or in the slot *name* of class *slot_of*.

    Plain ``.name`` where Python would find it there; else a form that goes round the property, the
    slot of a subclass or the ``__getattribute__`` that stands in the way.

    >>> class Hidden:
    ...     x = property(lambda self: "not this")
    >>> hidden = Hidden(); hidden.__dict__["x"] = 1
    >>> instance_attribute(hidden, "x").render("obj")
    "obj.__dict__['x']"
    """
    cls = type(obj)
    label = f".{name}" if _is_name(name) else f".__dict__[{name!r}]"
    plain = issubclass(cls, enum.Enum) or cls.__getattribute__ is _PLAIN_GETATTRIBUTE
    found = _on_type(cls, name) if type(name) is str else _MISSING
    if slot_of is not None:
        own = slot_of.__dict__.get(name)
        if plain and found is own and _is_name(name):
            return Accessor("attribute", label, "", f".{name}", name)
        if found is own and isinstance(own, MemberDescriptorType):
            return Accessor("attribute", label, "object.__getattribute__(", f", {name!r})", name)
        place = cls.__mro__.index(slot_of)
        return Accessor(
            "attribute", label, f"(lambda o: type(o).__mro__[{place}].__dict__[{name!r}].__get__(o))(", ")", name
        )
    hidden = found is not _MISSING and hasattr(type(found), "__set__")
    if plain and _is_name(name) and not hidden:
        return Accessor("attribute", label, "", f".{name}", name)
    key = f"[{name!r}]" if is_literal(name) else None
    if plain and _on_type(cls, "__dict__").__class__.__name__ == "getset_descriptor":
        before, after = "", ".__dict__"
    else:
        before, after = "object.__getattribute__(", ", '__dict__')"
    if key is None:
        place = list(_PLAIN_GETATTRIBUTE(obj, "__dict__")).index(name)
        return Accessor("attribute", label, f"list({before}", f"{after}.values())[{place}]", name)
    return Accessor("attribute", label, before, after + key, name)
