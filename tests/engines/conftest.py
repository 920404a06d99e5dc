"""Every test of this folder is marked."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if "tests/engines" in item.nodeid:
            item.add_marker(pytest.mark.engine)
