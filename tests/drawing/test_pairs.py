"""Drawings of a comparison: both sides, what they share between them, and what differs marked."""

from __future__ import annotations

import copy
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

import graphcopy
from graphcopy.drawing.pairs import paint_pair


class Layer:
    def __init__(self, weights):
        self.weights = weights
        self.callbacks = []


class Model:
    """Its __deepcopy__ is wrong: an alias is lost, and two objects are shared."""

    def __init__(self):
        weights = [0.1, 0.2]
        self.layers = [Layer(weights), Layer(weights)]
        self.history = {"loss": [1.0]}

    def __deepcopy__(self, memo):
        made = object.__new__(Model)
        made.layers = [Layer(list(layer.weights)) for layer in self.layers]
        made.history = self.history
        made.layers[1].callbacks = self.layers[1].callbacks
        return made


@pytest.fixture
def comparison():
    model = Model()
    return graphcopy.compare(model, copy.deepcopy(model))


def boxes(picture, side):
    return [node for node in picture.nodes if node.side == side]


def test_what_both_sides_hold_is_drawn_once_between_them(comparison):
    picture = paint_pair(comparison)
    between = boxes(picture, "between")
    assert {node.path for node in between} == {
        str(shared.path).replace("obj", "original") for shared in comparison.shared
    }
    assert {node.mark for node in between} == {"common"}
    for node in between:
        sources = {edge.source[0] for edge in picture.edges if edge.target == node.key}
        assert sources == {"n", "m"} or node.path == "original.history['loss']"
    assert len({node.key for node in picture.nodes}) == len(picture.nodes)


def test_a_lost_alias_is_marked_and_joined(comparison):
    picture = paint_pair(comparison)
    (edge,) = [edge for edge in picture.edges if edge.kind == "between"]
    assert edge.label == "alias lost"
    ends = {node.key: node for node in picture.nodes}
    assert ends[edge.source].side == "original" and ends[edge.target].side == "copied"
    assert {ends[edge.source].mark, ends[edge.target].mark} == {"differs"}
    assert "one object became two" in ends[edge.target].reason


def test_a_right_copy_has_nothing_between_and_nothing_marked():
    original = {"a": [1], "b": {"c": [2]}}
    picture = paint_pair(graphcopy.compare(original, graphcopy.copy(original)))
    assert {node.side for node in picture.nodes} == {"original", "copied"}
    assert {node.mark for node in picture.nodes} == {"copied"}
    assert len(boxes(picture, "original")) == len(boxes(picture, "copied")) == 4


def test_one_memory_behind_two_arrays_is_joined():
    numpy = pytest.importorskip("numpy")
    values = numpy.arange(4.0)
    picture = paint_pair(graphcopy.compare([values], [values[:]]))
    assert [edge.label for edge in picture.edges if edge.kind == "between"] == ["the same memory"]
    assert {node.mark for node in picture.nodes if node.type == "ndarray"} == {"common"}


def test_what_is_shared_on_purpose_is_between_and_not_blamed():
    def helper():
        """Be shared by everything that refers to it."""

    original = [Model, helper.__get__(1), len]
    picture = paint_pair(graphcopy.compare(original, list(original)))
    assert all(node.mark in ("shared", "common") for node in boxes(picture, "between"))
    plain = paint_pair(graphcopy.compare([boxes], [boxes]))
    assert boxes(plain, "between")
    assert all(node.mark == "shared" for node in boxes(plain, "between"))


@pytest.mark.parametrize("suffix", [".txt", ".mmd", ".dot", ".html", ".svg", ".png"])
def test_every_format_writes_it(comparison, tmp_path, suffix):
    if suffix in (".svg", ".png"):
        pytest.importorskip("igraph")
        pytest.importorskip("PIL")
    path = tmp_path / f"pair{suffix}"
    graphcopy.draw(comparison, path)
    if suffix == ".png":
        assert path.read_bytes().startswith(b"\x89PNG")
        return
    text = path.read_text()
    if suffix == ".svg":
        text = "".join(ElementTree.fromstring(text).itertext())
    else:
        assert {".txt": "between the two", ".mmd": "-.-|", ".dot": "dir=none", ".html": '"between"'}[suffix] in text
    assert "alias lost" in text and "original" in text and "copied" in text


def test_a_page_tells_the_roots_apart(comparison, tmp_path):
    graphcopy.draw(comparison, tmp_path / "pair.html")
    text = (tmp_path / "pair.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)[1])
    assert [node["value"] for node in data["nodes"] if node["root"]] == ["original", "copied"]


def test_a_large_comparison_is_limited_and_shows_what_is_wrong():
    original = {"many": [[n, [n]] for n in range(2000)], "wrong": {"deep": [[1]]}}
    copied = graphcopy.copy(original)
    copied["wrong"]["deep"] = original["wrong"]["deep"]
    picture = paint_pair(graphcopy.compare(original, copied), max_nodes=60)
    assert len(picture.nodes) <= 70
    assert {node.path for node in boxes(picture, "between")} >= {"original['wrong']['deep']"}
    assert any(note.startswith("original: ") and "not drawn" in note for note in picture.left_out)
    narrow = paint_pair(graphcopy.compare(original, copied), only="culprits")
    assert len(narrow.nodes) < 20


def test_focus_holds_for_both_sides(comparison):
    picture = paint_pair(comparison, focus="obj.layers")
    assert {node.type for node in picture.nodes if node.root} == {"list"}
    assert not any("history" in node.path for node in picture.nodes)


def test_a_report_is_drawn_with_its_culprits_and_hazards():
    import threading

    class Job:
        def __init__(self):
            self.lock = threading.Lock()
            self.iterator = iter([1, 2])

    report = graphcopy.explain(Job(), backend="pickle")
    text = str(graphcopy.draw(report))
    assert ".lock: !! lock - cannot pickle '_thread.lock' object" in text
    assert "as pickle sees them" in text
    hazards = graphcopy.explain([lambda: held for held in [[1]]], backend="deepcopy")
    assert hazards.hazards, "deepcopy keeps the list of the closure"
    assert "? " in str(graphcopy.draw(hazards)) or "hazards lie in what" in str(graphcopy.draw(hazards))
