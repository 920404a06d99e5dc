"""The way into a stream that knows no depth: opcodes written from an explicit stack.

It writes what the C pickler would, and what that cannot: chains of any depth, references that a rule
cuts, rules for builtin containers and atoms, and hash containers in a cycle with their own members,
which are filled when the members are complete. The C unpickler reads it without recursion.
"""

from __future__ import annotations

import copyreg
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from struct import pack
from typing import Any

from ..anatomy.instances import layout_of
from ..anatomy.parts import NOTHING, Pruned
from ..anatomy.putting import default_fill
from ..anatomy.reducing import by_reduce, type_hook
from ..errors import Obstacle
from ..resolving import without_rules
from .globals import named
from .journey import Journey
from .opcodes import ATOMS, bytearray_code, bytes_code, get_code, text_code
from .reduced import CUT, HOLDERS, Reducer, arrive, complete

__all__ = ["written"]

_BATCH = 1000
_newobj: Any = copyreg.__newobj__  # type: ignore[attr-defined]
_newobj_ex: Any = copyreg.__newobj_ex__  # type: ignore[attr-defined]
_TUPLES = (pickle.EMPTY_TUPLE, pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3)
_IN_MAKING = "what it is made from leads back to itself, so it would have to exist before it can be made"


def written(journey: Journey, buffer_callback: Any = None) -> bytes:
    """Write the stream of a journey; raises Obstacle for what cannot travel."""
    return _Writer(journey, buffer_callback).run()


def refill(new: Any, content: tuple[Any, Any, Any]) -> None:
    """Put contents in whose hashes need complete objects."""
    fill, items, pairs = content
    (fill or default_fill)(new, items, pairs)


def _is_never_cut(piece: Any) -> bool:
    return False


