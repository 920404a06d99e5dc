"""Hazards: what a tool would copy without an error, and wrongly."""

from __future__ import annotations

import copyreg
import types
import weakref
from collections.abc import Callable
from typing import Any

from ..anatomy.functions import is_importable
from ..anatomy.reducing import type_hook
from ..anatomy.registry import dotted
from ..graph.compact import CompactGraph
from ..graph.paths import Path
from .globals import globals_read
from .hazard import Hazard
from .id_tables import keyed_by_ids

__all__ = ["find_hazards"]


_IMMUTABLE = (str, bytes, int, float, complex, bool, type(None), type, types.ModuleType, types.FunctionType,
              types.BuiltinFunctionType, range, frozenset)  # fmt: skip
PathOf = Callable[[int], Path]
_DEEPCOPY, _OWN = "deepcopy", "graphcopy"


def find_hazards(graph: CompactGraph, backend: str) -> list[Hazard]:
    """The hazards among the nodes of *graph*, and among the functions that its tool takes as they are."""
    found: list[Hazard] = []
    seen: set[int] = set()
    arrays: list[tuple[int, Any]] = []
    labels: dict[int, Any] = {}

    def path_of(place: int) -> Path:
        return graph.path(place, labels)

    checks: dict[type, list[_Check]] = {}
    marks = graph.marks
    for place, obj in enumerate(graph.objs):
        kind = type(obj)
        applicable = checks.get(kind)
        if applicable is None:
            applicable = checks[kind] = [check for kinds, check in _CHECKS if issubclass(kind, kinds)]
            if backend == _DEEPCOPY and _may_find_it_again(kind):
                applicable.append(_only_one)
        if place in marks and marks[place] == "culprit":
            continue
        if applicable:
            if dotted(kind) == "numpy.ndarray":
                arrays.append((place, obj))
            reason = _first(obj, backend, applicable)
            if reason:
                found.append(Hazard(path_of(place), obj, reason))
        if backend == _OWN:
            continue
        taken = _taken_as_it_is(obj)
        if taken and _comes_apart_otherwise(graph, place, kind):
            continue
        for name, child in taken:
            if id(child) in seen or is_importable(child):
                continue
            seen.add(id(child))
            reason = _first(child, backend, [check for kinds, check in _CHECKS if isinstance(child, kinds)])
            if reason:
                found.append(Hazard(_step(path_of, place, obj, name), child, reason))
    if backend != _OWN:
        found += _views(path_of, arrays)
    found += keyed_by_ids(graph, path_of)
    return found


def _comes_apart_otherwise(graph: CompactGraph, place: int, kind: type) -> bool:
    """Tell an instance that the tool does not copy attribute by attribute: by an archive, or from a few arguments.

    What its attributes hold besides then does not reach the copy.
    """
    if kind in _PLAIN:
        return False
    if graph.mark(place) == "shared":
        return True
    if kind in copyreg.dispatch_table or any(type_hook(kind, hook) for hook in ("__reduce_ex__", "__reduce__")):
        return all(accessor.kind != "attribute" for accessor, _ in graph.references(place))
    return False


def _first(obj: Any, backend: str, checks: list[_Check]) -> str:
    for check in checks:
        reason = check(obj, backend)
        if reason:
            return reason
    return ""


def _taken_as_it_is(obj: Any) -> list[tuple[Any, Any]]:
    """What a plain container or instance holds that the tools take as it is: functions, methods, weak references."""
    kind = type(obj)
    if kind is dict:
        own: Any = obj
    elif kind is list or kind is tuple:
        # Nearly nothing holds any: that is told without a step of Python for each child.
        return [] if _SHARED.isdisjoint(map(type, obj)) else _shared_of(enumerate(obj))
    elif kind.__getattribute__ is _plain:
        own = getattr(obj, "__dict__", None)
    else:
        return []
    return [] if not own or _SHARED.isdisjoint(map(type, own.values())) else _shared_of(own.items())


def _shared_of(pairs: Any) -> list[tuple[Any, Any]]:
    return [(name, child) for name, child in list(pairs) if type(child) in _SHARED]


_plain: Any = object.__getattribute__
_PLAIN = frozenset([dict, list, tuple, str, int, float, bool, bytes])
_SHARED = frozenset([types.FunctionType, types.BuiltinFunctionType, weakref.ref])


def _step(path_of: PathOf, place: int, obj: Any, name: Any) -> Path:
    from ..graph.accessors import instance_attribute, is_literal, item, value_of

    if type(obj) is dict:
        step = item(name) if is_literal(name) else value_of(list(obj).index(name))
    elif type(obj) in (list, tuple):
        step = item(name)
    else:
        step = instance_attribute(obj, name)
    return Path([*path_of(place).steps, step])


