"""What the other side finds under a name: modules, and the functions and classes in them.

``__main__`` and modules made at run time are not there, and what is defined within a function has no
name at all: such things travel *by value*. The rest travels *by reference*, as module and name.
"""

from __future__ import annotations

import difflib
import importlib.util
import sys
import types
from collections.abc import Iterable
from typing import Any

from ..anatomy.functions import is_importable

__all__ = ["MAINS", "Naming", "home_of_main", "names_of_modules"]

MAINS = ("__main__", "__mp_main__")
"""The module that was started; in a spawned worker of multiprocessing it has the second name as well."""


class Naming:
    """Decides what travels by reference.

    *by_value* names modules whose functions and classes travel by value all the same;
    their submodules are meant too.

    >>> naming = Naming(by_value=["json.decoder"])
    >>> import json
    >>> naming.by_name(json.JSONEncoder), naming.by_name(json.JSONDecoder), naming.by_name(lambda: 0)
    (True, False, False)
    """

    __slots__ = ("_reachable", "by_value")

    def __init__(self, by_value: Iterable[str] = ()) -> None:
        self.by_value = frozenset(by_value)
        self._reachable: set[str] = set()

    def reachable(self, module: Any) -> bool:
        """Tell whether the other side can import the module of this name."""
        if type(module) is not str:
            return False
        if module not in self._reachable:
            if not self._is_reachable(module):
                return False
            self._reachable.add(module)
        return True

    def _is_reachable(self, name: str) -> bool:
        if name in MAINS:
            return False
        parts = name.split(".")
        if any(".".join(parts[:count]) in self.by_value for count in range(1, len(parts) + 1)):
            return False
        module = sys.modules.get(name)
        if module is None:
            return False
        own = getattr(module, "__dict__", {})
        return own.get("__spec__") is not None or "__file__" in own or "__path__" in own

    def by_name(self, obj: Any) -> bool:
        """Tell whether a function or class is found again on the other side."""
        return self.reachable(getattr(obj, "__module__", None)) and is_importable(obj)


def names_of_modules(by_value: Any) -> tuple[str, ...]:
    """The names that a caller gave as ``by_value=``: one module or name, or several.

    Raises TypeError for what is neither, ValueError for a name that no module has: with a slip of the pen all would
    travel by reference, and fail only where it arrives.

    >>> names_of_modules(["json.decoder", types])
    ('json.decoder', 'types')
    >>> names_of_modules("jsn")
    Traceback (most recent call last):
    ...
    ValueError: by_value= names a module 'jsn', and there is none; did you mean 'json'?
    """
    found = []
    for each in (by_value,) if isinstance(by_value, (str, types.ModuleType)) else by_value:
        name = each.__name__ if isinstance(each, types.ModuleType) else each
        if type(name) is not str:
            raise TypeError(f"by_value= wants modules or their names, not {each!r}")
        if name not in sys.modules and not _exists(name):
            close = difflib.get_close_matches(name, list(sys.modules), 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise ValueError(f"by_value= names a module {name!r}, and there is none{hint}")
        found.append(name)
    return tuple(found)


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def home_of_main(module: Any) -> str:
    """The file of the program, by which two processes that run the same one recognise each other."""
    if module not in MAINS:
        return ""
    return str(getattr(sys.modules.get(module), "__file__", None) or "")
