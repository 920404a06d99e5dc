"""csv readers, writers and dialects: made anew over the copied input or output.

A reader shows what it reads from, and a writer the ``write`` that it calls, to the garbage collector only.
"""

from __future__ import annotations

import csv
import gc
import types
from collections.abc import Callable
from typing import Any

from ..graph.accessors import Accessor, attribute
from .parts import Outcome, Parts, Refused
from .registry import anatomy

__all__ = ["make_dialect", "make_reader", "make_writer"]

_SETTINGS = ("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting", "skipinitialspace",
             "strict")  # fmt: skip


def _hidden(place: int) -> Accessor:
    return Accessor("hidden", f"referent {place}", "__import__('gc').get_referents(", f")[{place}]", None)


def _referent(obj: Any, is_meant: Callable[[Any], bool]) -> tuple[int, Any]:
    """The first thing that *obj* refers to and that *is_meant*, and its place."""
    for place, each in enumerate(gc.get_referents(obj)):
        if not isinstance(each, type) and is_meant(each):
            return place, each
    return -1, None


@anatomy("_csv.Dialect")
def dialect(obj: Any, context: Any) -> Outcome:
    """A dialect is a set of settings."""
    return Parts(make_dialect, tuple(getattr(obj, name) for name in _SETTINGS), where=tuple(map(attribute, _SETTINGS)))


def make_dialect(*settings: Any) -> Any:
    """Make a dialect of its settings."""
    return csv.reader((), **dict(zip(_SETTINGS, settings))).dialect


@anatomy("_csv.reader")
def reader(obj: Any, context: Any) -> Outcome:
    """A reader goes on over the copied input."""
    place, lines = _referent(obj, lambda each: hasattr(type(each), "__next__"))
    if place < 0:
        return Refused("this Python does not show what a csv reader reads from")
    where = (_hidden(place), attribute("dialect"))
    lost = f"its count of lines ({obj.line_num})" if obj.line_num else ""
    return Parts(make_reader, (lines, obj.dialect), where=where, lost=lost)


def make_reader(lines: Any, settings: Any) -> Any:
    """Make a reader of *lines*."""
    return csv.reader(lines, settings)


@anatomy("_csv.writer")
def writer(obj: Any, context: Any) -> Outcome:
    """A writer writes to the copied output."""
    place, write = _referent(obj, callable)
    if place < 0:
        return Refused("this Python does not show where a csv writer writes to")
    return Parts(make_writer, (write, obj.dialect), where=(_hidden(place), attribute("dialect")))


def make_writer(write: Any, settings: Any) -> Any:
    """Make a writer that calls *write*."""
    return csv.writer(types.SimpleNamespace(write=write), settings)
