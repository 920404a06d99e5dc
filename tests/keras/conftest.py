"""What the tests of Keras models have in common."""

from __future__ import annotations

import os
import sys

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


@pytest.fixture(autouse=True)
def fixed_seeds():
    """Every test starts from the same seeds."""
    for name in ("keras", "tf_keras"):
        if name in sys.modules:
            sys.modules[name].utils.set_random_seed(11)
