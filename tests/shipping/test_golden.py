"""Files of older versions, and of every supported Python, are read."""

from __future__ import annotations

import sys
from pathlib import Path

import golden_samples
import pytest

import graphcopy

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(path for path in GOLDEN.rglob("*.*") if path.suffix in (".stream", ".graphcopy"))
HERE = "{}.{}".format(*sys.version_info[:2])


def test_there_are_files_of_every_supported_python():
    kinds = {(path.parent.name.rpartition("-")[2], path.stem, path.suffix) for path in FILES}
    for version in ("3.10", "3.11", "3.12", "3.13"):
        for kind in golden_samples.KINDS:
            assert {(version, kind, ".stream"), (version, kind, ".graphcopy")} <= kinds


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_golden_files_are_read(path):
    if path.stem == "arrays":
        pytest.importorskip("numpy")
    load = (
        (lambda: graphcopy.loads(path.read_bytes()))
        if path.suffix == ".stream"
        else (lambda: graphcopy.load(path, key=b"golden"))
    )
    version = path.parent.name.rpartition("-")[2]
    if path.stem in golden_samples.BY_VALUE and version != HERE:
        with pytest.raises(graphcopy.LoadError, match=f"bytecode of Python {version}, and this is Python {HERE}"):
            load()
        return
    getattr(golden_samples, "check_" + path.stem)(load())


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.suffix == ".graphcopy"], ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_golden_files_can_be_inspected(path):
    info = graphcopy.inspect_file(path, key=b"golden")
    assert info.header["python"].startswith(path.parent.name.rpartition("-")[2]) and info.faults == []
    assert info.has_code == (path.stem in golden_samples.BY_VALUE)
