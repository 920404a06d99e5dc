"""Strict readers of what is drawn: Mermaid's flowcharts as far as they are used, the DOT language, and XML."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

_TEXT = r"(?:[\w \-.,()/*+=']|#\d+;|<br/>)*"
_SHAPES = [
    ("[", "]"), ("([", "])"), ("[/", "/]"), ("[/", "\\]"), ("[\\", "/]"), ("[(", ")]"), ("{{", "}}"), ("[[", "]]"),
    ("{", "}"), (">", "]"),
]  # fmt: skip
_SHAPE = "|".join(f'{re.escape(before)}"{_TEXT}"{re.escape(after)}' for before, after in _SHAPES)
_NODE = re.compile(rf"(?P<key>\w+)(?P<shape>{_SHAPE})(?::::?(?P<cls>\w+))?")
_EDGE = re.compile(rf'(?P<source>\w+) (?:-->|-\.->|-\.-)(?:\|"{_TEXT}"\|)? (?P<target>\w+)')
_SUBGRAPH = re.compile(rf'subgraph (?P<key>\w+)\["{_TEXT}"\]')
_CLASS = re.compile(r"classDef (?P<name>\w+) fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#[0-9a-f]{6}")
_WORDS = {"end", "graph", "flowchart", "subgraph", "class", "classDef", "style", "click", "default", "direction"}


def read_mermaid(text: str) -> tuple[set[str], int]:
    """The nodes and the number of edges; raises AssertionError where Mermaid would not understand."""
    lines = text.splitlines()
    assert lines[0] == "---" and re.fullmatch(r'title: "[^"\\]*"', lines[1]) and lines[2:4] == ["---", "flowchart LR"]
    nodes: set[str] = set()
    edges: list[tuple[str, str]] = []
    used: set[str] = set()
    classes: set[str] = set()
    depth = 0
    for line in lines[4:]:
        words = line.strip()
        if words == "end":
            depth -= 1
            assert depth >= 0, line
        elif found := _SUBGRAPH.fullmatch(words):
            depth += 1
            assert found["key"] not in _WORDS
        elif found := _CLASS.fullmatch(words):
            classes.add(found["name"])
        elif found := _EDGE.fullmatch(words):
            edges.append((found["source"], found["target"]))
        else:
            found = _NODE.fullmatch(words)
            assert found, line
            assert found["key"] not in nodes and found["key"] not in _WORDS, line
            nodes.add(found["key"])
            used |= {found["cls"]} - {None}
    assert depth == 0 and used <= classes
    assert {key for edge in edges for key in edge} <= nodes
    return nodes, len(edges)


_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(->)|([{}\[\];,=])|([A-Za-z_]\w*|\d+))', re.S)


def read_dot(text: str) -> tuple[set[str], int]:
    """The nodes and the number of edges; raises AssertionError where graphviz would not understand."""
    tokens: list[str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found, text[at : at + 80]
        tokens.append(found[0].strip())
        at = found.end()
    nodes: set[str] = set()
    edges: list[tuple[str, str]] = []
    assert tokens[:3] == ["digraph", "references", "{"]
    place, depth = 3, 1
    while place < len(tokens):
        token = tokens[place]
        if token == "}":
            depth -= 1
            place += 1
        elif token == ";":
            place += 1
        elif token == "subgraph":
            assert tokens[place + 2] == "{"
            depth += 1
            place += 3
        elif tokens[place + 1] == "=":
            assert _is_id(tokens[place + 2])
            place += 3
        elif tokens[place + 1] == "->":
            edges.append((token, tokens[place + 2]))
            place = _attributes(tokens, place + 3)
        else:
            assert _is_id(token)
            if token not in ("graph", "node", "edge"):
                assert token not in nodes, token
                nodes.add(token)
            place = _attributes(tokens, place + 1)
    assert depth == 0
    assert {key for edge in edges for key in edge} <= nodes
    return nodes, len(edges)


def _attributes(tokens: list[str], place: int) -> int:
    assert tokens[place] == "[", tokens[place - 3 : place + 3]
    place += 1
    while True:
        assert _is_id(tokens[place]) and tokens[place + 1] == "=" and _is_id(tokens[place + 2])
        place += 3
        if tokens[place] == "]":
            return place + 1
        assert tokens[place] == ","
        place += 1


def _is_id(token: str) -> bool:
    return token.startswith('"') or token.isidentifier() or token.isdigit()


def read_svg(text: str) -> str:
    """All text of an SVG; raises ParseError where it is no XML."""
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not [each for each in root.iter() if each.tag.endswith(("script", "image", "foreignObject"))]
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on") or name.endswith("href")]
    return "".join(root.itertext())
