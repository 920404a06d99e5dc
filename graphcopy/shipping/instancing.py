"""How instances and reduce values are written from an explicit stack."""

from __future__ import annotations

import copyreg
import pickle
from typing import Any

from ..anatomy.parts import NOTHING
from .containing import Containers
from .globals import named
from .opcodes import TUPLES, get_code
from .reduced import CUT, complete

__all__ = ["Instances"]

_newobj: Any = copyreg.__newobj__  # type: ignore[attr-defined]
_newobj_ex: Any = copyreg.__newobj_ex__  # type: ignore[attr-defined]


class Instances(Containers):
    """The steps of plain instances, and of what comes apart as a reduce value."""

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
            if isinstance(obj, frozenset):
                self._check_members(obj)
            self._begin(obj)
            self.calls.append(func)
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
        self.todo.append((self.write, TUPLES[count] if count <= 3 else pickle.TUPLE))
        self.todo.extend((self.save, each) for each in reversed(args))

    def made(self, pending: tuple[Any, Any, bytes]) -> None:
        """Make an object from what lies on the stack, then give it contents and state."""
        obj, value, code = pending
        self.calls.pop()
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
        self._fill_late(obj, fill, items, pairs)
        return None if given is NOTHING else (setter, None, given, (), ())

    def close(self, obj: Any) -> None:
        """Note that *obj* is complete."""
        del self.open[id(obj)]
