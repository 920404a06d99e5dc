"""SVG: through the system's ``dot`` when it is there, else with igraph's layout."""

from __future__ import annotations

import shutil
import subprocess
from xml.sax.saxutils import escape

from .dot import dot_of
from .layout import LINE, Box, DrawError, Layout, lay_out
from .picture import Picture

__all__ = ["by_dot", "svg_of"]


def by_dot(picture: Picture, kind: str) -> bytes | None:
    """Let the system's graphviz draw; None when there is none."""
    program = shutil.which("dot")
    if program is None:
        return None
    done = subprocess.run([program, f"-T{kind}"], input=dot_of(picture).encode(), capture_output=True, timeout=120)
    if done.returncode:
        raise DrawError(f"graphviz failed: {done.stderr.decode(errors='replace')[:300]}")
    return done.stdout


def svg_of(picture: Picture, *, graphviz: bool = True) -> str:
    """Draw as SVG; *graphviz* False keeps to the layout of the extra."""
    drawn = by_dot(picture, "svg") if graphviz else None
    if drawn is not None:
        return drawn.decode()
    layout = lay_out(picture)
    footer = [*_legend(picture), *picture.left_out]
    width = max(layout.width, 60 + 7 * max(map(len, [picture.title, *footer]), default=0))
    height = layout.height + LINE * (len(footer) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#71717a"/></marker></defs>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text x="20" y="22" font-size="14" font-weight="bold">{escape(picture.title)}</text>',
    ]
    parts += _edges(picture, layout)
    parts += [_box(box) for box in layout.boxes.values()]
    y = layout.height
    for style in picture.marks():
        parts.append(
            f'<rect x="20" y="{y - 10:.0f}" width="12" height="12" fill="{style.fill}" stroke="{style.line}"/>'
        )
        text = f"{style.sign} {style.meaning}".strip()
        parts.append(f'<text x="40" y="{y:.0f}" font-size="11">{escape(text)}</text>')
        y += LINE
    for note in picture.left_out:
        parts.append(f'<text x="20" y="{y:.0f}" font-size="11" fill="#71717a">left out: {escape(note)}</text>')
        y += LINE
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _legend(picture: Picture) -> list[str]:
    return [style.meaning for style in picture.marks()]


def _edges(picture: Picture, layout: Layout) -> list[str]:
    parts = []
    for edge in picture.edges:
        one, other = layout.boxes[edge.source], layout.boxes[edge.target]
        path, x, y = curve(one, other)
        dash = ' stroke-dasharray="4 3"' if edge.weak else ""
        parts.append(f'<path d="{path}" fill="none" stroke="#a1a1aa"{dash} marker-end="url(#tip)"/>')
        if edge.label:
            parts.append(
                f'<text x="{x:.0f}" y="{y:.0f}" font-size="10" fill="#3f3f46" stroke="#ffffff" stroke-width="3" '
                f'paint-order="stroke">{escape(edge.label)}</text>'
            )
    return parts


def curve(one: Box, other: Box) -> tuple[str, float, float]:
    """The path of an edge, and where its label stands."""
    if other.x > one.x:
        x1, y1, x2, y2 = one.x + one.width, one.y + one.height / 2, other.x, other.y + other.height / 2
        bend = (x2 - x1) / 2
        # The label sits near the target: labels of one node's edges would fall on each other at the source.
        return (
            f"M{x1:.0f} {y1:.0f} C{x1 + bend:.0f} {y1:.0f} {x2 - bend:.0f} {y2:.0f} {x2:.0f} {y2:.0f}",
            x1 + (x2 - x1) * 0.3, y1 + (y2 - y1) * 0.55 - 3,
        )  # fmt: skip
    x1, y1 = one.x + one.width / 2, one.y
    x2, y2 = other.x + other.width / 2, other.y + other.height
    if one is other or abs(x1 - x2) < 1:
        x1, x2 = one.x + one.width, other.x + other.width
        y1, y2 = one.y + one.height / 2, other.y + other.height / 2
        out = 40.0
        path = f"M{x1:.0f} {y1:.0f} C{x1 + out:.0f} {y1 - 20:.0f} {x2 + out:.0f} {y2 + 20:.0f} {x2:.0f} {y2:.0f}"
        return path, x1 + 8, (y1 + y2) / 2
    top = min(one.y, other.y) - 24
    y2 = other.y
    return f"M{x1:.0f} {y1:.0f} C{x1:.0f} {top:.0f} {x2:.0f} {top:.0f} {x2:.0f} {y2:.0f}", (x1 + x2) / 2, top + 8


def _box(box: Box) -> str:
    style = box.node.style
    width = 2.5 if box.node.mark == "culprit" else 1.2
    dash = ' stroke-dasharray="5 3"' if box.node.mark in ("pruned", "fold") else ""
    radius = {"shared": box.height / 2, "copied": 6}.get(box.node.mark, 1)
    texts = ""
    for place, line in enumerate(box.lines):
        look = 'font-weight="bold"' if place == 0 else 'fill="#52525b"'
        x, y = box.x + 8, box.y + LINE * (place + 1) - 2
        texts += f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(line)}</text>'
    return (
        f"<g><title>{escape(box.node.path)}</title>"
        f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="{radius:.0f}" '
        f'fill="{style.fill}" stroke="{style.line}" stroke-width="{width}"{dash}/>{texts}</g>'
    )
