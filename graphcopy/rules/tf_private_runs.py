"""Run the graph of a trace over other variables: what ``tf_private`` touches to copy a ConcreteFunction.

A copied trace shares the graph and the functions of the runtime with the original. What cannot be shared (the state of
random operations, gradients that are Python functions) gets functions of its own.

Facts from the sources of TensorFlow 2.18 and 2.21, which do not differ in what is touched here; run with 2.15, 2.16
and 2.20 too.
"""

from __future__ import annotations

import sys
import weakref
from importlib import import_module
from typing import Any

from .tf_private import INSIDE, handle_like, is_eager, private
from .tf_private_traces import graph_of, own_attribute, owner_of

__all__ = ["Core", "Moved", "renamed"]

_RUNS = (
    "_inference_function", "_delayed_rewrite_functions", "_first_order_tape_functions", "_higher_order_tape_functions",
)  # fmt: skip
"""How a trace is run: as it is, and with what gradients need of it."""


class Core:
    """What the copies of one trace have in common: its graph, and the functions of the runtime that are built of it."""

    def __init__(self, trace: Any) -> None:
        kind: Any = private(INSIDE + "eager.polymorphic_function.concrete_function.ConcreteFunction")
        self.trace = object.__new__(kind)
        for name in ("_func_graph", "_attrs", "_garbage_collector", *_RUNS):
            self.trace.__dict__[name] = own_attribute(trace, name)
        self.graph = graph_of(trace)
        self.moved: Moved = {}

    def outlive(self, trace: Any) -> None:
        """Let go of the variables of *trace* when it dies: the graph refers to them, and lives on with the copies."""

        def died(_: Any, graph: Any = self.graph, let_go: Any = _let_go, ending: Any = sys.is_finalizing) -> None:
            if not ending():  # else TensorFlow, and this module, may be gone
                let_go(graph)

        self.outlived = weakref.ref(trace, died)

    def run_apart(self) -> Core:
        """The same graph run by functions of its own: random operations have their state in the function."""
        new = Core(self.trace)
        own, old = new.trace.__dict__, self.trace.__dict__
        own["_inference_function"] = function = renamed(old["_inference_function"], self.graph)
        own["_delayed_rewrite_functions"] = delayed = type(old["_delayed_rewrite_functions"])(
            function, old["_garbage_collector"]
        )
        delayed._num_inference_outputs = old["_delayed_rewrite_functions"]._num_inference_outputs
        own["_first_order_tape_functions"], own["_higher_order_tape_functions"] = {}, {}
        return new

    def with_gradients_over(self, moved: Moved) -> Core:
        """The same, for a graph with gradients in Python, which read the original's variables: they get the copy's."""
        new = Core(self.trace)
        new.moved = moved
        own, old = new.trace.__dict__, self.trace.__dict__["_delayed_rewrite_functions"]
        own["_delayed_rewrite_functions"] = delayed = object.__new__(type(old))
        delayed.__dict__.update(old.__dict__, _cached_function_pairs={})
        build = type(old)._construct_forward_backward.__get__(delayed)
        delayed._construct_forward_backward = lambda *args: _redirected(build(*args), moved)
        own["_first_order_tape_functions"], own["_higher_order_tape_functions"] = Redirecting(moved), Redirecting(moved)
        return new

    def over(self, trace: Any, graph: Any, captured: list[Any], signature: Any) -> Any:
        """A ConcreteFunction like *trace* that runs this, and sees *graph*."""
        new = object.__new__(type(trace))
        own = new.__dict__
        own.update(trace.__dict__)
        own.update({name: self.trace.__dict__[name] for name in _RUNS})
        own["_func_graph"] = graph
        own["_captured_inputs"] = captured
        own["_function_type"] = signature
        # Functions for gradients are built of the graph itself: its tensors do not belong to what the copy sees.
        own["_select_forward_and_backward_functions"] = self.trace._select_forward_and_backward_functions
        return new


Moved = dict[int, tuple[Any, Any]]
"""By the id of a handle: a weak reference to it, and the handle that stands in its place."""


class Redirecting(dict[Any, Any]):
    """The functions for gradients of one trace; each is redirected to the copy's variables when it is built."""

    def __init__(self, moved: Moved) -> None:
        super().__init__()
        self.moved = moved

    def __setitem__(self, key: Any, functions: Any) -> None:
        build = functions._forward_and_backward_functions
        functions._forward_and_backward_functions = lambda *args: _redirected(build(*args), self.moved)
        super().__setitem__(key, functions)


def _redirected(built: Any, moved: Moved) -> Any:
    """Redirect the backward function among what was *built*; nobody else has it yet."""

    def target(handle: Any) -> Any:
        weak, new = moved.get(id(handle), (None, None))
        return handle if weak is None or weak() is not handle else new

    backward = next(each for each in built if hasattr(each, "_captured_inputs"))
    backward.set_external_captures([target(each) for each in backward._captured_inputs])
    owners = [(variable, owner_of(target(variable.handle))) for variable in backward._func_graph.variables]
    backward.set_variables([owner or variable for variable, owner in owners])
    return built


def _let_go(graph: Any) -> None:
    """Put handles to nothing where a graph refers to variables; they are looked at, and never read."""
    captures = graph.function_captures
    tf = import_module("tensorflow")
    kind, shape = tf.float32, tf.TensorShape([])
    with tf.init_scope():  # a trace may be in the making when the original dies
        for key, external in list(captures.by_val_external.items()):
            if is_eager(external) and external.dtype.name == "resource":
                captures.by_val_external[key] = handle_like(kind, shape, "gone", external._handle_data)
    captures.by_val_capture_tuples  # noqa: B018  (what it remembers of them is made anew)


def renamed(function: Any, graph: Any) -> Any:
    """A function of the runtime with the same definition under another name."""
    definition = type(function.cached_definition)()
    definition.CopyFrom(function.cached_definition)
    name = private(INSIDE + "eager.polymorphic_function.concrete_function._inference_name")
    definition.signature.name = name(graph.name)
    context = private(INSIDE + "eager.context.context")()
    context.add_function_def(definition)
    return type(function)(
        definition.signature.name,
        context,
        function.function_type,
        list(function.children),
        function.call_options,
        graph,
    )
