"""Compare two objects: are they the same, and what do they share that can change?"""

from __future__ import annotations

import argparse
from typing import Any

from .targets import add_rules, add_target, rules_of, target_of
from .telling import as_json, sign_of_life

NAME = "compare"
EXAMPLE = "graphcopy compare mypackage.state:original mypackage.state:copied"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the arguments."""
    add_target(parser, "original", "copied")
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Any) -> int:
    """Compare the two targets."""
    from ..public import compare

    original, copied = (target_of(text, options.object) for text in (options.original, options.copied))
    with sign_of_life("comparing"):
        found = compare(original, copied, rules=rules_of(options))
    if options.json:
        as_json({"original": options.original, "copied": options.copied, **found.to_dict()})
    else:
        print(found)
    return 0 if found.ok else 1
