"""The globals of functions that travel by value.

A function of an importable module finds that module's globals on the other side. One of ``__main__``
takes those globals along that it uses; all functions of one module share one namespace there, too.
"""

from __future__ import annotations

import builtins
import importlib
import linecache
import os
import sys
import types
from typing import Any

from ..anatomy.global_names import nested_code, used_names
from ..anatomy.parts import Outcome, Parts
from .forms import form

__all__ = ["Namespace", "Namespaces", "used_names", "used_submodules"]

_KEPT = ("__name__", "__package__", "__file__", "__doc__")


def used_submodules(code: types.CodeType, scope: dict[str, Any]) -> tuple[str, ...]:
    """Submodules that *code* may reach by attribute: importing ``concurrent`` leaves ``concurrent.futures`` out."""
    packages = [
        value.__name__
        for name in used_names(code)
        if isinstance(value := scope.get(name), types.ModuleType) and hasattr(value, "__path__")
    ]
    if not packages:
        return ()
    attributes = {name for each in nested_code(code) for name in each.co_names}
    found = []
    for name in list(sys.modules):
        for package in packages:
            if name.startswith(package + ".") and attributes.issuperset(name[len(package) + 1 :].split(".")):
                found.append(name)
    return tuple(found)


class Namespace:
    """Stands in the graph for the globals of one module."""

    __slots__ = ("kept", "module")

    def __init__(self, module: str, kept: dict[str, Any] | None) -> None:
        self.module = module
        self.kept = kept  # what a namespace made anew begins with; None where the other side imports the module


class Namespaces:
    """One Namespace for each dict of globals that is met on one journey."""

    __slots__ = ("_known", "_naming")

    def __init__(self, naming: Any) -> None:
        self._known: dict[int, tuple[dict[str, Any], Namespace]] = {}
        self._naming = naming

    def of(self, scope: dict[str, Any]) -> Namespace:
        """The namespace that stands for *scope*."""
        known = self._known.get(id(scope))
        if known is None:
            name = scope.get("__name__")
            module = sys.modules.get(name) if type(name) is str else None
            found = module is not None and module.__dict__ is scope and self._naming.reachable(name)
            kept = None if found else {each: scope[each] for each in _KEPT if type(scope.get(each)) is str}
            known = self._known[id(scope)] = (scope, Namespace(str(name), kept))
        return known[1]


@form(Namespace)
def namespace(obj: Namespace, context: Any) -> Outcome:
    """The globals of a module: imported there, or made anew."""
    if obj.kept is None:
        return Parts(globals_of, (obj.module,), where=())
    return Parts(new_globals, (obj.kept,), where=())


def globals_of(module: str) -> dict[str, Any]:
    """Import a module and return its globals."""
    return importlib.import_module(module).__dict__


def new_globals(kept: dict[str, Any]) -> dict[str, Any]:
    """Make the globals of a module that is not on this side."""
    return {**kept, "__builtins__": builtins}


def sources_of(code: types.CodeType) -> str | None:
    """The text of the file in which *code* stands, for those who ask for it (inspect, AutoGraph, tracebacks)."""
    lines = linecache.getlines(code.co_filename)
    return "".join(lines) or None


def keep_source(filename: str, text: str) -> str:
    """Show the text of a file that is not on this side to those who ask linecache for it."""
    if not os.path.exists(filename) and filename not in linecache.cache:
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    return filename
