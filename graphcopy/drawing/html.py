"""The HTML page: one file with everything in it, which asks nothing of the network."""

from __future__ import annotations

import html
import json
import re
from importlib import resources

from .picture import Picture
from .style import STYLES
from .values import human_size

__all__ = ["html_of"]


def html_of(picture: Picture) -> str:
    """Write the picture as a page: search, fold, hide, and copy paths and advice."""
    nodes = [
        {
            "id": node.key, "type": node.type, "sign": node.style.sign if node.mark != "fold" else "",
            "value": node.value or (node.side if node.root else ""),
            "size": human_size(node.size) if node.size else "", "mark": node.mark,
            "holds": node.holds, "path": node.path, "reason": node.reason, "rule": node.rule, "advice": node.advice,
            "root": node.root,
        }
        for node in picture.nodes
    ]  # fmt: skip
    edges = [
        {"source": edge.source, "target": edge.target, "label": edge.label, "weak": edge.weak, "kind": edge.kind}
        for edge in picture.edges
    ]
    styles = [
        {"mark": style.mark, "meaning": style.meaning, "sign": style.sign, "fill": style.fill, "line": style.line}
        for style in STYLES.values()
    ]
    data = {"nodes": nodes, "edges": edges, "styles": styles, "notes": picture.left_out}
    pieces = {
        "TITLE": html.escape(picture.title),
        "STYLE": _file("page", "page.css"),
        "DATA": _as_script(json.dumps(data, ensure_ascii=True, separators=(",", ":"))),
        "CYTOSCAPE": _file("vendor", "cytoscape.min.js"),
        "DAGRE": _file("vendor", "cytoscape-dagre.min.js"),
        "SCRIPT": _file("page", "page.js"),
    }
    parts = re.split("__(" + "|".join(pieces) + ")__", _file("page", "page.html"))
    return "".join(pieces[part] if place % 2 else part for place, part in enumerate(parts))


def _file(folder: str, name: str) -> str:
    return resources.files(__package__).joinpath(folder, name).read_text(encoding="utf-8")


def _as_script(text: str) -> str:
    """JSON that cannot end the script element that it stands in, whatever the values are."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
