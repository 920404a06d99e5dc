"""Keras objects reduce themselves to an archive of the whole model: what fails is told without making it."""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.parts import SHARED, Outcome, Refused

__all__ = ["by_archive"]


def by_archive(obj: Any) -> Outcome | None:
    """The answer for what Keras saves as a whole; None for all other objects."""
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


def _layers(obj: Any) -> list[Any]:
    found, pending, seen = [], [obj], set()
    while pending:
        layer = pending.pop()
        if id(layer) in seen:
            continue
        seen.add(id(layer))
        found.append(layer)
        pending.extend(getattr(layer, "_layers", None) or ())
    return found


def _found_again(cls: type) -> bool:
    if cls.__module__.partition(".")[0] in ("keras", "keras_hub"):
        return True
    keras: Any = sys.modules.get("keras")
    registered = keras.saving.get_registered_name(cls) if keras is not None else cls.__name__
    return bool(registered != cls.__name__) and keras.saving.get_registered_object(registered) is cls
