"""Every object of the public reports is drawn in every format, and the readers of the formats accept it."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from grammars import read_dot, read_mermaid, read_svg

import graphcopy
from graphcopy.drawing.dot import dot_of
from graphcopy.drawing.mermaid import mermaid_of
from graphcopy.drawing.painting import paint
from graphcopy.drawing.pairs import paint_pair
from graphcopy.drawing.svg import svg_of
from graphcopy.drawing.text import text_of

HERE = Path(__file__).parent
REPORTS = HERE.parent / "cases" / "reports"
HAS_LAYOUT = importlib.util.find_spec("igraph") is not None
NODE_FOLDER = os.environ.get("GRAPHCOPY_NODE", str(HERE.parents[1]))


def light_reports() -> list:
    found = []
    for path in sorted(REPORTS.glob("*.py")):
        line = next(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("NEEDS"))
        needs = eval(line.partition("=")[2].partition("#")[0])
        if not needs or set(needs) <= {"numpy", "pandas", "requests", "httpx", "pydantic", "sklearn", "attrs", "tqdm"}:
            found.append(pytest.param(path, needs, id=path.stem))
    return found


@pytest.fixture
def made(request):
    path, needs = request.param
    for name in needs:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"needs {name}")
    spec = importlib.util.spec_from_file_location(f"drawn_{path.stem}", path)
    report = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = report
    try:
        spec.loader.exec_module(report)
        yield report
    finally:
        del sys.modules[spec.name]
        del report
        with warnings.catch_warnings():  # files that a report leaves open
            warnings.simplefilter("ignore")
            gc.collect()


def pytest_generate_tests(metafunc):
    if "made" in metafunc.fixturenames:
        params = [pytest.param(param.values, id=param.id) for param in light_reports()]
        metafunc.parametrize("made", params, indirect=True)


def pictures(obj):
    yield paint(obj)
    yield paint(obj, plumbing=True, fold=False)
    yield paint(obj, only="culprits", values=False)
    yield paint(graphcopy.explain(obj, backend="deepcopy"))


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_readers_accept_what_is_drawn(made):
    obj = made.make()
    for picture in pictures(obj):
        keys = {node.key for node in picture.nodes}
        legend = len(picture.marks()) + len(picture.left_out)
        for nodes, edges in (read_mermaid(mermaid_of(picture)), read_dot(dot_of(picture))):
            assert keys <= nodes and len(nodes) == len(keys) + legend
            assert edges == len(picture.edges)
        if HAS_LAYOUT:
            text = read_svg(svg_of(picture, graphviz=False))
            assert all(node.title in text for node in picture.nodes)
        text = text_of(picture)
        assert text.count("\n") <= 1 + len(picture.nodes) + len(picture.edges) + legend + 8
        assert all(node.title in text for node in picture.nodes)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_readers_accept_original_and_copy(made):
    obj = made.make()
    rules = [getattr(graphcopy, name) for name in getattr(made, "RULES", ())]
    picture = paint_pair(graphcopy.compare(obj, graphcopy.copy(obj, rules=rules), rules=rules))
    for nodes, edges in (read_mermaid(mermaid_of(picture)), read_dot(dot_of(picture))):
        assert {node.key for node in picture.nodes} <= nodes and edges == len(picture.edges)
    if HAS_LAYOUT:
        read_svg(svg_of(picture, graphviz=False))


def has_mermaid() -> bool:
    modules = Path(NODE_FOLDER, "node_modules")
    return shutil.which("node") is not None and all((modules / name).exists() for name in ("mermaid", "jsdom"))


@pytest.mark.skipif(not has_mermaid(), reason="needs node and `npm install mermaid jsdom` in $GRAPHCOPY_NODE")
def test_mermaid_itself_accepts_all_of_them(tmp_path):
    from test_hostile import HOSTILE
    from test_pairs import Model

    drawn = [paint([make()]) for make in HOSTILE.values()]
    drawn.append(paint_pair(graphcopy.compare(Model(), Model())))
    one = Model()
    drawn += [paint_pair(graphcopy.compare(one, [one])), paint(graphcopy.explain(one, backend="pickle"))]
    for number, picture in enumerate(drawn):
        (tmp_path / f"{number}.mmd").write_text(mermaid_of(picture), encoding="utf-8")
    files = sorted(map(str, tmp_path.glob("*.mmd")))
    done = subprocess.run(
        ["node", str(HERE / "mermaid.mjs"), NODE_FOLDER, *files], capture_output=True, text=True, timeout=240
    )
    assert done.stdout.strip() == f"{len(drawn)} accepted", done.stderr[-2000:]


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs graphviz")
def test_graphviz_accepts_them(tmp_path):
    from test_hostile import HOSTILE

    for make in HOSTILE.values():
        done = subprocess.run(["dot", "-Tcanon"], input=dot_of(paint([make()])).encode(), capture_output=True)
        assert done.returncode == 0, done.stderr
