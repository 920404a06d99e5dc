"""Real cases from public reports: each module makes the object that could not be copied, and checks the copy."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import graphcopy

REPORTS = Path(__file__).parent / "reports"
HEAVY = {"tensorflow", "torch", "tf_keras", "gpflow", "gpflux", "trieste", "tensorflow_probability", "keras"}
CODE = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("report", sys.argv[1])
report = importlib.util.module_from_spec(spec)
sys.modules["report"] = report
spec.loader.exec_module(report)
import graphcopy
original = report.make()
rules = [getattr(graphcopy, name) for name in getattr(report, "RULES", ())]
report.check(original, graphcopy.copy(original, rules=rules))
print("right", flush=True)
import os
os._exit(0)
"""


def needs(path: Path) -> list[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("NEEDS"):
            return list(eval(line.partition("=")[2].partition("#")[0]))
    return []


def parameters() -> list:
    found = []
    for path in sorted(REPORTS.glob("*.py")):
        wanted = needs(path)
        marks = [pytest.mark.tensorflow, pytest.mark.slow] if HEAVY & set(wanted) else []
        found.append(pytest.param(path, id=path.stem, marks=marks))
    return found


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", parameters())
def test_report(path):
    wanted = needs(path)
    for name in wanted:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"needs {name}")
    if HEAVY & set(wanted):  # a process of its own: these libraries keep state
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", CODE, str(path)], capture_output=True, text=True)
        assert done.stdout.strip().endswith("right"), done.stderr[-3000:]
        return
    spec = importlib.util.spec_from_file_location(f"report_{path.stem}", path)
    report = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = report
    try:
        spec.loader.exec_module(report)
        original = report.make()
        rules = [getattr(graphcopy, name) for name in getattr(report, "RULES", ())]
        report.check(original, graphcopy.copy(original, rules=rules))
    finally:
        del sys.modules[spec.name]
