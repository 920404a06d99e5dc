"""Functions and what binds them: closures, cells, methods, partials, properties, caches.

A function is copied by value when it holds something of its own (a closure, mutable defaults,
attributes) and shared otherwise. A function that is found again under its module and name belongs to
the program: it is shared whatever it holds. Globals stay the module's.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterable
from typing import Any

from ..graph.accessors import Accessor, attribute, cell, instance_attribute
from .atoms import ATOMS
from .parts import NOTHING, SHARED, Outcome, Parts
from .registry import anatomy

__all__ = [
    "bind_method", "by_value", "function", "function_over", "holds_state",
    "is_importable", "set_function_state", "state_accessors", "taken_over",
]  # fmt: skip

_NEW_IN_312 = ("__type_params__",)


def is_importable(obj: Any) -> bool:
    """Tell whether *obj* is found again under its ``__module__`` and ``__qualname__``.

    >>> is_importable(is_importable), is_importable(lambda: 0)
    (True, False)
    """
    name = getattr(obj, "__qualname__", None)
    module = sys.modules.get(getattr(obj, "__module__", None) or "")
    if module is None or type(name) is not str or "<" in name:
        return False
    found: Any = module
    for part in name.split("."):
        found = getattr(found, "__dict__", {}).get(part, NOTHING)
        if type(found) in (staticmethod, classmethod):
            found = found.__func__
    return found is obj


class _MakeFunction:
    """Makes a function like *original* over another closure."""

    __slots__ = ("original",)

    def __init__(self, original: types.FunctionType) -> None:
        self.original = original

    def __call__(self, *closure: types.CellType) -> types.FunctionType:
        return function_over(self.original, closure)


def function_over(
    old: types.FunctionType, closure: tuple[types.CellType, ...], scope: dict[str, Any] | None = None
) -> types.FunctionType:
    """Make a function like *old* over another closure, and with *scope* over other globals."""
    # None stands where a rule cuts a default: the others stay in their places.
    defaults = (None,) * len(old.__defaults__) if old.__defaults__ else None
    new = types.FunctionType(
        old.__code__, old.__globals__ if scope is None else scope, old.__name__, defaults, closure or None
    )
    if old.__kwdefaults__:
        new.__kwdefaults__ = dict.fromkeys(old.__kwdefaults__)
    new.__qualname__ = old.__qualname__
    new.__module__ = old.__module__
    if old.__doc__ is not new.__doc__ and isinstance(old.__doc__, str | None):
        new.__doc__ = old.__doc__
    for name in _NEW_IN_312:
        if getattr(old, name, ()):
            setattr(new, name, getattr(old, name))
    return new


def holds_state(value: Any) -> bool:
    """Tell whether a copy of *value* is another object: it is no constant, and no tuple of constants."""
    cls: Any = type(value)
    if cls in ATOMS:
        return False
    if issubclass(cls, tuple):
        return cls is not tuple or any(map(holds_state, value))
    return not issubclass(cls, type)


def set_function_state(new: types.FunctionType, state: dict[Any, Any]) -> None:
    """Give a function its defaults, annotations and attributes."""
    attributes = {}
    defaults: dict[int, Any] = {}
    keywords: dict[str, Any] = {}
    taken: tuple[str, ...] = ()
    for name, value in state.items():
        if type(name) is tuple:
            where, key = name
            if where == "default":
                defaults[key] = value
            elif where == "keyword":
                keywords[key] = value
            elif where == "taken":
                taken = value
            else:
                setattr(new, key, value)
        else:
            attributes[name] = value
    if defaults:
        filled = list(new.__defaults__ or ())
        filled += [None] * (max(defaults) + 1 - len(filled))
        for place, value in defaults.items():
            filled[place] = value
        new.__defaults__ = tuple(filled)
    if keywords:
        new.__kwdefaults__ = {**(new.__kwdefaults__ or {}), **keywords}
    if attributes:
        new.__dict__.update(attributes)
    if taken:
        theirs = vars(attributes["__wrapped__"]) if attributes.get("__wrapped__") is not None else {}
        new.__dict__.update({name: theirs[name] for name in taken if name in theirs})


def _function_accessors(obj: types.FunctionType, parts: Parts) -> list[Accessor]:
    names = obj.__code__.co_freevars
    found = [cell(place, names[place] if place < len(names) else None) for place in range(len(parts.args))]
    return found + state_accessors(obj, parts.attrs or ())


def state_accessors(obj: types.FunctionType, names: Iterable[Any]) -> list[Accessor]:
    """The accessors of defaults, annotations and attributes, as ``set_function_state`` names them."""
    found = []
    for name in names:
        if type(name) is not tuple:
            found.append(instance_attribute(obj, name))
        elif name[0] == "default":
            found.append(Accessor("item", f".__defaults__[{name[1]}]", "", f".__defaults__[{name[1]}]", name[1]))
        elif name[0] == "taken":
            found.append(attribute("__dict__"))
        elif name[0] == "keyword":
            found.append(
                Accessor("item", f".__kwdefaults__[{name[1]!r}]", "", f".__kwdefaults__[{name[1]!r}]", name[1])
            )
        else:
            found.append(attribute(name[1]))
    return found


@anatomy(types.FunctionType)
def function(obj: types.FunctionType, context: Any) -> Outcome:
    """A function: its cells are arguments; defaults, annotations and attributes are state."""
    closure = obj.__closure__ or ()
    defaults = obj.__defaults__ or ()
    keywords = obj.__kwdefaults__ or {}
    own = obj.__dict__
    if not closure and not own and not any(map(holds_state, defaults)) and not any(map(holds_state, keywords.values())):
        return SHARED
    if is_importable(obj):
        return SHARED
    return by_value(obj)


def by_value(obj: types.FunctionType) -> Parts:
    """Take a function apart whether or not it could be shared."""
    state: dict[Any, Any] = dict(obj.__dict__)
    taken = taken_over(state)
    if taken:
        for name in taken:
            del state[name]
        state["taken", ""] = taken
    state.update((("default", place), value) for place, value in enumerate(obj.__defaults__ or ()))
    state.update((("keyword", name), value) for name, value in (obj.__kwdefaults__ or {}).items())
    if obj.__annotations__:
        state["own", "__annotations__"] = obj.__annotations__
    return Parts(
        _MakeFunction(obj), obj.__closure__ or (), attrs=state, setter=set_function_state, where=_function_accessors
    )


def taken_over(own: dict[str, Any]) -> tuple[str, ...]:
    """The attributes that ``functools.wraps`` took over from what it wraps, when that is no plain function.

    They are the wrapped object's state; the copy takes them over from the wrapped object's copy. Atoms are no state
    that could be taken from anywhere else: they are copied as they are.
    """
    wrapped = own.get("__wrapped__")
    if wrapped is None or type(wrapped) is types.FunctionType:
        return ()
    theirs = getattr(wrapped, "__dict__", None)
    if type(theirs) is not dict:
        return ()
    return tuple(
        name
        for name, value in own.items()
        if name != "__wrapped__" and type(value) not in ATOMS and theirs.get(name, NOTHING) is value
    )


def _set_cell(new: types.CellType, content: Any) -> None:
    new.cell_contents = content


@anatomy(types.CellType)
def closure_cell(obj: types.CellType, context: Any) -> Outcome:
    """A cell is made empty and filled: so a function can close over itself."""
    try:
        content = obj.cell_contents
    except ValueError:
        return Parts(types.CellType, where=())
    return Parts(types.CellType, state=content, setter=_set_cell, where=(attribute("cell_contents"),))


@anatomy(types.MethodType)
def bound_method(obj: types.MethodType, context: Any) -> Outcome:
    """A bound method is bound to the copy of what it is bound to."""
    return Parts(bind_method, (obj.__func__, obj.__self__), where=(attribute("__func__"), attribute("__self__")))


def bind_method(function: Any, owner: Any) -> Any:
    """Bind *function* to *owner*; what is bound to something that a rule cut is cut with it."""
    return None if function is None or owner is None else types.MethodType(function, owner)


def _rebind(name: str, owner: Any) -> Any:
    return getattr(owner, name)


@anatomy(types.BuiltinFunctionType, types.MethodWrapperType)
def builtin_method(obj: Any, context: Any) -> Outcome:
    """``some_list.append`` is bound anew to the copied list; a function of a module is shared."""
    owner = obj.__self__
    if owner is None or isinstance(owner, (types.ModuleType, type)) or type(owner) in ATOMS:
        return SHARED
    return Parts(_rebind, (obj.__name__, owner), where=(attribute("__name__"), attribute("__self__")))


def _placeholder() -> None:
    """Stand in a partial until its function is there."""


def _make_partial(cls: type) -> Any:
    return functools.partial.__new__(cls, _placeholder)


def _set_partial(new: Any, state: dict[Any, Any]) -> None:
    func = state.get("func", _placeholder)
    args = tuple(state.get(("arg", place)) for place in range(state["count"]))
    keywords = {name[1]: value for name, value in state.items() if type(name) is tuple and name[0] == "keyword"}
    own = {name[1]: value for name, value in state.items() if type(name) is tuple and name[0] == "own"}
    new.__setstate__((func, args, keywords, own))


def _partial_accessors(obj: Any, parts: Parts) -> list[Accessor]:
    found = [attribute("__class__")]
    for name in parts.attrs or ():
        if name == "func":
            found.append(attribute("func"))
        elif name == "count":
            found.append(Accessor("hidden", "len(args)", "len(", ".args)", None))
        elif name[0] == "arg":
            found.append(Accessor("item", f".args[{name[1]}]", "", f".args[{name[1]}]", name[1]))
        elif name[0] == "keyword":
            found.append(Accessor("item", f".keywords[{name[1]!r}]", "", f".keywords[{name[1]!r}]", name[1]))
        else:
            found.append(instance_attribute(obj, name[1]))
    return found


@anatomy(functools.partial)
def partial(obj: functools.partial[Any], context: Any) -> Outcome:
    """A partial is made around a placeholder and filled: so it can hold itself."""
    state: dict[Any, Any] = {"func": obj.func, "count": len(obj.args)}
    state.update((("arg", place), value) for place, value in enumerate(obj.args))
    state.update((("keyword", name), value) for name, value in obj.keywords.items())
    state.update((("own", name), value) for name, value in vars(obj).items())
    return Parts(_make_partial, (type(obj),), attrs=state, setter=_set_partial, where=_partial_accessors)


@anatomy(property)
def property_(obj: property, context: Any) -> Outcome:
    """A property over plain functions is shared, as it belongs to a class; over closures it is made anew."""
    if all(part is None or is_importable(part) for part in (obj.fget, obj.fset, obj.fdel)):
        return SHARED
    return Parts(
        property, (obj.fget, obj.fset, obj.fdel, obj.__doc__),
        where=tuple(map(attribute, ("fget", "fset", "fdel", "__doc__"))),
    )  # fmt: skip


@anatomy(staticmethod, classmethod)
def static_or_class_method(obj: Any, context: Any) -> Outcome:
    """The wrapper around a function that is copied is made anew."""
    if is_importable(obj.__func__):
        return SHARED
    return Parts(type(obj), (obj.__func__,), where=(attribute("__func__"),))
