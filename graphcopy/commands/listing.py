"""List the rule sets: shipped and plugged in, and which are awake.

A set wakes when its library is imported.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..plugins import announced
from ..policies import SHIPPED, awake
from .targets import WrongUse
from .telling import as_json

NAME = "rules"
EXAMPLE = "graphcopy rules tf_rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the arguments."""
    parser.add_argument("set", nargs="?", help="show what this set matches and does")
    first = "import this first: it wakes sets"
    parser.add_argument("--import", dest="imports", action="append", default=[], metavar="MODULE", help=first)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Any) -> int:
    """List the sets, or show one."""
    for name in options.imports:
        try:
            import_module(name)
        except ImportError as error:
            raise WrongUse(f"--import {name}: {error}") from error
    rows = _rows()
    if options.set is not None:
        return _show(options, rows)
    if options.json:
        as_json({"sets": [{key: row[key] for key in ("name", "library", "state", "about")} for row in rows]})
        return 0
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:{width}}  {row['state']:14}  {row['about']}")
    return 0


def _rows() -> list[dict[str, Any]]:
    import graphcopy

    live = set(map(id, awake()))
    rows = []
    for name in ("python_rules", "resource_rules", "rekey_ids", "weak_key_state"):
        each = getattr(graphcopy, name)
        state = "always" if name == "python_rules" else "when given"
        rows.append({"name": name, "library": "", "state": state, "about": each.description, "set": each})
    for library, (module, name) in SHIPPED.items():
        each = getattr(import_module(module), name)
        there = "asleep" if find_spec(library) is not None else "not installed"
        state = "awake" if id(each) in live else there
        rows.append({"name": name, "library": library, "state": state, "about": each.description, "set": each})
    for library, place, plugged in announced():
        state = "plugged in" if plugged is not None else "asleep" if _is_there(library) else "not installed"
        name, about = (plugged.name, plugged.description) if plugged is not None else (library, f"a plug-in: {place}")
        rows.append({"name": name, "library": library, "state": state, "about": about, "set": plugged})
    return rows


def _is_there(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):
        return False


def _show(options: Any, rows: list[dict[str, Any]]) -> int:
    found = next((row for row in rows if options.set in (row["name"], getattr(row["set"], "name", None))), None)
    found = found or next((row for row in rows if options.set == row["library"]), None)
    if found is None:
        raise WrongUse(f"there is no rule set {options.set!r}; there are {', '.join(row['name'] for row in rows)}")
    if found["set"] is None:
        how = f"--import {found['library']} wakes it" if found["state"] == "asleep" else "its library is not installed"
        raise WrongUse(f"{options.set} is {found['state']}: {how}, or it could not be loaded")
    rules = [{"name": rule.name, "does": rule.description} for rule in found["set"]]
    if options.json:
        as_json({"name": found["name"], "library": found["library"], "state": found["state"], "rules": rules})
    else:
        print(found["set"])
    return 0
