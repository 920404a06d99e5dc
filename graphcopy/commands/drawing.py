"""Draw the reference graph of an object into a file, or as a text tree."""

from __future__ import annotations

import argparse
from typing import Any

from .targets import WrongUse, add_rules, add_target, rules_of, target_of
from .telling import sign_of_life

NAME = "draw"
EXAMPLE = "graphcopy draw mypackage.service:app -o graph.html"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the arguments."""
    add_target(parser, "target")
    add_rules(parser)
    kinds = ".html, .svg, .png, .dot, .mmd or .txt; without it a text tree is printed"
    parser.add_argument("-o", "--output", metavar="FILE", help=kinds)
    parser.add_argument("--only", choices=["culprits"], help="culprits, what leads to them, and one level around")
    parser.add_argument("--focus", metavar="PATH", help="start at this path: obj.layers[3]")
    parser.add_argument("--depth", type=int, metavar="N", help="no more than N steps from the start")
    parser.add_argument("--hide", action="append", default=[], metavar="TYPE", help="leave out a type; may be repeated")
    parser.add_argument("--max-nodes", type=int, metavar="N", help="how many boxes at the most")
    parser.add_argument("--no-values", action="store_true", help="show types only: values may be secrets")


def run(options: Any) -> int:
    """Draw the target."""
    from ..drawing.displaying import draw
    from ..drawing.layout import DrawError

    obj = target_of(options.target, options.object)
    more = {} if options.max_nodes is None else {"max_nodes": options.max_nodes}
    try:
        with sign_of_life(f"drawing {options.target}"):
            drawing = draw(
                obj, options.output, rules_of(options), title=f"References of {options.target}", focus=options.focus,
                depth=options.depth, only=options.only, hide=options.hide, values=not options.no_values, **more,
            )  # fmt: skip
    except (DrawError, ValueError) as error:
        raise WrongUse(str(error)) from error
    except OSError as error:
        raise WrongUse(f"{options.output} cannot be written: {error.strerror or error}") from error
    culprits = sum(node.mark == "culprit" for node in drawing.picture.nodes)
    if options.output is None:
        print(drawing)
    else:
        note = f" ({drawing.picture.note()})" if drawing.picture.left_out else ""
        found = f", {culprits:,} of them cannot be copied" if culprits else ""
        print(f"{options.output}: {len(drawing.picture.nodes):,} boxes{found}{note}")
    return 1 if culprits else 0
