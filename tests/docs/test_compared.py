"""The tables of docs/compared.md are what the tools that are installed here do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

behaviours = pytest.importorskip("benchmarks.behaviours", reason="the benchmarks are in the source tree")
peers = pytest.importorskip("benchmarks.peers")

PAGE = (Path(__file__).parents[2] / "docs" / "compared.md").read_text(encoding="utf-8")


def rows() -> dict[str, dict[str, str]]:
    """Object to tool to what the page says."""
    found: dict[str, dict[str, str]] = {}
    tools: list[str] = []
    for line in PAGE.splitlines():
        about, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if about == "object":
            tools = cells
        elif not line.startswith("|"):
            tools = []
        elif tools and not set(about) <= {"-"}:
            found.setdefault(about, dict(zip(tools, cells)))
    return found


TOLD = rows()
PAIRS = [
    (case, tool) for case in behaviours.CASES for tool in peers.PEERS if tool != "copium" and peers.available(tool)
]
"""Without copium: where its patch is installed it changes copy.deepcopy for the whole process."""


def kind(verdict: str) -> str:
    """Right, wrong, or an error: which one, depends on the versions."""
    return verdict if verdict in ("right", "**wrong**") else "an error"


def test_all_objects_stand_on_the_page():
    assert {about for about, _, _ in behaviours.CASES} <= set(TOLD)
    assert all(verdicts["graphcopy"] == "right" for about, verdicts in TOLD.items() if "graphcopy" in verdicts)


@pytest.mark.parametrize(("case", "tool"), PAIRS, ids=[f"{tool}-{case[0]}" for case, tool in PAIRS])
def test_the_page_tells_what_the_tool_does(case, tool):
    about, make, right = case
    if "numpy" in about:
        pytest.importorskip("numpy")
    assert kind(behaviours.verdict(peers.peer(tool), make, right)) == kind(TOLD[about][tool])


def test_the_page_names_the_versions():
    assert re.search(r"Python 3\.\d+\.\d+, dill [\d.]+, cloudpickle [\d.]+, copium [\d.]+, numpy [\d.]+", PAGE)
