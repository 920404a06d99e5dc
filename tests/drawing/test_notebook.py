"""A notebook shows drawings inline: what IPython takes from them."""

from __future__ import annotations

import importlib.util
import sys

import pytest

import graphcopy

formatters = pytest.importorskip("IPython.core.formatters")


def shown(thing):
    formatter = formatters.DisplayFormatter()
    formatter.active_types = ["text/plain", "text/html", "image/svg+xml"]
    return formatter.format(thing)[0]


@pytest.mark.skipif(importlib.util.find_spec("igraph") is None, reason="needs igraph")
def test_a_drawing_is_shown_as_svg():
    bundle = shown(graphcopy.draw({"a": [1]}))
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert bundle["image/svg+xml"].startswith("<svg") and bundle["text/plain"].startswith("References of a dict")


def test_a_drawing_is_shown_as_a_page_where_no_layout_is_installed(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "igraph", None)
    bundle = shown(graphcopy.draw({"<b>": [1]}))
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/html"].startswith("<iframe ") and "<script" not in bundle["text/html"]


def test_svg_without_a_layout_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(RuntimeError, match=r"pip install graphcopy\[draw\]"):
        graphcopy.draw([1], tmp_path / "graph.svg")
    assert not list(tmp_path.iterdir()), "no half file is left"
