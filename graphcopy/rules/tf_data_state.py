"""The position of an iterator: what the runtime saves of it, and what it cannot save.

The runtime refuses to save a pipeline with a stateful operation. Most of these only read a variable, a
table or a tf.random.Generator, which are copied on their own: then the position is all there is to save.
The state of a Python generator, or of a random operation, is held where nobody can read it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from .tf_private import INSIDE, private

__all__ = ["IteratorState", "iterator_problem", "reads_from_outside"]

_PYTHON = ("PyFunc", "EagerPyFunc", "PyFuncStateless")
_ELSEWHERE = ("VarHandleOp", "ReadVariableOp", "Assign", "Resource", "Lookup", "HashTable", "RngReadAndSkip", "RngSkip",
              "Stateful", "VarIsInitialized", "Variable", "Dataset", "_Arg", "_Retval", "Placeholder", "Assert",
              "Print", "PartitionedCall", "If", "While", "Case", "TensorList", "TensorArray", "ReadFile")  # fmt: skip
"""Words in the names of stateful operations whose state is no part of an iterator, or that have none."""


def operations_in(function: Any) -> set[str]:
    """The kinds of operations in a traced function and in all that it calls."""
    definition = function.graph.as_graph_def()
    nodes = [*definition.node, *(node for each in definition.library.function for node in each.node_def)]
    return {node.op for node in nodes}


def reads_from_outside(wrapped: Any) -> bool:
    """Tell whether the function of a dataset reads something that can change: a resource, or Python's state."""
    function = wrapped.function
    if any(captured.dtype.name == "resource" for captured in function.captured_inputs):
        return True
    return bool(operations_in(function).intersection(_PYTHON))


def hidden_state(functions: Iterable[Any]) -> list[str]:
    """The stateful operations in a pipeline whose state cannot be read."""
    describe = private(INSIDE + "framework.op_def_registry.get")
    found = set()
    for wrapped in functions:
        for op in operations_in(wrapped.function):
            known = describe(op)
            if known is None or not known.is_stateful:
                continue
            if op in _PYTHON or not any(word in op for word in _ELSEWHERE):
                found.add(op)
    return sorted(found)


def iterator_problem(iterator: Any, functions: Iterable[Any]) -> str:
    """Why the position of *iterator* cannot be saved; empty where it can."""
    errors = private("tensorflow.errors.OpError")
    try:
        _serialized(iterator, "FAIL")
        return ""
    except errors as error:
        first = _short(error)
    operations = hidden_state(functions)
    if operations:
        return f"TensorFlow cannot save its position: {', '.join(operations)} in its dataset has state of its own"
    try:
        _serialized(iterator, "IGNORE")
    except errors:
        return f"TensorFlow cannot save its position: {first}"
    return ""


def _short(error: Any) -> str:
    text = str(error.message).rpartition("}} ")[2] or str(error.message)
    return text.partition(" [Op:")[0].partition("\n")[0].strip()


def _serialized(iterator: Any, policy: str) -> Any:
    value = getattr(private("tensorflow.data.experimental.ExternalStatePolicy"), policy).value
    write = private(INSIDE + "ops.gen_dataset_ops.serialize_iterator")
    return write(iterator._iterator_resource, external_state_policy=value)


class IteratorState:
    """Where an iterator stands: a tensor within this process, bytes on the way to another."""

    __slots__ = ("saved",)

    def __init__(self, saved: Any) -> None:
        self.saved = saved

    @classmethod
    def of(cls, iterator: Any) -> IteratorState:
        """The state at this moment; the iterator stays where it is."""
        return cls(_serialized(iterator, "IGNORE"))

    def put_into(self, iterator: Any) -> None:
        """Move *iterator* there."""
        tf = sys.modules["tensorflow"]
        saved = self.saved
        if isinstance(saved, list):
            saved = tf.stack([tf.io.parse_tensor(each, tf.variant) for each in saved])
        private(INSIDE + "ops.gen_dataset_ops.deserialize_iterator")(iterator._iterator_resource, saved)

    def __reduce__(self) -> tuple[Any, ...]:
        tf = sys.modules["tensorflow"]
        pieces = self.saved
        if not isinstance(pieces, list):
            pieces = [tf.io.serialize_tensor(each).numpy() for each in tf.unstack(pieces)]
        return (IteratorState, (pieces,))
