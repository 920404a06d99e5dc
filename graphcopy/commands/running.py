"""``graphcopy``: the parser, the commands, and what becomes of errors."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from . import comparing, copying, drawing, explaining, inspecting, listing
from .targets import WrongUse

__all__ = ["main"]

COMMANDS = (explaining, drawing, copying, comparing, listing, inspecting)
OK, CULPRITS, WRONG_USE = 0, 1, 2

_ABOUT = """\
Look at object graphs: what cannot be copied, why, and what to do.

TARGET is package.module:expression (imported, then evaluated in the module), or a script with --object NAME.
"""
_STATUS = "exit status: 0 all is well, 1 there are culprits or differences, 2 wrong use"


def parser() -> argparse.ArgumentParser:
    """The parser with all commands."""
    from .. import __version__

    made = argparse.ArgumentParser(
        prog="graphcopy", description=_ABOUT, epilog=_STATUS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--version", action="version", version=f"graphcopy {__version__}")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        about, example = (command.__doc__ or "").partition("\n")[0], command.EXAMPLE
        sub = commands.add_parser(
            command.NAME, help=about, description=about, epilog=f"example:\n  {example}\n\n{_STATUS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.configure(sub)
        sub.add_argument("--traceback", action="store_true", help="show where an error came from")
        sub.set_defaults(run=command.run, refuse=sub.error)
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Run the command that *words* (or the command line) ask for; return the exit status."""
    options: Any
    options, unknown = parser().parse_known_args(words)
    if unknown:
        options.refuse(f"unrecognized arguments: {' '.join(unknown)}")  # with the usage of the command
    try:
        return int(options.run(options))
    except WrongUse as error:
        if options.traceback and error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        print(f"graphcopy {options.command}: {error}", file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
        return OK
    except KeyboardInterrupt:
        return 130
