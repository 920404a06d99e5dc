"""Wrapped functions of functools: lru_cache, singledispatch, partialmethod; and what else holds a function."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..graph.accessors import Accessor, attribute, instance_attribute
from .functions import is_importable
from .parts import SHARED, Outcome, Parts
from .registry import anatomy

__all__ = ["make_cached", "set_cached"]


def make_cached(function: Any, maxsize: int | None, typed: bool) -> Any:
    """Wrap *function* in a cache of its own, which is empty."""
    return functools.lru_cache(maxsize=maxsize, typed=typed)(function)


def set_cached(new: Any, state: dict[str, Any]) -> None:
    """Give the wrapper its attributes."""
    new.__dict__.update(state)


def _cached_accessors(obj: Any, parts: Parts) -> list[Accessor]:
    parameters = attribute("cache_parameters")
    own = [instance_attribute(obj, name) for name in parts.attrs or ()]
    return [attribute("__wrapped__"), parameters, parameters, *own]


@anatomy(functools._lru_cache_wrapper)
def cached_function(obj: Any, context: Any) -> Outcome:
    """A cache over a function that is copied starts empty; over an importable function it is shared."""
    if is_importable(obj):
        return SHARED
    settings = obj.cache_parameters()
    attrs = {k: v for k, v in vars(obj).items() if k not in ("__wrapped__", "cache_parameters")}
    return Parts(
        make_cached, (obj.__wrapped__, settings["maxsize"], settings["typed"]), attrs=attrs, setter=set_cached,
        where=_cached_accessors, lost="the cached results",
    )  # fmt: skip


@anatomy(types.MappingProxyType)
def mapping_proxy(obj: types.MappingProxyType[Any, Any], context: Any) -> Outcome:
    """A read-only view shows the copied mapping."""
    import gc

    base = next(iter(gc.get_referents(obj)))
    accessor = Accessor("hidden", "<mapping>", "__import__('gc').get_referents(", ")[0]")
    return Parts(types.MappingProxyType, (base,), where=(accessor,))
