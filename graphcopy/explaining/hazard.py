"""One hazard: an object that a tool copies without an error, and wrongly."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..anatomy.registry import dotted
from ..graph.paths import Path

__all__ = ["Hazard"]


class Hazard(NamedTuple):
    """An object that a tool copies without an error, and wrongly: where, and what goes wrong."""

    path: Path
    obj: Any
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {dotted(type(self.obj))}: {self.reason}"
