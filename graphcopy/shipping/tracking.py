"""Classes that travel by value keep their identity: sent there and back, or twice, they are one class.

A class gets a number when it is first sent. Who has met the number already takes the class that it has.
A class of ``__main__`` is also recognised by its name in a process that runs the same file.
"""

from __future__ import annotations

import os
import sys
import uuid
import weakref
from typing import Any

from .naming import MAINS

__all__ = ["finished", "known_class", "number_of", "pending"]

_numbers: dict[int, tuple[weakref.ref[type], str]] = {}  # by id: a metaclass may define __eq__ without __hash__
_classes: weakref.WeakValueDictionary[str, type] = weakref.WeakValueDictionary()
_PENDING = "__graphcopy_pending__"


def number_of(cls: type) -> str:
    """The number of a class, given to it now if it has none."""
    known = _numbers.get(id(cls))
    if known is None or known[0]() is not cls:
        number = uuid.uuid4().hex
        key = id(cls)
        _numbers[key] = known = (weakref.ref(cls, lambda _: _numbers.pop(key, None)), number)
        _classes[number] = cls
    return known[1]


def known_class(number: str, home: str, qualname: str) -> type | None:
    """The class that is here already: sent before, or defined by the same program."""
    found = _classes.get(number)
    if found is not None or not home:
        return found
    for name in MAINS:
        module = sys.modules.get(name)
        here = getattr(module, "__file__", None)
        if here and os.path.realpath(here) == os.path.realpath(home):
            there: Any = module
            for part in qualname.split("."):
                there = getattr(there, "__dict__", {}).get(part)
            if isinstance(there, type):
                return there
    return None


def pending(cls: type, number: str) -> type:
    """Mark a class that is made but has no attributes yet: one whose arrival fails half-way is not remembered."""
    type.__setattr__(cls, _PENDING, number)
    return cls


def finished(cls: type) -> bool:
    """Be told that a class gets its attributes now; False for one that was here before."""
    number = cls.__dict__.get(_PENDING)
    if number is None:
        return False
    type.__delattr__(cls, _PENDING)
    key = id(cls)
    _numbers[key] = (weakref.ref(cls, lambda _: _numbers.pop(key, None)), number)
    _classes.setdefault(number, cls)
    return True
