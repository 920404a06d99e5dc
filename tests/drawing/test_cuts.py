"""What rules cut is drawn where it was; what options leave out is counted; what they cannot mean is told."""

from __future__ import annotations

import pytest

import graphcopy


class Service:
    def __init__(self):
        self._cache, self.parts, self.ticks = {"a": [1]}, [[1], [2]], (n for n in "ab")


CUTS = [graphcopy.prune(attr="_cache"), graphcopy.prune(path="obj.ticks")]


@pytest.mark.parametrize("plumbing", [False, True])
def test_cut_references_are_stubs(plumbing):
    text = str(graphcopy.draw(Service(), rules=CUTS, plumbing=plumbing))
    assert "._cache: x dict" in text and ".ticks: x generator" in text and "x cut off by a rule" in text
    assert "['a']" not in text, "what hangs below is not in the copy"


def test_stubs_count_as_boxes():
    many = [{"kept": [number], "gone": [number]} for number in range(10)]
    drawn = graphcopy.draw(many, rules=[graphcopy.prune(path="obj[*]['gone']")], max_nodes=25)
    assert len(drawn.picture.nodes) == 25
    assert any("6 references that rules cut" in note for note in drawn.picture.left_out)


def test_what_lies_deeper_is_counted():
    deep = [[[[1]], [2]]]
    assert "3 nodes deeper than 1 step not drawn" in str(graphcopy.draw(deep, depth=1))
    assert "left out" not in str(graphcopy.draw(deep, depth=9))
    assert "left out" not in str(graphcopy.draw([deep, [1]], focus="obj[1]", depth=1))


def test_a_type_that_nothing_has_is_told():
    assert "no node is of a type 'Lsit'" in str(graphcopy.draw([[1]], hide=["Lsit"]))
    assert "no node is of" not in str(graphcopy.draw([[1]], hide=["list"]))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"max_nodes": 0}, ValueError), ({"max_nodes": "5"}, TypeError), ({"depth": -1}, ValueError),
        ({"depth": "2"}, TypeError), ({"depth": True}, TypeError),
    ],
)  # fmt: skip
def test_options_that_cannot_be_met(options, error):
    with pytest.raises(error, match=next(iter(options))):
        graphcopy.draw([[1]], **options)


def test_an_object_is_named_where_it_stands_in_the_tree():
    one, deep, obj = [1], Service(), Service()
    obj.__dict__.clear()
    deep.__dict__.clear()
    deep.parts, obj.deep, obj.main = [one], deep, one
    assert "(see obj.deep.parts[0])" in str(graphcopy.draw(obj))


def test_paths_that_cannot_be_written(tmp_path):
    with pytest.raises(TypeError, match="what is drawn comes first"):
        graphcopy.draw("graph.html", [1])
    with pytest.raises(FileNotFoundError, match=r"there is no such folder.*nowhere"):
        graphcopy.draw([1], tmp_path / "nowhere" / "graph.html")
    graphcopy.draw([1], tmp_path / "GRAPH.TXT")
    assert (tmp_path / "GRAPH.TXT").read_text().startswith("References")


def test_letters_beyond_ascii_are_drawn_or_told(tmp_path, recwarn):
    pytest.importorskip("igraph")
    pytest.importorskip("PIL")
    from graphcopy.drawing.painting import paint
    from graphcopy.drawing.png import png_of

    def pixels(title):
        return png_of(paint([1], title=title), graphviz=False)

    if pixels("größe") == pixels("gr\ufffeo\ufffee"):
        assert any("no font here has the letters" in str(each.message) for each in recwarn)
    recwarn.clear()
    pixels("\U000f0000")  # of a private area: no font has it
    assert any("draw .svg or .html" in str(each.message) for each in recwarn)
    recwarn.clear()
    pixels("plain")
    assert not recwarn
