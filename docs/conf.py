"""Sphinx: Markdown pages, the API from the docstrings."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import graphcopy

sys.path.insert(0, str(Path(__file__).parent))
import pictures
import rules_reference

rules_reference.write()
pictures.make()  # the gallery: those whose libraries are installed here

project = "graphcopy"
author = "The graphcopy developers"
copyright = "2026, The graphcopy developers"
version = release = graphcopy.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "performance_table.md"]

html_theme = "furo"
html_title = "graphcopy"
html_static_path = ["static"]
html_css_files = ["tables.css"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autosummary_generate = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

_PUBLIC = "|".join(sorted(graphcopy.__all__, key=len, reverse=True))
_LINKED = [
    (re.compile(rf"``graphcopy\.((?:{_PUBLIC})(?:\.\w+)?)``"), r":py:obj:`graphcopy.\1`"),
    (
        re.compile(rf"(?<![\w.`])({'|'.join(n for n in graphcopy.__all__ if n[0].isupper())})(?![\w`.])"),
        r":py:obj:`\1 <graphcopy.\1>`",
    ),
]


def link(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Link the public names in a docstring, in its prose and not in its examples."""
    example = False
    for place, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if not example:
            for pattern, linked in _LINKED:
                line = pattern.sub(linked, line)
            lines[place] = line


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", link)
