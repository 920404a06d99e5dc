"""``draw``: one picture, in the format that the file name or the notebook asks for."""

from __future__ import annotations

import errno
import functools
import html
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .dot import dot_of
from .html import html_of
from .layout import DrawError
from .mermaid import mermaid_of
from .painting import paint
from .pairs import paint_pair
from .picture import Picture
from .png import png_of
from .sources import kind_of
from .svg import svg_of
from .text import text_of

__all__ = ["Drawing", "draw"]

_TEXTS = {".txt": text_of, ".mmd": mermaid_of, ".dot": dot_of, ".svg": svg_of, ".html": html_of}
_BYTES = {".png": png_of}


class Drawing:
    """A picture that shows itself: in a notebook as SVG, or as a page where no layout is installed; else as text."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def __str__(self) -> str:
        return text_of(self.picture)

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        bundle = {"text/plain": str(self)}
        try:
            bundle["image/svg+xml"] = svg_of(self.picture)
        except DrawError:
            frame = "width:100%;height:480px;border:1px solid #d4d4d8"
            bundle["text/html"] = f'<iframe style="{frame}" srcdoc="{html.escape(html_of(self.picture))}"></iframe>'
        return bundle


def draw(
    thing: Any,
    path: str | os.PathLike[str] | None = None,
    rules: Any = (),
    *,
    title: str | None = None,
    focus: str | None = None,
    depth: int | None = None,
    only: str | None = None,
    hide: Iterable[Any] = (),
    max_nodes: int | None = None,
    values: bool = True,
    plumbing: bool = False,
    fold: bool | None = None,
) -> Drawing:
    """Draw an object, a plan, a reference graph, a report, a CopyError or a comparison; with *path* also into a file.

    The suffixes are .html (one page to search, fold and zoom, which works offline), .txt, .mmd (Mermaid), .dot, .svg
    and .png; SVG and PNG want the system's ``dot`` or the extra ``graphcopy[draw]``. *focus* is a path at which the
    picture starts, *depth* counts steps from there, ``only="culprits"`` leaves culprits and what leads to them, *hide*
    names types, *max_nodes* is the limit (200 boxes, 5,000 on a page);
    what is left out is said in the picture. ``values=False`` shows no values, ``plumbing=True`` shows cells
    and dicts of their own, ``fold=False`` every member of long runs.

    Raises DrawError for an unknown suffix, or when what is needed for SVG or PNG is not installed; TypeError for
    what is no rule or no path; ValueError for an option that cannot be met; OSError when the file cannot be written.

    >>> import graphcopy
    >>> print(graphcopy.draw({"jobs": [[1], [2]]}))
    References of a dict
    obj: dict (1 list)
    `-- ['jobs']: list (2 list)
        |-- [0]: list (1 int)
        `-- [1]: list (1 int)
    <BLANKLINE>
    """
    target = None if path is None else _target(path)
    suffix = "" if target is None else target.suffix.lower()
    page = suffix == ".html"
    if max_nodes is None:
        max_nodes = 5000 if page else 200
    if fold is None:
        fold = not page  # a page folds by itself
    painter = paint_pair if kind_of(thing) == "Comparison" else functools.partial(paint, rules=rules)
    picture = painter(
        thing, title=title, focus=focus, depth=depth, only=only, hide=hide, max_nodes=max_nodes,
        values=values, plumbing=plumbing, fold=fold,
    )  # fmt: skip
    if target is not None:
        if suffix in _TEXTS:
            target.write_text(_TEXTS[suffix](picture), encoding="utf-8")
        else:
            target.write_bytes(_BYTES[suffix](picture))
    return Drawing(picture)


def _target(path: Any) -> Path:
    """The file to write; what cannot be one is told before anything is walked."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"draw(thing, path): the path is a {type(path).__name__}; what is drawn comes first")
    target = Path(path)
    if target.suffix.lower() not in (*_TEXTS, *_BYTES):
        known = ", ".join([*_TEXTS, *_BYTES])
        raise DrawError(f"{target.name!r}: the suffix says what to draw, and it is one of {known}")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    return target
