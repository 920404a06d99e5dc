"""The reduce protocol as the tools use it: ask the object how it comes apart, and see whether that can be undone.

``copy.deepcopy`` and the picklers find out only at the end that an object cannot be made again: a
``__new__`` that wants arguments, an exception whose arguments do not fit its ``__init__``, a
``__getattr__`` that recurses on an object without attributes. It is found out here once for a class.
"""

from __future__ import annotations

import copyreg
import inspect
import weakref
from typing import Any

from ..anatomy.parts import NOTHING, Outcome, Parts, Refused
from ..anatomy.reducing import call_hook, parts_of_reduced, type_hook
from ..errors import Obstacle
from ..graph.accessors import Accessor
from .backend import Backend, in_its_words
from .pieces import pieces_of

__all__ = ["PROXIES", "by_protocol", "through_proxy"]


def by_protocol(backend: Backend, obj: Any, context: Any, protocol: int) -> Outcome:
    """Take *obj* apart by ``copyreg`` or its reduce method."""
    cls: Any = type(obj)
    try:
        reductor = copyreg.dispatch_table.get(cls)
        if reductor is not None:
            answer = call_hook(context, obj, reductor)
        else:
            answer = call_hook(context, obj, cls.__reduce_ex__, protocol)
    except Obstacle as obstacle:
        if obstacle.special is not None or obstacle.cause is None:
            raise
        return in_its_words(obstacle.cause, pieces_of(obj))
    outcome = parts_of_reduced(obj, answer)
    if isinstance(outcome, Parts):
        refused = cannot_be_made(backend, obj, outcome)
        if refused is not None:
            return refused
        with_attributes(obj, outcome)
    return outcome


PROXIES = (weakref.ProxyType, weakref.CallableProxyType)


def through_proxy(obj: Any) -> Outcome:
    """A weak proxy is asked for its hooks, and its target answers: the tools copy that."""
    try:
        target = obj.__repr__.__self__
    except ReferenceError as error:
        return in_its_words(error)
    return Parts(type, (target,), where=[Accessor("weak", "-> target", "", ".__repr__.__self__", "target")])


def with_attributes(obj: Any, parts: Parts) -> None:
    """Turn a state that is the object's own ``__dict__`` and slots into attributes, for paths that people write."""
    state: Any = parts.state
    slots: Any = None
    if type(state) is tuple and len(state) == 2 and type(state[1]) is dict:
        state, slots = state
    if type(state) is not dict and (state is not None or slots is None):
        return
    pieces = pieces_of(obj, also_owners=True)
    if pieces is None:
        return
    by_id = {id(child): accessor for child, accessor in zip(pieces.children(), pieces.accessors(obj))}
    values = [*(state or {}).values(), *(slots or {}).values()]
    if not all(id(value) in by_id for value in values):
        return
    rest = Parts(parts.func, parts.args, items=parts.items, pairs=parts.pairs)
    before = list(rest.accessors(obj))
    count = len(parts.args)
    parts.state, parts.attrs = NOTHING, dict(enumerate(values))
    parts.where = [*before[:count], *(by_id[id(value)] for value in values), *before[count:]]


def cannot_be_made(backend: Backend, obj: Any, parts: Parts) -> Refused | None:
    """A culprit where the pieces cannot be put together again."""
    cls = type(obj)
    if isinstance(obj, BaseException):
        return _unfit_arguments(obj, parts)
    func = parts.func
    if getattr(func, "__name__", "") == "__new__" and len(parts.args) == 1 and parts.args[0] is cls:
        key = ("made", cls)
        if key not in backend.found_out:
            backend.found_out[key] = _trial(cls, parts)
        error = backend.found_out[key]
        if error is not None:
            return in_its_words(error, pieces_of(obj))
    return None


def _trial(cls: Any, parts: Parts) -> BaseException | None:
    """What making an empty object raises, or looking for a hook on it: as the tools do, once for the class."""
    own_new = type_hook(cls, "__new__")
    getattr_hook = type_hook(cls, "__getattr__") or type_hook(cls, "__getattribute__")
    if own_new is None and getattr_hook is None:
        return None
    try:
        made = cls.__new__(cls)
        if getattr_hook is not None and (parts.attrs is not None or parts.state not in (None, NOTHING)):
            hasattr(made, "__setstate__")
    except Exception as error:
        return error
    return None


def _unfit_arguments(obj: BaseException, parts: Parts) -> Refused | None:
    cls = type(obj)
    if parts.func is not cls or type_hook(cls, "__init__") is None or not hasattr(cls.__init__, "__code__"):
        return None
    try:
        inspect.signature(cls.__init__).bind(obj, *parts.args)
    except TypeError as error:
        text = f"it cannot be made again: {cls.__qualname__}.__init__() {error} (its args are {len(parts.args)})"
        return Refused(text, cause=error, within=pieces_of(obj))
    return None
