"""Keras objects reduce themselves to an archive of the whole model: what fails is told without making it."""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.parts import SHARED, Outcome, Refused

__all__ = ["by_archive"]


def by_archive(obj: Any) -> Outcome | None:
    """The answer for what Keras saves as a whole; None for all other objects."""
    if any(base.__name__ == "Model" and base.__module__.startswith("tf_keras.") for base in type(obj).__mro__):
        return _by_tf_keras(obj)
    kinds = {base.__name__ for base in type(obj).__mro__ if base.__module__.startswith(("keras.", "tf_keras."))}
    if "KerasSaveable" not in kinds:
        return None
    missing = next((layer for layer in _layers(obj) if not _found_again(type(layer))), None)
    if missing is None:
        return SHARED
    who = "it" if missing is obj else f"its part {getattr(missing, 'name', type(missing).__name__)!r}"
    return Refused(
        f"Keras copies by saving and loading, and {who} is of the class {type(missing).__qualname__}, "
        "which loading cannot find: it is not registered"
    )


def _by_tf_keras(model: Any) -> Outcome | None:
    """A built model is copied through a SavedModel; what it was compiled with must be found again by its name."""
    if not getattr(model, "built", False):
        return None
    custom = [each for each in _compiled_with(model) if not _is_keras_own(each)]
    if not custom:
        silent = [layer for layer in _layers(model)[1:] if _tells_no_config(type(layer))]
        if silent:
            name = getattr(silent[0], "name", "?")
            return Refused(f"tf_keras copies by saving and loading, and its layer {name!r} has no get_config")
        return SHARED
    names = ", ".join(repr(getattr(each, "__name__", type(each).__name__)) for each in custom)
    return Refused(
        f"tf_keras copies by saving and loading, and loading cannot find {names}, which it was compiled with"
    )


def _tells_no_config(cls: Any) -> bool:
    """Tell whether a layer takes arguments at its making that nobody writes down."""
    own = next((base for base in cls.__mro__ if "get_config" in base.__dict__), None)
    if own is None or not own.__module__.startswith("tf_keras.") or cls.__module__.startswith("tf_keras."):
        return False
    code = getattr(cls.__init__, "__code__", None)
    return code is not None and code.co_argcount + code.co_kwonlyargcount > 1


def _compiled_with(model: Any) -> list[Any]:
    loss = getattr(model, "loss", None)
    losses = loss.values() if isinstance(loss, dict) else loss if isinstance(loss, (list, tuple)) else [loss]
    return [each for each in losses if callable(each)]


def _is_keras_own(each: Any) -> bool:
    module = getattr(each, "__module__", None) or type(each).__module__
    return str(module).partition(".")[0] in ("keras", "tf_keras", "tensorflow")


def _layers(obj: Any) -> list[Any]:
    found, pending, seen = [], [obj], set()
    while pending:
        layer = pending.pop()
        if id(layer) in seen:
            continue
        seen.add(id(layer))
        found.append(layer)
        pending.extend((getattr(layer, "_layers", None) or getattr(layer, "_self_tracked_trackables", None)) or ())
    return found


def _found_again(cls: type) -> bool:
    if cls.__module__.partition(".")[0] in ("keras", "keras_hub"):
        return True
    keras: Any = sys.modules.get("keras")
    registered = keras.saving.get_registered_name(cls) if keras is not None else cls.__name__
    return bool(registered != cls.__name__) and keras.saving.get_registered_object(registered) is cls
