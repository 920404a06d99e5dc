"""Objects that are one thing to their user: named as a whole, and not looked into.

A ConcreteFunction, a loaded SavedModel or a summary writer consists of hundreds of objects of the
TensorFlow runtime. No tool gets through them, a half-made copy of some of them destroys the
original when it dies, and nobody writes a rule for their parts.
"""

from __future__ import annotations

from typing import Any

from ..anatomy.parts import Outcome, Refused

__all__ = ["boundary_of"]

_LIBRARIES = ("tensorflow", "keras", "tf_keras")
_RUNTIME = "it belongs to the runtime of TensorFlow"
_WHOLE = {
    "ConcreteFunction": "cannot pickle 'FuncGraph' object",
    "FuncGraph": "cannot pickle 'FuncGraph' object",
    "AtomicFunction": _RUNTIME,
    "Context": _RUNTIME,
    "_UserObject": "a loaded SavedModel holds restored functions, which cannot be pickled",
    "_ResourceSummaryWriter": "a summary writer holds a resource of the TensorFlow runtime",
    "KerasTensor": "a symbolic tensor of a Keras model refers to the layers of the whole model",
    "OwnedIterator": "an iterator holds a resource of the TensorFlow runtime",
}


def boundary_of(obj: Any) -> Outcome | None:
    """The answer for an object that is named as a whole; None for all others."""
    reason = _reason(type(obj))
    return Refused(reason) if reason else None


def is_boundary(cls: type) -> bool:
    """Tell whether objects of *cls* are named as a whole."""
    return bool(_reason(cls))


def _reason(cls: type) -> str:
    for base in cls.__mro__[:-1]:
        module = getattr(base, "__module__", None)
        if isinstance(module, str) and module.partition(".")[0] in _LIBRARIES and base.__name__ in _WHOLE:
            return _WHOLE[base.__name__]
    return ""
