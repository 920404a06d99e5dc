"""Which classes rules match: those that they name, as far as they are imported, and their subclasses."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["classes_of", "never_asked"]

_ATOMS = (str, int, float, complex, bool, bytes, bytearray, type(None), type(...), type(NotImplemented))
_CONTAINERS = (list, dict, tuple, set, frozenset)


def never_asked(cls: type) -> bool:
    """Tell whether pickle writes objects of *cls* by itself, without asking ``copyreg``."""
    return cls in _ATOMS or cls in _CONTAINERS or cls is _FUNCTION or issubclass(cls, type)


_FUNCTION = type(never_asked)


def classes_of(rules: Iterable[Any]) -> list[type]:
    """All classes that exist and that one of *rules* matches, each once, but for those that pickle never asks about.

    A class that is given by dotted name is found once its module is imported.

    >>> import graphcopy, collections
    >>> [cls.__name__ for cls in classes_of([graphcopy.share("collections.UserList")])]
    ['UserList']
    """
    found: dict[int, type] = {}
    for rule in rules:
        for given in rule.types:
            cls = _imported(given) if isinstance(given, str) else given
            if cls is None or cls is object:
                continue
            for each in [cls] if rule.exact else _with_subclasses(cls):
                if not never_asked(each) and rule.matches_type(each):
                    found[id(each)] = each
    return list(found.values())


def _imported(name: str) -> type | None:
    """The class of this dotted name, if its module is imported."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        module = sys.modules.get(".".join(parts[:count]))
        if module is None:
            continue
        found: Any = module
        for part in parts[count:]:
            found = getattr(found, "__dict__", {}).get(part)
        if isinstance(found, type):
            return found
    return _BUILTINS.get(name)


def _with_subclasses(cls: type) -> Iterator[type]:
    seen: set[int] = set()
    waiting = [cls]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting.extend(type.__subclasses__(each))


def _everything() -> dict[str, type]:
    """Classes without a name in their module: those of generators, frames and the like."""
    import types

    found = {}
    for value in vars(types).values():
        if isinstance(value, type):
            found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


_BUILTINS = _everything()
