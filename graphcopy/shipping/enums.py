"""Enums by value: made of the names and values of their members, then given their other attributes."""

from __future__ import annotations

import enum
from typing import Any

from ..anatomy.parts import Outcome, Parts
from ..graph.accessors import Accessor, attribute
from .tracking import finished, known_class, pending

__all__ = ["enum_class", "make_enum", "member_of", "put_enum_state"]

_REMADE = frozenset(
    [
        "__dict__", "__weakref__", "__new__", "__new_member__", "_generate_next_value_", "_member_names_",
        "_member_map_", "_member_type_", "_value2member_map_", "_unhashable_values_", "_unhashable_values_map_",
        "_hashable_values_", "_use_args_", "_value_repr_", "_boundary_", "_flag_mask_", "_singles_mask_", "_all_bits_",
        "_inverted_", "_sort_order_", "__graphcopy_pending__", "__module__", "__qualname__", "__doc__",
    ]
)  # fmt: skip


def enum_class(obj: Any, own: dict[str, Any], number: str, home: str) -> Outcome:
    """Take an enum apart that travels by value."""
    members = {name: member._value_ for name, member in obj.__members__.items()}
    basics: dict[str, Any] = {name: own[name] for name in ("__module__", "__doc__") if name in own}
    basics["__qualname__"] = obj.__qualname__  # it stands in the type, not among its attributes
    state: dict[Any, Any] = {name: value for name, value in own.items() if name not in _REMADE and name not in members}
    for name, member in obj.__members__.items():
        extra = {k: v for k, v in vars(member).items() if not (k[:1] == "_" == k[-1:]) and k not in ("name", "value")}
        if member._name_ == name and extra:
            state["member", name] = extra
    boundary = getattr(own.get("_boundary_"), "name", None)
    args = (type(obj), obj.__name__, obj.__bases__, basics, members, boundary, number, home)
    return Parts(make_enum, args, attrs=state, setter=put_enum_state, where=_accessors)


def _accessors(obj: Any, parts: Parts) -> list[Accessor]:
    hidden = Accessor("hidden", "attributes", "dict(vars(", "))", None)
    found = [attribute("__class__"), attribute("__name__"), attribute("__bases__"), hidden, attribute("__members__")]
    found += [attribute("__name__")] * (len(parts.args) - len(found))
    for name in parts.attrs or ():
        if type(name) is tuple:
            found.append(Accessor("hidden", f"[{name[1]!r}]", "vars(", f"[{name[1]!r}])", name[1]))
        else:
            found.append(Accessor("attribute", f".{name}", "", f".__dict__[{name!r}]", name))
    return found


def make_enum(
    metaclass: Any,
    name: str,
    bases: tuple[Any, ...],
    basics: dict[str, Any],
    members: dict[str, Any],
    boundary: str | None,
    number: str,
    home: str,
) -> Any:
    """Make an enum with its members, or find the one that is here already."""
    known = known_class(number, home, basics.get("__qualname__", name))
    if known is not None:
        return known
    content = metaclass.__prepare__(name, bases)
    for key, value in basics.items():
        content[key] = value
    for key, value in members.items():
        content[key] = value
    if boundary is None or not hasattr(enum, "FlagBoundary"):
        cls = metaclass.__new__(metaclass, name, bases, content)
    else:
        cls = metaclass.__new__(metaclass, name, bases, content, boundary=enum.FlagBoundary[boundary])
    return pending(cls, number)


def put_enum_state(cls: Any, state: dict[Any, Any]) -> None:
    """Give the enum its methods and other attributes, and the members theirs."""
    if not finished(cls):
        return
    for name, value in state.items():
        if type(name) is tuple:
            vars(cls.__members__[name[1]]).update(value)
        else:
            type.__setattr__(cls, name, value)


def member_of(cls: Any, name: str | None, value: Any) -> Any:
    """The member of an enum: by name, or by value for a combination of flags."""
    return cls(value) if name is None or name not in cls.__members__ else cls.__members__[name]
