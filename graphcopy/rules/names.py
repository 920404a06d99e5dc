"""Dotted names of classes: the one where a class is defined, and those under which packages offer it.

``keras.layers.Dense`` is defined as ``keras.src.layers.core.dense.Dense``; a rule may give either. Names are
looked up in what is imported, and nothing is imported or asked for that is not there yet.
"""

from __future__ import annotations

import difflib
import sys
import types
from typing import Any

__all__ = ["class_named", "missing_name"]

_ABSENT = object()
_ALIASES = {"np": "numpy", "pd": "pandas", "tf": "tensorflow", "plt": "matplotlib.pyplot"}


def class_named(name: str) -> type | None:
    """The class that *name* leads to by modules that are imported; None where there is none.

    >>> import collections
    >>> class_named("collections.abc.Sized").__module__, class_named("collections.Missing")
    ('collections.abc', None)
    """
    found, rest = _module_of(name)
    for piece in rest:
        found = _held(found, piece)
    return found if isinstance(found, type) else None


def missing_name(name: str) -> str:
    """Why *name* is the name of no class, with names that are like it; empty where it is one, or may become one.

    A module that is not imported may have it.

    >>> missing_name("collections.Countr")
    "collections has no class Countr: did you mean 'collections.Counter'?"
    >>> missing_name("collections.OrderedDict"), missing_name("not_imported.Thing")
    ('', '')
    >>> missing_name("np.ndarray")
    "'np' is no module: write numpy.ndarray"
    """
    top, _, below = name.partition(".")
    if top in _ALIASES and top not in sys.modules:
        return f"{top!r} is no module: write {_ALIASES[top]}.{below}"
    found, rest = _module_of(name)
    if found is None or "<locals>" in rest:
        return ""
    owner, said = found, name[: len(name) - len(".".join(rest)) - 1]
    for number, piece in enumerate(rest):
        found = _held(owner, piece)
        if found is _ABSENT:
            last = number == len(rest) - 1
            near = difflib.get_close_matches(piece, _offered(owner, piece, last), 2)
            made_when_asked = hasattr(type(owner), "__getattr__") or "__getattr__" in _own(owner)
            if (made_when_asked and not near) or _may_be_hidden(said, piece):
                return ""
            hint = " or ".join(repr(".".join([said, each, *rest[number + 1 :]])) for each in near)
            return f"{said} has no {'class' if last else 'name'} {piece}" + (f": did you mean {hint}?" if hint else "")
        owner, said = found, f"{said}.{piece}"
    return "" if isinstance(found, type) else f"{name} is no class but a {type(found).__name__}"


def _module_of(name: str) -> tuple[Any, list[str]]:
    """The longest part of *name* that is an imported module, and the rest."""
    pieces = name.split(".")
    for count in range(len(pieces) - 1, 0, -1):
        module = sys.modules.get(".".join(pieces[:count]))
        if module is not None:
            return module, pieces[count:]
    return None, pieces


def _own(owner: Any) -> dict[str, Any]:
    try:
        found: Any = type.__dict__["__dict__"].__get__(owner) if isinstance(owner, type) else _plain_dict(owner)
    except (AttributeError, TypeError):
        return {}
    return dict(found)


def _plain_dict(owner: Any) -> Any:
    return object.__getattribute__(owner, "__dict__") if isinstance(owner, types.ModuleType) else {}


def _held(owner: Any, name: str) -> Any:
    return _own(owner).get(name, _ABSENT)


def _offered(owner: Any, like: str, last: bool) -> list[str]:
    kinds = type if last else (type, types.ModuleType)
    private = like.startswith("_")
    return [
        name for name, each in _own(owner).items() if isinstance(each, kinds) and (private or not name.startswith("_"))
    ]


def _may_be_hidden(module: str, name: str) -> bool:
    """Tell whether a class says that it comes from there: types of the interpreter are not found by their name."""
    return module in ("builtins", "_thread", "_io") or any(
        cls.__name__ == name and cls.__module__ == module for cls in object.__subclasses__()
    )
