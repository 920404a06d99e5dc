"""The fast way into a stream: the C pickler, asked through ``reducer_override``.

The C pickler writes lists, dicts, tuples, sets and plain instances by itself, and asks about everything
else. It recurses, so very deep graphs are written by ``writing`` instead; so are graphs in which a rule
cuts references (the C pickler has met the parent by then) or speaks for builtin containers.
"""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable
from typing import Any

from ..anatomy.arrays import may_share
from ..anatomy.reducers import is_looked_through
from ..anatomy.registry import dotted
from .journey import Journey
from .reduced import CUT, HOLDERS, Reducer, arrive

__all__ = ["AnotherWay", "pickled"]

_Way = Callable[[Any], Any]


class AnotherWay(Exception):
    """The C pickler cannot write this graph (internal)."""


class _NeedsEnd(Exception):
    """Something has to be done when all has arrived: the root needs a frame (internal)."""


class _Framed:
    """The root, and behind it what has to be done when all has arrived."""

    __slots__ = ("root",)

    def __init__(self, root: Any) -> None:
        self.root = root


class _End:
    """Stands behind the root in the stream: when it is written, everything else has been."""

    __slots__ = ()


class _Pickler(pickle.Pickler):
    """The C pickler with graphcopy's knowledge of how things come apart."""

    def __init__(self, file: Any, journey: Journey, framed: bool, buffer_callback: Any) -> None:
        super().__init__(file, protocol=5, buffer_callback=buffer_callback)
        self.journey = journey
        self.reducer = Reducer(journey, cut=_is_never_cut)
        self.framed = framed
        self.ways: dict[type, _Way | None] = {_Framed: self._frame, _End: self._end}

    def reducer_override(self, obj: Any) -> Any:
        """Answer how *obj* is to be written; NotImplemented for pickle's own way."""
        cls = type(obj)
        try:
            way = self.ways[cls]
        except KeyError:
            way = self.ways[cls] = self._way(cls)
        return NotImplemented if way is None else way(obj)

    def _way(self, cls: type) -> _Way | None:
        anatomy = self.journey.policy.anatomy(cls)
        if anatomy is None:
            return None
        journey, reducer, open = self.journey, self.reducer, anatomy.open

        def general(obj: Any) -> Any:
            value = reducer.value(obj, journey.outcome(obj, open))
            if value is CUT:
                raise AnotherWay
            if reducer.late and not self.framed:
                raise _NeedsEnd
            return value

        def instance(obj: Any) -> Any:
            own = obj.__dict__
            # Where others hold the dict it has to stay one; without attributes it may be known by its identity.
            return general(obj) if not own or sys.getrefcount(own) > HOLDERS else NotImplemented

        def array(obj: Any) -> Any:
            return general(obj) if obj.dtype.hasobject or may_share(obj) else NotImplemented

        if is_looked_through(cls):  # pickle's own way would lead to what graphcopy has made for others
            return general
        if dotted(cls) == "numpy.ndarray" and anatomy.source != "rule":
            return array
        if not reducer.is_plain_instance(cls, anatomy):
            return reducer.quick_way(cls, anatomy, general)
        return instance if cls.__dictoffset__ else None

    def _frame(self, obj: _Framed) -> Any:
        return (arrive, (obj.root, _End()))

    def _end(self, obj: _End) -> Any:
        if not self.reducer.late:
            return (list, ())
        late = self.reducer.lately(lambda: iter(self.journey.graph.objs))
        return (list, (), None, iter([*late, _End()]))  # writing these may bring up more


def _is_never_cut(piece: Any) -> bool:
    return False


def pickled(journey: Journey, buffer_callback: Any = None) -> bytes:
    """Write the stream with the C pickler; raises AnotherWay, RecursionError, or Obstacle."""
    try:
        return _attempt(journey, journey.root, False, buffer_callback)
    except _NeedsEnd:
        return _attempt(journey, _Framed(journey.root), True, buffer_callback)


def _attempt(journey: Journey, root: Any, framed: bool, buffer_callback: Any) -> bytes:
    file = io.BytesIO()
    _Pickler(file, journey, framed, buffer_callback).dump(root)
    return file.getvalue()
