"""Ask what a tf.function and its traces hold in TensorFlow's private parts; the part of ``tf_private`` for traces.

A tf.function has a cache of traces. A trace is a ConcreteFunction: it runs a graph whose variables are handed in as its
captured inputs (``tf_private_runs`` makes the copies). What an unknown version of TensorFlow lacks is an error that
says which.

Facts from the sources of TensorFlow 2.18 and 2.21, which do not differ in what is touched here; run with 2.15, 2.16
and 2.20 too.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from .tf_private import INSIDE, UnknownTensorFlow, private

__all__ = [
    "Contents",
    "as_called",
    "bind_function",
    "bound_functions",
    "captured_by_call",
    "captures_of",
    "contents_of",
    "created_by",
    "definition_of",
    "graph_of",
    "is_function",
    "is_traced",
    "is_variable",
    "is_wrapped",
    "made_inside_a_graph",
    "own_attribute",
    "owner_of",
    "owns_its_graph",
    "signature_over",
    "traces_of",
    "watched_by",
]  # fmt: skip


def own_attribute(obj: Any, name: str) -> Any:
    """An attribute that TensorFlow's object has in every version known."""
    try:
        return obj.__dict__[name]
    except KeyError:
        version = import_module("tensorflow").__version__
        kind = type(obj).__qualname__
        raise UnknownTensorFlow(
            f"in TensorFlow {version} a {kind} has no {name}: graphcopy cannot keep traces of this version"
        ) from None


def is_function(cls: type) -> bool:
    """Tell whether objects of *cls* are tf.functions."""
    return issubclass(cls, private(INSIDE + "eager.polymorphic_function.polymorphic_function.Function"))


def is_variable(cls: type) -> bool:
    """Tell whether objects of *cls* are variables with a handle of their own."""
    return issubclass(cls, private(INSIDE + "ops.resource_variable_ops.BaseResourceVariable"))


def created_by(function: Any) -> list[Any]:
    """The variables that a tf.function made at its first call, as far as they are alive."""
    made = own_attribute(function, "_created_variables") or ()
    return [variable for weak in made if (variable := weak()) is not None]


def traces_of(function: Any) -> list[tuple[Any, Any]]:
    """The traces of a tf.function in the order in which they were made, each with the context that it was made for."""
    cache = function.__dict__.get("_function_cache")
    return [] if cache is None else [(key[0], trace) for key, trace in list(cache._primary.items())]


def is_traced(function: Any) -> bool:
    """Tell whether a tf.function has been called."""
    return function.__dict__.get("_variable_creation_config") is not None


def captured_by_call(function: Any) -> bool:
    """Tell whether a tf.function looks something up at each call that decides which trace is taken."""
    return bool(own_attribute(function, "_function_captures").by_ref_external)


def made_inside_a_graph(context: Any) -> bool:
    """Tell whether a trace was made for use inside another graph, which the copy has no part in."""
    inside = context.context
    return inside.parent_graph is not None or bool(inside.colocation_stack)


def bound_functions(function: Any) -> list[tuple[Any, Any]]:
    """The tf.functions that were made of a decorated method, each with its instance."""
    return list(function.__dict__.get("_descriptor_cache", {}).items())


def bind_function(function: Any, instance: Any, bound: Any) -> None:
    """Make *bound* the tf.function that ``instance.method`` is."""
    own_attribute(function, "_descriptor_cache")[instance] = bound


def owner_of(handle: Any) -> Any:
    """The variable or table that a handle belongs to; None when it is gone or not known."""
    owner = getattr(handle, "_parent_trackable", None)
    return None if owner is None else owner()


def captures_of(trace: Any) -> list[Any]:
    """What a trace is handed beside its arguments: tensors, and functions that give tensors when it is called."""
    return list(own_attribute(trace, "_captured_inputs"))


def watched_by(trace: Any) -> list[Any]:
    """The variables that a trace tells gradient tapes of, as far as they are alive."""
    graph = own_attribute(trace, "_func_graph")
    return [variable for weak in graph._weak_variables if (variable := weak()) is not None]


def signature_over(signature: Any, copy_of: Callable[[Any], Any]) -> Any:
    """The signature of a trace with the copies of Python objects that are part of it; itself when there are none."""
    parameters = []
    for each in signature.parameters.values():
        kind = _type_over(each.type_constraint, copy_of)
        same = kind is each.type_constraint
        parameters.append(each if same else type(each)(each.name, each.kind, each.optional, kind))
    if all(one is other for one, other in zip(parameters, signature.parameters.values())):
        return signature
    return type(signature)(parameters, signature.captures, return_annotation=signature.return_annotation)


