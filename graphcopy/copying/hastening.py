"""A hook asks for a copy right now: make it, out of the order of the stack.

Usually an object that needs others first waits on the stack until they are there. A ``__deepcopy__``
cannot wait. So what lies below on the stack is brought forward: the arguments of the object first,
then the object. That is impossible only where they need the hook's own object.
"""

from __future__ import annotations

from typing import Any

from ..errors import Obstacle
from .engine import PENDING

__all__ = ["copy_now"]


def copy_now(run: Any, obj: Any) -> Any:
    """Copy *obj* to the end, whatever it waits for; PRUNED where a rule cuts it."""
    key = id(obj)
    frame = run.frames.get(key)
    if frame is None or frame.exists:
        new = run.tried(obj)[0]
        if new is not PENDING:
            return new
        frame = run.frames.get(key)
    if frame is not None and not frame.exists:
        _make_now(run, frame)
    return run.memo[key]


def _make_now(run: Any, frame: Any) -> None:
    if frame.key in run.hastened or frame.parts.func is None:
        raise Obstacle(frame.original, "a __deepcopy__ asks for its copy, which needs that of the asker first")
    run.hastened.add(frame.key)
    try:
        values = frame.parts.cuts or {}
        args = []
        for place, piece in enumerate(frame.parts.args):
            if place in values:
                args.append(values[place])
            elif run.table[type(piece)] is None:
                args.append(piece)
            else:
                args.append(run.memo[id(piece)] if id(piece) in run.memo else copy_now(run, piece))
        if frame.exists:  # one of its arguments led here
            return
        if frame.parts.late and not callable(frame.parts.weak):
            for target in frame.parts.weak:
                if run.reaches(target):
                    copy_now(run, target)
        if not frame.exists:
            _withdraw(run, frame)
            try:
                run.tried_to(frame.make_early, run, args)
            except Obstacle as obstacle:  # it had been begun before, and cannot be completed now
                run.broken = run.broken or obstacle
                raise
    finally:
        run.hastened.discard(frame.key)


def _withdraw(run: Any, frame: Any) -> None:
    """Take the frame off the stack, and out of the lists of those that wait for another one."""
    stack = run.stack
    group = stack.pop(frame.key, ())
    for key in (*(group if type(group) is tuple else ()), frame.marker):
        stack.pop(key, None)
    for other in run.frames.values():
        if frame in other.then:
            other.then.remove(frame)
    if frame in run.late:
        run.late.remove(frame)
