"""The globals that a function reads."""

from __future__ import annotations

import types
from typing import Any

__all__ = ["globals_read"]


def globals_read(function: types.FunctionType) -> dict[str, Any]:
    """The globals that the code of *function* and of functions inside it names."""
    scope = function.__globals__
    found: dict[str, Any] = {}
    pending = [function.__code__]
    while pending:
        code = pending.pop()
        found.update({name: scope[name] for name in code.co_names if name in scope})
        pending.extend(each for each in code.co_consts if isinstance(each, types.CodeType))
    return found
