"""From the pieces of an object to what a pickler writes: a reduce value.

The order of a reduce value is pickle's: arguments, contents, state. Where an anatomy has its own way to
put contents in, all is handed over at once (``complete``), in the order of a copy: state, then contents.
Weak references are made when their target is in the stream, and dead ones where it is not; what needs
all the rest complete (weak collections, tables keyed by identity) comes at the end (``arrive``).
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..anatomy.arrays import ArrayCopy, may_share
from ..anatomy.instances import WHOLE, MakeInstance, layout_of, put_state
from ..anatomy.parts import NOTHING, ByName, Outcome, Parts, Pruned
from ..anatomy.putting import default_fill, default_state
from ..anatomy.reducing import type_hook
from ..anatomy.weak import MakeReference, make_proxy, make_ref, make_weak_method
from ..copying.engine import PRUNED
from ..graph.accessors import is_literal
from .instead import disguised, stands_instead, undressed
from .policy import new_instance
from .process import dead_method, dead_proxy, dead_reference_again

__all__ = ["CUT", "HOLDERS", "Reducer", "arrive", "complete", "same"]

CUT: Any = type("Cut", (), {"__slots__": (), "__repr__": lambda self: "CUT"})()
"""Stands where a rule cuts a reference."""

HOLDERS = 3
"""References to a ``__dict__`` that only its instance holds: the instance, a local variable, the argument."""

Reduced = tuple[Any, ...]
_newobj: Any = copyreg.__newobj__  # type: ignore[attr-defined]
_DEAD = {make_ref: dead_reference_again, make_weak_method: dead_method, make_proxy: dead_proxy}


def _left_behind(func: Any, args: list[Any]) -> tuple[Any, list[Any]]:
    """How a weak reference is made whose target does not travel along: dead on arrival."""
    if isinstance(func, MakeReference):
        return func.dead, args
    return (_DEAD[func], []) if func in _DEAD else (same, [None])


def same(value: Any) -> Any:
    """Return *value*: it stands in the place of something else."""
    return value


def complete(new: Any, pieces: tuple[Any, Any, Any, Sequence[Any], Sequence[Any]]) -> None:
    """Give *new* its state, then its contents, in the way of its anatomy."""
    setter, fill, state, items, pairs = pieces
    if state is not NOTHING:
        (setter or default_state)(new, state)
    if items or pairs:
        (fill or default_fill)(new, items, pairs)


def arrive(root: Any, late: Sequence[Any]) -> Any:
    """Do what had to wait until everything was there; return the root.

    *late* lists (function, object, targets); its last entry may be another such list.
    """
    waiting: Any = late
    while waiting:
        following: Any = ()
        for each in waiting:
            if type(each) is list:
                following = each
            else:
                bind, new, targets = each
                bind(new, targets)
        waiting = following
    return root


def _is_plainly_made(cls: type) -> bool:
    return type_hook(cls, "__new__") is None and type_hook(cls, "__class__") is None


class Reducer:
    """Turns outcomes into reduce values.

    *cut* tells for a child whether a rule cuts every reference to it.
    """

    __slots__ = ("_cut", "_journey", "_native", "_values", "late")

    def __init__(self, journey: Any, cut: Callable[[Any], bool]) -> None:
        self._journey = journey
        self._cut = cut
        self._values: dict[int, Any] = {}
        self._native: dict[type, bool] = {}
        self.late: list[tuple[Any, Parts]] = []

    def value(self, obj: Any, outcome: Outcome) -> Any:
        """The reduce value of *obj*: a tuple, a name, or NotImplemented where pickle's own way by name is meant.

        It is made once for an object, since an object may be met again before it is complete.
        """
        known = self._values.get(id(obj))
        if known is None:
            known = self._values[id(obj)] = self._value(obj, outcome)
        return known

    def _value(self, obj: Any, outcome: Outcome) -> Any:
        if isinstance(outcome, Parts):
            return self._parts(obj, outcome)
        if isinstance(outcome, ByName):
            return NotImplemented if outcome.name is None else outcome.name
        if stands_instead(outcome):
            dress = disguised(outcome.value, lambda cls: self._journey.policy.anatomy(cls) is not None)
            if dress is not NOTHING:
                return (undressed, (dress,))
            if not is_literal(outcome.value):
                self._journey.takes_instead(outcome.value)
            return (same, (outcome.value,))
        if isinstance(outcome, Pruned):
            return CUT
        return NotImplemented

    def lately(self, originals: Callable[[], Iterator[Any]]) -> list[tuple[Any, Any, list[Any]]]:
        """What is to be done when everything has arrived: (function, object, targets; None for those left behind)."""
        found = []
        for obj, parts in self.late:
            targets = parts.weak(originals()) if callable(parts.weak) else parts.weak
            along = self._journey.travels_along
            found.append((parts.bind, obj, [target if along(target) else None for target in targets]))
        self.late = []
        return found

    def _parts(self, obj: Any, parts: Parts) -> Reduced:
        args = self._kept(parts.args, parts, 0)
        func = parts.func
        if type(func) is ArrayCopy and (may_share(obj) or not obj.flags.writeable):
            over = self._journey.memories.over(obj)
            func, args = (func, args) if over is None else (over[0], list(over[1:]))
        if parts.late:
            targets = list(parts.weak)  # type: ignore[arg-type]
            if all(map(self._journey.travels_along, targets)):
                args += targets
            else:
                func, args = _left_behind(func, args)
        elif parts.bind is not None:
            self.late.append((obj, parts))
        func, args = self._made(obj, func, args)
        place = len(parts.args)
        state: Any = NOTHING
        if parts.attrs is not None:
            values = self._cut_out(list(parts.attrs.values()), parts, place)
            place += len(values)
            state = {key: value for key, value in zip(parts.attrs, values) if value is not CUT}
        elif parts.state is not NOTHING:
            (state,) = self._cut_out([parts.state], parts, place)
            place += 1
            state = NOTHING if state is CUT else state
        items = self._kept(parts.items, parts, place)
        place += len(parts.items)
        flat = self._cut_out([piece for pair in parts.pairs for piece in pair], parts, place)
        pairs = [(k, v) for k, v in zip(flat[::2], flat[1::2]) if k is not CUT and v is not CUT]
        return self._written(obj, parts, func, tuple(args), state, items, pairs)

    def _written(
        self, obj: Any, parts: Parts, func: Any, args: tuple[Any, ...], state: Any, items: list[Any], pairs: list[Any]
    ) -> Reduced:
        setter, fill = parts.setter, parts.fill
        if (fill is not None and (items or pairs)) or state is None:  # pickle takes None for no state
            return (func, args, (setter, fill, state, items, pairs), None, None, complete)
        listed, paired = iter(items) if items else None, iter(pairs) if pairs else None
        if state is NOTHING or (setter is put_state and not state):
            return (func, args, None, listed, paired)[: 2 if listed is None and paired is None else 5]
        native = self.is_native(type(obj))
        if setter is put_state and native and all(type(key) is str for key in state):
            setter = None
        elif setter is None and not native and type_hook(type(obj), "__setstate__") is None:
            setter = default_state
        if setter is None:
            return (func, args, state, listed, paired)
        return (func, args, state, listed, paired, setter)

    def _made(self, obj: Any, func: Any, args: list[Any]) -> tuple[Any, list[Any]]:
        """Say ``__newobj__`` where that is meant: pickle has a short form for it."""
        if type(func) is MakeInstance and not args:
            if func.new is not object.__new__:
                return func, args
            func, args = new_instance, [func.cls]
        if func is new_instance:
            cls = args[0]
            return (_newobj if cls is type(obj) and _is_plainly_made(cls) else new_instance), args
        if args and args[0] is type(obj) and getattr(func, "__name__", "") == "__new__" and func == args[0].__new__:
            return _newobj, args
        return func, args

    def is_native(self, cls: type) -> bool:
        """Tell whether pickle's own way to put attributes in can be trusted: it asks the half-made instance."""
        known = self._native.get(cls)
        if known is None:
            layout = layout_of(cls)
            hooks = ("__setstate__", "__getattr__", "__class__")
            known = layout is not None and layout.plain_access and all(type_hook(cls, name) is None for name in hooks)
            self._native[cls] = known
        return known

    def is_plain_instance(self, cls: type, anatomy: Any) -> bool:
        """Tell whether instances of *cls* are an attribute dict or slots and nothing else, as pickle takes them."""
        if anatomy.children is None or anatomy.source != "instance" or not self.is_native(cls):
            return False
        layout = layout_of(cls)
        if layout is None or not (layout.has_dict or layout.members):  # without state it may be known by its identity
            return False
        return all(type_hook(cls, name) is member for _, name, member in layout.members)

    def quick_way(self, cls: type, anatomy: Any, general: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """What gives the reduce value of instances of *cls*: at once, where they are attributes and slots."""
        layout = layout_of(cls)
        if anatomy.children is None or anatomy.source != "instance" or layout is None or self.is_native(cls):
            return general
        func = _newobj if _is_plainly_made(cls) else new_instance
        values, args = layout.values, (cls,)

        def reduced(obj: Any) -> Any:
            state = values(obj)
            return (func, args, state, None, None, put_state) if state and WHOLE not in state else general(obj)

        return reduced

    def _cut_out(self, pieces: list[Any], parts: Parts, offset: int) -> list[Any]:
        cuts, cut = parts.cuts, self._cut
        found = [CUT if cut(piece) else piece for piece in pieces]
        for place, value in (cuts or {}).items():
            if 0 <= place - offset < len(found):
                found[place - offset] = CUT if value is PRUNED else value
        return found

    def _kept(self, pieces: Sequence[Any], parts: Parts, offset: int) -> list[Any]:
        found = self._cut_out(list(pieces), parts, offset)
        if parts.sparse:
            return [piece for piece in found if piece is not CUT]
        return [None if piece is CUT else piece for piece in found]
