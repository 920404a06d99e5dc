"""The peers: other ways to copy an object."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["PEERS", "available"]


def _graphcopy(obj: Any) -> Any:
    import graphcopy

    return graphcopy.copy(obj)


def _pickle(obj: Any) -> Any:
    return pickle.loads(pickle.dumps(obj, 5))


def _cloudpickle(obj: Any) -> Any:
    import cloudpickle

    return cloudpickle.loads(cloudpickle.dumps(obj))


def _dill(obj: Any) -> Any:
    import dill

    return dill.loads(dill.dumps(obj, recurse=True))


def _copium(obj: Any) -> Any:
    import copium

    return copium.deepcopy(obj)


PEERS: dict[str, Callable[[Any], Any]] = {
    "graphcopy": _graphcopy,
    "deepcopy": copy.deepcopy,
    "pickle": _pickle,
    "cloudpickle": _cloudpickle,
    "dill": _dill,
    "copium": _copium,
}


def available(name: str) -> bool:
    """Tell whether the peer is installed (``pickle`` and ``deepcopy`` always are)."""
    from importlib.util import find_spec

    return name in ("deepcopy", "pickle") or find_spec(name) is not None


def by_value() -> None:
    """Let cloudpickle take the workloads' functions by value: importable ones it would only name."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules["benchmarks.workloads"])
