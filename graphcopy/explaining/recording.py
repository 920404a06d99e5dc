"""The memo that a ``__deepcopy__`` hook gets to see what it would copy: every look-up finds the object itself."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["RecordingMemo"]

_ABSENT = object()


class RecordingMemo(dict[int, Any]):
    """Answers each look-up with the object that is asked for, so that nothing below it is copied, and notes it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Any] = []

    def get(self, key: Any, default: Any = None, *, frame: Any = None) -> Any:
        """Find the object with this id among the caller's variables."""
        if key == id(self):
            return []
        for value in list((frame or sys._getframe(1)).f_locals.values()):
            if id(value) == key:
                self.asked.append(value)
                return value
        return default

    def __getitem__(self, key: int) -> Any:
        found = self.get(key, _ABSENT, frame=sys._getframe(1))
        if found is _ABSENT:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return False

    def __bool__(self) -> bool:
        return True
