"""The examples of docs/keras.md run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

pytest.importorskip("tensorflow")
pytest.importorskip("keras", minversion="3.0")
pytestmark = [pytest.mark.tensorflow]
PAGE = Path(__file__).parents[2] / "docs" / "keras.md"


def test_examples():
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 10
    assert result.failed == 0
