"""The allow-list: which names a file may look up, and what they are here."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from ..shipping.naming import MAINS
from .arrays import guarded_numpy
from .guards import guarded

__all__ = ["Trust"]

_BASICS = frozenset(
    [
        "list",
        "dict",
        "tuple",
        "set",
        "frozenset",
        "str",
        "bytes",
        "bytearray",
        "int",
        "float",
        "complex",
        "bool",
        "object",
    ]
)
"""Builtin types that may be named, but not called: a stream writes their values by itself."""

_CODE_BY_VALUE = ("dill", "_dill", "cloudpickle", "marshal")
BY_VALUE = (
    "it belongs to what travels by value (functions, classes made at run time, calls of what the file itself holds), "
    "which is code: load a file that you have signed, with key="
)


class Trust:
    """What is listed: exact names, and packages whose classes are admitted.

    *listed* holds dotted names, classes and functions (which stand for their own names), and patterns such as
    ``"mypkg.*"``. Raises TypeError for anything else; ValueError for a pattern without a package in front, or for one
    that covers the standard library, numpy or graphcopy.

    >>> trust = Trust(["mypkg.*", "datetime.date"])
    >>> trust.refusal("datetime", "date"), trust.refusal("os", "system")
    (None, 'it is not listed')
    """

    def __init__(self, listed: Iterable[Any]) -> None:
        if isinstance(listed, (str, bytes)):
            raise TypeError(f"trusted= wants a list of names, not one text: write trusted=[{listed!r}]")
        self.exact: set[str] = set()
        self.packages: set[str] = set()
        for each in listed:
            if isinstance(each, str):
                self._enter(each)
            elif isinstance(each, (type, types.FunctionType, types.BuiltinFunctionType)):
                self.exact.add(f"{each.__module__}.{each.__qualname__}")
            else:
                raise TypeError(f"trusted= wants names, classes or functions, not {each!r}")

    def _enter(self, name: str) -> None:
        if "*" not in name:
            if not all(part.isidentifier() for part in name.split(".")) or "." not in name:
                raise ValueError(f"trusted= wants dotted names such as 'mypkg.models.Model', not {name!r}")
            self.exact.add(name)
            return
        package = name.removesuffix(".*")
        if not name.endswith(".*") or not all(part.isidentifier() for part in package.split(".")):
            raise ValueError(f"a pattern in trusted= is a package and .* behind it, such as 'mypkg.*', not {name!r}")
        top = package.partition(".")[0]
        if top in sys.stdlib_module_names or top in (*_CODE_BY_VALUE, *MAINS, "graphcopy"):
            raise ValueError(
                f"{name!r} would admit classes that run code or open files: name those that you mean exactly"
            )
        if top == "numpy":
            raise ValueError(
                "numpy has classes that reach into memory: list 'numpy.ndarray', which admits arrays of numbers"
            )
        self.packages.add(package)

    def refusal(self, module: str, name: str, *, called: bool = False) -> str | None:
        """Say why a name is refused before anything is imported; None where it may be looked up."""
        full = f"{module}.{name}"
        top = module.partition(".")[0]
        if top in _CODE_BY_VALUE:
            return BY_VALUE
        if top == "graphcopy" and guarded(module, name) is not None:
            return None
        if module == "builtins" and name in _BASICS and not called:
            return None
        if top in ("numpy", "graphcopy") and "numpy.ndarray" in self.exact:
            if full == "numpy.ndarray":
                return "arrays are not made by calling their class" if called else None
            if guarded_numpy(module, name) is not None:
                return None
        if top == "graphcopy":
            return BY_VALUE
        if full in self.exact:
            return None
        if not self._in_package(module):
            return "it is not listed"
        if "." in name:
            return "it is found through other attributes: list it exactly"
        if name.startswith("__") or module.endswith("__main__"):
            return "it is private to Python: list it exactly"
        loaded = sys.modules.get(module)
        if loaded is not None and hasattr(loaded, name):
            return self._no_class(module, name, getattr(loaded, name))
        return None

    def _in_package(self, module: str) -> bool:
        return any(module == package or module.startswith(package + ".") for package in self.packages)

    def _no_class(self, module: str, name: str, found: Any) -> str | None:
        """Say what is wrong with what a pattern has led to: it has to be a class of the package itself."""
        if not isinstance(found, type):
            return "it is no class, and a pattern admits classes only: list it exactly"
        if issubclass(found, type):
            return "it is a metaclass: list it exactly"
        if not self._in_package(str(found.__module__)) or found.__name__ != name:
            return f"it is {found.__module__}.{found.__qualname__} under another name: list it exactly"
        return None

    def resolve(self, module: str, name: str) -> tuple[Any, str | None]:
        """Import what may be looked up: the thing itself, behind a guard where it has one, and why it is refused.

        Raises what the import raises.
        """
        found = guarded(module, name)
        if found is None and "numpy.ndarray" in self.exact:
            found = guarded_numpy(module, name)
        if found is not None:
            return found, None
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        if isinstance(found, types.ModuleType):
            return None, "it is a module"
        if f"{module}.{name}" in self.exact or module == "builtins":
            return found, None
        return found, self._no_class(module, name, found)
