"""ConcreteFunctions held on their own, and those of a loaded SavedModel: there is no Python source to trace.

A trace is a graph of operations, plus the inputs that it captured. In the same process the copy runs the very same
graph over the copied variables and tables (see ``tf_traces``). For another process, and where two cannot run one
graph, it is made of the same FunctionDefs, entered by the loader of SavedModels under names of their own (names of
functions are unique within one process only). What SavedModel does not keep is lost there: the gradient of a
``tf.custom_gradient``.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

from ..anatomy.parts import Parts
from ..graph.accessors import Accessor
from .making import refuse, rule
from .tf_private import INSIDE, function_library, is_eager, loaded_function, private
from .tf_private_runs import Moved
from .tf_private_traces import captures_of, is_wrapped, owner_of, watched_by
from .tf_traces import calls_python, runs_apart, trace_over

__all__ = ["OverCaptures", "Trace", "concrete_function"]


class OverCaptures:
    """Makes a ConcreteFunction like *original* over other captured variables, tables and tensors."""

    __slots__ = ("original",)

    def __init__(self, original: Any) -> None:
        self.original = original

    def __call__(self, *captured: Any) -> Any:
        old = self.original
        if is_wrapped(old) or not runs_apart(old):
            return Trace(*_trace_of(old))(*captured)
        before = captures_of(old)
        handles = [_handle_of(new) if is_eager(each) else new for each, new in zip(before, captured)]
        variables = {id(owner_of(each)): new for each, new in zip(before, captured) if hasattr(new, "assign")}
        watched = [variables.get(id(each), each) for each in watched_by(old)]
        there = {id(each): (weakref.ref(each), new) for each, new in zip(before, handles) if is_eager(each)}

        def moved(earlier: Moved) -> Moved:
            further = {key: (weak, there.get(id(new), (None, new))[1]) for key, (weak, new) in earlier.items()}
            return {**there, **further}

        return trace_over(old, handles, watched, old.function_type, moved)

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
    captured, where = [], []
    for place, tensor in enumerate(captures_of(node.obj)):
        if not hasattr(tensor, "dtype"):
            return refuse("it captures something that is only known when it is called", "keep the tf.function instead")
        owner = owner_of(tensor)
        captured.append(tensor if owner is None else owner)
        to_owner = "" if owner is None else "._parent_trackable()"
        where.append(Accessor("attribute", f"capture {place}", "", f"._captured_inputs[{place}]{to_owner}", place))
    shared = calls_python(node.obj) and not node.travels
    lost = "it calls the original's Python function" if shared else ""
    return Parts(OverCaptures(node.obj), captured, where=where, lost=lost)
