"""What tests of TensorFlow's world have in common: a quiet runtime, and the same seeds for every test."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


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
