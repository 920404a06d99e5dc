"""Rule sets that other packages bring, by the entry-point group ``graphcopy.rules``.

An entry point is named after the library that it serves (``mylib = "mylib.copying:rules"``); its set wakes when that
library is in ``sys.modules``, and is loaded no sooner. ``GRAPHCOPY_PLUGINS=0`` in the environment turns all of them
off. One that cannot be loaded is a warning that names it, and is passed over.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

from .rules.ruleset import RuleSet, flatten

__all__ = ["GROUP", "announced", "awake_libraries", "plugged_in"]

GROUP = "graphcopy.rules"
_OFF = "GRAPHCOPY_PLUGINS"

_points: tuple[Any, ...] | None = None  # looked up once in a process
_sets: dict[Any, RuleSet | None] = {}  # by entry point; None for one that is broken or being loaded


def awake_libraries() -> tuple[str, ...]:
    """The libraries that are imported and for which some package brings rules."""
    points = _points if _points is not None else _look_up()
    if not points or os.environ.get(_OFF) == "0":
        return ()
    return tuple(point.name for point in points if point.name in sys.modules)


def plugged_in() -> tuple[RuleSet, ...]:
    """The rule sets of other packages whose library is imported; those that cannot be loaded are warned of, once."""
    if not awake_libraries():
        return ()
    found = []
    for point in _points or ():
        if point.name in sys.modules:
            if point not in _sets:
                _sets[point] = None
                _sets[point] = _loaded(point)
            each = _sets[point]
            if each is not None:
                found.append(each)
    return tuple(found)


def announced() -> tuple[tuple[str, str, RuleSet | None], ...]:
    """What other packages announce: the library that it is for, where the rules are, and the set if it is loaded."""
    plugged_in()
    points = _points if _points is not None else _look_up()
    return tuple((point.name, point.value, _sets.get(point)) for point in points)


def _look_up() -> tuple[Any, ...]:
    """Find the entry points."""
    global _points  # importlib.metadata is slow to import: it is asked only where some package names the group
    if os.environ.get(_OFF) == "0":
        return ()  # asked again when it is turned on
    if not any(map(_names_the_group, list(sys.path))):
        _points = ()
    else:
        from importlib.metadata import entry_points

        _points = tuple(entry_points(group=GROUP))
    return _points


def _names_the_group(folder: str) -> bool:
    try:
        with os.scandir(folder or ".") as entries:
            homes = [each.path for each in entries if each.name.endswith((".dist-info", ".egg-info"))]
    except NotADirectoryError:  # a zip file
        return os.path.exists(folder)
    except OSError:
        return False
    for home in homes:
        try:
            with open(os.path.join(home, "entry_points.txt"), "rb") as file:
                if GROUP.encode() in file.read():
                    return True
        except OSError:
            continue
    return False


def _loaded(point: Any) -> RuleSet | None:
    try:
        given = point.load()
        if isinstance(given, RuleSet):
            return given
        return RuleSet(point.name, flatten(given), library=point.name)
    except Exception as error:
        package = getattr(getattr(point, "dist", None), "name", None)
        whose = f" of the package {package}" if package else ""
        warnings.warn(
            f"the rules for {point.name} ({point.value}){whose} cannot be loaded, and are passed over: "
            f"{type(error).__name__}: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
