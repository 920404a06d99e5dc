"""Quiet TensorFlow, and the same seeds for every test."""

from __future__ import annotations

import os
import sys

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


@pytest.fixture(autouse=True)
def fixed_seeds():
    """Every test starts from the same seeds, and Keras 2 with its usual float type."""
    if "tf_keras" in sys.modules:
        sys.modules["tf_keras"].utils.set_random_seed(5)
    yield
    if "tf_keras" in sys.modules:
        sys.modules["tf_keras"].backend.set_floatx("float32")
