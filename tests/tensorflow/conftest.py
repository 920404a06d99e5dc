"""No device but the CPU, and every test of this folder is marked."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if "tests/tensorflow" in item.nodeid:
            item.add_marker(pytest.mark.tensorflow)
