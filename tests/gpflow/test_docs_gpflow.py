"""The examples of docs/gpflow.md run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

pytest.importorskip("gpflow")
pytestmark = [pytest.mark.tensorflow]
PAGE = Path(__file__).parents[2] / "docs" / "gpflow.md"


def test_examples():
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 10
    assert result.failed == 0
