"""The peers: other ways to copy an object."""

from __future__ import annotations

import copy
import functools
import pickle
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["PEERS", "available", "by_value", "peer"]

Copier = Callable[[Any], Any]


def _graphcopy() -> Copier:
    import graphcopy

    return graphcopy.copy


def _deepcopy() -> Copier:
    return copy.deepcopy


def _pickle() -> Copier:
    return lambda obj: pickle.loads(pickle.dumps(obj, 5))


def _cloudpickle() -> Copier:
    from cloudpickle import dumps, loads

    return lambda obj: loads(dumps(obj))


def _dill() -> Copier:
    from dill import dumps, loads

    return lambda obj: loads(dumps(obj, recurse=True))


def _copium() -> Copier:
    import copium

    return copium.deepcopy  # type: ignore[no-any-return]


_MAKERS = {
    "graphcopy": _graphcopy,
    "deepcopy": _deepcopy,
    "pickle": _pickle,
    "cloudpickle": _cloudpickle,
    "dill": _dill,
    "copium": _copium,
}
PEERS = tuple(_MAKERS)


@functools.cache
def peer(name: str) -> Copier:
    """The function by which this peer copies an object; imports what it needs."""
    return _MAKERS[name]()


def available(name: str) -> bool:
    """Tell whether the peer is installed (``pickle`` and ``deepcopy`` always are)."""
    from importlib.util import find_spec

    return name in ("deepcopy", "pickle") or find_spec(name) is not None


def by_value() -> None:
    """Let cloudpickle take the workloads' functions by value: importable ones it would only name."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules["benchmarks.workloads"])
