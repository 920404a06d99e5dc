"""What is taken back when a part of a copy fails.

A ``__deepcopy__`` hook may catch the error of a child and go on without it. Then nothing half-made
may be left: neither on the stack, nor in the memo, where a later reference would find it. The same
holds for a memo that the user gave, when the whole copy fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from .engine import FLOOR, drain

__all__ = ["Mark", "unless_it_fails"]


class Mark:
    """How far a copy had come before something that may fail."""

    __slots__ = ("deferred", "frames", "late", "memo", "serial")

    def __init__(self, run: Any, serial: int) -> None:
        self.serial = serial  # the key of the floor
        self.memo = len(run.memo)
        self.frames = len(run.frames)
        self.late = len(run.late)
        self.deferred = len(run.deferred)

    def unwind(self, run: Any, error: BaseException) -> bool:
        """Take back what has been begun since; tell whether the rest of the copy is still sound.

        It is not when the failure lay in an object that had been begun before: that one stays broken.
        """
        since = {*_newest(run.memo, self.memo), *_newest(run.frames, self.frames)}

        def is_older(key: int) -> bool:  # numbers below zero are given in falling order
            return key > self.serial if key < 0 else key not in since

        stack = run.stack
        moved = {}
        while stack:
            key, entry = stack.popitem()
            if entry is FLOOR and key == self.serial:
                break
            if is_older(key):
                moved[key] = entry
        stack.update(reversed(moved.items()))
        for key in _newest(run.memo, self.memo):
            del run.memo[key]
        for key in _newest(run.frames, self.frames):
            del run.frames[key]
        del run.late[self.late :]
        del run.deferred[self.deferred :]
        alive = {id(frame) for frame in run.frames.values()}
        run.opened = {key: frame for key, frame in run.opened.items() if id(frame) in alive}
        return not any(map(is_older, _where_it_failed(run, error)))


def _where_it_failed(run: Any, error: BaseException) -> set[int]:
    """The keys of the stack entries that the drains of *run* were at, innermost last, when *error* was raised."""
    found: set[int] = set()
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is drain.__code__ and trace.tb_frame.f_locals.get("run") is run:
            found.add(trace.tb_frame.f_locals.get("top", 0))
        trace = trace.tb_next
    return found


def _newest(entries: dict[int, Any], length: int) -> list[int]:
    """The keys that were entered after the first *length*, the newest first."""
    return list(islice(reversed(entries), max(len(entries) - length, 0)))


@contextmanager
def unless_it_fails(memo: dict[int, Any]) -> Iterator[None]:
    """Leave the user's *memo* as it was when what is done with it fails."""
    length, kept = len(memo), len(memo.get(id(memo), ()))
    try:
        yield
    except BaseException:
        for key in _newest(memo, length):
            del memo[key]
        alive = memo.get(id(memo))
        if alive is not None:
            del alive[kept:]
        raise
