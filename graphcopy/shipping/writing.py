"""The way into a stream that knows no depth: opcodes written from an explicit stack.

It writes what the C pickler would, and what that cannot: chains of any depth, references that a rule
cuts, rules for builtin containers and atoms, and hash containers in a cycle with their own members,
which are filled when the members are complete. The C unpickler reads it without recursion.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import partial
from struct import pack
from typing import Any

from ..anatomy.instances import layout_of
from ..anatomy.parts import NOTHING, Parts, Shared
from ..anatomy.reducing import by_reduce
from ..errors import Obstacle
from ..resolving import without_rules
from .globals import named
from .instancing import Instances
from .journey import Journey
from .opcodes import ATOMS, bytearray_code, bytes_code, get_code, text_code
from .reduced import HOLDERS, Reducer, arrive

__all__ = ["written"]


def written(journey: Journey, buffer_callback: Any = None) -> bytes:
    """Write the stream of a journey; raises Obstacle for what cannot travel."""
    return _Writer(journey, buffer_callback).run()


class _Writer(Instances):
    """One stream in the making."""

    def __init__(self, journey: Journey, buffer_callback: Any) -> None:
        super().__init__(journey)
        self.reducer = Reducer(journey, cut=self._is_cut)
        self.callback = buffer_callback
        self.ways = {}

    def run(self) -> bytes:
        """Write the root, and behind it what has to be done when all has arrived."""
        root = self.journey.root
        if self._is_cut(root):
            raise Obstacle(root, "a rule prunes the root: there is nothing to send")
        self._drain(self.save, root)
        start, end = pickle.PROTO + pack("<B", 5), pickle.STOP
        if self.reducer.late or self.filled_late:
            module, name = named(arrive)
            start += text_code(module) + text_code(name) + pickle.STACK_GLOBAL
            end = pickle.TUPLE2 + pickle.REDUCE + pickle.STOP
            self._drain(self.late, None)
        self._flush()
        return b"".join([start, *self.chunks, end])

    def late(self, _: Any) -> None:
        """Write the list of what is done at the end; its last entry is another such list, if there is more by then."""
        found: list[Any] = self.filled_late
        self.filled_late = []
        found += self.reducer.lately(lambda: iter(self.graph.objs))
        self.out += pickle.EMPTY_LIST + pickle.MARK
        self.todo.append((self.write, pickle.APPENDS))
        self.todo.append((self.more_late, None))
        self.todo.extend((self.save, entry) for entry in reversed(found))

    def more_late(self, _: Any) -> None:
        """Go on while what was just written has brought up more."""
        if self.reducer.late or self.filled_late:
            self.todo.append((self.late, None))

    def save(self, obj: Any) -> None:
        """Write *obj*, or fetch it from the memo."""
        cls = type(obj)
        try:
            way = self.ways[cls]
        except KeyError:
            way = self.ways[cls] = self._way(cls)
        if way is not self._atom:
            known = self.memo.get(id(obj))
            if known is not None:
                self.out += get_code(known[0])
                return
        way(obj)

    def _way(self, cls: type) -> Callable[[Any], None]:
        anatomy = self.journey.policy.anatomy(cls)
        if anatomy is None and cls in ATOMS:
            return self._atom
        if cls in _NATIVE and (anatomy is None or anatomy is without_rules(cls)):
            return partial(_NATIVE[cls], self)
        if anatomy is None:
            return self._by_its_class
        open = anatomy.open

        def general(obj: Any) -> None:
            self._reduced(obj, self.reducer.value(obj, self.journey.outcome(obj, open)))

        native = _NATIVE.get(cls) or (_Writer._atom if cls in ATOMS else None)

        def as_pickle_does(obj: Any) -> None:
            # No rule speaks for the lists and tuples in which pieces are handed over: they are none of the graph.
            graph = self.graph
            place = graph.index.get(id(obj), -1)
            outcome = graph.outcomes.get(place)
            as_it_is = isinstance(outcome, Parts) and not outcome.cuts and place not in graph.rules
            passed_on = type(outcome) is Shared and (cls in ATOMS or cls in (str, bytes))
            if native is not None and (outcome is None or as_it_is or passed_on):
                native(self, obj)
            else:
                general(obj)

        if native is not None:
            return as_pickle_does

        def instance(obj: Any) -> None:
            own = obj.__dict__
            if not own or sys.getrefcount(own) > HOLDERS:
                general(obj)
            else:
                self._instance(obj, cls, own)

        def slotted(obj: Any) -> None:
            values = [(name, value) for name, member in members if (value := read(member, obj)) is not NOTHING]
            if values:
                self._slotted(obj, cls, values)
            else:
                general(obj)

        if not self.reducer.is_plain_instance(cls, anatomy):
            return general
        if cls.__dictoffset__:
            return general if layout_of(cls).members else instance  # type: ignore[union-attr]
        members = [(name, member) for _, name, member in layout_of(cls).members]  # type: ignore[union-attr]
        return slotted

    def _text(self, obj: str) -> None:
        self._large(text_code(obj))
        self._memoize(obj)

    def _bytes(self, obj: bytes) -> None:
        self._large(bytes_code(obj))
        self._memoize(obj)

    def _bytearray(self, obj: bytearray) -> None:
        self._large(bytearray_code(obj))
        self._memoize(obj)

    def _buffer(self, obj: pickle.PickleBuffer) -> None:
        with obj.raw() as raw:
            if self.callback is None or self.callback(obj):
                self._large(bytes_code(raw.tobytes()) if raw.readonly else bytearray_code(raw))
            else:
                self.out += pickle.NEXT_BUFFER + (pickle.READONLY_BUFFER if raw.readonly else b"")
        self._memoize(obj)

    def _by_its_class(self, obj: Any) -> None:
        """An atom of the graph (a Decimal, a pattern): it goes as its class says."""
        self._reduced(obj, self.reducer.value(obj, by_reduce(obj, self.journey)))


def read(member: Any, obj: Any) -> Any:
    """The value in a slot; NOTHING where there is none."""
    try:
        return member.__get__(obj)
    except AttributeError:
        return NOTHING


_NATIVE: dict[type, Any] = {
    str: _Writer._text, bytes: _Writer._bytes, bytearray: _Writer._bytearray, pickle.PickleBuffer: _Writer._buffer,
    list: _Writer._list, dict: _Writer._dict, set: _Writer._set, tuple: _Writer._tuple, frozenset: _Writer._frozenset,
}  # fmt: skip
