"""ctypes: values, structures and arrays are copied byte for byte; pointers lead into the copy, or to nothing.

An address means nothing in a copy. A pointer whose target lies in an object that the pointer keeps alive
(``_objects``) is aimed at the copy of that object; any other pointer is NULL in the copy.

Facts from the sources of ``_ctypes`` in CPython 3.10 to 3.13.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

from .instances import Layout
from .parts import Outcome, Parts, Refused
from .registry import anatomy

__all__ = ["PointerPlaces"]

_Pointer: Any = ctypes._Pointer  # type: ignore[attr-defined]
_NULLED = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_wchar_p)


def pointers_in(cls: Any, offset: int = 0) -> list[tuple[int, Any]]:
    """The places of all pointers in a ctypes type: (offset, pointer type)."""
    if issubclass(cls, (_Pointer, ctypes._CFuncPtr)) or cls in _NULLED:  # type: ignore[attr-defined]
        return [(offset, cls)]
    found: list[tuple[int, Any]] = []
    if issubclass(cls, (ctypes.Structure, ctypes.Union)):
        for base in reversed(cls.__mro__):
            for field in base.__dict__.get("_fields_", ()):
                found += pointers_in(field[1], offset + getattr(cls, field[0]).offset)
    elif issubclass(cls, ctypes.Array):
        inner = pointers_in(cls._type_)
        size = ctypes.sizeof(cls._type_)
        for place in range(cls._length_ if inner else 0):
            found += [(offset + place * size + at, kind) for at, kind in inner]
    return found


def targets_of(obj: Any) -> list[Any]:
    """The ctypes objects that *obj* keeps alive: what its pointers may lead to."""
    found: list[Any] = []
    waiting, seen = [obj._objects, obj._b_base_], set()
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, tuple):
            waiting += each
        elif hasattr(each, "_b_base_") and hasattr(each, "_objects"):
            found.append(each)
            waiting += [each._objects, each._b_base_]
    return found


class CData:
    """Makes a ctypes object of the same bytes, all pointers in it NULL."""

    __slots__ = ("cls", "data", "texts")

    def __init__(self, cls: Any, data: bytes, texts: Sequence[tuple[int, Any, Any]] = ()) -> None:
        self.cls = cls
        self.data = data
        self.texts = texts  # (offset, c_char_p or c_wchar_p, what it points at)

    def __call__(self) -> Any:
        new = self.cls.__new__(self.cls)
        if ctypes.sizeof(new) < len(self.data):
            ctypes.resize(new, len(self.data))
        ctypes.memmove(ctypes.addressof(new), self.data, len(self.data))
        for offset, kind, text in self.texts:
            holder = kind(text)
            ctypes.memmove(ctypes.addressof(new) + offset, ctypes.addressof(holder), ctypes.sizeof(holder))
            keep_alive(new, holder)
        return new


class PointerPlaces:
    """Aims the pointers of a copy at the copies of their targets: (offset, which target, offset in it, old place).

    A target that still lies at its old place was not copied: the pointer stays NULL.
    """

    __slots__ = ("places",)

    def __init__(self, places: Sequence[tuple[int, int, int, int]]) -> None:
        self.places = places

    def __call__(self, new: Any, targets: Sequence[Any]) -> None:
        for offset, number, inside, old in self.places:
            target = targets[number]
            start = ctypes.addressof(target)
            if start != old:
                ctypes.c_void_p.from_address(ctypes.addressof(new) + offset).value = start + inside
                keep_alive(new, target)


def _hold(target: Any) -> None:
    """Be called when the object that points at *target* dies; until then the finalizer holds it."""


def keep_alive(new: Any, target: Any) -> None:
    """Keep *target* alive as long as *new*, which points at it."""
    weakref.finalize(new, _hold, target).atexit = False


@anatomy("_ctypes.Structure", "_ctypes.Union", "_ctypes._SimpleCData", "_ctypes.Array", "_ctypes._Pointer",
         subclasses=True)  # fmt: skip
def c_data(obj: Any, context: Any) -> Outcome:
    """A value, structure, union, array or pointer of C."""
    cls = type(obj)
    if cls is ctypes.py_object or getattr(cls, "_type_", "") == "O":
        return Refused("a ctypes.py_object holds a bare reference to a Python object")
    data = bytearray(ctypes.string_at(ctypes.addressof(obj), ctypes.sizeof(obj)))
    targets: list[Any] = []
    places = []
    pointers = pointers_in(cls)
    candidates = targets_of(obj) if pointers else []
    texts, lost = [], ""
    for offset, kind in pointers:
        if kind in (ctypes.c_char_p, ctypes.c_wchar_p) and obj._objects is not None:
            texts.append((offset, kind, kind.from_address(ctypes.addressof(obj) + offset).value))
            continue
        address = int.from_bytes(data[offset : offset + ctypes.sizeof(ctypes.c_void_p)], "little")
        data[offset : offset + ctypes.sizeof(ctypes.c_void_p)] = bytes(ctypes.sizeof(ctypes.c_void_p))
        for target in candidates:
            start = ctypes.addressof(target)
            if address and start <= address < start + max(ctypes.sizeof(target), 1) and target is not obj:
                if not any(each is target for each in targets):
                    targets.append(target)
                places.append((offset, [id(each) for each in targets].index(id(target)), address - start, start))
                break
        else:
            lost = "a pointer that leads out of the graph: NULL in the copy" if address else lost
    parts = Parts(CData(cls, bytes(data), texts), lost=lost)
    layout = Layout(cls, cls.__new__)
    if layout.has_dict or layout.members:
        parts.attrs, parts.setter = layout.values(obj), layout.put
    if places:
        parts.weak, parts.bind = targets, PointerPlaces(places)
    return parts
