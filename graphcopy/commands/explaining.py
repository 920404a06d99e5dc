"""Name everything in an object that cannot be copied, and what to do.

Exit status 1 when there is such a thing.
"""

from __future__ import annotations

import argparse
from typing import Any

from .targets import add_rules, add_target, rules_of, target_of, tell_unused
from .telling import as_json, show, sign_of_life

NAME = "explain"
EXAMPLE = "graphcopy explain mypackage.service:app --backend pickle"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the arguments."""
    from ..explaining.findings import BACKENDS

    add_target(parser, "target")
    add_rules(parser)
    parser.add_argument("--backend", choices=["graphcopy", *BACKENDS], default="graphcopy", help="the tool asked about")
    parser.add_argument("--sizes", action="store_true", help="show the heavy branches too")
    parser.add_argument("--json", action="store_true", help="print JSON, without any values")


def run(options: Any) -> int:
    """Explain the target."""
    from ..explaining.explanation import explain

    obj, rules = target_of(options.target, options.object), rules_of(options)
    with sign_of_life(f"walking {options.target}"):
        report = explain(obj, rules, backend=options.backend)
        sizes = report.sizes()[:15] if options.sizes else []
    tell_unused(obj, rules)
    if options.json:
        data = {"target": options.target, **report.to_dict()}
        if options.sizes:
            data["sizes"] = [{"path": str(s.path), "bytes": s.nbytes, "nodes": s.nodes} for s in sizes]
        as_json(data)
    else:
        show(report)
        if sizes:
            print("\nheavy branches:")
            for branch in sizes:
                print(f"  {branch}")
    return 0 if report.ok else 1
