"""Classes: by reference where the other side has them, else by value.

By value a class is its metaclass, name, bases, slots, and then its attributes as they stand in its
``__dict__``. No metaclass runs: what it did is in the attributes. Enums are in ``enums``.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import sys
import types
import typing
from typing import Any

from ..anatomy.parts import ByName, Outcome, Parts, Refused
from ..graph.accessors import Accessor, attribute
from .enums import enum_class
from .forms import form
from .naming import home_of_main
from .tracking import finished, known_class, number_of, pending
from .typings import is_found

__all__ = ["make_class", "put_class_state"]

_BASIC = ("__module__", "__qualname__", "__doc__", "__slots__", "__orig_bases__", "_fields_", "_anonymous_", "_pack_",
          "_type_", "_length_", "_flags_", "_restype_")  # fmt: skip
"""What a class must have when it is made; the last are those of ctypes."""

_REMADE = ("__dict__", "__weakref__", "_abc_impl", "__graphcopy_pending__")
_PRIMITIVES = {kind: name for name, kind in vars(types).items() if isinstance(kind, type) and name[0] != "_"}


@form(type, subclasses=True)
def class_(obj: Any, context: Any) -> Outcome:
    """A class: by reference, or its bases and attributes."""
    if context.naming.by_name(obj):
        return ByName()
    if obj in _PRIMITIVES and obj.__module__ in ("builtins", "types"):
        return Parts(builtin_type, (_PRIMITIVES[obj],), where=())
    if not obj.__flags__ & _HEAP_TYPE or obj.__flags__ & _IMMUTABLE:
        if type_of_sample(obj.__name__) is obj:
            return Parts(type_of_sample, (obj.__name__,), where=())
        return Refused("a class written in C that cannot be imported under its name")
    own = dict(type.__dict__["__dict__"].__get__(obj))
    number, home = number_of(obj), home_of_main(obj.__module__)
    if isinstance(obj, enum.EnumMeta):
        return enum_class(obj, own, number, home)
    basics = {name: own.pop(name) for name in _BASIC if name in own}
    basics["__qualname__"] = obj.__qualname__  # it stands in the type, not among its attributes
    attributes = {name: value for name, value in own.items() if name not in _REMADE and not _is_member(value, obj)}
    if isinstance(obj, abc.ABCMeta):
        attributes["abc", "registered"] = _registered(obj)
    args = (type(obj), obj.__name__, obj.__bases__, basics, number, home)
    return Parts(make_class, args, attrs=attributes, setter=put_class_state, where=class_accessors)


_SAMPLES: dict[str, Any] = {
    "dict_keys": {}.keys(), "dict_values": {}.values(), "dict_items": {}.items(), "list_iterator": iter([]),
    "tuple_iterator": iter(()), "set_iterator": iter(set()), "dict_keyiterator": iter({}),
}  # fmt: skip
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE


def builtin_type(name: str) -> Any:
    """The builtin type that the module ``types`` has under *name*."""
    found = getattr(types, name)
    if not isinstance(found, type):
        raise TypeError(f"types.{name} is no type")
    return found


def type_of_sample(name: str) -> Any:
    """A builtin type that has no public name."""
    return type(_SAMPLES.get(name))


def _is_member(value: Any, cls: Any) -> bool:
    """Tell whether *value* is the descriptor of a slot of *cls*, or of a field of ctypes: it is made with the class."""
    if isinstance(value, (types.MemberDescriptorType, types.GetSetDescriptorType)):
        return value.__objclass__ is cls
    return type(value).__name__ == "CField"


def _registered(cls: Any) -> tuple[Any, ...]:
    registry = abc._get_dump(cls)[0]  # type: ignore[attr-defined]
    return tuple(each for reference in registry if (each := reference()) is not None)


def class_accessors(obj: Any, parts: Parts) -> list[Accessor]:
    """The accessors of the pieces of a class: what makes it, then its attributes."""
    hidden = Accessor("hidden", "attributes", "dict(vars(", "))", None)
    found = [attribute("__class__"), attribute("__name__"), attribute("__bases__"), hidden]
    found += [attribute("__name__")] * (len(parts.args) - len(found))
    for name in parts.attrs or ():
        step = f".__dict__[{name!r}]"
        found.append(Accessor("attribute", f".{name}", "", step, name) if type(name) is str else hidden)
    return found


def _solid_new(metaclass: Any) -> Any:
    """``__new__`` of the nearest metaclass that is written in C: the Python ones have done their work."""
    for base in metaclass.__mro__:
        if not base.__flags__ & _HEAP_TYPE and "__new__" in base.__dict__:
            return base.__new__
    return type.__new__


def make_class(
    metaclass: Any, name: str, bases: tuple[Any, ...], basics: dict[str, Any], number: str, home: str
) -> Any:
    """Make an empty class, or find the one that is here already."""
    known = known_class(number, home, basics.get("__qualname__", name))
    if known is not None:
        return known
    new = _solid_new(metaclass)
    try:
        cls = new(metaclass, name, bases, dict(basics))
    except TypeError:
        cls = _without_init_subclass(new, metaclass, name, bases, basics)
    if issubclass(metaclass, abc.ABCMeta):
        abc._abc_init(cls)  # type: ignore[attr-defined]
    return pending(cls, number)


def _without_init_subclass(new: Any, metaclass: Any, name: str, bases: tuple[Any, ...], basics: dict[str, Any]) -> Any:
    """The same where a base's ``__init_subclass__`` wants arguments: a base in front of the others answers for it."""

    class Quiet:
        __slots__ = ()

        def __init_subclass__(cls, **_: Any) -> None:
            """Do nothing: what the base did to the class is in its attributes."""

    cls = new(metaclass, name, (Quiet, *bases), dict(basics))
    cls.__bases__ = bases
    return cls


