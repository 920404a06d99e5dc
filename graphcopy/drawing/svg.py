"""SVG: through the system's ``dot`` when it is there, else with igraph's layout."""

from __future__ import annotations

import shutil
import subprocess
from xml.sax.saxutils import escape

from .dot import dot_of
from .layout import LINE, Box, DrawError, inset, lay_out
from .picture import Picture
from .routing import Route, reach, routes_of
from .style import STYLES
from .values import clip

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
    routes = routes_of(picture, layout)
    width = max(layout.width, reach(routes) + 20, 60 + 7 * max(map(len, [picture.title, *footer]), default=0))
    height = layout.height + LINE * (len(footer) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#71717a"/></marker></defs>',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text x="20" y="22" font-size="14" font-weight="bold">{escape(picture.title)}</text>',
    ]
    parts += _edges(routes)
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


def _edges(routes: list[Route]) -> list[str]:
    lines, labels = [], []
    for route in routes:
        edge = route.edge
        start, *rest = [f"{x:.0f} {y:.0f}" for x, y in route.points]
        look = 'stroke="#a1a1aa" marker-end="url(#tip)"'
        if edge.kind == "between":
            look = f'stroke="{STYLES["differs"].line}" stroke-dasharray="2 3"'
        elif edge.weak:
            look += ' stroke-dasharray="4 3"'
        lines.append(f'<path d="M{start} C{" ".join(rest)}" fill="none" {look}/>')
        if edge.label:
            labels.append(
                f'<text x="{route.x:.0f}" y="{route.y:.0f}" text-anchor="{route.anchor}" font-size="10" fill="#3f3f46" '
                f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{escape(edge.label)}</text>'
            )
    return lines + labels  # no line over a label


def _box(box: Box) -> str:
    style = box.node.style
    width = 2.5 if box.node.mark == "culprit" else 1.2
    dash = ' stroke-dasharray="5 3"' if box.node.mark in ("pruned", "fold") else ""
    radius = {"shared": box.height / 2, "copied": 6}.get(box.node.mark, 1)
    texts = ""
    for place, line in enumerate(box.lines):
        look = 'font-weight="bold"' if place == 0 else 'fill="#52525b"'
        x, y = box.x + inset(box.node), box.y + LINE * (place + 1) - 2
        texts += f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(line)}</text>'
    return (
        f"<g><title>{escape(clip(box.node.path, 300))}</title>"
        f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="{radius:.0f}" '
        f'fill="{style.fill}" stroke="{style.line}" stroke-width="{width}"{dash}/>{texts}</g>'
    )
