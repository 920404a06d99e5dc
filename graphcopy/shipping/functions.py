"""Functions: by reference where the other side has them, else by value.

By value a function is its code, its cells, defaults and attributes, and its globals: see ``namespaces``.
Code is CPython's bytecode, so both sides must run the same minor version of Python.
"""

from __future__ import annotations

import importlib.util
import marshal
import platform
import sys
import types
from typing import Any

from ..anatomy import functions as plain
from ..anatomy.parts import NOTHING, ByName, Outcome, Parts, Refused
from ..errors import LoadError
from ..graph.accessors import Accessor, attribute, cell
from .forms import form
from .namespaces import keep_source, sources_of, used_names, used_submodules

__all__ = ["make_code", "make_function", "put_function_state"]

_ARGS = 6  # of make_function, before the cells


@form(types.FunctionType)
def function(obj: types.FunctionType, context: Any) -> Outcome:
    """A function: by reference, or its code, cells, defaults, attributes and the globals that it uses."""
    if context.naming.by_name(obj):
        owner = _owner_of_classmethod(obj)
        return ByName() if owner is None else Parts(function_in, (owner, obj.__name__), where=_IN_CLASS)
    scope = obj.__globals__
    namespace = context.namespaces.of(scope)
    parts = plain.by_value(obj)
    state = parts.attrs or {}
    if namespace.kept is not None:
        for name in used_names(obj.__code__):
            value = scope.get(name, NOTHING)
            if value is not NOTHING and name != "__builtins__":
                state["global", name] = value
    modules = used_submodules(obj.__code__, scope)
    doc = obj.__doc__ if type(obj.__doc__) is str else None
    text = (obj.__name__, obj.__qualname__, obj.__module__, doc, len(obj.__defaults__ or ()))
    own_types = getattr(obj, "__type_params__", ()) or ()
    args = (obj.__code__, namespace, text, modules, own_types, context.source_of(obj, namespace), *parts.args)
    return Parts(make_function, args, attrs=state, setter=put_function_state, where=_accessors)


_IN_CLASS = (Accessor("hidden", "its class", "", "", None), attribute("__name__"))


def _owner_of_classmethod(obj: types.FunctionType) -> Any:
    """The class (or module) in which *obj* is a class method: asked for it by name, that gives something else."""
    path, _, name = obj.__qualname__.rpartition(".")
    if name != obj.__name__:
        return None
    found: Any = sys.modules[obj.__module__]
    for part in path.split(".") if path else ():
        found = getattr(found, "__dict__", {}).get(part)
    raw = getattr(found, "__dict__", {}).get(name)
    return found if type(raw) is classmethod and raw.__func__ is obj else None


def function_in(owner: Any, name: str) -> Any:
    """The function under the class method *name* of a class or module."""
    own = type.__dict__["__dict__"].__get__(owner) if isinstance(owner, type) else owner.__dict__
    return own[name].__func__


def _accessors(obj: types.FunctionType, parts: Parts) -> list[Accessor]:
    names = obj.__code__.co_freevars
    found = [attribute("__code__"), attribute("__globals__"), *[attribute("__name__")] * (_ARGS - 2)]
    found += [cell(place, names[place] if place < len(names) else None) for place in range(len(parts.args) - _ARGS)]
    for name in parts.attrs or ():
        if type(name) is tuple and name[0] == "global":
            step = f".__globals__[{name[1]!r}]"
            found.append(Accessor("item", step, "", step, name[1]))
        else:
            found += plain.state_accessors(obj, [name])
    return found


def make_function(
    code: types.CodeType,
    scope: dict[str, Any],
    text: tuple[str, str, Any, Any, int],
    modules: tuple[str, ...],
    type_params: tuple[Any, ...],
    source: Any,
    *closure: types.CellType,
) -> types.FunctionType:
    """Make a function over its cells; its state comes later, so that it can refer to itself."""
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError:  # only guessed from names of attributes: the function tells when it misses one
            continue
    name, qualname, module, doc, count = text
    # None stands where a rule cuts a default: the others stay in their places.
    new = types.FunctionType(code, scope, name, (None,) * count or None, closure or None)
    new.__qualname__, new.__module__, new.__doc__ = qualname, module, doc
    if type_params:
        new.__type_params__ = type_params  # type: ignore[attr-defined]
    return new


def put_function_state(new: types.FunctionType, state: dict[Any, Any]) -> None:
    """Give the function its globals, defaults and attributes."""
    scope = new.__globals__
    rest = {}
    for key, value in state.items():
        if type(key) is tuple and key[0] == "global":
            scope[key[1]] = value
        else:
            rest[key] = value
    plain.set_function_state(new, rest)


class Source:
    """Stands in the graph for the text of a file."""

    __slots__ = ("filename", "text")

    def __init__(self, filename: str, text: str) -> None:
        self.filename = filename
        self.text = text


@form(Source)
def source(obj: Source, context: Any) -> Outcome:
    """The text of a file with functions that travel by value."""
    return Parts(keep_source, (obj.filename, obj.text), where=())


class Sources:
    """One Source for each file that is met on one journey."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, Source | None] = {}

    def of(self, function: types.FunctionType) -> Source | None:
        """The text of the file in which *function* stands, if there is one."""
        code = function.__code__
        if code.co_filename not in self._known:
            text = sources_of(code)
            self._known[code.co_filename] = None if text is None else Source(code.co_filename, text)
        return self._known[code.co_filename]


@form(types.CodeType)
def code(obj: types.CodeType, context: Any) -> Outcome:
    """Code, as marshal writes it, and the Python that understands it."""
    try:
        data = marshal.dumps(obj)
    except ValueError as error:
        return Refused(f"its code holds a constant that cannot be written: {error}")
    version = ".".join(platform.python_version_tuple()[:2])
    return Parts(make_code, (version, importlib.util.MAGIC_NUMBER, data), where=())


def make_code(version: str, magic: bytes, data: bytes) -> types.CodeType:
    """Read code that marshal has written; raises LoadError on another version of Python."""
    if magic != importlib.util.MAGIC_NUMBER:
        here = ".".join(map(str, sys.version_info[:2]))
        raise LoadError(
            f"a function in it travels by value, as bytecode of Python {version}, and this is Python {here}: use the "
            "same version on both sides, or put the function into a module that both sides import"
        )
    made: types.CodeType = marshal.loads(data)
    return made
