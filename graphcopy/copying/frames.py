"""Frames: objects that are made in several steps, because something must be complete first.

A frame first makes its object (``func(*args)``) and then gives it state and contents. Before each
step its pieces lie above it on the stack as one list, which the hot loop patches like any other.
While an object is not there yet, those who refer to it *wait*: (container, key) is noted on the
frame and filled in once the object exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..anatomy.parts import NOTHING, Parts
from ..anatomy.putting import default_fill, default_state
from .engine import PENDING, PRUNED

__all__ = ["Frame", "Refill"]

_ABSENT = object()


class Frame:
    """One object in the making."""

    __slots__ = ("content", "done", "key", "keys", "marker", "new", "original", "parts", "then", "waiters")

    def __init__(self, original: Any, key: int, parts: Parts) -> None:
        self.original = original
        self.key = key
        self.parts = parts
        self.new: Any = _ABSENT
        self.content: list[Any] = []
        self.keys: list[Any] | None = None
        self.waiters: list[tuple[Any, Any]] = []
        self.then: list[Any] = []  # frames that cannot go on before this one is there
        self.done = False
        self.marker = 0  # the key under which it lies on the stack

    def begin(self, run: Any) -> Any:
        """Take the first step; return the new object, or PENDING."""
        parts = self.parts
        run.frames[self.key] = self
        table = run.table
        args = self._cut(parts.args, 0)
        if parts.cuts or any(table[type(piece)] is not None for piece in args):
            self._lay(run, args)
            return PENDING
        self._make(run, args)
        return PENDING if self.new is _ABSENT else self.new

    @property
    def exists(self) -> bool:
        """Tell whether there is something to refer to yet."""
        return self.new is not _ABSENT

    def finish_as(self, run: Any, new: Any) -> None:
        """Take *new*, which a hook made, as the finished object."""
        self._exists(run, new)
        self.done = True
        run.leave(self)

    def step(self, run: Any) -> None:
        """Come up from the stack: the pieces are complete, or wait for a frame below."""
        blocker = run.blocker(self.content)
        if blocker is not None:
            blocker.then.append(self)
            return
        if self.new is _ABSENT:
            self._put_values(0)
            self._make(run, self._kept(self.content))
        else:
            self._put_values(len(self.parts.args))
            self._finish(run)

    def make_early(self, run: Any, args: Sequence[Any]) -> None:
        """Take the first step out of turn, since a hook asks for the object."""
        args = self._kept(args)
        if self.parts.late:
            self.content = list(args)
            self.bind(run)
        else:
            self._make(run, args)

    def bind(self, run: Any) -> None:
        """Take the last step: everything is copied, so the weak references can be aimed."""
        parts = self.parts
        weak = run.guarded(self, parts.weak, run.originals()) if callable(parts.weak) else parts.weak
        targets = [run.copy_of(target) for target in weak]
        if self.new is _ABSENT:
            self._exists(run, run.guarded(self, parts.func, *self.content, *targets))
            self._end(run)
        elif parts.bind is not None:
            run.guarded(self, parts.bind, self.new, targets)

    def _kept(self, pieces: Sequence[Any]) -> list[Any]:
        if self.parts.sparse:
            return [piece for piece in pieces if piece is not PRUNED]
        return [None if piece is PRUNED else piece for piece in pieces]

    def _cut(self, pieces: Sequence[Any], offset: int) -> Sequence[Any]:
        cuts = self.parts.cuts
        if not cuts:
            return pieces
        return [PRUNED if offset + place in cuts else piece for place, piece in enumerate(pieces)]

    def _put_values(self, offset: int) -> None:
        for place, value in (self.parts.cuts or {}).items():
            if value is not PRUNED and 0 <= place - offset < len(self.content):
                self.content[place - offset] = value

    def _lay(self, run: Any, pieces: Sequence[Any]) -> None:
        self.content = content = list(pieces)
        run.lay(self, content)

    def _make(self, run: Any, args: Sequence[Any]) -> None:
        parts = self.parts
        if parts.late:
            self.content = list(args)
            run.late.append(self)
            return
        new = run.guarded(self, parts.func, *args)
        if new is self.original and parts.has_content:
            # Its class makes one object only, or finds it again: what is put in would go into the original.
            run.stays(new)
            self.finish_as(run, new)
            return
        self._exists(run, new)
        content: list[Any] = []
        if parts.attrs is not None:
            self.keys = list(parts.attrs)
            content.extend(parts.attrs.values())
        elif parts.state is not NOTHING:
            content.append(parts.state)
        content.extend(parts.items)
        for pair in parts.pairs:
            content.extend(pair)
        content = list(self._cut(content, len(parts.args)))
        table = run.table
        if not content and parts.attrs is None:
            self._end(run)
        elif not parts.cuts and all(table[type(piece)] is None for piece in content):
            self.content = content
            self._finish(run)
        else:
            self._lay(run, content)

    def _exists(self, run: Any, new: Any) -> None:
        self.new = new
        run.enter(self, new)
        for container, place in self.waiters:
            container[place] = new
        self.waiters = []

    def _finish(self, run: Any) -> None:
        parts, content, new = self.parts, self.content, self.new
        place = 0
        state: Any = NOTHING
        if parts.attrs is not None:
            place = len(self.keys or ())
            state = {k: v for k, v in zip(self.keys or (), content) if v is not PRUNED}
        elif parts.state is not NOTHING:
            place, state = 1, content[0]
            if state is PRUNED:
                state = NOTHING
        if state is not NOTHING:
            run.guarded(self, parts.setter or default_state, new, state)
        if parts.items or parts.pairs:
            end = place + len(parts.items)
            items = self._kept(content[place:end])
            rest = content[end:]
            pairs = [(k, v) for k, v in zip(rest[::2], rest[1::2]) if k is not PRUNED and v is not PRUNED]
            run.fill(self.original, parts.fill or default_fill, new, items, pairs)
        self._end(run)

    def _end(self, run: Any) -> None:
        if (self.parts.weak or self.parts.bind is not None) and not self.parts.late:
            run.late.append(self)
        self.done = True
        self.content = []
        run.leave(self)


class Refill:
    """A dict with keys that must be copied: emptied, and filled again when its keys are complete."""

    __slots__ = ("content", "dict", "done", "key")

    def __init__(self, key: int, clone: dict[Any, Any], content: list[Any]) -> None:
        self.key = key  # of the object that the dict belongs to
        self.dict = clone
        self.content = content
        self.done = False

    def step(self, run: Any) -> None:
        """Fill the dict, unless a key is still in the making."""
        blocker = run.blocker(self.content)
        if blocker is not None:
            blocker.then.append(self)
            return
        content, clone = self.content, self.dict
        pairs = [(k, v) for k, v in zip(content[::2], content[1::2]) if k is not PRUNED and v is not PRUNED]
        run.fill(self, default_fill, clone, (), pairs)
        self.done = True
