"""ConcreteFunctions held on their own, and those of a loaded SavedModel: there is no Python source to trace.

A trace is the FunctionDefs that it consists of, plus the inputs that it captured. The copy is made of the same
FunctionDefs, entered by the loader of SavedModels under names of their own (names of functions are unique within
one process only), over the copied variables and tables. What SavedModel does not keep is lost here, too: the
gradient of a ``tf.custom_gradient``.
"""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.parts import Parts
from .making import refuse, rule
from .tf_private import INSIDE, function_library, loaded_function, private

__all__ = ["OverCaptures", "Trace", "concrete_function"]


class OverCaptures:
    """Makes a ConcreteFunction like *original* over other captured variables, tables and tensors."""

    __slots__ = ("original",)

    def __init__(self, original: Any) -> None:
        self.original = original

    def __call__(self, *captured: Any) -> Any:
        return Trace(*_trace_of(self.original))(*captured)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Trace, _trace_of(self.original))


def _trace_of(concrete: Any) -> tuple[Any, ...]:
    """The arguments of a Trace: plain data, which another process can read."""
    tf = sys.modules["tensorflow"]
    specify = private(INSIDE + "framework.type_spec.type_spec_from_value")
    outputs = tf.nest.map_structure(
        lambda each: specify(each) if tf.is_tensor(each) else each, concrete.structured_outputs
    )
    names = {}
    for name in ("_arg_keywords", "_num_positional_args"):
        if hasattr(concrete, name):
            value = getattr(concrete, name)  # of a loaded SavedModel: a part of its protocol buffer
            names[name] = value if value is None or isinstance(value, int) else list(value)
    library, own = function_library(concrete), concrete.function_def.signature.name
    signature = concrete.structured_input_signature
    return (type(concrete), library, own, concrete.function_type, signature, outputs, names)


class Trace:
    """Makes a ConcreteFunction of its FunctionDefs, over what it captures."""

    __slots__ = ("cls", "library", "name", "names", "outputs", "signature", "type")

    def __init__(
        self, cls: Any, library: bytes, name: str, type: Any, signature: Any, outputs: Any, names: dict[str, Any]
    ) -> None:
        self.cls = cls
        self.library = library
        self.name = name
        self.type = type
        self.signature = signature
        self.outputs = outputs
        self.names = names

    def __call__(self, *captured: Any) -> Any:
        loaded = loaded_function(self.library, self.name)
        graph = loaded.graph
        graph.structured_input_signature, graph.structured_outputs = self.signature, self.outputs
        handles = [_handle_of(each) for each in captured]
        if handles:
            for handle, internal in zip(handles, graph.inputs[-len(handles) :]):
                graph.replace_capture(handle, internal)
        attributes = {name: value for name, value in loaded.function_def.attr.items() if name != "_input_shapes"}
        new = self.cls.from_func_graph(graph, self.type, attributes)
        new.set_variables([each for each in captured if hasattr(each, "handle") and hasattr(each, "assign")])
        new.set_external_captures(handles)
        for name, value in self.names.items():
            setattr(new, name, value)
        return new


def _handle_of(captured: Any) -> Any:
    for name in ("handle", "resource_handle"):
        handle = getattr(captured, name, None)
        if handle is not None:
            return handle
    return captured


@rule(INSIDE + "eager.polymorphic_function.concrete_function.ConcreteFunction")
def concrete_function(node: Any) -> Any:
    "A ConcreteFunction keeps its trace, and reads the copied variables."
    captured = []
    for tensor in node.obj.captured_inputs:
        if not hasattr(tensor, "dtype"):
            return refuse("it captures something that is only known when it is called", "keep the tf.function instead")
        owner = getattr(tensor, "_parent_trackable", None)
        owner = None if owner is None else owner()
        captured.append(tensor if owner is None else owner)
    return Parts(OverCaptures(node.obj), captured)
