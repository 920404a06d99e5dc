"""tf.function: the Python function with its closure and every setting; what was compiled is dropped.

Six attributes hold compiled state, under two sets of names. The copy starts without them and traces at its
first call. ``functools.wraps`` over a tf.function takes its attributes over: see ``taken_over``.
"""

from __future__ import annotations

from typing import Any

from ..anatomy.parts import Parts
from ..graph.accessors import instance_attribute
from .making import because, prune, rule, share
from .tf_private import DROPPED, EMPTY, INSIDE, REMADE, put_function

__all__ = ["function", "plumbing"]

_EAGER = INSIDE + "eager."
_COMPILED = "polymorphic_function."


@rule(_EAGER + "polymorphic_function.polymorphic_function.Function")
def function(node: Any) -> Any:
    "A tf.function keeps its Python function (with its closure) and its settings; it traces again at its first call."
    obj = node.obj
    state = {
        name: None if name in EMPTY else value
        for name, value in vars(obj).items()
        if name not in REMADE and name not in DROPPED
    }
    traced = any(vars(obj).get(name) is not None for name in DROPPED + EMPTY)
    remade = tuple(name for name in REMADE if name in vars(obj))
    return Parts(
        object.__new__, (type(obj),), attrs={**state, ("remade", ""): remade}, setter=put_function,
        where=lambda obj, parts: [instance_attribute(obj, "__class__"), *(
            instance_attribute(obj, name if type(name) is str else "__dict__") for name in parts.attrs
        )],
        lost="its traces: it traces again at its first call" if traced else "",
    )  # fmt: skip


compiled = because("What was compiled for a trace is cut: the copy traces, and compiles, again.", prune(
    "tensorflow.core.function.polymorphism.function_cache.FunctionCache",
    "tensorflow.core.function.capture.capture_container.FunctionCaptures",
    _EAGER + "polymorphic_function.tracing_compilation.TracingOptions",
))  # fmt: skip

runtime = because("The runtime's own dies with its owner; half a copy takes the original along: it is shared.", share(
    INSIDE + "framework._pywrap_python_api_dispatcher.PythonAPIDispatcher",
    INSIDE + "util.dispatch.OpDispatcher",
    _EAGER + "context.Context",
    _EAGER + "polymorphic_function.atomic_function.AtomicFunction",
    INSIDE + "ops.resource_variable_ops.EagerResourceDeleter",
    INSIDE + "framework.ops.Graph",
))  # fmt: skip

plumbing = (compiled, runtime)
"""What stands behind a tf.function: dropped with its traces, or shared."""
