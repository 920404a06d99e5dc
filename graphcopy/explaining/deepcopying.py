"""What ``copy.deepcopy`` does with an object (Lib/copy.py, Python 3.10 to 3.13)."""

from __future__ import annotations

import enum
import types
import weakref
from typing import Any

from ..anatomy.parts import SHARED, Outcome, Parts, Refused
from ..anatomy.reducing import Guard
from ..anatomy.registry import Anatomy, dotted
from ..graph.accessors import attribute, is_literal, item, value_of
from ..resolving import without_rules
from .backend import Backend, in_its_words
from .keras_archive import by_archive
from .pieces import located, pieces_of
from .protocol import PROXIES, by_protocol, through_proxy
from .recording import RecordingMemo

__all__ = ["DeepCopy"]

_ATOMS = frozenset(
    [
        type(None), type(Ellipsis), type(NotImplemented), int, float, bool, complex, bytes, str, types.CodeType, type,
        range, types.BuiltinFunctionType, types.FunctionType, weakref.ref, property,
    ]
)  # fmt: skip
_CONTAINERS = (list, tuple, dict, set, frozenset)
_PROTOCOL = 4
_TRUSTED = ("tensorflow", "keras", "tf_keras", "numpy", "pandas", "torch")
"""Libraries whose ``__deepcopy__`` copies what it should: not run."""
_SHARING = ("enum", "decimal", "fractions", "weakref")
"""Those whose ``__deepcopy__`` returns the object."""


def _bind(method: Any) -> Any:
    return method


class DeepCopy(Backend):
    """The backend "deepcopy"."""

    name = "deepcopy"

    def is_atom(self, cls: type) -> bool:
        """Atoms, functions and classes are shared."""
        return cls in _ATOMS or issubclass(cls, type)

    def static(self, cls: type) -> Anatomy | None:
        """Builtin containers; a method is copied by its object."""
        return without_rules(cls) if cls in _CONTAINERS else None

    def open(self, obj: Any, context: Any) -> Outcome:
        """Methods, then ``__deepcopy__`` (looked up on the object), then the reduce protocol."""
        if type(obj) is types.MethodType:
            return Parts(_bind, (obj.__self__,), where=(attribute("__self__"),))
        if type(obj) in PROXIES:
            return through_proxy(obj)
        try:
            hook = getattr(obj, "__deepcopy__", None)
        except Exception as error:
            return in_its_words(error, pieces_of(obj))
        if hook is not None:
            return self._hooked(obj, hook, context)
        if isinstance(obj, enum.Enum):  # has a __deepcopy__ since Python 3.11; before, its class finds it again
            return SHARED
        archived = by_archive(obj)
        return by_protocol(self, obj, context, _PROTOCOL) if archived is None else archived

    def _hooked(self, obj: Any, hook: Any, context: Any) -> Outcome:
        cls = type(obj)
        known = without_rules(cls)
        if dotted(cls) == "numpy.ndarray":
            return known.open(obj, context) if known is not None and obj.dtype.hasobject else _by_itself()
        if dotted(cls) in ("torch.Tensor", "torch.nn.parameter.Parameter"):
            return _torch_tensor(obj)
        archived = by_archive(obj)
        if archived is not None:
            return archived
        if cls.__module__.endswith("trackable.data_structures"):
            return _tracked_container(obj)
        code = getattr(getattr(hook, "__func__", hook), "__code__", None)
        home = str(getattr(hook, "__module__", "")).partition(".")[0]
        if home in _TRUSTED:
            return _by_itself()
        if code is None or home in _SHARING:
            return SHARED
        if getattr(hook, "__self__", obj) is not obj:  # a __getattr__ answered: the tool calls what it got
            return SHARED
        guard, memo = Guard(obj), RecordingMemo()
        try:
            hook(memo)
        except Exception as error:
            return in_its_words(error, pieces_of(obj))
        finally:
            guard.restore()
        return located(obj, memo.asked) or pieces_of(obj) or SHARED


def _by_itself() -> Parts:
    """The object copies itself, with all that is in it: there is nothing to follow, and nothing is shared."""
    return Parts(_bind, ())


def _tracked_container(obj: Any) -> Outcome:
    """What TensorFlow puts in the place of a module's own lists, dicts and tuples: their hooks copy the contents."""
    if hasattr(obj, "keys"):
        keys = list(obj.keys())
        where = [item(key) if is_literal(key) else value_of(place) for place, key in enumerate(keys)]
        return Parts(dict, items=[obj[key] for key in keys], where=where)
    content = list(obj)
    return Parts(list, items=content, where=[item(place) for place in range(len(content))])


def _torch_tensor(obj: Any) -> Outcome:
    if obj.is_leaf:
        return _by_itself()
    return Refused(
        "only tensors that the user made (graph leaves) support the deepcopy protocol: this one was computed"
    )
