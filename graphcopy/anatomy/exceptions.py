"""Exceptions: made without ``__init__``, with arguments, attributes, cause and context; the traceback is shared."""

from __future__ import annotations

from typing import Any

from ..graph.accessors import Accessor, attribute, instance_attribute, item
from .instances import slot_members
from .parts import NOTHING, Outcome, Parts
from .putting import default_state
from .reducing import by_reduce, type_hook
from .registry import anatomy

__all__ = ["make_exception", "set_exception"]

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: written in Python, or made at run time
_LINKS = ("__cause__", "__context__", "__traceback__")
_C_FIELDS = (
    "errno", "strerror", "filename", "filename2", "characters_written", "name", "path", "name_from", "msg", "lineno",
    "offset", "text", "end_lineno", "end_offset", "print_file_and_line", "encoding", "object", "start", "end", "reason",
    "code", "value", "obj",
)  # fmt: skip
"""What the builtin exceptions keep in C."""


def make_exception(cls: Any, group: tuple[Any, ...] = ()) -> Any:
    """Make an exception of *cls* without its ``__init__``; a group needs its message and members at once."""
    try:
        return cls.__new__(cls, *group)
    except TypeError:  # its ``__new__`` wants arguments that it does not tell: they are in the attributes
        builtin: Any = next(base for base in cls.__mro__ if not base.__flags__ & _HEAP_TYPE)
        return builtin.__new__(cls, *group)


def set_exception(new: Any, state: dict[Any, Any]) -> None:
    """Give the exception its arguments, fields, attributes, cause, context and traceback."""
    suppress = state.get(("link", "__suppress_context__"), False)
    for key, value in state.items():
        if type(key) is not tuple:
            new.__dict__[key] = value
        elif key[0] == "arg":
            continue
        elif key[0] == "slot":
            key[1].__set__(new, value)
        else:
            try:
                setattr(new, key[1], value)
            except (AttributeError, TypeError):  # a field that this exception does not let itself be given
                continue
    new.args = tuple(value for key, value in state.items() if type(key) is tuple and key[0] == "arg")
    new.__suppress_context__ = suppress


def _accessors(obj: BaseException, parts: Parts) -> list[Accessor]:
    found = [attribute("__class__"), attribute("args")][: len(parts.args)]
    for key in parts.attrs or ():
        if type(key) is not tuple:
            found.append(instance_attribute(obj, key))
        elif key[0] == "arg":
            found.append(item(key[1])._replace(after=f".args[{key[1]}]"))
        elif key[0] == "slot":
            found.append(instance_attribute(obj, key[1].__name__, slot_of=key[1].__objclass__))
        else:
            found.append(attribute(key[1]))
    return found


@anatomy(BaseException, subclasses=True, heeds_reduce=True)
def exception(obj: BaseException, context: Any) -> Outcome:
    """An exception; a class with its own reduce method or state is taken at its word."""
    cls: Any = type(obj)
    if _reduces(cls):
        parts = by_reduce(obj, context)
        return _with_links(obj, parts) if isinstance(parts, Parts) else parts
    state: dict[Any, Any] = dict(obj.__dict__)
    state.update((("arg", place), value) for place, value in enumerate(obj.args))
    for _, _, member in slot_members(cls):
        try:
            state["slot", member] = member.__get__(obj)
        except AttributeError:
            continue
    for name in _C_FIELDS:
        found = type_hook(cls, name)
        if (
            type(found).__name__ in ("member_descriptor", "getset_descriptor")
            and found.__objclass__.__module__ == "builtins"
        ):
            value = getattr(obj, name, None)
            if value is not None:
                state["field", name] = value
    state.update(_links(obj))
    group = (obj.args,) if type(obj).__name__.endswith("ExceptionGroup") or hasattr(obj, "exceptions") else ()
    if group:
        group = ((obj.args[0], list(obj.exceptions)),)  # type: ignore[attr-defined]
    return Parts(make_exception, (cls, *group), attrs=state, setter=set_exception, where=_accessors)


def _links(obj: BaseException) -> dict[Any, Any]:
    """Cause, context and traceback; no reduce method tells them."""
    links: dict[Any, Any] = {("link", name): value for name in _LINKS if (value := getattr(obj, name)) is not None}
    if obj.__suppress_context__:
        links["link", "__suppress_context__"] = True
    return links


class SetReduced:
    """Puts in the state that the class's own reduce method gave, then the links."""

    __slots__ = ("folded", "setter")

    def __init__(self, setter: Any, folded: bool) -> None:
        self.setter = setter
        self.folded = folded

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        own = {key[1]: value for key, value in state.items() if key[0] == "own"}
        if own:
            (self.setter or default_state)(new, own if self.folded else own[""])
        for key, value in state.items():
            if key[0] == "link" and key[1] != "__suppress_context__":
                setattr(new, key[1], value)
        new.__suppress_context__ = state.get(("link", "__suppress_context__"), False)  # setting a cause sets it


def _with_links(obj: BaseException, parts: Parts) -> Parts:
    """What the class's own reduce method says, and the links beside it."""
    links = _links(obj)
    if not links:
        return parts
    before = list(parts.accessors(obj))
    state: dict[Any, Any] = {}
    if parts.attrs is not None:
        state.update((("own", key), value) for key, value in parts.attrs.items())
    elif parts.state is not NOTHING:
        state["own", ""] = parts.state
    place = len(parts.args) + len(state)
    parts.setter = SetReduced(parts.setter, parts.attrs is not None)
    parts.attrs, parts.state = {**state, **links}, NOTHING
    parts.where = [*before[:place], *(attribute(name) for _, name in links), *before[place:]]
    return parts


def _reduces(cls: Any) -> bool:
    for name in ("__reduce_ex__", "__reduce__", "__setstate__"):
        hook = type_hook(cls, name)
        if hook is not None and hasattr(hook, "__globals__"):
            return True
    return False
