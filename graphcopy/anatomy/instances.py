"""Instances of classes written in Python: ``__dict__``, slots over the whole MRO, or both.

Only layouts that ``object.__new__`` can make are handled here; instances that wrap a C structure go
through their reduce method.
"""

from __future__ import annotations

import struct
import sys
import types
from collections.abc import Callable
from typing import Any

from ..graph.accessors import Accessor, instance_attribute
from .parts import Parts

__all__ = ["WHOLE", "Layout", "MakeInstance", "layout_of", "put_state", "read_dict", "slot_members"]


def read_dict(obj: Any) -> Any:
    """``obj.__dict__`` past any property or ``__getattribute__``."""
    return object.__getattribute__(obj, "__dict__")


def slot_members(cls: type) -> list[tuple[type, str, Any]]:
    """List the slots of *cls* as (class, name, member descriptor), base classes first.

    A slot whose name is taken by a subclass is listed all the same: it still holds a value.
    """
    found: list[tuple[type, str, Any]] = []
    for base in reversed(cls.__mro__):
        if "__slots__" not in base.__dict__:  # a C type, static or not: its members are not ours to set
            continue
        for name, member in base.__dict__.items():
            if type(member) is types.MemberDescriptorType and member.__objclass__ is base:
                found.append((base, name, member))
    return found


class _Whole:
    """The key of an instance's ``__dict__`` as an object of its own, when others hold it too."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "WHOLE"


WHOLE = _Whole()
_HOLDERS = 3  # references to a __dict__ that only its instance holds: the instance, a local, the argument


class MakeInstance:
    """Makes an empty instance of a class, without its ``__init__``."""

    __slots__ = ("cls", "new")

    def __init__(self, cls: Any, new: Callable[..., Any] = object.__new__) -> None:
        self.cls = cls
        self.new = new

    def __call__(self) -> Any:
        return self.new(self.cls)

    def __reduce__(self) -> tuple[Any, ...]:
        return (MakeInstance, (self.cls, self.new))


def put_state(new: Any, state: dict[Any, Any]) -> None:
    """Set attributes and slots of *new*, past any ``__setattr__``; slots stand under (class, name)."""
    own = read_dict(new) if type(new).__dictoffset__ else None
    for key, value in state.items():
        if key is WHOLE:
            object.__setattr__(new, "__dict__", value)
            own = value
        elif type(key) is tuple and isinstance(key[0], type):
            key[0].__dict__[key[1]].__set__(new, value)
        elif own is not None:
            own[key] = value


class Layout:
    """Where the instances of one class keep their state."""

    __slots__ = ("cls", "has_dict", "make", "members", "new", "plain_access", "slots")

    put = staticmethod(put_state)

    def __init__(self, cls: Any, new: Callable[..., Any]) -> None:
        self.cls = cls
        self.new = new
        self.make = MakeInstance(cls, new)
        self.has_dict = cls.__dictoffset__ != 0
        self.members = slot_members(cls)
        self.slots = [((base, name), member) for base, name, member in self.members]
        self.plain_access = (
            cls.__getattribute__ is object.__getattribute__
            and cls.__setattr__ is object.__setattr__
            and not any("__dict__" in vars(base) and type(vars(base)["__dict__"]) is property for base in cls.__mro__)
        )

    def values(self, obj: Any) -> dict[Any, Any]:
        """The state as one dict: attribute name to value, slots under (class, name).

        A ``__dict__`` that others hold as well (``self.__dict__ = shared``) is one value, under WHOLE:
        it has to stay one object in the copy.
        """
        state: dict[Any, Any] = {}
        if self.has_dict:
            own = read_dict(obj)
            if type(own) is dict and sys.getrefcount(own) <= _HOLDERS:
                state.update(own)
            else:
                state[WHOLE] = own
        for key, member in self.slots:
            try:
                state[key] = member.__get__(obj)
            except AttributeError:
                continue
        return state

    def children(self, obj: Any) -> list[Any]:
        """The values of attributes and set slots."""
        return list(self.values(obj).values())

    def accessors(self, obj: Any) -> list[Accessor]:
        """The accessors of ``children``."""
        return [self._accessor(obj, key) for key in self.values(obj)]

    def _accessor(self, obj: Any, key: Any) -> Accessor:
        if key is WHOLE:
            return Accessor("attribute", ".__dict__", "object.__getattribute__(", ", '__dict__')", "__dict__")
        if type(key) is tuple and isinstance(key[0], type):
            return instance_attribute(obj, key[1], slot_of=key[0])
        return instance_attribute(obj, key)

    def parts(self, obj: Any) -> Parts:
        """Take an instance apart."""
        return Parts(
            self.make, attrs=self.values(obj), setter=self.put, source="instance",
            where=lambda obj, parts: self.accessors(obj),
        )  # fmt: skip


def layout_of(cls: type) -> Layout | None:
    """The layout of *cls*, or None when a C structure lies behind its instances.

    That is told by size: an instance of a class written in Python has room for the object head, its
    slots, its ``__dict__`` and its weak references, and for nothing else. No instance is made to find
    out: its ``__del__`` would run, and some C types do not survive it.

    >>> layout_of(type("Point", (), {"__slots__": ("x", "y")})).has_dict
    False
    >>> layout_of(type("Pile", (list,), {})) is None
    True
    """
    if cls is not object and not cls.__flags__ & _HEAP_TYPE:
        return None
    if cls.__itemsize__ or cls.__flags__ & _NO_INSTANCES or cls.__flags__ & _ABSTRACT:
        return None
    room = object.__basicsize__ + _POINTER * len(slot_members(cls))
    if cls.__dictoffset__ and sys.version_info < (3, 11):  # later it lies in front of the head
        room += _POINTER
    if cls.__weakrefoffset__ and sys.version_info < (3, 12):
        room += _POINTER
    return Layout(cls, object.__new__) if cls.__basicsize__ == room else None


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_NO_INSTANCES = 1 << 7  # Py_TPFLAGS_DISALLOW_INSTANTIATION
_ABSTRACT = 1 << 20  # Py_TPFLAGS_IS_ABSTRACT; asking for __abstractmethods__ may run a metaclass
_POINTER = struct.calcsize("P")
