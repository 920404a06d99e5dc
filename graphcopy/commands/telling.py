"""What a command prints: colours on a terminal only, JSON where it was asked for, a sign of life in long work."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["as_json", "show", "sign_of_life"]

_PATIENCE = 1.0  # seconds of silence


def show(thing: Any) -> None:
    """Print *thing*, with rich where that is installed and somebody looks at it."""
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR") and hasattr(thing, "__rich_console__"):
        try:
            from rich.console import Console
        except ImportError:
            pass
        else:
            Console().print(thing)
            return
    print(thing)


def as_json(data: dict[str, Any]) -> None:
    """Print *data* with the versions that it was made by."""
    import platform

    from .. import __version__

    versions = {"graphcopy": __version__, "python": platform.python_version()}
    for library in ("tensorflow", "keras", "tf_keras", "torch", "numpy"):
        found = getattr(sys.modules.get(library), "__version__", None)
        if found is not None:
            versions[library] = str(found)
    print(json.dumps({"versions": versions, **data}, indent=2))


@contextmanager
def sign_of_life(what: str) -> Iterator[None]:
    """Say on the terminal, after a second and then every second, that *what* is still going on."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    start = time.monotonic()

    def tell() -> None:
        told = False
        while not done.wait(_PATIENCE):
            told = True
            print(f"\r{what} ... {time.monotonic() - start:.0f} s", end="", file=sys.stderr, flush=True)
        if told:
            print("\r" + " " * (len(what) + 20) + "\r", end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
