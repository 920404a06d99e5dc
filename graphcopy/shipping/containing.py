"""How lists, dicts, sets, tuples and frozensets are written from an explicit stack."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..errors import Obstacle
from .opcodes import ATOMS, TUPLES, get_code
from .stack import NO_CYCLE, Stack

__all__ = ["Containers"]

_BATCH = 1000


def set_members(new: Any, items: Any, pairs: object) -> None:
    """Put members into a set."""
    new.update(items)


class Containers(Stack):
    """The steps of containers; *ways* holds how each type that was met is written."""

    ways: dict[type, Callable[[Any], None]]

    def _atom(self, obj: Any) -> None:
        self.out += ATOMS[type(obj)](obj)

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
            self._fill_late(obj, fill, (), pairs[place:])
        self.items((iter([piece for pair in pairs[:place] for piece in pair]), pickle.SETITEMS))

    def _set(self, obj: set[Any]) -> None:
        self.out += pickle.EMPTY_SET
        self._memoize(obj)
        members = [each for each in list(obj) if not self._is_cut(each)]
        if any(map(self._unfinished, members)):
            self._fill_late(obj, set_members, members, ())
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
            elif type(each) is str and type(way) is partial:  # at once, unless a rule speaks for strings
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
        self.out += TUPLES[count] if count <= 3 else pickle.TUPLE
        self._memoize(obj)

    def _frozenset(self, obj: frozenset[Any]) -> None:
        self._check_members(obj)
        self._begin(obj)
        self.out += pickle.MARK
        self.todo.append((self.end_frozenset, obj))
        self.todo.extend((self.save, each) for each in obj if not self._is_cut(each))

    def _check_members(self, obj: Any) -> None:
        """Refuse a frozenset whose members cannot be hashed when it is made: nothing can be put in later."""
        if any(map(self._unfinished, frozenset.__iter__(obj))):
            raise Obstacle(
                obj, "its members can be hashed only when they are complete, and they lead back to it", NO_CYCLE
            )

    def end_frozenset(self, obj: frozenset[Any]) -> None:
        """Close a frozenset."""
        if self._made_meanwhile(obj):
            self.out += pickle.POP_MARK + get_code(self.memo[id(obj)][0])
            return
        self.out += pickle.FROZENSET
        self._memoize(obj)
