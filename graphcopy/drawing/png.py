"""PNG: through the system's ``dot`` when it is there, else with igraph's layout and Pillow."""

from __future__ import annotations

import io
from typing import Any

from .layout import LINE, DrawError, inset, lay_out
from .lettering import fonts_for
from .picture import Picture
from .routing import reach, routes_of
from .style import STYLES
from .svg import by_dot

__all__ = ["png_of"]

_SCALE = 2  # pixels for one unit of the layout: sharp on today's screens
_LIMIT = 12_000  # pixels on a side


def png_of(picture: Picture, *, graphviz: bool = True) -> bytes:
    """Draw as PNG; *graphviz* False keeps to the layout of the extra."""
    drawn = by_dot(picture, "png") if graphviz else None
    if drawn is not None:
        return drawn
    layout = lay_out(picture)
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise DrawError("to draw PNG, install the extra: pip install graphcopy[draw]") from None
    footer = [f"{style.sign} {style.meaning}".strip() for style in picture.marks()]
    notes = [f"left out: {note}" for note in picture.left_out]
    routes = routes_of(picture, layout)
    width = max(layout.width, reach(routes) + 20, 60 + 7 * max(map(len, [picture.title, *footer, *notes]), default=0))
    height = layout.height + LINE * (len(footer) + len(notes) + 1)
    scale = min(_SCALE, _LIMIT / width, _LIMIT / height)
    image = Image.new("RGB", (int(width * scale), int(height * scale)), "white")
    draw = ImageDraw.Draw(image)
    boxes, labels = layout.boxes.values(), (route.edge.label for route in routes)
    texts = [picture.title, *footer, *notes, *labels, *(line for box in boxes for line in box.lines)]
    fonts = fonts_for(texts, (10, 11, 12, 14), scale)

    def at(*points: float) -> list[float]:
        return [point * scale for point in points]

    def text(x: float, y: float, words: str, size: int = 12, fill: str = "#18181b") -> None:
        draw.text(at(x, y), words, fill=fill, font=fonts[size], anchor="ls")

    text(20, 22, picture.title, 14)
    for route in routes:
        points = _curve(route.points)
        between = route.edge.kind == "between"
        colour = STYLES["differs"].line if between else "#a1a1aa"
        gap = 2 if between or route.edge.weak else 1  # dashes
        for one, other in zip(points[::gap], points[1::gap]):
            draw.line([tuple(at(*one)), tuple(at(*other))], fill=colour, width=max(1, round(scale)))
        if not between:
            _tip(draw, points, scale)
    for route in routes:  # no line over a label
        if route.edge.label:
            look = {"font": fonts[10], "anchor": "ls" if route.anchor == "start" else "rs", "stroke_width": 2}
            draw.text(at(route.x, route.y), route.edge.label, fill="#3f3f46", stroke_fill="white", **look)
    for box in layout.boxes.values():
        style = box.node.style
        line = max(1, round(scale * (2.5 if box.node.mark == "culprit" else 1.2)))
        radius = (box.height / 2 if box.node.mark == "shared" else 6 if box.node.mark == "copied" else 1) * scale
        corners = at(box.x, box.y, box.x + box.width, box.y + box.height)
        draw.rounded_rectangle(corners, radius, fill=style.fill, outline=style.line, width=line)
        for place, words in enumerate(box.lines):
            text(
                box.x + inset(box.node),
                box.y + LINE * (place + 1) - 2,
                words,
                12,
                "#18181b" if place == 0 else "#52525b",
            )
    y = layout.height
    for style, words in zip(picture.marks(), footer):
        draw.rectangle(at(20, y - 10, 32, y + 2), fill=style.fill, outline=style.line)
        text(40, y, words, 11)
        y += LINE
    for note in notes:
        text(20, y, note, 11, "#71717a")
        y += LINE
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points along the cubic pieces of a curve."""
    found = [points[0]]
    for place in range(0, len(points) - 3, 3):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[place : place + 4]
        for step in range(1, 25):
            t = step / 24
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found


def _tip(draw: Any, points: list[tuple[float, float]], scale: float) -> None:
    (x1, y1), (x2, y2) = points[-2], points[-1]
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 0.001)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    corners = [(x2, y2), (x2 - 7 * dx - 3 * dy, y2 - 7 * dy + 3 * dx), (x2 - 7 * dx + 3 * dy, y2 - 7 * dy - 3 * dx)]
    draw.polygon([(x * scale, y * scale) for x, y in corners], fill="#71717a")
