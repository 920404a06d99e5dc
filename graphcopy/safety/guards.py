"""Which of graphcopy's own helpers a trusted file may use, each behind a guard that looks at its arguments.

None of them can call or import what it is handed: ``arrive``, partials, bound methods, modules, and all that makes
functions and classes are left out; ``complete`` calls the setters of this table and no others. Nothing here returns
something that belongs to the process, so that no state can be given to it.
"""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..errors import UntrustedError

__all__ = ["CALLABLE", "guarded"]

_BASES = (list, dict, tuple, set, frozenset, str, bytes, bytearray, int, float, complex)
_LASTING = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType, property)
_OWN = "graphcopy."


def _refuse(what: str) -> UntrustedError:
    return UntrustedError(f"a trusted file may not {what}; nothing more of it was built")


def _is_class(cls: Any, base: type = object) -> None:
    if not isinstance(cls, type) or issubclass(cls, type) or not issubclass(cls, base):
        raise _refuse(f"make an instance of {cls!r} as if it were a class below {base.__name__}")


def _is_instance(new: Any) -> None:
    """Let no state be given to what was there before: classes, functions, modules."""
    if isinstance(new, _LASTING):
        raise _refuse(f"give a state to {new!r}")


class Setter:
    """A helper of this table that gives an instance its state or contents: what ``complete`` may call."""

    __slots__ = ("_put",)

    def __init__(self, put: Callable[..., None]) -> None:
        self._put = put

    def __call__(self, new: Any, *content: Any) -> None:
        _is_instance(new)
        self._put(new, *content)


def make_container(real: Any) -> Any:
    """Guard the maker of subclasses of containers."""

    def make(cls: Any, base: Any, filled: Any, own_new: Any) -> Any:
        _is_class(cls, base if base in (list, dict, tuple, set, frozenset) else type)
        return real(cls, base, bool(filled), bool(own_new))

    return make


def make_value(real: Any) -> Any:
    """Guard the maker of subclasses of numbers and texts: its content is a plain one."""

    def make(cls: Any, base: Any, content: Any) -> Any:
        _is_class(cls, base if base in _BASES else type)
        if type(content) is not (bytes if base is bytearray else base):
            raise _refuse(f"make a {cls.__name__} of {type(content).__name__}")
        return real(cls, base, content)

    return make


def make_of_class(real: Any, base: type = object) -> Any:
    """Guard a helper whose first argument is the class of what it makes."""

    def make(cls: Any, *args: Any) -> Any:
        _is_class(cls, base)
        return real(cls, *args)

    return make


def make_exception(real: Any) -> Any:
    """Guard the maker of exceptions."""
    return make_of_class(real, BaseException)


def make_local(real: Any) -> Any:
    """Guard the maker of thread-local data."""
    return make_of_class(real, threading.local)


def put_state(real: Any) -> Any:
    """Guard the setter of attributes and slots: a slot is one of the instance's own class."""

    def put(new: Any, state: Any) -> None:
        for key in _checked_dict(state):
            if type(key) is tuple and isinstance(key[0], type):
                member = key[0].__dict__.get(key[1])
                if type(member) is not types.MemberDescriptorType or not isinstance(new, key[0]):
                    raise _refuse(f"set {key[1]!r} as if it were a slot")
        real(new, state)

    return Setter(put)


def set_exception(real: Any) -> Any:
    """Guard the setter of what an exception holds."""

    def put(new: Any, state: Any) -> None:
        if not isinstance(new, BaseException):
            raise _refuse(f"give the state of an exception to a {type(new).__name__}")
        for key in _checked_dict(state):
            if type(key) is tuple and key[0] == "slot" and type(key[1]) is not types.MemberDescriptorType:
                raise _refuse("set what is no slot of an exception")
            if type(key) is tuple and key[0] not in ("slot", "arg") and key[1] == "__class__":
                raise _refuse("change the class of an exception")
        real(new, state)

    return Setter(put)


