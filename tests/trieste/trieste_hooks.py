"""The copy hooks that Trieste and GPflow classes have of their own, and how to take them away."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from typing import Any

import trieste

_NAMES = ("__deepcopy__", "__getstate__", "__setstate__")


def _hooks() -> list[tuple[type, str]]:
    found = []
    for module in pkgutil.walk_packages(trieste.models.__path__, "trieste.models."):
        for cls in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(cls) and cls.__module__ == module.name:
                found.extend((cls, name) for name in _NAMES if name in vars(cls))
    return found


HOOKS = _hooks()
"""Every (class, hook) under trieste.models."""


def without_hooks(monkeypatch: Any) -> None:
    """Take all of them away for the length of a test, and GPflow's one too."""
    import gpflow

    assert len(HOOKS) >= 8
    for cls, name in HOOKS:
        monkeypatch.delattr(cls, name)
    monkeypatch.delattr(gpflow.optimizers.Scipy, "__getstate__", raising=False)
