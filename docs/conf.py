"""Sphinx: Markdown pages, the API from the docstrings."""

from __future__ import annotations

import sys
from pathlib import Path

import graphcopy

sys.path.insert(0, str(Path(__file__).parent))
import pictures

pictures.make()  # the gallery: those whose libraries are installed here

project = "graphcopy"
author = "The graphcopy developers"
copyright = "2026, The graphcopy developers"
version = release = graphcopy.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "performance_table.md"]

html_theme = "furo"
html_title = "graphcopy"
autodoc_typehints = "description"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
