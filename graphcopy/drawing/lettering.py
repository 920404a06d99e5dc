"""The typeface of PNG pictures: Pillow's own for plain English, one of the system's for other letters."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable
from typing import Any

__all__ = ["fonts_for"]

_WIDE = (
    "DejaVuSans.ttf", "NotoSansCJK-Regular.ttc", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf",
    "Arial Unicode.ttf", "Arial.ttf", "arial.ttf", "segoeui.ttf",
)  # fmt: skip


def fonts_for(texts: Iterable[str], sizes: Iterable[int], scale: float) -> dict[int, Any]:
    """A font of each of the *sizes* (in pixels, times *scale*) that has the letters of *texts*, as far as there is one.

    Warns (UserWarning) of letters that no font at hand has; SVG and HTML leave them to the viewer, who has more.
    """
    from PIL import ImageFont

    wanted = {letter for text in texts for letter in text if letter > "~"}
    best: Any = None
    missing = wanted
    for name in _WIDE if wanted else ():
        lacks = {letter for letter in wanted if not _has(name, letter)}
        if len(lacks) < len(missing):
            best, missing = name, lacks
    if missing:
        some = "".join(sorted(missing)[:8])
        warnings.warn(
            f"no font here has the letters {some!r}, and PNG shows boxes for them: draw .svg or .html", stacklevel=4
        )
    if best is None:
        return {size: ImageFont.load_default(size * scale) for size in sizes}
    return {size: ImageFont.truetype(best, size * scale * _NARROWER) for size in sizes}


_NARROWER = 0.92  # these fonts are wider than Pillow's, for which the boxes are measured


@functools.lru_cache(maxsize=1024)
def _has(name: str, letter: str) -> bool:
    """Tell whether the font has the letter: one that it lacks looks like one that no font has."""
    font = _opened(name)
    return font is not None and bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


@functools.lru_cache(maxsize=16)
def _opened(name: str) -> Any:
    from PIL import ImageFont

    try:
        return ImageFont.truetype(name, 24)
    except OSError:
        return None
