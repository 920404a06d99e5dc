"""PNG: through the system's ``dot`` when it is there, else with igraph's layout and Pillow."""

from __future__ import annotations

import io
from typing import Any

from .layout import LINE, DrawError, lay_out
from .picture import Picture
from .svg import by_dot, curve

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
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise DrawError("to draw PNG, install the extra: pip install graphcopy[draw]") from None
    footer = [f"{style.sign} {style.meaning}".strip() for style in picture.marks()]
    notes = [f"left out: {note}" for note in picture.left_out]
    width = max(layout.width, 60 + 7 * max(map(len, [picture.title, *footer, *notes]), default=0))
    height = layout.height + LINE * (len(footer) + len(notes) + 1)
    scale = min(_SCALE, _LIMIT / width, _LIMIT / height)
    image = Image.new("RGB", (int(width * scale), int(height * scale)), "white")
    draw = ImageDraw.Draw(image)
    fonts = {size: ImageFont.load_default(size * scale) for size in (10, 11, 12, 14)}

    def at(*points: float) -> list[float]:
        return [point * scale for point in points]

    def text(x: float, y: float, words: str, size: int = 12, fill: str = "#18181b") -> None:
        draw.text(at(x, y), words, fill=fill, font=fonts[size], anchor="ls")

    text(20, 22, picture.title, 14)
    for edge in picture.edges:
        path, x, y = curve(layout.boxes[edge.source], layout.boxes[edge.target])
        points = _bezier(path)
        draw.line([tuple(at(*point)) for point in points], fill="#a1a1aa", width=max(1, round(scale)))
        _tip(draw, points, scale)
        if edge.label:
            look = {"font": fonts[10], "anchor": "ls", "stroke_width": 2, "stroke_fill": "white"}
            draw.text(at(x, y), edge.label, fill="#3f3f46", **look)
    for box in layout.boxes.values():
        style = box.node.style
        line = max(1, round(scale * (2.5 if box.node.mark == "culprit" else 1.2)))
        radius = (box.height / 2 if box.node.mark == "shared" else 6 if box.node.mark == "copied" else 1) * scale
        corners = at(box.x, box.y, box.x + box.width, box.y + box.height)
        draw.rounded_rectangle(corners, radius, fill=style.fill, outline=style.line, width=line)
        for place, words in enumerate(box.lines):
            text(box.x + 8, box.y + LINE * (place + 1) - 2, words, 12, "#18181b" if place == 0 else "#52525b")
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


def _bezier(path: str) -> list[tuple[float, float]]:
    numbers = [float(word) for word in path.replace("M", " ").replace("C", " ").split()]
    (x0, y0, x1, y1, x2, y2, x3, y3) = numbers
    points = []
    for step in range(21):
        t = step / 20
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return points


def _tip(draw: Any, points: list[tuple[float, float]], scale: float) -> None:
    (x1, y1), (x2, y2) = points[-2], points[-1]
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 0.001)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    corners = [(x2, y2), (x2 - 7 * dx - 3 * dy, y2 - 7 * dy + 3 * dx), (x2 - 7 * dx + 3 * dy, y2 - 7 * dy - 3 * dx)]
    draw.polygon([(x * scale, y * scale) for x, y in corners], fill="#71717a")
