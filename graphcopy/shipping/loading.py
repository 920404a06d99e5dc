"""Reading streams, and saying what went wrong."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable
from typing import Any

from ..copying.collecting import pause, resume

__all__ = ["unpickled"]


def unpickled(data: Any, buffers: Iterable[Any] | None = None) -> Any:
    """Read a stream."""
    unpickler = pickle.Unpickler(io.BytesIO(data), buffers=buffers)
    try:
        pause(unpickler)
        return unpickler.load()
    finally:
        resume(unpickler)
