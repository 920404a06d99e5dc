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
from operator import itemgetter
from types import GetSetDescriptorType
from typing import Any

from ..anatomy.arrays import may_share
from ..anatomy.instances import layout_of
from ..anatomy.reducers import is_looked_through
from ..anatomy.reducing import type_hook
from ..anatomy.registry import dotted
from .journey import Journey
from .knots import has_own_hash, hashed, may_hash_too_early, members_of
from .reduced import CUT, HOLDERS, Reducer, arrive

__all__ = ["AnotherWay", "pickled"]

_NEVER_IN_KNOTS = (type, tuple, frozenset)
_WITHIN_KEYS = (tuple, frozenset)
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
        self.hashing: set[type] = set()  # classes met whose instances are hashed by what they hold
        self.holds_more = False  # whether one of those holds more than atoms: it may lead back to where it is hashed
        self.atoms: set[type] = set()
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
        way = self._plain_way(cls, anatomy)
        if not has_own_hash(cls) or issubclass(cls, _NEVER_IN_KNOTS):
            return way
        self.hashing.add(cls)
        children = anatomy.children
        if children is None:
            self.holds_more = True
        if self.holds_more:
            return way
        own = vars if _has_dict_only(cls) else None

        def watched(obj: Any) -> Any:
            # Nothing here may hold the attributes any longer when those who hold them are counted.
            plain = self.atoms.issuperset(map(type, children(obj) if own is None else own(obj).values()))
            if not plain and not self.all_atoms(children(obj)):
                self.holds_more = True
                self.ways[cls] = way
            return NotImplemented if way is None else way(obj)

        return watched

    def all_atoms(self, values: Any) -> bool:
        """Tell whether *values* are no nodes of the graph."""
        kinds = set(map(type, values))
        self.atoms.update(kind for kind in kinds if self.journey.policy.anatomy(kind) is None)
        return self.atoms.issuperset(kinds)

    def _plain_way(self, cls: type, anatomy: Any) -> _Way | None:
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
            plain = obj.flags.writeable and not obj.dtype.hasobject and not may_share(obj)
            return NotImplemented if plain else general(obj)

        if is_looked_through(cls):  # pickle's own way would lead to what graphcopy has made for others
            return general
        if dotted(cls) == "numpy.ndarray" and anatomy.source != "rule":
            return array
        if not reducer.is_plain_instance(cls, anatomy):
            return reducer.quick_way(cls, anatomy, general)
        return instance if cls.__dictoffset__ else None

    def hashes_what_may_lead_back(self) -> bool:
        """Tell whether a member of a dict or set is hashed by what it holds, and holds more than atoms."""
        hashing, anatomy = self.hashing, self.journey.policy.anatomy
        written = self.memo.copy().values()  # type: ignore[attr-defined]
        met = set(map(type, map(itemgetter(1), written)))
        containers = {cls for cls in met if issubclass(cls, (dict, set, frozenset))}
        if not containers:
            return False
        wanted = containers.union(_WITHIN_KEYS)
        objs = [obj for _, obj in written if type(obj) in wanted]
        if all(hashing.isdisjoint(map(type, obj)) for obj in objs if type(obj) in _WITHIN_KEYS):
            kinds = hashing
        else:
            kinds = {*hashing, *_WITHIN_KEYS}
        for obj in objs:
            if type(obj) not in containers:
                continue
            if kinds.isdisjoint(map(type, obj if type(obj) is dict else hashed(obj))):
                continue
            for each in members_of(hashed(obj)):
                if type(each) in hashing:
                    children = anatomy(type(each)).children
                    if children is None or any(anatomy(type(child)) is not None for child in children(each)):
                        return True
        return False

    def _frame(self, obj: _Framed) -> Any:
        return (arrive, (obj.root, _End()))

    def _end(self, obj: _End) -> Any:
        if not self.reducer.late:
            return (list, ())
        late = self.reducer.lately(lambda: iter(self.journey.graph.objs))
        return (list, (), None, iter([*late, _End()]))  # writing these may bring up more


def _has_dict_only(cls: type) -> bool:
    """Tell whether ``vars`` of an instance asks nobody, and gives all its state."""
    plain = type(type_hook(cls, "__dict__")) is GetSetDescriptorType and type_hook(cls, "__getattribute__") is None
    layout = layout_of(cls)
    return plain and layout is not None and not layout.members


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
    pickler = _Pickler(file, journey, framed, buffer_callback)
    try:
        pickler.dump(root)
    except BaseException:
        pickler.clear_memo()  # it holds dicts of instances; that they are held by others too would show in the paths
        raise
    if pickler.holds_more and pickler.hashes_what_may_lead_back() and may_hash_too_early(journey.graph, journey.knots):
        raise AnotherWay
    return file.getvalue()