class _Writer:
    """One stream in the making.

    ``todo`` holds (step, argument), the next one last. ``memo`` maps an id to (place, object). An object
    is *open* from the moment that it can be referred to until it is complete.
    """

    def __init__(self, journey: Journey, buffer_callback: Any) -> None:
        self.journey = journey
        self.graph = journey.graph  # all outcomes are known from here on
        if not any(type(each) is Pruned and each.value is NOTHING for each in list(journey.known.values())):
            self._is_cut = _is_never_cut  # type: ignore[method-assign]
        self.reducer = Reducer(journey, cut=self._is_cut)
        self.callback = buffer_callback
        self.chunks: list[Any] = []
        self.out = bytearray()
        self.memo: dict[int, tuple[int, Any]] = {}
        self.todo: list[tuple[Callable[[Any], Any], Any]] = []
        self.making: dict[int, list[int]] = {}
        self.open: dict[int, Any] = {}
        self.filled_late: list[tuple[Any, Any, Any]] = []
        self.ways: dict[type, Callable[[Any], None]] = {}

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

    def _drain(self, step: Callable[[Any], Any], argument: Any) -> None:
        todo = self.todo
        todo.append((step, argument))
        while todo:
            step, argument = todo.pop()
            step(argument)

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

    # -- steps ---------------------------------------------------------------------------------------

    def write(self, code: bytes) -> None:
        """Write opcodes."""
        self.out += code

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

    def _atom(self, obj: Any) -> None:
        self.out += ATOMS[type(obj)](obj)

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

    def _list(self, obj: list[Any]) -> None:
        self.out += pickle.EMPTY_LIST
        self._memoize(obj)
        self.items((iter(list(obj)), pickle.APPENDS))

    def _dict(self, obj: dict[Any, Any]) -> None:
        self.out += pickle.EMPTY_DICT
        self._memoize(obj)
        cut = self._is_cut
        self._pairs(obj, None, [(k, v) for k, v in list(obj.items()) if not (cut(k) or cut(v))])

    def _pairs(self, obj: Any, fill: Any, pairs: list[tuple[Any, Any]]) -> None:
        """Write the pairs of a dict; those from the first key on whose hash is not to be had yet come later."""
        place = next((n for n, (key, _) in enumerate(pairs) if self._unfinished(key)), len(pairs))
        if place < len(pairs):
            self.filled_late.append((refill, obj, (fill, (), pairs[place:])))
        self.items((iter([piece for pair in pairs[:place] for piece in pair]), pickle.SETITEMS))

    def _set(self, obj: set[Any]) -> None:
        self.out += pickle.EMPTY_SET
        self._memoize(obj)
        members = [each for each in list(obj) if not self._is_cut(each)]
        if any(map(self._unfinished, members)):
            self.filled_late.append((refill, obj, (set_members, members, ())))
        else:
            self.items((iter(members), pickle.ADDITEMS))

    def items(self, pending: tuple[Iterator[Any], bytes]) -> None:
        """Write contents up to the first that has contents of its own, and come back behind that."""
        self.more_items((*pending, 0))

    def more_items(self, pending: tuple[Iterator[Any], bytes, int]) -> None:
        """Go on with a batch of which some are written."""
        content, code, written = pending
        memo, ways, atom, cut = self.memo, self.ways, self._atom, self._is_cut
        for each in content:
            if not written:
                self.out += pickle.MARK
            written += 1
            if cut(each):
                each = None
            way = ways.get(type(each))
            if way is atom:
                self.out += ATOMS[type(each)](each)
            elif (known := memo.get(id(each))) is not None:
                self.out += get_code(known[0])
            elif type(each) is str and way is not None:
                way(each)
            else:
                self.todo.append((self.more_items, (content, code, written % _BATCH)))
                if written == _BATCH:
                    self.todo.append((self.write, code))
                self.todo.append((self.save, each))
                return
            if written == _BATCH:
                self.out += code
                written = 0
        if written:
            self.out += code

    def _tuple(self, obj: tuple[Any, ...]) -> None:
        if not obj:
            self.out += pickle.EMPTY_TUPLE
            return
        self._begin(obj)
        if len(obj) > 3:
            self.out += pickle.MARK
        self.todo.append((self.end_tuple, obj))
        self.todo.extend((self.save, None if self._is_cut(each) else each) for each in reversed(obj))

    def end_tuple(self, obj: tuple[Any, ...]) -> None:
        """Close a tuple; one that was written meanwhile, from within, is fetched."""
        count = len(obj)
        if self._made_meanwhile(obj):
            self.out += pickle.POP * count if count <= 3 else pickle.POP_MARK
            self.out += get_code(self.memo[id(obj)][0])
            return
        self.out += _TUPLES[count] if count <= 3 else pickle.TUPLE
        self._memoize(obj)

    def _frozenset(self, obj: frozenset[Any]) -> None:
        self._begin(obj)
        self.out += pickle.MARK
        self.todo.append((self.end_frozenset, obj))
        self.todo.extend((self.save, each) for each in obj if not self._is_cut(each))

    def end_frozenset(self, obj: frozenset[Any]) -> None:
        """Close a frozenset."""
        if self._made_meanwhile(obj):
            self.out += pickle.POP_MARK + get_code(self.memo[id(obj)][0])
            return
        self.out += pickle.FROZENSET
        self._memoize(obj)

    def _instance(self, obj: Any, cls: type, own: dict[str, Any]) -> None:
        """Write a plain instance: its class, and its attributes as a dict that nobody else refers to."""
        cut = self._is_cut
        pieces = [piece for pair in own.items() if not cut(pair[1]) for piece in pair]
        self._filled(obj, cls, pickle.EMPTY_DICT, pieces, pickle.BUILD)

    def _slotted(self, obj: Any, cls: type, values: list[tuple[str, Any]]) -> None:
        """Write an instance that has slots and nothing else."""
        cut = self._is_cut
        pieces = [piece for pair in values if not cut(pair[1]) for piece in pair]
        self._filled(obj, cls, pickle.NONE + pickle.EMPTY_DICT, pieces, pickle.TUPLE2 + pickle.BUILD)

    def _filled(self, obj: Any, cls: type, state: bytes, pieces: list[Any], end: bytes) -> None:
        """Write an empty instance of *cls*, and behind it the pieces of its state."""
        self.open[id(obj)] = obj
        self.todo.append((self.built, (obj, end)))
        known = self.memo.get(id(cls))
        if known is None:
            self.todo += [(self.attributes, (obj, state, pieces)), (self.save, cls)]
        else:
            self.out += get_code(known[0])
            self.attributes((obj, state, pieces))

    def attributes(self, pending: tuple[Any, bytes, list[Any]]) -> None:
        """Make an empty instance of the class on the stack, and begin with its attributes."""
        obj, state, pieces = pending
        self.out += pickle.EMPTY_TUPLE + pickle.NEWOBJ
        self._memoize(obj)
        self.out += state
        self.more_items((iter(pieces), pickle.SETITEMS, 0))

    def built(self, pending: tuple[Any, bytes]) -> None:
        """Put the state on the stack into the instance below it."""
        obj, end = pending
        self.out += end
        del self.open[id(obj)]

    # -- reduce values -------------------------------------------------------------------------------

    def _reduced(self, obj: Any, value: Any) -> None:
        if value is CUT:
            self.out += pickle.NONE
        elif value is NotImplemented or type(value) is str:
            module, name = named(obj, None if value is NotImplemented else value)
            self.todo.append((self.end_global, obj))
            self.todo.append((self.save, name))
            self.todo.append((self.save, module))
        else:
            func, args = value[:2]
            self._begin(obj)
            code = pickle.REDUCE
            if func is _newobj:
                func, args, code = args[0], args[1:], pickle.NEWOBJ
            elif func is _newobj_ex:
                func, args, code = args[0], args[1:], pickle.NEWOBJ_EX
            self.todo.append((self.made, (obj, value, code)))
            if code == pickle.NEWOBJ_EX:
                self.todo += [(self.save, args[1]), (self.arguments, args[0])]
            else:
                self.todo.append((self.arguments, args))
            self.todo.append((self.save, func))

    def end_global(self, obj: Any) -> None:
        """Write that *obj* is found under the module and name on the stack."""
        self.out += pickle.STACK_GLOBAL
        self._memoize(obj)

    def arguments(self, args: tuple[Any, ...]) -> None:
        """Write a tuple of arguments, which nobody else refers to."""
        count = len(args)
        if count > 3:
            self.out += pickle.MARK
        self.todo.append((self.write, _TUPLES[count] if count <= 3 else pickle.TUPLE))
        self.todo.extend((self.save, each) for each in reversed(args))

    def made(self, pending: tuple[Any, Any, bytes]) -> None:
        """Make an object from what lies on the stack, then give it contents and state."""
        obj, value, code = pending
        if self._made_meanwhile(obj):
            self.out += pickle.POP * (3 if code == pickle.NEWOBJ_EX else 2)
            self.out += get_code(self.memo[id(obj)][0])
            return
        self.out += code
        self._memoize(obj)
        state, listed, paired, setter = (*value, None, None, None, None)[2:6]
        if state is None and listed is None and paired is None:
            return
        self.open[id(obj)] = obj
        todo = self.todo
        todo.append((self.close, obj))
        if setter is complete and state is not None:
            state = self._completed(obj, state)
        if state is not None:
            if setter is None:
                todo += [(self.write, pickle.BUILD), (self.save, state)]
            else:
                todo += [(self.write, pickle.TUPLE2 + pickle.REDUCE + pickle.POP), (self.save, state)]
                todo += [(self.save, obj), (self.save, setter)]
        if paired is not None:
            todo.append((lambda pairs: self._pairs(obj, None, pairs), list(paired)))
        if listed is not None:
            todo.append((self.items, (listed, pickle.APPENDS)))

    def _completed(self, obj: Any, state: Any) -> Any:
        """Leave contents for later whose hashes need objects that are not complete yet."""
        setter, fill, given, items, pairs = state
        hashed = [key for key, _ in pairs] or (items if isinstance(obj, (set, frozenset)) else ())
        if not any(map(self._unfinished, hashed)):
            return state
        self.filled_late.append((refill, obj, (fill, items, pairs)))
        return None if given is NOTHING else (setter, None, given, (), ())

    def close(self, obj: Any) -> None:
        """Note that *obj* is complete."""
        del self.open[id(obj)]

    # -- what the steps share ------------------------------------------------------------------------

    def _memoize(self, obj: Any) -> None:
        self.out += pickle.MEMOIZE
        self.memo[id(obj)] = (len(self.memo), obj)

    def _large(self, code: Any) -> None:
        self.out += code
        if len(self.out) > 1 << 20:
            self._flush()

    def _flush(self) -> None:
        self.chunks.append(self.out)
        self.out = bytearray()

    def _begin(self, obj: Any) -> None:
        """Enter the making of *obj*; entered again with nothing new in the memo, it would never end."""
        entered = self.making.setdefault(id(obj), [])
        if entered and entered[-1] == len(self.memo):
            raise Obstacle(obj, _IN_MAKING)
        entered.append(len(self.memo))

    def _made_meanwhile(self, obj: Any) -> bool:
        entered = self.making[id(obj)]
        entered.pop()
        if not entered:
            del self.making[id(obj)]
        return id(obj) in self.memo

    def _is_cut(self, piece: Any) -> bool:
        outcome = self.journey.known.get(id(piece))
        return type(outcome) is Pruned and outcome.value is NOTHING

    def _unfinished(self, member: Any) -> bool:
        """Tell whether hashing *member* on the other side needs the state of an object that is not complete."""
        if type(member) is str or not self.open:
            return False
        pending, seen = [member], set()
        while pending:
            each = pending.pop()
            if id(each) in self.open:
                hasher: Any = type_hook(type(each), "__hash__")
                if hasher is not None:
                    return True
            elif type(each) in (tuple, frozenset) and id(each) not in seen:
                seen.add(id(each))
                pending.extend(each)
        return False


def read(member: Any, obj: Any) -> Any:
    """The value in a slot; NOTHING where there is none."""
    try:
        return member.__get__(obj)
    except AttributeError:
        return NOTHING


def set_members(new: Any, items: Any, pairs: object) -> None:
    """Put members into a set."""
    new.update(items)


_NATIVE: dict[type, Any] = {
    str: _Writer._text, bytes: _Writer._bytes, bytearray: _Writer._bytearray, pickle.PickleBuffer: _Writer._buffer,
    list: _Writer._list, dict: _Writer._dict, set: _Writer._set, tuple: _Writer._tuple, frozenset: _Writer._frozenset,
}  # fmt: skip
