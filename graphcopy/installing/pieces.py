"""What pickle cannot write below an object that rules match: it goes as a stand-in, which loads as the thing itself.

pickle never asks anybody about a function, and knows nothing of cells, code or local classes. Where a rule has taken
an object apart into such pieces (the Python function of a tf.function, say), each is handed to pickle as a Piece. One
thing has one Piece as long as the pickler remembers it, so aliases among them stay. Only what pickle alone would fail
on is wrapped, so nothing is written twice, once by itself and once as a Piece.
"""

from __future__ import annotations

import functools
import logging
import threading
import types
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from ..anatomy.functions import is_importable
from ..anatomy.parts import Parts
from ..anatomy.reducing import by_reduce
from ..anatomy.registry import dotted
from ..errors import Obstacle
from ..resolving import without_rules
from ..shipping.forms import form_of
from ..shipping.journey import Journey

__all__ = ["Piece", "Wrapping"]

_UNKNOWN = frozenset(
    [
        "builtins.cell", "builtins.mappingproxy", "builtins.dict_keys", "builtins.dict_values", "builtins.dict_items",
        "builtins.memoryview", "weakref.ReferenceType", "weakref.ProxyType", "weakref.CallableProxyType",
        "weakref.WeakMethod", "_weakrefset.WeakSet", "weakref.WeakKeyDictionary", "weakref.WeakValueDictionary",
    ]
)  # fmt: skip
"""Types that pickle cannot write, beside those that have a form."""

_NAMED = (types.FunctionType, types.BuiltinFunctionType, type)
_local = threading.local()


class Piece:
    """Stands for *obj* in what is handed to pickle; ``reduce(obj, wrapping)`` tells how it is written."""

    __slots__ = ("__weakref__", "obj", "wrapping")

    def __init__(self, obj: Any, wrapping: Wrapping) -> None:
        self.obj = obj
        self.wrapping = wrapping

    def __call__(self, *args: Any) -> Any:
        """Only here since pickle wants something callable where something is made."""
        return self.obj(*args)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.wrapping.reduce(self.obj)


class Wrapping:
    """Wraps the pieces of the objects that one pickler writes.

    It lives as long as one of its Pieces, and a pickler holds these to its end: so one in each thread serves all that
    is met meanwhile, and functions of one module keep one namespace.
    """

    __slots__ = ("__weakref__", "_is_ruled", "_pieces", "_reduce", "_shared", "policy")

    def __init__(self, policy: Any, is_ruled: Callable[[type], bool], reduce: Any) -> None:
        self.policy = policy
        self._is_ruled = is_ruled
        self._reduce = reduce
        self._shared: tuple[Any, Any] | None = None
        self._pieces: weakref.WeakValueDictionary[int, Piece] = weakref.WeakValueDictionary()

    @classmethod
    def current(cls, policy: Any, is_ruled: Callable[[type], bool], reduce: Any) -> Wrapping:
        """The one that is alive in this thread, or a new one."""
        found: Wrapping | None = getattr(_local, "current", _nobody)()
        if found is None or found.policy is not policy:
            found = cls(policy, is_ruled, reduce)
            _local.current = weakref.ref(found)
        return found

    def context_for(self, obj: Any, policy: Any) -> Journey:
        """A journey of *obj*, with the namespaces that all functions here share."""
        context = Journey(policy, obj)
        if self._shared is None:
            self._shared = (context.namespaces, context.sources)
        context.namespaces, context.sources = self._shared
        return context

    def reduce(self, obj: Any) -> Any:
        """The reduce value of what a Piece stands for."""
        return self._reduce(obj, wrapping=self)

    def pieces(self, objs: Iterable[Any]) -> list[Any]:
        """The same objects, each that pickle would fail on wrapped."""
        objs = list(objs)
        failing = self._failing(objs)
        return [self._piece(obj) if id(obj) in failing else obj for obj in objs]

    def _piece(self, obj: Any) -> Piece:
        piece = self._pieces.get(id(obj))  # it holds its object, so the id is not used again
        if piece is None:
            piece = self._pieces[id(obj)] = Piece(obj, self)
        return piece

    def _failing(self, objs: list[Any]) -> set[int]:
        """The ids of all, here and below, that pickle would fail on: itself or something that it leads to."""
        seen: dict[int, Any] = {}
        parents: dict[int, list[int]] = {}
        failing: list[int] = []
        waiting = objs[:]
        while waiting:
            obj = waiting.pop()
            cls = type(obj)
            if id(obj) in seen or (self.policy.anatomy(cls) is None and not isinstance(obj, type)):
                continue
            seen[id(obj)] = obj
            if self._is_ruled(cls):  # its own reducer is asked about it
                continue
            if _fails(obj) or self.policy.candidates(cls):
                failing.append(id(obj))
                continue
            for child in self._children(obj):
                parents.setdefault(id(child), []).append(id(obj))
                waiting.append(child)
        found = set(failing)
        while failing:
            for parent in parents.get(failing.pop(), ()):
                if parent not in found:
                    found.add(parent)
                    failing.append(parent)
        return found

    def _children(self, obj: Any) -> Iterable[Any]:
        """What pickle would write with *obj*, where that can be told without asking a hook of somebody else's."""
        if type(obj).__module__.partition(".")[0] == "graphcopy":  # a rule, which a class by value takes along
            try:
                outcome = by_reduce(obj, Journey(self.policy, obj))
            except Obstacle:  # pickle will say so
                return ()
            return list(outcome.children()) if isinstance(outcome, Parts) else ()
        return _children(obj)


def _nobody() -> None:
    return None


def _fails(obj: Any) -> bool:
    """Tell whether pickle fails on *obj* itself."""
    cls = type(obj)
    if isinstance(obj, types.BuiltinFunctionType) and not isinstance(obj.__self__, types.ModuleType | None):
        return False  # bound to an object: written as that object and a name
    if isinstance(obj, _NAMED):
        return not is_importable(obj)
    if any(dotted(base) in _UNKNOWN for base in cls.__mro__):
        return True
    if form_of(cls) is not None and not isinstance(obj, logging.Logger):
        return not is_importable(obj)
    return not is_importable(cls)


def _children(obj: Any) -> Iterable[Any]:
    cls: Any = type(obj)
    if cls in (list, tuple, set, frozenset):
        return list(obj)
    if cls is dict:
        return [*obj, *obj.values()]
    if cls is types.MethodType:
        return [obj.__self__]
    if cls is types.BuiltinFunctionType:
        return [obj.__self__]
    if cls is functools.partial:
        return [obj.func, *obj.args, *obj.keywords.values()]
    anatomy = without_rules(cls)
    return () if anatomy is None or anatomy.source != "instance" or anatomy.children is None else anatomy.children(obj)
