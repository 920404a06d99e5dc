"""What dill knows: asked how an object comes apart, where nothing else does.

dill's save functions are called with a pickler whose ``save_reduce`` keeps what it is given instead
of writing it. Locks, files, threads and memoryviews never get here: dill's copy of an RLock can
never be acquired, and its copy of a file opened for writing truncates it (dill 0.4.1).
"""

from __future__ import annotations

import io
from typing import Any

from .parts import ByName, Outcome, Refused
from .reducing import parts_of_reduced

__all__ = ["NEVER", "by_dill", "has_save_function", "knows"]

NEVER: frozenset[str] = frozenset(
    [
        "_thread.lock", "_thread.RLock", "_io.TextIOWrapper", "_io.BufferedReader", "_io.BufferedWriter",
        "_io.BufferedRandom", "_io.FileIO", "_io._IOBase", "builtins.memoryview", "threading.Thread",
        "_thread._local", "_thread._localdummy", "socket.socket", "_socket.socket", "builtins.frame",
        "builtins.traceback", "builtins.generator", "builtins.coroutine", "_queue.SimpleQueue",
    ]
)  # fmt: skip
"""Types that are not shown to dill."""

_recorder_class: Any = None


class _Captured(Exception):
    def __init__(self, answer: tuple[Any, ...]) -> None:
        self.answer = answer


def _recorder() -> Any:
    """Make the recording pickler; dill is imported when it is first needed."""
    global _recorder_class
    if _recorder_class is None:
        import dill

        class Recorder(dill.Pickler):  # type: ignore[misc, no-any-unimported]
            """A dill pickler that stops at the first object and keeps how it comes apart."""

            def save_reduce(
                self,
                func: Any,
                args: Any,
                state: Any = None,
                listitems: Any = None,
                dictitems: Any = None,
                state_setter: Any = None,
                *,
                obj: Any = None,
                **_: Any,
            ) -> None:
                raise _Captured((func, args, state, listitems, dictitems, state_setter))

        _recorder_class = Recorder
    return _recorder_class(io.BytesIO(), protocol=4, recurse=False)


def _save_function(cls: type) -> Any:
    recorder = _recorder()
    table = getattr(recorder.dispatch, "beneath", recorder.dispatch)  # without what graphcopy.install has put in front
    for base in cls.__mro__[:-1]:
        found = table.get(base)
        if found is not None and (base is cls or not base.__flags__ & 1 << 9):
            return found
    return None


def knows(cls: type) -> bool:
    """Tell whether dill has a save function for *cls*."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    return name not in NEVER and _save_function(cls) is not None


def has_save_function(cls: type) -> bool:
    """Tell whether dill takes objects of just this class apart by itself, rightly or not."""
    return cls in _recorder().dispatch


def by_dill(obj: Any, context: Any) -> Outcome:
    """Take *obj* apart as dill does."""
    save = _save_function(type(obj))
    if save is None:
        return Refused(f"nothing knows how to take a {type(obj).__qualname__} apart")
    try:
        save(_recorder(), obj)
    except _Captured as captured:
        return parts_of_reduced(obj, captured.answer, source="dill")
    except Exception as error:
        return Refused(f"dill cannot take it apart: {type(error).__name__}: {error}", cause=error)
    return ByName()  # it was written by name: a class, a module, a named function
