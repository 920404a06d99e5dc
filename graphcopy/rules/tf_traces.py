"""``tf_rules(traces="keep")``: a copied tf.function needs no new trace for the signatures that the original has seen.

A trace is a graph whose variables are handed in. The copy runs the very same graph over the variables of the copy, once
everything is copied: which variable that is, the memo tells. What cannot be handed in anew is dropped, and the receipt
says why; the function then traces again at the next call with that signature.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

from .rule import Rule
from .tf_functions import function
from .tf_graphs import GraphOfCopy
from .tf_private_runs import Core, Moved
from .tf_private_traces import (
    Contents,
    as_called,
    bind_function,
    bound_functions,
    captured_by_call,
    captures_of,
    contents_of,
    created_by,
    definition_of,
    graph_of,
    is_function,
    is_traced,
    is_variable,
    made_inside_a_graph,
    owner_of,
    owns_its_graph,
    signature_over,
    traces_of,
    watched_by,
)

__all__ = ["calls_python", "kept_function", "runs_apart", "trace_over"]

_CALLS_PYTHON = frozenset(["PyFunc", "PyFuncStateless", "EagerPyFunc"])


class Dropped(Exception):
    """A trace cannot be kept; says why."""


def core_of(trace: Any) -> Core:
    """What the copies of a trace have in common."""
    graph = graph_of(trace)
    return graph.core if type(graph) is GraphOfCopy else Core(trace)


_contents: weakref.WeakKeyDictionary[Any, Contents] = weakref.WeakKeyDictionary()


def contents_in(trace: Any) -> Contents:
    """What a trace runs."""
    graph = core_of(trace).graph
    found = _contents.get(graph)
    if found is None:
        found = _contents[graph] = contents_of(graph)
    return found


def why_not(context: Any, trace: Any) -> str:
    """Why a trace cannot be kept, as far as that is known before the copy; "" when it can."""
    if made_inside_a_graph(context):
        return "it was made inside another graph"
    for captured in captures_of(trace):
        if not hasattr(captured, "dtype"):
            return "it captures something that is only known when it is called"
        if captured.dtype.name == "resource" and owner_of(captured) is None:
            return "it captures a resource whose owner is gone or not known"
    if calls_python(trace):
        return "it calls Python (py_function, numpy_function)"
    for each in contents_in(trace).types:
        if _has(each, "shared_name"):
            return f"its {each} makes a resource that is found under a name"
    if not runs_apart(trace):
        return "it draws random numbers in a function that is not inlined"
    return ""


def calls_python(trace: Any) -> bool:
    """Tell whether a trace calls a Python function, which belongs to the original."""
    return not _CALLS_PYTHON.isdisjoint(contents_in(trace).types)


def runs_apart(trace: Any) -> bool:
    """Tell whether two traces of the same graph can draw random numbers without disturbing each other."""
    return not any(_is_random(each) for each in contents_in(trace).apart)


def _has(operation: str, name: str) -> bool:
    known = definition_of(operation)
    return known is not None and any(each.name == name for each in known.attr)


def _is_random(operation: str) -> bool:
    """Tell whether an operation keeps the state of its random numbers for itself."""
    known = definition_of(operation)
    return known is not None and known.is_stateful and any(each.name == "seed" for each in known.attr)


class Moving:
    """What stands in the copy where the original has a handle, once everything is copied."""

    def __init__(self, run: Any) -> None:
        self._copy_of = run.copy_of
        self.originals = run.originals
        self.bound: dict[int, Any] = {}  # the tf.functions that decorated methods of instances are, by id
        self._moved: Moved | None = None

    def copy_of(self, obj: Any) -> Any:
        """What stands in the copy for *obj*; itself where it was not copied."""
        new = self.bound.get(id(obj))
        return self._copy_of(obj) if new is None else new

    def handle(self, captured: Any) -> Any:
        """What the copy hands in where the original hands in *captured*; raises Dropped where nothing is like it."""
        if captured.dtype.name != "resource":
            return captured
        owner = owner_of(captured)
        new = self.copy_of(owner)
        if new is owner:
            return captured
        for name in ("handle", "resource_handle"):
            if getattr(owner, name, None) is captured:
                return getattr(new, name)
        raise Dropped

    def moved(self, before: Moved) -> Moved:
        """All variables that were copied; *before* are those that a copied trace had moved already."""
        if self._moved is None:
            self._moved = {}
            for obj in self.originals():
                if is_variable(type(obj)) and self.copy_of(obj) is not obj:
                    self._moved[id(obj.handle)] = weakref.ref(obj.handle), self.copy_of(obj).handle
        further = {key: (weak, self.handle(new)) for key, (weak, new) in before.items()}
        return {**self._moved, **further}

    def trace(self, trace: Any) -> Any:
        """A ConcreteFunction that runs the same graph over the copied variables; raises Dropped where none can."""
        captured = [self.handle(each) for each in captures_of(trace)]
        if len(set(map(id, captured))) < len(captured):
            raise Dropped  # a rule made one variable out of two
        return trace_over(
            trace, captured, [self.copy_of(each) for each in watched_by(trace)],
            signature_over(trace.function_type, self.copy_of), self.moved,
        )  # fmt: skip


def trace_over(
    trace: Any, captured: list[Any], watched: list[Any], signature: Any, moved: Callable[[Moved], Moved]
) -> Any:
    """A ConcreteFunction that runs the graph of *trace* over other captured tensors and watched variables.

    *moved* tells which handle stands for which; it is asked when there are gradients in Python.
    """
    core = core_of(trace)
    contents = contents_in(trace)
    if any(_is_random(each) for each in contents.types):
        core = core.run_apart()
    if contents.own_gradients:
        core = core.with_gradients_over(moved(core.moved))
    if type(graph_of(trace)) is not GraphOfCopy and owns_its_graph(trace):
        core.outlive(trace)
    return core.over(trace, GraphOfCopy(core, captured, watched), captured, signature)


def keep(run: Any) -> None:
    """Give every tf.function that was copied the traces of its original."""
    moving = Moving(run)
    made: dict[int, Any] = {}
    pairs = list(_pairs(run))
    moving.bound = {id(old): new for old, new in pairs}
    for old, new in pairs:
        if not is_traced(old) or is_traced(new) or captured_by_call(old):
            continue
        traces = []
        for context, trace in traces_of(old):
            if why_not(context, trace):
                continue
            try:
                kept = made.get(id(trace)) or _kept(trace, moving)
            except Dropped:
                continue
            made[id(trace)] = kept
            traces.append((context, kept))
        if traces:
            as_called(new, [run.copy_of(each) for each in created_by(old)], traces)


def _kept(trace: Any, moving: Moving) -> Any:
    copied = moving.copy_of(trace)  # when it is held on its own as well
    return moving.trace(trace) if copied is trace else copied


def _pairs(run: Any) -> Iterator[tuple[Any, Any]]:
    """The tf.functions that were copied, each with its copy; methods of copied instances too."""
    for obj in run.originals():
        if is_function(type(obj)):
            new = run.copy_of(obj)
            if new is not obj and type(new) is type(obj):
                yield obj, new
    for decorated in _methods(run):
        for instance, bound in bound_functions(decorated):
            new = run.copy_of(instance)
            if new is instance or type(new) is not type(instance):
                continue
            stored = run.copy_of(bound)
            if stored is bound:
                yield bound, decorated.__get__(new, type(new))
            else:
                bind_function(decorated, new, stored)


def _methods(run: Any) -> list[Any]:
    """The decorated methods of the classes whose instances were met."""
    bases = dict.fromkeys(base for cls in list(run.table) for base in cls.__mro__)
    found = [value for base in bases for value in vars(base).values() if is_function(type(value))]
    return list({id(each): each for each in found}.values())


def _decide(node: Any) -> Any:
    parts = function.decide(node)
    if node.travels or not is_traced(node.obj):
        return parts
    traces = traces_of(node.obj)
    if captured_by_call(node.obj):
        reasons = ["what it captures is only known when it is called"] * len(traces)
    else:
        reasons = [reason for context, trace in traces if (reason := why_not(context, trace))]
    parts.lost = ""
    if reasons:
        why = "; ".join(dict.fromkeys(reasons))
        parts.lost = f"{len(reasons)} of {len(traces)} traces, which it makes again when they are needed: {why}"
    return parts


kept_function = Rule(
    function.types, _decide, name="function with its traces",
    description="A tf.function is copied with its closure and settings, and with its traces over the copied variables.",
    finish=keep,
)  # fmt: skip