def put_class_state(cls: Any, state: dict[Any, Any]) -> None:
    """Give the class its attributes, past any metaclass."""
    if not finished(cls):
        return
    registered: tuple[Any, ...] = ()
    for name, value in state.items():
        if type(name) is tuple:
            registered = value
        else:
            type.__setattr__(cls, name, value)
    for each in registered:
        abc.ABCMeta.register(cls, each)


@form(typing.TypeVar)
def type_variable(obj: Any, context: Any) -> Outcome:
    """A TypeVar: by reference, or made anew with the same bounds."""
    if is_found(obj, context):
        return ByName(obj.__name__)
    names = ["__name__", "__bound__", "__constraints__", "__covariant__", "__contravariant__", "__module__"]
    if hasattr(obj, "__infer_variance__"):  # Python 3.12
        names.append("__infer_variance__")
        if hasattr(obj, "has_default") and obj.has_default():  # Python 3.13
            names.append("__default__")
    return Parts(make_type_variable, [getattr(obj, name) for name in names], where=tuple(map(attribute, names)))


def make_type_variable(
    name: str, bound: Any, constraints: Any, covariant: bool, contravariant: bool, module: Any, *more: Any
) -> Any:
    """Make a TypeVar."""
    made: Any = typing.TypeVar  # the type checker wants a literal name
    newer = dict(zip(("infer_variance", "default"), more)) if sys.version_info >= (3, 12) else {}
    new = made(name, *constraints, bound=bound, covariant=covariant, contravariant=contravariant, **newer)
    new.__module__ = module
    return new


@form("dataclasses._FIELD_BASE", "dataclasses._MISSING_TYPE", "dataclasses._KW_ONLY_TYPE")
def dataclass_marker(obj: Any, context: Any) -> Outcome:
    """The markers in the fields of a dataclass are known by their identity."""
    for name, value in vars(dataclasses).items():
        if value is obj:
            return Parts(marker_named, (name,), where=())
    return ByName()


def marker_named(name: str) -> Any:
    """The marker of dataclasses with this name."""
    found = getattr(dataclasses, name)
    if not type(found).__module__ == "dataclasses":
        raise TypeError(f"dataclasses.{name} is no marker")
    return found
