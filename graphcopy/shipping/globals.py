"""Under which module and name something is found: what stands in the stream for it."""

from __future__ import annotations

import pickle
import sys
from typing import Any

from ..errors import Obstacle

__all__ = ["named"]


def named(obj: Any, name: str | None = None) -> tuple[str, str]:
    """Return module and name of *obj*; raises Obstacle when it is not found there.

    >>> named(named)
    ('graphcopy.shipping.globals', 'named')
    """
    if name is None:
        name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None) or "?"
    module: str = pickle.whichmodule(obj, name)  # type: ignore[attr-defined]
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not obj:
        raise Obstacle(obj, f"it is not found as {module}.{name}, so the other side would not find it either")
    return module, name