def _type_over(kind: Any, copy_of: Callable[[Any], Any]) -> Any:
    """A trace type with other objects behind its weak references, however deep they stand in it."""
    if isinstance(kind, private("tensorflow.core.function.trace_type.default_types.Weakref")):
        obj = kind._ref()
        new = copy_of(obj)
        return kind if new is obj else type(kind)(weakref.ref(new))
    if isinstance(kind, dict):
        inner = {key: _type_over(each, copy_of) for key, each in kind.items()}
        return kind if all(inner[key] is kind[key] for key in kind) else inner
    if type(kind) in (tuple, list):
        pieces = [_type_over(each, copy_of) for each in kind]
        return kind if all(one is other for one, other in zip(pieces, kind)) else type(kind)(pieces)
    if not isinstance(kind, private(INSIDE + "types.trace.TraceType")) or not hasattr(kind, "__dict__"):
        return kind
    own = vars(kind)
    inner = _type_over(dict(own), copy_of)
    if all(inner[name] is own[name] for name in own):
        return kind
    new = copy.copy(kind)
    vars(new).update(inner)
    return new


class Contents(NamedTuple):
    """What is in a graph and in the functions that it calls."""

    types: set[str]
    """The kinds of operations."""
    apart: set[str]
    """Those among them in functions that are not inlined."""
    own_gradients: bool
    """Whether there is a gradient that is a Python function."""


def contents_of(graph: Any) -> Contents:
    """Look through a graph and the functions that it calls."""
    operations = list(graph.get_operations())
    types = {operation.type for operation in operations}
    apart: set[str] = set()
    for called in graph._functions.values():
        inside = getattr(called, "_cached_graph", None)
        definition = called.cached_definition
        if inside is None:
            found = {node.op for node in definition.node_def}
        else:
            within = inside.get_operations()
            operations.extend(within)
            found = {operation.type for operation in within}
        types |= found
        if any(definition.attr[name].b for name in _APART if name in definition.attr):
            apart |= found
    own = any(
        operation.type == "IdentityN" and "_gradient_op_type" in operation.node_def.attr for operation in operations
    )
    return Contents(types, apart, own)


_APART = ("_noinline", "_XlaMustCompile")


def definition_of(operation: str) -> Any:
    """What TensorFlow knows of a kind of operation; None for one that is no operation."""
    return private(INSIDE + "framework.op_def_registry.get")(operation)


def graph_of(trace: Any) -> Any:
    """The graph of operations that a trace runs."""
    return own_attribute(trace, "_func_graph")


def owns_its_graph(trace: Any) -> bool:
    """Tell whether no other ConcreteFunction runs the graph: the loader of SavedModels puts one around another."""
    return type(trace) is private(INSIDE + "eager.polymorphic_function.concrete_function.ConcreteFunction")


def is_wrapped(trace: Any) -> bool:
    """Tell a trace of TensorFlow 1's making, which holds its variables in a way of its own."""
    return "_variable_holder" in trace.__dict__


def as_called(function: Any, created: list[Any] | None, traces: list[tuple[Any, Any]]) -> None:
    """Bring a tf.function to where it is after its first call; *created* are the variables that it made there."""
    own = function.__dict__
    own["_created_variables"] = made = [weakref.ref(variable) for variable in created or ()]
    scopes = private(INSIDE + "eager.polymorphic_function.tracing_compilation.ScopeType")
    options = function._generate_scoped_tracing_options
    own["_variable_creation_config"] = options(_makes_variables(made), scopes.VARIABLE_CREATION)
    own["_no_variable_creation_config"] = options(_no_variables, scopes.NO_VARIABLE_CREATION)
    for context, trace in traces:
        own["_function_cache"].add(trace, context)


def _makes_variables(made: list[Any]) -> Any:
    """What TensorFlow calls for each variable that is made in a trace; for a second trace it then raises an error."""

    def make(next_creator: Any, **settings: Any) -> Any:
        if settings.get("experimental_enable_variable_lifting") is False:
            return next_creator(**settings)
        kind = private(INSIDE + "eager.polymorphic_function.polymorphic_function.UnliftedInitializerVariable")
        variable = kind(add_initializers_to=[], **settings)
        made.append(weakref.ref(variable))
        return variable

    return make


def _no_variables(*_: Any, **__: Any) -> Any:
    raise ValueError("a tf.function makes variables at its first call only; this one has been called")
