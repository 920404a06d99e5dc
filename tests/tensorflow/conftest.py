"""No device but the CPU, every test of this folder is marked, and a record of what passed with which version.

``GRAPHCOPY_TF_RECORD=docs/tensorflow_versions pytest tests/tensorflow tests/keras`` writes the record of the
versions that are installed; ``python tests/tensorflow/version_table.py`` makes the table in the documentation of all.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

_OUTCOMES: dict[str, Counter[str]] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if "tests/tensorflow" in item.nodeid:
            item.add_marker(pytest.mark.tensorflow)


def pytest_runtest_logreport(report: Any) -> None:
    """Count what passed and failed, by the file of the test."""
    if report.when == "call" or report.failed:
        _OUTCOMES.setdefault(report.nodeid.partition("::")[0], Counter())[report.outcome] += 1


def pytest_sessionfinish() -> None:
    """Write the record, where one is asked for."""
    where = os.environ.get("GRAPHCOPY_TF_RECORD")
    tensorflow: Any = sys.modules.get("tensorflow")
    if not where or tensorflow is None:
        return
    python = ".".join(platform.python_version_tuple()[:2])
    record = {
        "tensorflow": tensorflow.__version__,
        "keras": importlib.metadata.version("keras"),
        "python": python,
        "date": datetime.date.today().isoformat(),
        "tests": {name: dict(counts) for name, counts in sorted(_OUTCOMES.items())},
    }
    folder = Path(where)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tensorflow-{tensorflow.__version__}-python-{python}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
