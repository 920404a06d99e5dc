"""The report: readable with five thousand culprits, as text, in notebooks, for programs."""

from __future__ import annotations

import json
import threading

import pytest

import graphcopy
from graphcopy.testing import assert_copyable, assert_independent


class Named:
    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()


def test_the_path_comes_first():
    text = str(graphcopy.explain({"a": Named("x")}, backend="deepcopy"))
    assert text.splitlines()[:2] == [
        "deepcopy: 1 object cannot be copied (3 nodes)",
        "  obj['a'].lock: _thread.lock: cannot pickle '_thread.lock' object",
    ]


def test_five_thousand_culprits_are_some_lines():
    many = {"services": [Named(str(number)) for number in range(5000)], "one": (n for n in [])}
    report = graphcopy.explain(many, backend="deepcopy")
    assert len(report.culprits) == 5001
    text = str(report)
    assert len(text.splitlines()) < 15
    assert "5,000 x _thread.lock at obj[*][*].lock" in text
    assert "obj['services'][0].lock" in text
    assert len(report._repr_html_()) < 200_000


def test_plain_data_holds_no_values():
    secret = {"password-hunter2": Named("token-123")}
    report = graphcopy.explain(secret, backend="deepcopy")
    data = json.loads(report.to_json())
    assert data["ok"] is False
    assert data["culprits"][0]["advice"] == ["rules=[graphcopy.python_rules]"]
    assert "token-123" not in report.to_json()


def test_html_is_escaped():
    report = graphcopy.explain({"<script>alert(1)</script>": threading.Lock()}, backend="deepcopy")
    assert "<script>" not in report._repr_html_()
    assert "&lt;script&gt;" in report._repr_html_()


def test_rich_shows_it():
    console_module = pytest.importorskip("rich.console")
    console = console_module.Console(record=True, width=160, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(graphcopy.explain({"lock": threading.Lock()}, backend="deepcopy"))
    assert "obj['lock']" in console.export_text()
    console.file.close()


def test_clean_objects_are_said_to_be():
    report = graphcopy.explain({"a": [1]}, backend="pickle")
    assert report.ok
    assert str(report) == "pickle: nothing stops it (2 nodes)"


def test_heavy_branches():
    obj = {"small": [1], "large": bytearray(1_000_000), "deep": {"x": bytearray(10_000)}}
    first, second, third, *_ = graphcopy.explain(obj).sizes(1)
    assert [str(each.path) for each in (first, second, third)] == ["obj", "obj['large']", "obj['deep']"]
    assert second.nbytes > 1_000_000
    assert third.nodes == 2


def test_graph_of_a_report():
    assert len(graphcopy.explain({"a": [[]]}, backend="deepcopy").graph) == 3


def test_asserting_in_tests_of_other_projects():
    copied = assert_copyable(Named("x"))
    assert copied.name == "x"
    with pytest.raises(AssertionError, match=r"obj\['g'\]: builtins.generator"):
        assert_copyable({"g": (n for n in [])})
    rows = [1]
    with pytest.raises(AssertionError, match="the same object at"):
        assert_independent([rows], [rows])
