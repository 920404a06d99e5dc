"""Objects that do not want to be drawn: every format stays whole, short, and quick."""

from __future__ import annotations

import importlib.util
import json
import re
import sys

import pytest
from grammars import read_dot, read_mermaid, read_svg

import graphcopy
from graphcopy.drawing.dot import dot_of
from graphcopy.drawing.html import html_of
from graphcopy.drawing.mermaid import mermaid_of
from graphcopy.drawing.painting import paint
from graphcopy.drawing.svg import svg_of
from graphcopy.drawing.text import text_of

HAS_LAYOUT = importlib.util.find_spec("igraph") is not None
MARKUP = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"&<!--]]>%%{init}%%`#quot;'
NASTY = MARKUP + " \\ \" ' \n end --> | { } [ ] ( ) \x00 \x1b[31m \u202e \ud800 \ufffe \U0001f600 subgraph"


class Bare:
    pass


def made(name="Made", bases=(), **members):
    return type(name, bases, members)()


def recursing(self):
    return f"<{self!r}>"


def raising(*_):
    raise RuntimeError("no")


def with_attributes(*names):
    obj = Bare()
    for name in names:
        obj.__dict__[name] = [name]
    return obj


class Everything:
    """Has every attribute."""

    asked: list = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        Everything.asked.append(name)
        return Everything()


class LyingList(list):
    def __iter__(self):
        raise RuntimeError("no")

    def __len__(self):
        return -5


class Shapeless:
    shape = property(raising)
    dtype = property(raising)
    nbytes = property(raising)


class BrokenMeta(type):
    def __repr__(cls):
        raise RuntimeError("no")

    def __getattribute__(cls, name):
        return NASTY if name in ("__qualname__", "__name__") else type.__getattribute__(cls, name)


class OddSize:
    def __sizeof__(self):
        return 1 << 62


HOSTILE = {
    "repr raises": lambda: made(__repr__=raising),
    "repr recurses": lambda: made(__repr__=recursing),
    "repr of a megabyte": lambda: made(__repr__=lambda self: "x" * 1_000_000),
    "repr is no text": lambda: made(__repr__=lambda self: 3),
    "repr is markup": lambda: made(__repr__=lambda self: NASTY),
    "repr is a subclass of str": lambda: made(__repr__=lambda self: type("S", (str,), {"__len__": raising})("abc")),
    "class name is markup": lambda: made(MARKUP),
    "class name of a megabyte": lambda: made("x" * 1_000_000),
    "metaclass lies": lambda: BrokenMeta("Made", (), {})(),
    "the class itself": lambda: BrokenMeta("Made", (), {}),
    "text": lambda: [NASTY],
    "bytes": lambda: [NASTY.encode(errors="replace"), bytearray(b"\x00\xff" * 1000)],
    "keys": lambda: {NASTY: [1], MARKUP.encode(): [2], ("a", NASTY): [3], "k" * 1_000_000: [4]},
    "keys with broken reprs": lambda: {made(__repr__=raising): [1], made(__repr__=recursing): [2]},
    "attribute names": lambda: with_attributes(NASTY, "a\nb", "a\x00b", "\ud800", '"', "x" * 100_000, "class"),
    "a number of ten thousand digits": lambda: [10**10_000, -(10**10_000), 1e308 * 10],
    "every attribute": lambda: Everything(),
    "iteration raises": lambda: LyingList([[1], [2]]),
    "shape raises": lambda: Shapeless(),
    "size is odd": lambda: OddSize(),
    "length raises": lambda: made(__len__=raising, __bool__=raising, __eq__=raising, __hash__=raising),
    "docs": lambda: made(__doc__=MARKUP, __class_getitem__=raising),
    "module is no text": lambda: made(__module__=3),
    "class lies": lambda: made(__class__=property(lambda self: int)),
    "deep": lambda: deep(30_000),
    "wide": lambda: [[[n]] for n in range(3000)],
    "a string in a string": lambda: type("Sub", (str,), {"__repr__": raising, "__str__": raising})(NASTY),
    "closures": lambda: (lambda value: [lambda: value])(made(__repr__=raising)),
    "exceptions": lambda: [ValueError(NASTY), made("Odd", (Exception,), __str__=raising)],
}


def deep(count):
    obj = []
    for _ in range(count):
        obj = [obj]
    return obj


def all_formats(picture):
    formats = {"txt": text_of(picture), "mmd": mermaid_of(picture), "dot": dot_of(picture), "html": html_of(picture)}
    if HAS_LAYOUT:
        formats["svg"] = svg_of(picture, graphviz=False)
    return formats


def check(formats, limit=200_000):
    for name, text in formats.items():
        text.encode("utf-8")
        if name != "html":
            assert len(text) < limit, name
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\ufffe]", text), name
    read_mermaid(formats["mmd"])
    read_dot(formats["dot"])
    if "svg" in formats:
        read_svg(formats["svg"])
    page = formats["html"]
    data = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1]
    assert json.loads(data)["nodes"]
    assert "<script>alert" not in page and "<img src=x" not in page


@pytest.mark.parametrize("name", list(HOSTILE))
def test_it_can_be_drawn(name):
    obj = HOSTILE[name]()
    check(all_formats(paint([obj, {"again": obj}])))
    check(all_formats(paint(obj, plumbing=True, fold=False)))


def test_drawings_do_not_wake_attributes_that_are_made_on_demand():
    Everything.asked.clear()
    text_of(paint([Everything()]))
    assert not [name for name in Everything.asked if name in ("shape", "dtype", "nbytes")]


def test_a_broken_repr_is_said():
    assert "repr raises RecursionError" in str(graphcopy.draw([made(__repr__=recursing)]))
    assert "repr raises RuntimeError" in str(graphcopy.draw([made(__repr__=raising)]))


SECRET = "hunter2-correct-horse"


def secrets():
    return [
        made(__repr__=lambda self: SECRET),
        {"password": SECRET, "list": [SECRET]},
        type("Sub", (str,), {})(SECRET),
        ValueError(SECRET),
        with_attributes("fine"),
    ]


def test_values_are_hidden_in_every_format():
    shown, hidden = all_formats(paint(secrets())), all_formats(paint(secrets(), values=False))
    for name, text in hidden.items():
        assert SECRET in shown[name], name
        assert SECRET not in text, name


def test_keys_that_are_objects_are_hidden_too():
    """Keys that are text or numbers are part of the paths: they are shown."""
    keyed = {"name": [[1]], made(__repr__=lambda self: SECRET): [2]}
    for text in all_formats(paint(keyed, values=False)).values():
        assert SECRET not in text and "name" in text


def test_drawing_leaves_the_limit_of_recursion_alone():
    before = sys.getrecursionlimit()
    str(graphcopy.draw([deep(5000), made(__repr__=recursing)]))
    assert sys.getrecursionlimit() == before