def _function(obj: Any, backend: str) -> str:
    if backend == _DEEPCOPY and not is_importable(obj):
        held = [
            name for name, cell in zip(obj.__code__.co_freevars, obj.__closure__ or ()) if not _is_fixed(_content(cell))
        ]
        if held:
            return f"functions are shared: the copy still works on the original's {', '.join(map(repr, held))}"
        if any(not _is_fixed(value) for value in obj.__defaults__ or ()):
            return "functions are shared: the copy has the original's mutable default"
    if backend in (_OWN, _DEEPCOPY) and not is_importable(obj):
        read = [name for name, value in globals_read(obj).items() if not _is_fixed(value) and not callable(value)]
        if read:
            names = ", ".join(f"global {name!r}" for name in read)
            return f"{obj.__name__} reads {names}: shared"
    return ""


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _is_fixed(value: Any) -> bool:
    return isinstance(value, _IMMUTABLE) or (type(value) is tuple and all(map(_is_fixed, value)))


def _may_find_it_again(kind: type) -> bool:
    """Tell a class that has a say in making an object, and none in how it is copied."""
    new = type_hook(kind, "__new__")
    hooks = ("__deepcopy__", "__reduce_ex__", "__reduce__", "__getnewargs__", "__getnewargs_ex__")
    return hasattr(getattr(new, "__func__", new), "__code__") and not any(type_hook(kind, hook) for hook in hooks)


def _only_one(obj: Any, backend: str) -> str:
    cls: Any = type(obj)
    try:
        same = cls.__new__(cls) is obj
    except Exception:  # it wants arguments: the tool fails, and that is told elsewhere
        return ""
    return "making another one gives this one: the copy's state is written into the original" if same else ""


def _builtin_method(obj: Any, backend: str) -> str:
    owner = getattr(obj, "__self__", None)
    if backend == _DEEPCOPY and owner is not None and not _is_fixed(owner):
        return f"a method of a builtin is shared: it still works on the original's {type(owner).__name__}"
    return ""


def _weak(obj: Any, backend: str) -> str:
    if backend == _DEEPCOPY and type(obj) is weakref.ref and obj() is not None:
        return "weak references are shared: it points at the original"
    return ""


def _proxy(obj: Any, backend: str) -> str:
    return "" if backend in (_OWN, "dill") else "its target is copied in its place: a strong copy, and no proxy"


def _weak_keys(obj: Any, backend: str) -> str:
    if backend == _DEEPCOPY and len(obj):
        return "it keeps the original's keys: nothing is found under the copied ones"
    return ""


def _lock(obj: Any, backend: str) -> str:
    if backend != "dill":
        return ""
    if dotted(type(obj)) == "_thread.RLock":
        return (
            "dill's copy of a re-entrant lock that is held can never be acquired" if "owner=0" not in repr(obj) else ""
        )
    return "it is held, and dill's copy is born locked" if obj.locked() else ""


def _file(obj: Any, backend: str) -> str:
    if backend == "dill" and not obj.closed and obj.writable() and isinstance(getattr(obj, "name", None), str):
        return "a file opened for writing: dill opens it again, and truncates it"
    return ""


def _exception(obj: Any, backend: str) -> str:
    lost = [name for name in ("__cause__", "__context__") if getattr(obj, name, None) is not None]
    if backend != _OWN and lost:
        return f"{' and '.join(lost)} and the traceback are lost"
    return ""


def _traced(obj: Any, backend: str) -> str:
    if backend != _DEEPCOPY:
        return ""
    python_function = getattr(obj, "python_function", None)
    if getattr(python_function, "__closure__", None) or hasattr(python_function, "__self__"):
        return "its python function is shared: the copy reads the original's variables"
    return ""


class _ByName(type):
    """Tells the class of traced functions by its name, since TensorFlow is not imported here."""

    def __subclasscheck__(cls, other: type) -> bool:
        return other.__name__ == "Function" and other.__module__.startswith("tensorflow.")

    def __instancecheck__(cls, obj: object) -> bool:
        return cls.__subclasscheck__(type(obj))


class _TracedFunction(metaclass=_ByName):
    """A ``tf.function``."""


class _ArrayByName(_ByName):
    """Tells numpy's arrays by name."""

    def __subclasscheck__(cls, other: type) -> bool:
        return dotted(other) == "numpy.ndarray"


class _Array(metaclass=_ArrayByName):
    """A numpy array."""


def _nothing(obj: Any, backend: str) -> str:
    return ""


_Check = Callable[[Any, str], str]


def _kinds() -> list[tuple[Any, _Check]]:
    import _thread
    import io

    return [
        (types.FunctionType, _function),
        (types.BuiltinFunctionType, _builtin_method),
        (weakref.WeakKeyDictionary, _weak_keys),
        (weakref.ref, _weak),
        ((weakref.ProxyType, weakref.CallableProxyType), _proxy),
        ((_thread.LockType, _thread.RLock), _lock),
        (io.IOBase, _file),
        (BaseException, _exception),
        (_TracedFunction, _traced),
        (_Array, _nothing),
    ]


_CHECKS = _kinds()


def _views(path_of: PathOf, arrays: list[tuple[int, Any]]) -> list[Hazard]:
    """Arrays over one memory: every tool gives each a memory of its own."""
    first: dict[int, int] = {}
    found = []
    for place, array in arrays:
        base = array
        while getattr(base, "base", None) is not None and type(base.base) is type(base):
            base = base.base
        there = first.setdefault(id(base), place)
        if there != place:
            reason = f"it shares its memory with {path_of(there)}: they become two arrays"
            found.append(Hazard(path_of(place), array, reason))
    return found
