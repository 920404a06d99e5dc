"""What the rules touch of TensorFlow's private parts, all in one place.

A name that a version of TensorFlow lacks is an error that says which, the first time it is needed.
Facts from the sources of TensorFlow 2.18 and 2.21, which are the versions it was run with.
"""

from __future__ import annotations

import threading
import weakref
from functools import cache
from importlib import import_module
from typing import Any

__all__ = [
    "DROPPED",
    "EMPTY",
    "INSIDE",
    "REMADE",
    "assign_handle",
    "empty_captures",
    "empty_function_cache",
    "handle_like",
    "is_eager",
    "private",
    "put_function",
    "read_handle",
    "unique_number",
]  # fmt: skip


INSIDE = "tensorflow.python."
"""Where the classes live that the rules match; none of them is imported for that."""

REMADE = ("_lock", "_descriptor_cache", "_key_for_call_stats", "_function_cache", "_function_captures")
EMPTY = ("_variable_creation_config", "_no_variable_creation_config", "_variable_creation_fn",
          "_no_variable_creation_fn", "_created_variables")  # fmt: skip
DROPPED = ("_concrete_variable_creation_fn",)
"""The compiled state of a tf.function: made anew, emptied, left out."""


class UnknownTensorFlow(RuntimeError):
    """This version of TensorFlow lacks something that the rules touch."""


@cache
def private(name: str) -> Any:
    """Return the object with the dotted *name* in TensorFlow; of several names, parted by ``|``, the first there is."""
    for each in name.split("|"):
        module, _, attribute = each.strip().rpartition(".")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError):
            continue
    version = import_module("tensorflow").__version__
    raise UnknownTensorFlow(f"TensorFlow {version} has no {name}: graphcopy's rules do not know this version")


def is_eager(tensor: Any) -> bool:
    """Tell a tensor that has a value from a symbol of a graph."""
    return isinstance(tensor, private("tensorflow.python.framework.ops.EagerTensor"))


def read_handle(handle: Any, dtype: Any) -> Any:
    """The value behind a variable's handle, without a copy; the runtime copies it before either side changes it."""
    return private("tensorflow.python.ops.gen_resource_variable_ops.read_variable_op")(handle, dtype)


def assign_handle(handle: Any, value: Any) -> None:
    """Put *value* behind a variable's handle."""
    private("tensorflow.python.ops.gen_resource_variable_ops.assign_variable_op")(handle, value)


def handle_like(dtype: Any, shape: Any, name: str, data: Any = None) -> Any:
    """Make a handle to a new anonymous variable; *data* is another handle's description of shape and dtype."""
    anonymous = private("tensorflow.python.eager.context.anonymous_name|tensorflow.python.eager.context.shared_name")
    handle = private("tensorflow.python.ops.gen_resource_variable_ops.var_handle_op")(
        dtype=dtype, shape=shape, shared_name=anonymous(), debug_name=name
    )
    if data is None:
        data = private("tensorflow.python.ops.handle_data_util.create_handle_data")(shape, dtype)
    handle._handle_data = data
    return handle


def unique_number() -> int:
    """TensorFlow's own counter."""
    return int(private("tensorflow.python.framework.ops.uid")())


def parent_of(handle: Any, variable: Any) -> None:
    """Tell *handle* which variable it belongs to; functions that capture it ask for that."""
    handle._parent_trackable = weakref.ref(variable)
    handle._name = variable._handle_name
    handle._unique_id = variable._unique_id


def empty_function_cache() -> Any:
    """The cache of a tf.function that has never been called."""
    return private("tensorflow.core.function.polymorphism.function_cache.FunctionCache")()


def empty_captures() -> Any:
    """The captures of a tf.function that has never been called."""
    return private("tensorflow.core.function.capture.capture_container.FunctionCaptures")()


def put_function(new: Any, state: dict[Any, Any]) -> None:
    """Fill a tf.function that was made empty, with a lock and empty caches of its own."""
    remade = state.pop(("remade", ""), ())
    own = new.__dict__
    own.update(state)
    own["_lock"] = threading.RLock()
    own["_descriptor_cache"] = weakref.WeakKeyDictionary()
    if "_function_cache" in remade:
        own["_function_cache"] = empty_function_cache()
    if "_function_captures" in remade:
        own["_function_captures"] = empty_captures()
    if "_key_for_call_stats" in remade:
        own["_key_for_call_stats"] = new._get_key_for_call_stats()
