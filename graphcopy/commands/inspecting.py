"""Say what is in a file of graphcopy.dump, without unpickling anything."""

from __future__ import annotations

import argparse
from typing import Any

from .targets import WrongUse
from .telling import as_json

NAME = "inspect"
EXAMPLE = "graphcopy inspect model.gcp"


def configure(parser: argparse.ArgumentParser) -> None:
    """Take the arguments."""
    parser.add_argument("file", metavar="FILE", help="a file that graphcopy.dump wrote")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Any) -> int:
    """Inspect the file."""
    from ..errors import LoadError
    from ..files.inspecting import inspect_file

    try:
        info = inspect_file(options.file)
    except (LoadError, OSError) as error:
        raise WrongUse(str(error)) from error
    if options.json:
        as_json({"file": options.file, **info.to_dict()})
    else:
        print(info)
    return 1 if info.faults else 0
