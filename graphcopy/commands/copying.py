"""Copy an object, print the receipt, and with --verify prove the copy right."""

from __future__ import annotations

import argparse
from typing import Any

from .targets import add_rules, add_target, rules_of, target_of, tell_unused
from .telling import as_json, sign_of_life

NAME = "copy"
EXAMPLE = "graphcopy copy mypackage.service:app --verify -r graphcopy.resource_rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the arguments."""
    add_target(parser, "target")
    add_rules(parser)
    parser.add_argument("--verify", action="store_true", help="compare the copy with the original")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Any) -> int:
    """Copy the target."""
    from ..errors import CopyError
    from ..public import compare, copy

    obj, rules = target_of(options.target, options.object), rules_of(options)
    try:
        with sign_of_life(f"copying {options.target}"):
            copied, receipt = copy(obj, rules, receipt=True)
            found = compare(obj, copied, receipt=receipt, rules=rules) if options.verify else None
    except CopyError as error:
        if options.json:
            culprits = [{"path": str(c.path), "reason": c.reason, "advice": c.advice} for c in error.culprits]
            as_json({"target": options.target, "ok": False, "error": str(error), "culprits": culprits})
        else:
            print(error)
        return 1
    tell_unused(obj, rules)
    ok = found is None or found.ok
    if options.json:
        data = {"target": options.target, "ok": ok, "receipt": receipt.to_dict()}
        as_json(data if found is None else {**data, "comparison": found.to_dict()})
    else:
        print(receipt)
        if found is not None:
            print(found)
    return 0 if ok else 1