def _checked_dict(state: Any) -> dict[Any, Any]:
    if type(state) is not dict:
        raise _refuse(f"give a {type(state).__name__} where a dict of attributes is due")
    return state


def complete(real: Any) -> Any:
    """Guard what gives an object state and contents by setters that stand in the file."""

    def put(new: Any, pieces: Any) -> None:
        _is_instance(new)
        if type(pieces) is not tuple or len(pieces) != 5 or not {type(each) for each in pieces[:2]} <= _SETTERS:
            raise _refuse("have a setter called that is none of graphcopy's own")
        real(new, pieces)

    return put


_SETTERS = {Setter, type(None)}


def make_ref(real: Any) -> Any:
    """Guard the maker of weak references: a callback would be called some day."""

    def make(callback: Any, target: Any) -> Any:
        if callback is not None:
            raise _refuse("have something called when an object dies")
        return real(None, target)

    return make


def make_dict_view(real: Any) -> Any:
    """Guard the maker of views of dicts."""

    def make(owner: Any, name: Any) -> Any:
        if not isinstance(owner, dict) or name not in ("keys", "values", "items"):
            raise _refuse(f"ask for {name!r} of a dict")
        return real(owner, name)

    return make


def same(real: Any) -> Any:
    """Guard what returns its argument."""

    def give(value: Any) -> Any:
        _is_instance(value)
        return value

    return give


def as_it_is(real: Any) -> Any:
    """Let a helper through that takes plain values only."""
    return real


_GUARDS: dict[str, Callable[[Any], Any]] = {
    "graphcopy.anatomy.builtins.MakeContainer": make_container,
    "graphcopy.anatomy.builtins.MakeValue": make_value,
    **dict.fromkeys(
        [f"graphcopy.anatomy.builtins._fill_{base}" for base in ("list", "dict", "ordered", "set", "deque")], Setter
    ),
    "graphcopy.anatomy.containers.bounded_deque": as_it_is,
    "graphcopy.anatomy.containers.make_dict_view": make_dict_view,
    "graphcopy.anatomy.exceptions.make_exception": make_exception,
    "graphcopy.anatomy.exceptions.set_exception": set_exception,
    "graphcopy.anatomy.instances.WHOLE": as_it_is,
    "graphcopy.anatomy.instances.put_state": put_state,
    "graphcopy.anatomy.parts.NOTHING": as_it_is,
    "graphcopy.anatomy.putting.default_fill": Setter,
    "graphcopy.anatomy.putting.default_state": Setter,
    "graphcopy.anatomy.reducing.make_new": make_of_class,
    "graphcopy.anatomy.states.make_local": make_local,
    "graphcopy.anatomy.weak.make_ref": make_ref,
    "graphcopy.shipping.policy.new_instance": make_of_class,
    "graphcopy.shipping.process.dead_method": as_it_is,
    "graphcopy.shipping.process.dead_proxy": as_it_is,
    "graphcopy.shipping.process.dead_reference_again": as_it_is,
    "graphcopy.shipping.process.view_of_bytes": as_it_is,
    "graphcopy.shipping.reduced.complete": complete,
    "graphcopy.shipping.reduced.same": same,
}
"""Dotted name of a helper to what puts a guard around it. A test holds that each of them is still there."""

CALLABLE = frozenset(
    [
        ("graphcopy.anatomy.arrays", "BufferArray"),
        ("graphcopy.anatomy.builtins", "MakeContainer"),
        ("graphcopy.anatomy.builtins", "MakeValue"),
    ]
)
"""Helpers that make something which is called in its turn."""


def guarded(module: str, name: str) -> Any:
    """The helper under this name behind its guard, or None where it has none.

    >>> guarded("graphcopy.shipping.reduced", "same")([1])
    [1]
    >>> guarded("graphcopy.shipping.functions", "make_code") is None
    True
    """
    guard = _GUARDS.get(f"{module}.{name}")
    if guard is None or "." in name:
        return None
    return guard(getattr(import_module(module), name))
