"""ConcreteFunctions held on their own, and those of a loaded SavedModel: there is no Python source to trace.

A trace is a pure FunctionDef plus the inputs that it captured. The copy is made from the same FunctionDef
in a graph of its own, over the copied variables and tables.
"""

from __future__ import annotations

from typing import Any

from ..anatomy.parts import Parts
from .making import refuse, rule
from .tf_private import INSIDE, private

__all__ = ["OverCaptures", "concrete_function"]


class OverCaptures:
    """Makes a ConcreteFunction like *original* over other captured variables, tables and tensors."""

    __slots__ = ("original",)

    def __init__(self, original: Any) -> None:
        self.original = original

    def __call__(self, *captured: Any) -> Any:
        old = self.original
        definition = old.function_def
        graph = private(INSIDE + "framework.function_def_to_graph.function_def_to_graph")(
            definition,
            structured_input_signature=old.structured_input_signature,
            structured_outputs=old.structured_outputs,
        )
        handles = [_handle_of(each) for each in captured]
        if handles:
            for handle, internal in zip(handles, graph.inputs[-len(handles) :]):
                graph.replace_capture(handle, internal)
        attributes = {name: value for name, value in definition.attr.items() if name != "_input_shapes"}
        new = type(old).from_func_graph(graph, old.function_type, attributes)
        new.set_variables([each for each in captured if hasattr(each, "handle") and hasattr(each, "assign")])
        new.set_external_captures(handles)
        for name in ("_arg_keywords", "_num_positional_args"):
            if hasattr(old, name):
                setattr(new, name, getattr(old, name))
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
