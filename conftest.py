"""What all tests have in common: which files are collected, a quiet TensorFlow, the same seeds, both Keras."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

pytest_plugins = ["tensorflow_record"]  # tests/recording

_ROOT = Path(__file__).parent
_LEFT_OUT = {"benchmarks", "examples", "dev.py", "noxfile.py", "conf.py", "rules_reference.py"}
_NEEDS: dict[str, tuple[str, ...]] = {
    "first-copy.md": ("tensorflow",),
    "keras.md": ("keras",),
    "gpflow.md": ("gpflow",),
    "tensorflow.md": ("tensorflow",),
    "traces.md": ("tensorflow",),
}
"""Page to the packages that its examples import."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out helper modules of tests, and pages whose library is missing."""
    path = collection_path.relative_to(_ROOT) if collection_path.is_relative_to(_ROOT) else collection_path
    if path.parts and (path.parts[0] in _LEFT_OUT or path.name in _LEFT_OUT):
        return True
    if any(find_spec(name) is None for name in _NEEDS.get(path.name, ())):
        return True
    is_helper = path.parts[:1] == ("tests",) and path.suffix == ".py" and not path.name.startswith("test_")
    return True if is_helper and path.name != "conftest.py" else None


_NOT_OURS = ("tests/tensorflow/", "tests/keras/", "tests/tfp/", "tests/gpflow/", "tests/trieste/",
             "tests/shipping/test_tensorflow", "tests/shipping/test_keras", "tests/shipping/test_gpflow")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Warnings are errors, but those of TensorFlow's world about itself are only shown."""
    for item in items:
        if item.nodeid.startswith(_NOT_OURS):
            item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture(autouse=True)
def fixed_seeds() -> Iterator[None]:
    """Start every test from the same seeds, and leave Keras 2 with its usual float type."""
    for name in ("keras", "tf_keras"):
        utils = getattr(sys.modules.get(name), "utils", None)
        if hasattr(utils, "set_random_seed"):
            utils.set_random_seed(11)
    yield
    backend = getattr(sys.modules.get("tf_keras"), "backend", None)
    if backend is not None:
        backend.set_floatx("float32")


@pytest.fixture(params=["Keras 3", "Keras 2"])
def lib(request: pytest.FixtureRequest) -> Any:
    """The Keras of one generation, then of the other; up to TensorFlow 2.15, ``keras`` is Keras 2."""
    for name in ("keras", "tf_keras"):
        if find_spec(name):
            found = importlib.import_module(name)
            if found.__version__[0] == request.param[-1]:
                return found
    pytest.skip(f"{request.param} is not installed")
