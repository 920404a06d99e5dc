"""The page: what it holds, that values stay text, and what happens in a browser."""

from __future__ import annotations

import json
import re
import shutil
import threading

import pytest

import graphcopy

MARKUP = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1"> & \u2028 __DATA__'


class Named:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def service():
    lock = threading.RLock()
    return {
        "named": Named(MARKUP),
        MARKUP: [1],
        "rows": [[number] for number in range(40)],
        "parts": [{"lock": lock, "source": (n for n in [])}, {"lock": lock}],
    }


def page_of(obj, tmp_path, **options):
    path = tmp_path / "graph.html"
    graphcopy.draw(obj, path, **options)
    return path


def data_in(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)[1])


def test_the_page_is_one_file_that_asks_for_nothing(tmp_path):
    text = page_of(service(), tmp_path).read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r'(?:src|href)="(?!data:)[^"]+"', text.split("<script id=")[0])
    assert "sourceMappingURL" not in text


def test_values_cannot_leave_the_data(tmp_path):
    path = page_of(service(), tmp_path)
    text = path.read_text(encoding="utf-8")
    assert text.count("</script>") == 4  # the page's own
    values = [node["value"] for node in data_in(path)["nodes"]]
    assert any(value.startswith("</script><script>") for value in values)


def test_a_title_is_escaped(tmp_path):
    text = page_of([], tmp_path, title="<b>x</b>").read_text(encoding="utf-8")
    assert "<title>&lt;b&gt;x&lt;/b&gt;</title>" in text


def test_values_can_be_left_out(tmp_path):
    text = page_of({"k": Named("hunter2")}, tmp_path, values=False).read_text(encoding="utf-8")
    assert "hunter2" not in text


def test_nodes_know_what_happens_to_them(tmp_path):
    data = data_in(page_of(service(), tmp_path))
    (culprit,) = [node for node in data["nodes"] if node["mark"] == "culprit"]
    assert culprit["path"] == "obj['parts'][0]['source']"
    assert culprit["advice"] == "rules=[graphcopy.resource_rules]"
    assert any(node["mark"] == "rebuilt" and node["rule"] == "fresh_rlock" for node in data["nodes"])


def test_a_notebook_shows_it_inline():
    bundle = graphcopy.draw({"a": [1]})._repr_mimebundle_()
    assert bundle["text/plain"].startswith("References of a dict")
    assert "image/svg+xml" in bundle or bundle["text/html"].startswith("<iframe")


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs Chromium")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of an object; fail when it logs an error or asks the network for something."""
    complaints = []
    context = browser.new_context(
        permissions=["clipboard-read", "clipboard-write"], viewport={"width": 1200, "height": 800}
    )

    def open_page(obj, **options):
        path = page_of(obj, tmp_path, **options)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: complaints.append(asked.url) if asked.url != path.as_uri() else None)
        page.goto(path.as_uri())
        page.wait_for_function("document.getElementById('graph').dataset.boxes")
        return page

    yield open_page
    context.close()
    assert complaints == []


def boxes(page):
    return int(page.evaluate("document.getElementById('graph').dataset.boxes"))


def id_of(page, path):
    return page.evaluate(
        "path => JSON.parse(document.getElementById('data').textContent).nodes.find(node => node.path === path).id",
        path,
    )


def click(page, path, double=False):
    """Click the box with the mouse, where it stands on the screen."""
    place = page.evaluate("id => graphcopyPage.cy.$id(id).renderedPosition()", id_of(page, path))
    frame = page.locator("#graph").bounding_box()
    at = (frame["x"] + place["x"], frame["y"] + place["y"])
    page.mouse.dblclick(*at) if double else page.mouse.click(*at)


def test_markup_in_values_stays_text(opened):
    page = opened(service())
    page.evaluate("id => graphcopyPage.go(id)", id_of(page, "obj['named']"))
    assert page.locator("#details").inner_text().count("</script>") >= 1
    assert page.evaluate("window.hacked") is None
    assert page.locator("#details img").count() == 0


def test_search_goes_from_match_to_match(opened):
    page = opened(service())
    page.keyboard.press("/")
    page.keyboard.type("live resource")
    assert page.locator("#found").inner_text() == "1 found"
    page.keyboard.press("Enter")
    assert page.locator("#details code").first.inner_text() == "obj['parts'][0]['source']"
    page.fill("#search", "no such thing")
    assert page.locator("#found").inner_text() == "0 found"


def test_click_shows_and_copies_path_and_advice(opened):
    page = opened(service())
    page.evaluate("id => graphcopyPage.go(id)", id_of(page, "obj['parts'][0]['source']"))
    page.keyboard.press("Escape")
    click(page, "obj['parts'][0]['source']")
    assert "a generator is a live resource" in page.locator("#details .reason").inner_text()
    page.click("[data-copies=path]")
    assert page.evaluate("navigator.clipboard.readText()") == "obj['parts'][0]['source']"
    page.click("[data-copies=advice]")
    assert page.evaluate("navigator.clipboard.readText()") == "rules=[graphcopy.resource_rules]"
    page.locator("#graph").focus()
    page.keyboard.press("c")
    assert page.evaluate("navigator.clipboard.readText()") == "obj['parts'][0]['source']"


def test_fold_and_unfold(opened):
    page = opened(service())
    before = boxes(page)
    page.click("#unfold")
    everything = boxes(page)
    assert everything == page.evaluate("JSON.parse(document.getElementById('data').textContent).nodes.length")
    assert before < everything
    page.click("#refold")
    assert boxes(page) == before
    page.evaluate("id => graphcopyPage.go(id)", id_of(page, "obj['rows']"))
    click(page, "obj['rows']", double=True)
    assert boxes(page) > before


def test_hiding_a_type_and_a_treatment(opened):
    page = opened(service())
    page.click("#unfold")
    everything = boxes(page)
    page.uncheck("[data-mark=rebuilt]")
    assert boxes(page) == everything - 1
    page.uncheck("[data-type=list]")
    assert boxes(page) < everything - 1
    page.check("[data-mark=rebuilt]")
    page.check("[data-type=list]")
    assert boxes(page) == everything


def test_keys_walk_the_graph(opened):
    page = opened({"a": {"b": [[1], [2]]}})
    page.locator("#graph").focus()
    page.keyboard.press("ArrowRight")
    paths = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        paths.append(page.locator("#details code").first.inner_text())
    assert paths == ["obj['a']", "obj['a']['b']", "obj['a']['b'][0]", "obj['a']['b'][1]", "obj['a']['b']"]
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()


def test_dark_and_light(browser, tmp_path):
    path = page_of(service(), tmp_path)
    for scheme, other in (("dark", "light"), ("light", "dark")):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        page.click("#theme")
        assert page.evaluate("document.documentElement.dataset.theme") == other
        context.close()


def test_five_thousand_nodes_are_all_there(opened):
    page = opened([[[number]] for number in range(2499)])
    assert boxes(page) < 100
    page.keyboard.press("/")
    page.keyboard.type("obj[2400][0]")
    page.keyboard.press("Enter")
    assert page.locator("#details code").first.inner_text() == "obj[2400][0]"
