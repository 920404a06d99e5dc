"""What generic code is made of: new types, type parameters and aliases; by reference, or made anew."""

from __future__ import annotations

import sys
import typing
from typing import Any

from ..anatomy.parts import ByName, Outcome, Parts
from ..graph.accessors import attribute
from .forms import form

__all__ = ["is_found", "make_named"]


def is_found(obj: Any, context: Any) -> bool:
    """Tell whether *obj* is found under its own name in its module on the other side."""
    module = getattr(obj, "__module__", None)
    here = getattr(sys.modules.get(str(module)), "__dict__", {}).get(getattr(obj, "__name__", None))
    return here is obj and bool(context.naming.reachable(module))


@form("typing.NewType")
def new_type(obj: Any, context: Any) -> Outcome:
    """A NewType: its name, and the type below it."""
    return _named(obj, context, "NewType", "__supertype__")


@form("typing.ParamSpec")
def parameters(obj: Any, context: Any) -> Outcome:
    """A ParamSpec: its name."""
    return _named(obj, context, "ParamSpec")


@form("typing.TypeVarTuple")
def type_variables(obj: Any, context: Any) -> Outcome:
    """A TypeVarTuple: its name."""
    return _named(obj, context, "TypeVarTuple")


@form("typing.TypeAliasType")
def type_alias(obj: Any, context: Any) -> Outcome:
    """A type alias of the ``type`` statement: its value is worked out before it travels."""
    return _named(obj, context, "TypeAliasType", "__value__", "__type_params__")


def _named(obj: Any, context: Any, kind: str, *attributes: str) -> Outcome:
    if is_found(obj, context):
        return ByName(obj.__name__)
    values = tuple(getattr(obj, name) for name in attributes)
    where = [attribute("__class__"), attribute("__name__"), attribute("__module__"), *map(attribute, attributes)]
    return Parts(make_named, (kind, obj.__name__, obj.__module__, *values), where=where)


_MADE = ("NewType", "ParamSpec", "TypeVarTuple", "TypeAliasType")


def make_named(kind: str, name: str, module: Any, *values: Any) -> Any:
    """Make a new type, a type parameter or an alias; raises TypeError for any other kind."""
    if kind not in _MADE or not hasattr(typing, kind):
        raise TypeError(f"typing.{kind} is not known to this version of Python")
    if kind == "TypeAliasType":
        value, parameters = values
        return getattr(typing, kind)(name, value, type_params=parameters)
    new = getattr(typing, kind)(name, *values)
    new.__module__ = module
    return new
