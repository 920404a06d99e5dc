"""Variables: a new resource with the same value, and every attribute that the object has.

``ResourceVariable.__deepcopy__`` freezes an unknown shape and loses attributes; ``tf.Variable(v)``
spends most of its time on name scopes. Here the object is made empty, given its own handle, and the
value is handed over inside the runtime, which copies it on the first write of either side.
"""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.parts import Parts
from .making import refuse, rule
from .tf_private import INSIDE, array_under, assign_handle, handle_like, orphaned, parent_of, read_handle, unique_number

__all__ = ["NewHandle", "NewVariable", "StoredVariable", "variable"]

_OWN = ("_handle", "_unique_id", "_cached_value", "_graph_element", "_initial_value", "_initializer_op",
        "_is_initialized_op")  # fmt: skip
_PLAIN = frozenset([bool, type(None), str, int])
_PLAIN_HERE = frozenset(
    ["VariableSynchronization", "VariableAggregation", "VariableAggregationV2", "TensorShape", "DType"]
)


def _is_plain(value: Any) -> bool:
    """Tell a setting, which is shared as it is; a class of the same name elsewhere is no setting."""
    kind = type(value)
    return kind in _PLAIN or (kind.__name__ in _PLAIN_HERE and kind.__module__.startswith(INSIDE))


class NewVariable:
    """Makes a variable like *variable* with the value that it has at that moment."""

    __slots__ = ("variable",)

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def __call__(self) -> Any:
        old = self.variable
        return _make(type(old), _value_of(old), old.device, old._handle._handle_data, plain_attributes(old))

    def __reduce__(self) -> tuple[Any, ...]:
        old = self.variable
        value = _value_of(old)
        return (StoredVariable, (type(old), None if value is None else array_under(value), plain_attributes(old)))


class NewHandle:
    """Makes a handle to a variable like the one behind *handle*, whose Python object is gone."""

    __slots__ = ("handle",)

    def __init__(self, handle: Any) -> None:
        self.handle = handle

    def __call__(self) -> Any:
        tf, old = sys.modules["tensorflow"], self.handle
        found = orphaned(old)
        if found is None:  # it has come to life, or has no value any more
            return old
        value, dtype, shape = found
        with tf.init_scope(), tf.device(old.device):
            new = handle_like(dtype, shape, str(getattr(old, "_name", "variable")).partition(":")[0], old._handle_data)
            assign_handle(new, value)
        new._parent_trackable = old._parent_trackable
        return new


class StoredVariable:
    """Makes a variable in another process."""

    __slots__ = ("attributes", "cls", "value")

    def __init__(self, cls: Any, value: Any, attributes: dict[str, Any]) -> None:
        self.cls = cls
        self.value = value
        self.attributes = attributes

    def __call__(self) -> Any:
        value = self.value
        if value is not None:
            value = sys.modules["tensorflow"].convert_to_tensor(value, self.attributes["_dtype"])
        return _make(self.cls, value, None, None, self.attributes)


def _value_of(variable: Any) -> Any:
    """The value, or None when the variable has none yet."""
    tf = sys.modules["tensorflow"]
    try:
        return read_handle(variable._handle, variable._dtype)
    except (tf.errors.FailedPreconditionError, tf.errors.NotFoundError):
        return None


def _make(cls: Any, value: Any, device: Any, data: Any, attributes: dict[str, Any]) -> Any:
    tf = sys.modules["tensorflow"]
    new = object.__new__(cls)
    own = new.__dict__
    own.update(attributes)
    name = own["_handle_name"].partition(":")[0]
    with tf.init_scope(), tf.device(device):
        own["_handle"] = handle = handle_like(own["_dtype"], own["_shape"], name, data)
        if value is not None:
            assign_handle(handle, value)
    own["_unique_id"] = f"{name}_{unique_number()}"
    for empty in _OWN[2:]:
        own[empty] = None
    parent_of(handle, new)
    return new


def plain_attributes(variable: Any) -> dict[str, Any]:
    """The attributes that are shared as they are: settings, name, shape."""
    return {name: value for name, value in vars(variable).items() if name not in _OWN and _is_plain(value)}


@rule(INSIDE + "ops.resource_variable_ops.BaseResourceVariable")
def variable(node: Any) -> Any:
    "A variable gets a resource of its own on the same device, and keeps shape, settings and attributes."
    obj = node.obj
    if obj._in_graph_mode:
        return refuse("a variable of a tf.Graph lives in its session", "copy its value, or share it with its graph")
    rest = {name: value for name, value in vars(obj).items() if name not in _OWN and not _is_plain(value)}
    parts = Parts(NewVariable(obj), attrs=rest or None)
    parts.known_as = obj._unique_id  # slots of Keras optimizers are filed under it
    return parts
