"""What each mark looks like: one meaning, one colour, one shape, one sign, in every kind of drawing."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["HOLDS", "SIDES", "STYLES", "Style", "style_of"]


class Style(NamedTuple):
    """The look of one mark; the sign and the shape say the same as the colour."""

    mark: str
    meaning: str
    sign: str
    fill: str
    line: str
    dot_shape: str
    mermaid: tuple[str, str]


STYLES: Final[dict[str, Style]] = {
    style.mark: style
    for style in [
        Style("copied", "copied", "", "#f4f4f5", "#71717a", "box", ("[", "]")),
        Style("shared", "shared with the original", "=", "#dbeafe", "#1d4ed8", "ellipse", ("([", "])")),
        Style("pruned", "cut off by a rule", "x", "#e4e4e7", "#52525b", "parallelogram", ("[/", "/]")),
        Style("replaced", "replaced by a rule", "~", "#f3e8ff", "#7e22ce", "hexagon", ("{{", "}}")),
        Style("rebuilt", "made anew", "+", "#dcfce7", "#15803d", "cds", ("[[", "]]")),
        Style("culprit", "cannot be copied", "!!", "#fee2e2", "#b91c1c", "octagon", ("{", "}")),
        Style("holds", "contains what cannot be copied", "!", "#ffedd5", "#c2410c", "box", ("[", "]")),
        Style("common", "the same on both sides: not isolated", "<>", "#fef9c3", "#a16207", "cylinder", ("[(", ")]")),
        Style("differs", "not the same in the copy", "!=", "#fce7f3", "#be185d", "trapezium", ("[/", "\\]")),
        Style("hazard", "copied without an error, but wrongly", "?", "#ccfbf1", "#0f766e", "component", ("[\\", "/]")),
        Style("fold", "more of the same, folded", "...", "#fafafa", "#a1a1aa", "note", (">", "]")),
    ]
}
HOLDS: Final = "holds"
SIDES: Final = {"original": "original", "between": "both hold", "copied": "copy"}
"""What the parts of the picture of a comparison are called."""


def style_of(mark: str, holds: bool = False) -> Style:
    """The style of a node with this mark; *holds* says that a culprit can be reached from it."""
    if holds and mark == "copied":
        return STYLES[HOLDS]
    return STYLES.get(mark, STYLES["copied"])
