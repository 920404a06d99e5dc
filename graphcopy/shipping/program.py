"""What belongs to the program: modules, builtin functions, properties, class and static methods."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

from ..anatomy.parts import ByName, Outcome, Parts, Shared
from ..anatomy.registry import registered
from ..graph.accessors import Accessor, attribute
from .forms import form
from .naming import MAINS

__all__ = ["import_module", "make_module"]


@form(types.ModuleType, subclasses=True)
def module(obj: Any, context: Any) -> Outcome:
    """A module: imported on the other side; one that was made at run time comes with its content."""
    name = obj.__name__
    if sys.modules.get(name) is obj and (name in MAINS or context.naming.reachable(name)):
        return Parts(import_module, (name,), where=())
    if not name.startswith("_") and _is_extension_part(obj, context):
        return Parts(import_module, (name,), where=())
    content = {
        key: value
        for key, value in vars(obj).items()
        if key not in ("__builtins__", "__loader__", "__spec__", "__cached__")
    }
    return Parts(make_module, (name,), attrs=content, setter=put_module_state, where=_module_accessors)


def _is_extension_part(obj: Any, context: Any) -> bool:
    """Tell whether a module is found as an attribute only, as ``os.path`` was: it has a reachable parent."""
    parent, _, last = obj.__name__.rpartition(".")
    return bool(parent) and context.naming.reachable(parent) and getattr(sys.modules[parent], last, None) is obj


def _module_accessors(obj: Any, parts: Parts) -> list[Accessor]:
    steps = ((f".__dict__[{name!r}]", name) for name in parts.attrs or ())
    return [attribute("__name__"), *(Accessor("attribute", f".{name}", "", step, name) for step, name in steps)]


def import_module(name: str) -> Any:
    """Import a module, or find it as an attribute of its package."""
    if name in sys.modules:
        return sys.modules[name]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        parent, _, last = name.rpartition(".")
        if parent and hasattr(sys.modules.get(parent), last):
            return getattr(sys.modules[parent], last)
        raise


def make_module(name: str) -> types.ModuleType:
    """Make an empty module; it is not entered in ``sys.modules``."""
    return types.ModuleType(name)


def put_module_state(new: types.ModuleType, state: dict[str, Any]) -> None:
    """Give the module its content."""
    vars(new).update(state)


@form(types.BuiltinFunctionType, types.MethodWrapperType)
def builtin_function(obj: Any, context: Any) -> Outcome:
    """A function of a module goes by reference; a method is bound to what it is bound to."""
    outcome = registered(type(obj)).open(obj, context)  # type: ignore[union-attr]
    return ByName() if isinstance(outcome, Shared) else outcome


@form(
    types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType,
    types.GetSetDescriptorType, types.MemberDescriptorType,
)  # fmt: skip
def descriptor(obj: Any, context: Any) -> Outcome:
    """A descriptor written in C is found in its class."""
    return Parts(descriptor_of, (obj.__objclass__, obj.__name__), where=_DESCRIPTOR)


_DESCRIPTOR = (attribute("__objclass__"), attribute("__name__"))


def descriptor_of(cls: Any, name: str) -> Any:
    """The descriptor *name* of a class."""
    return type.__dict__["__dict__"].__get__(cls)[name]


@form(property)
def property_(obj: property, context: Any) -> Outcome:
    """A property is made anew over its functions."""
    names = ("fget", "fset", "fdel", "__doc__")
    args = (obj.fget, obj.fset, obj.fdel, obj.__doc__)
    return Parts(property, args, where=tuple(map(attribute, names)))


@form(staticmethod, classmethod)
def static_or_class_method(obj: Any, context: Any) -> Outcome:
    """The wrapper is made anew around its function."""
    return Parts(type(obj), (obj.__func__,), where=(attribute("__func__"),))


@form(functools._lru_cache_wrapper)
def cached_function(obj: Any, context: Any) -> Outcome:
    """A cache over a function: by reference, or empty around the function."""
    if context.naming.by_name(obj):
        return ByName()
    from ..anatomy.caches import make_cached, set_cached

    settings = obj.cache_parameters()
    attrs = {k: v for k, v in vars(obj).items() if k not in ("__wrapped__", "cache_parameters")}
    parameters = attribute("cache_parameters")
    return Parts(
        make_cached, (obj.__wrapped__, settings["maxsize"], settings["typed"]), attrs=attrs, setter=set_cached,
        where=[attribute("__wrapped__"), parameters, parameters, *(attribute(name) for name in attrs)],
        lost="the cached results",
    )  # fmt: skip
