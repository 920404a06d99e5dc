"""The attributes and items of an object, to look further where a tool stops, or to say where a hook went."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from ..anatomy.instances import slot_members
from ..anatomy.parts import Parts, item_accessor, pair_accessors
from ..graph.accessors import Accessor, attribute, instance_attribute
from .owners import is_owner

__all__ = ["located", "pieces_of"]


def pieces_of(obj: Any, *, also_owners: bool = False) -> Parts | None:
    """What *obj* holds in its ``__dict__``, its slots and as a builtin container; None when that is nothing.

    None also for modules, which hold the world, and (unless ``also_owners``) for what is one resource to its user.
    """
    if isinstance(obj, types.ModuleType) or (not also_owners and is_owner(type(obj))):
        return None
    attrs: dict[Any, Any] = {}
    where: list[Accessor] = []
    own = _dict_of(obj)
    for name, value in own.items():
        attrs[name] = value
        where.append(instance_attribute(obj, name))
    for base, name, member in slot_members(type(obj)):
        try:
            attrs[(base, name)] = member.__get__(obj)
        except AttributeError:
            continue
        where.append(instance_attribute(obj, name, slot_of=base))
    items: list[Any] = []
    pairs: list[tuple[Any, Any]] = []
    if isinstance(obj, dict):
        pairs = list(dict.items(obj))
        where += pair_accessors(obj, [key for key, _ in pairs])
    elif isinstance(obj, (list, tuple)):
        base_type: Any = list if isinstance(obj, list) else tuple
        items = list(base_type.__iter__(obj))
        where += [item_accessor(obj, base_type, place) for place in range(len(items))]
    if not where:
        return None
    return Parts(type, attrs=attrs, items=items, pairs=pairs, where=where)


def _dict_of(obj: Any) -> dict[Any, Any]:
    try:
        own = object.__getattribute__(obj, "__dict__")
    except AttributeError:
        return {}
    return own if type(own) is dict else {}


def located(obj: Any, children: Sequence[Any]) -> Parts | None:
    """The *children* as pieces of *obj*, found among its attributes and items; None where one is not there."""
    by_id: dict[int, Accessor] = {}
    pieces = pieces_of(obj, also_owners=True)
    if pieces is not None:
        for child, accessor in zip(pieces.children(), pieces.accessors(obj)):
            by_id.setdefault(id(child), accessor)
    by_id.setdefault(id(_dict_of(obj)), attribute("__dict__"))
    where = [by_id.get(id(child)) for child in children]
    if None in where:
        return None
    return Parts(type, items=list(children), where=[accessor for accessor in where if accessor is not None])
