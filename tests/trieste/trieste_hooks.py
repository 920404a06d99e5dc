"""The copy hooks that classes of Trieste, GPflow and tf_keras have of their own, and how to take them away."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from typing import Any

import trieste

_NAMES = ("__deepcopy__", "__getstate__", "__setstate__")


def _hooks(package: str) -> list[tuple[type, str]]:
    """Every (class, hook) of the modules of a package that are loaded."""
    modules = {name: module for name, module in sys.modules.items() if name.startswith(f"{package}.")}
    classes = {cls for module in modules.values() for cls in vars(module).values() if inspect.isclass(cls)}
    own = [cls for cls in classes if cls.__module__ in modules]
    return [(cls, hook) for cls in sorted(own, key=repr) for hook in _NAMES if hook in vars(cls)]


for _module in pkgutil.walk_packages(trieste.models.__path__, "trieste.models."):
    importlib.import_module(_module.name)
HOOKS = _hooks("trieste.models")
"""Every (class, hook) under trieste.models."""

BELOW = [*_hooks("trieste.acquisition"), (trieste.data.Dataset, "__deepcopy__"), *_hooks("gpflow"),
         *_hooks("gpflux"), *_hooks("tf_keras")]  # fmt: skip
"""Those of what the models are made of."""


def without_hooks(monkeypatch: Any) -> None:
    """Take all of them away for the length of a test."""
    assert len(HOOKS) >= 8
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls, _ in BELOW}
    assert {"gpflow.optimizers.scipy.Scipy", "tf_keras.src.engine.training.Model"} < names
    for cls, name in [*HOOKS, *BELOW]:
        monkeypatch.delattr(cls, name)
