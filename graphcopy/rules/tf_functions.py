"""tf.function: the Python function with its closure and every setting; what was compiled is dropped.

Six attributes hold compiled state, under two sets of names. The copy starts without them and traces at its
first call. ``functools.wraps`` over a tf.function takes its attributes over: see ``taken_over``.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

from ..anatomy.parts import Parts
from ..graph.accessors import instance_attribute
from .making import prune, rule, share
from .tf_private import empty_captures, empty_function_cache

__all__ = ["function_rules", "put_function"]

_EAGER = "tensorflow.python.eager."
_COMPILED = "polymorphic_function."
_REMADE = ("_lock", "_descriptor_cache", "_key_for_call_stats", "_function_cache", "_function_captures")
_EMPTY = ("_variable_creation_config", "_no_variable_creation_config", "_variable_creation_fn",
          "_no_variable_creation_fn", "_created_variables")  # fmt: skip
_DROPPED = ("_concrete_variable_creation_fn",)


@rule(_EAGER + "polymorphic_function.polymorphic_function.Function")
def function(node: Any) -> Any:
    "A tf.function keeps its Python function (with its closure) and its settings; it traces again at its first call."
    obj = node.obj
    state = {
        name: None if name in _EMPTY else value
        for name, value in vars(obj).items()
        if name not in _REMADE and name not in _DROPPED
    }
    remade = tuple(name for name in _REMADE if name in vars(obj))
    return Parts(
        object.__new__, (type(obj),), attrs={**state, ("remade", ""): remade}, setter=put_function,
        where=lambda obj, parts: [instance_attribute(obj, "__class__"), *(
            instance_attribute(obj, name if type(name) is str else "__dict__") for name in parts.attrs
        )],
    )  # fmt: skip


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


compiled = prune(
    "tensorflow.core.function.polymorphism.function_cache.FunctionCache",
    "tensorflow.core.function.capture.capture_container.FunctionCaptures",
    _EAGER + "polymorphic_function.tracing_compilation.TracingOptions",
)

runtime = share(
    "tensorflow.python.framework._pywrap_python_api_dispatcher.PythonAPIDispatcher",
    "tensorflow.python.util.dispatch.OpDispatcher",
    _EAGER + "context.Context",
    _EAGER + "polymorphic_function.atomic_function.AtomicFunction",
    "tensorflow.python.ops.resource_variable_ops.EagerResourceDeleter",
    "tensorflow.python.framework.ops.Graph",
)
"""Objects of the runtime that die with what they own: a half-copy would take the original with it."""

function_rules = (function, compiled, runtime)
