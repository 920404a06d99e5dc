"""Tell whether a class is still the one that was worked out: hooks may be put on it or taken off at any time."""

from __future__ import annotations

import copyreg
import operator
from typing import Any

from .reducers import reducer_of

__all__ = ["signature_of"]

_HOOKS = (
    "__reduce_ex__", "__reduce__", "__getstate__", "__setstate__", "__deepcopy__", "__getnewargs__",
    "__getnewargs_ex__", "__new__", "__getattribute__", "__setattr__",
)  # fmt: skip

_of_all = operator.attrgetter("__mro__", *[name for name in _HOOKS if hasattr(object, name)])
_OF_SOME = tuple(name for name in _HOOKS if not hasattr(object, name))
_registered_reducers = copyreg.dispatch_table


def signature_of(cls: type) -> tuple[Any, ...]:
    """List what of a class may be changed later and decides how its objects come apart."""
    if type(cls) is type:
        hooks = []  # asked base by base: a look-up on the class that fails costs more
        for base in cls.__mro__:
            if base is object:
                continue
            own = base.__dict__
            for name in _OF_SOME:
                if name in own:
                    hooks.append(own[name])
        # The reducer is looked up here first, since nearly no class has one.
        return (_of_all(cls), reducer_of(cls) if cls in _registered_reducers else None, hooks)
    mro = cls.__mro__  # a metaclass may answer for what a class does not have, or raise
    hooks = [next((vars(base)[name] for base in mro if name in vars(base)), None) for name in _HOOKS]
    return (mro, reducer_of(cls), *hooks)
