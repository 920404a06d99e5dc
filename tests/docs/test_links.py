"""Links of the README and of the pages lead to files and headings that are there; every page is in the contents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")])
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
OUTSIDE = ("http://", "https://", "mailto:")


def text_of(page: Path) -> str:
    """A page without its code."""
    return CODE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of its headings, as GitHub and MyST make them."""
    headings = (heading.replace("`", "") for heading in HEADING.findall(text_of(page)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path, text: str) -> Iterator[str]:
    """The links in *text* that lead nowhere from *page*."""
    for target in LINK.findall(INLINE.sub("", text)):
        if target.startswith(OUTSIDE):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists():
            yield f"{target}: there is no such file"
        elif anchor and anchor not in anchors(there):
            yield f"{target}: there is no such heading"


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_lead_somewhere(page):
    assert list(broken(page, text_of(page))) == []


def test_a_link_that_leads_nowhere_is_found():
    page = DOCS / "index.md"
    text = "[a](nowhere.md) [b](why.md#no-such-heading) ![c](images/none.svg) [d](why.md#how-one-knows) `[e](no.md)`"
    assert [each.partition(":")[0] for each in broken(page, text)] == [
        "nowhere.md", "why.md#no-such-heading", "images/none.svg",
    ]  # fmt: skip


def test_every_page_is_in_the_table_of_contents_once():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = [
        name
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
        for name in tree.split("\n")
        if re.fullmatch(r"[\w-]+", name)
    ]
    pages = [page.stem for page in DOCS.glob("*.md") if page.stem not in ("index", "performance_table")]
    assert sorted(listed) == sorted(pages)


def test_pictures_of_the_readme_can_be_read_at_the_width_of_github():
    for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+\.svg)\)", (ROOT / "README.md").read_text(encoding="utf-8")):
        found = re.search(r'<svg [^>]*?width="(\d+)"', (ROOT / target).read_text(encoding="utf-8"))
        assert found is not None and int(found[1]) <= 900, f"{target} is made smaller, and its text with it"
