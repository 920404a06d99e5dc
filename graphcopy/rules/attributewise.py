"""Objects that are copied by their attributes, whatever hooks their classes have.

Some libraries' hooks copy less than the object holds: an archive of weights, a configuration, a
state without what "cannot be pickled". Where a rule knows better, it takes the object apart here:
an empty instance, given copies of all attributes and slots, and then whatever must be put right once
everything is copied (a table keyed by ``id()``, say).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..anatomy.builtins import builtin_subclass
from ..anatomy.instances import Layout, layout_of
from ..anatomy.parts import Weak
from ..anatomy.reducers import OwnMethod
from ..anatomy.registry import Anatomy

__all__ = ["PutState", "attributewise", "decides_for_itself"]

_WHOLE_COPY = ("__deepcopy__", "__reduce_ex__", "__reduce__")
_STATE = ("__getstate__", "__setstate__")


@lru_cache(maxsize=4096)
def _layout(cls: type) -> Layout | None:
    return layout_of(cls)


@lru_cache(maxsize=4096)
def _builtin(cls: type) -> Anatomy | None:
    return builtin_subclass(cls)


@lru_cache(maxsize=4096)
def decides_for_itself(cls: type, *packages: str, state: bool = False) -> bool:
    """Tell whether a class outside *packages* says how objects of *cls* are copied as a whole.

    A library's own hooks are what a rule overrides; one that a user wrote in a subclass is meant.
    With *state* that holds for ``__getstate__`` and ``__setstate__`` too.

    >>> class Own:
    ...     def __deepcopy__(self, memo): return self
    >>> decides_for_itself(Own, "keras"), decides_for_itself(dict, "keras")
    (True, False)
    """
    for name in _WHOLE_COPY + _STATE if state else _WHOLE_COPY:
        for base in cls.__mro__:
            if name in base.__dict__ and not isinstance(base.__dict__[name], OwnMethod):
                if base.__module__.partition(".")[0] not in (*packages, "builtins"):
                    return True
                break
    return False


def attributewise(
    obj: Any,
    *,
    instead: Mapping[str, Any] | None = None,
    without: Iterable[str] = (),
    as_it_is: Iterable[str] = (),
    through: Mapping[str, Callable[[Any], Any]] | None = None,
    weak: Weak = (),
    bind: Callable[[Any, Sequence[Any]], Any] | None = None,
) -> Any:
    """The treatment "an empty instance with copies of all attributes and slots"; no hook is asked.

    *without* names attributes that the copy does not get, *instead* gives values (copied like any
    other) that stand in place of the original's, *as_it_is* names attributes whose value is shared
    whatever it is (and None in another process), *through* gives functions that the copied value of an
    attribute is put through. When everything is copied ``bind(new, copies of
    weak)`` is called, if given. A subclass of a builtin keeps its contents too.

    NotImplemented for instances that only C can make.
    """
    cls: Any = type(obj)
    layout = _layout(cls)
    if layout is None:
        builtin = _builtin(cls)
        return NotImplemented if builtin is None else builtin.open(obj, None)
    parts = layout.parts(obj)
    attrs = parts.attrs
    if attrs is not None and (instead or without or as_it_is or through):
        shared = {name: attrs.pop(name) for name in as_it_is if name in attrs}
        if shared or through:
            parts.setter = PutState(parts.setter, shared, dict(through or {}))
        for name in without:
            attrs.pop(name, None)
        for name, value in (instead or {}).items():
            if name in attrs:
                attrs[name] = value
        parts.where = None
    parts.weak, parts.bind = weak, bind
    return parts


class PutState:
    """Puts the state in, and with it what is shared without being part of the graph, or made of a part of it."""

    __slots__ = ("put", "shared", "through")

    def __init__(self, put: Any, shared: dict[str, Any], through: dict[str, Callable[[Any], Any]]) -> None:
        self.put = put
        self.shared = shared
        self.through = through

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        state.update(self.shared)
        for name, make in self.through.items():
            if name in state:
                state[name] = make(state[name])
        self.put(new, state)

    def __reduce__(self) -> tuple[Any, ...]:
        return (PutState, (self.put, dict.fromkeys(self.shared), self.through))
