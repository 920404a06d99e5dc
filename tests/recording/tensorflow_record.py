"""A record of what passed with which version of TensorFlow, and what copying each kind of object does and costs.

``GRAPHCOPY_TF_RECORD=docs/tensorflow_versions pytest tests/tensorflow tests/keras`` writes the record of the
versions that are installed; ``python tests/tensorflow/version_table.py`` makes the tables in the documentation of all.
A file of tests that is run alone renews its own part of the record.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_OUTCOMES: dict[str, Counter[str]] = {}
_KINDS: list[dict[str, str]] = []
_ROOT = Path(__file__).resolve().parents[2]


class Spent:
    """What was spent within a ``with`` block: traces that TensorFlow made."""

    traces = 0


class Kind:
    """What a test says of the kind of object that it tests; the record keeps it together with the outcome."""

    def __init__(self, put: Callable[[str, object], None]) -> None:
        self._put = put

    def __call__(self, name: str, *, copied: str) -> None:
        """Say first what is copied, and what it is in the copy."""
        self._put("kind", name)
        self._put("copied", copied)

    def costs(self, *spent: str) -> None:
        """Say last what it cost, in words around what was counted."""
        self._put("costs", "; ".join(spent))

    @contextmanager
    def counting(self) -> Iterator[Spent]:
        """Count the traces that are made in the block; those of branches and loops within one count as well."""
        from tensorflow.python.framework import func_graph

        spent, make = Spent(), func_graph.func_graph_from_py_func

        def counted(*args: Any, **options: Any) -> Any:
            spent.traces += 1
            return make(*args, **options)

        func_graph.func_graph_from_py_func = counted
        try:
            yield spent
        finally:
            func_graph.func_graph_from_py_func = make


@pytest.fixture
def kind(record_property: Callable[[str, object], None]) -> Kind:
    """What a test says of its kind of object."""
    return Kind(record_property)


def pytest_runtest_logreport(report: Any) -> None:
    """Count what passed and failed, by the file of the test; keep what it said of its kind of object."""
    if report.when == "call" or report.failed:
        name = report.nodeid.partition("::")[0]
        _OUTCOMES.setdefault(name, Counter())[report.outcome] += 1
        said = dict(report.user_properties)
        if "kind" in said and report.outcome != "skipped":
            _KINDS.append({"test": report.nodeid, "outcome": report.outcome, **said})


def pytest_sessionfinish() -> None:
    """Write the record, where one is asked for."""
    where = os.environ.get("GRAPHCOPY_TF_RECORD")
    tensorflow: Any = sys.modules.get("tensorflow")
    if not where or tensorflow is None or not _OUTCOMES:
        return
    python = ".".join(platform.python_version_tuple()[:2])
    path = Path(where) / f"tensorflow-{tensorflow.__version__}-python-{python}.json"
    before = json.loads(path.read_text()) if path.exists() else {"tests": {}, "kinds": []}
    today = datetime.date.today().isoformat()
    tests = {name: counts for name, counts in before["tests"].items() if (_ROOT / name).exists()}
    tests |= {name: {**counts, "date": today} for name, counts in _OUTCOMES.items()}
    kept = [each for each in before.get("kinds", []) if each["test"].partition("::")[0] in tests]
    kinds = [each for each in kept if each["test"].partition("::")[0] not in _OUTCOMES] + _KINDS
    record = {
        "tensorflow": tensorflow.__version__,
        "keras": importlib.metadata.version("keras"),
        "python": python,
        "tests": dict(sorted(tests.items())),
        "kinds": sorted(kinds, key=lambda each: each["test"].partition("::")[0]),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
