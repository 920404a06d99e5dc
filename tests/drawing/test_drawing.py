"""Drawings of one object in every format: labels, folding, limits, escapes."""

from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ElementTree

import pytest

import graphcopy


class Service:
    def __init__(self):
        self.options = {"retries": [3]}
        self.numbers = [[n] for n in range(40)]
        self.source = (i for i in "ab")
        self.me = self
        count = 0

        def count_up():
            nonlocal count
            count += 1
            return self

        self.count_up = count_up


class Loud:
    def __repr__(self):
        return '<script>alert("1")</script> & "quotes" | [x]'


class Broken:
    def __repr__(self):
        raise RuntimeError("no repr")


@pytest.fixture
def plan():
    return graphcopy.plan(Service())


def test_the_text_tree_names_the_culprit_and_folds_repeats(plan):
    text = str(graphcopy.draw(plan))
    assert ".source: !! generator" in text
    assert "+37 list" in text and "left out: 37 leaves of the same kind are folded" in text
    assert ".options['retries']: list" in text, "the dict between is plumbing"
    assert "closure" in text or "count_up" in text
    assert "(see obj)" in text, "an object that was drawn before is named again"
    assert "legend:" in text


def test_what_is_left_out_is_said(plan):
    text = str(graphcopy.draw(plan, fold=False, max_nodes=10))
    assert "nodes are not drawn: raise max_nodes=10" in text and "generator" in text


def test_only_culprits_and_focus_and_hide(plan):
    assert "generator" in str(graphcopy.draw(plan, only="culprits", depth=1))
    assert "generator" not in str(graphcopy.draw(plan, focus="obj.numbers"))
    assert "list" not in str(graphcopy.draw(plan, hide=[list, dict])).split("left out")[0].replace("closure", "")
    with pytest.raises(ValueError, match="leads to no node"):
        graphcopy.draw(plan, focus="obj.nothing")
    with pytest.raises(ValueError, match="culprits"):
        graphcopy.draw(plan, only="heavy")


@pytest.mark.parametrize("suffix", [".txt", ".mmd", ".dot"])
def test_texts_are_written_and_escaped(tmp_path, suffix):
    path = tmp_path / f"picture{suffix}"
    graphcopy.draw([Loud(), Broken(), "\x1b[31m" + "x" * 1_000_000], path)
    text = path.read_text()
    assert len(text) < 10_000
    if suffix == ".mmd":
        assert "<script>" not in text and text.count('"') % 2 == 0
    assert "repr raises RuntimeError" in text


def test_values_can_be_hidden():
    class Secret:
        def __repr__(self):
            return "password"

    assert "password" in str(graphcopy.draw([Secret()]))
    assert "password" not in str(graphcopy.draw([Secret()], values=False))


def test_an_error_can_be_drawn():
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(Service())
    assert "generator" in str(graphcopy.draw(caught.value))


def test_svg_is_xml_and_png_a_png(tmp_path, plan):
    if importlib.util.find_spec("igraph") is None or importlib.util.find_spec("PIL") is None:
        pytest.skip("needs igraph and Pillow")
    from graphcopy.drawing.painting import paint
    from graphcopy.drawing.png import png_of
    from graphcopy.drawing.svg import svg_of

    picture = paint([Loud(), plan, {"a": Service()}])
    root = ElementTree.fromstring(svg_of(picture, graphviz=False))
    assert root.tag.endswith("svg") and "alert" in "".join(root.itertext())
    assert png_of(picture, graphviz=False).startswith(b"\x89PNG")


def test_unknown_suffixes_are_refused(tmp_path):
    with pytest.raises(RuntimeError, match="the suffix says what to draw"):
        graphcopy.draw([], tmp_path / "picture.bmp")
