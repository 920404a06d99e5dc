"""What the rules touch of TensorFlow's private parts, all in one place.

A name that a version of TensorFlow lacks is an error that says which, the first time it is needed.
Facts from the sources of TensorFlow 2.18 and 2.21, which are the versions it was run with.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

__all__ = [
    "DROPPED",
    "EMPTY",
    "INSIDE",
    "REMADE",
    "array_under",
    "assign_handle",
    "dataset_graph",
    "dataset_of_graph",
    "empty_captures",
    "empty_function_cache",
    "function_library",
    "handle_like",
    "is_eager",
    "loaded_function",
    "note_checkpoint",
    "orphaned",
    "private",
    "put_function",
    "read_handle",
    "seeds",
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
    raise UnknownTensorFlow(f"TensorFlow {version()} has no {name}: graphcopy's rules do not know this version")


def version() -> str:
    """The version of TensorFlow that is running."""
    return str(import_module("tensorflow").__version__)


@contextmanager
def seeds(graph: int) -> Iterator[None]:
    """Make *graph* the global seed for a moment; tf.data takes a pair of seeds only through that."""
    context = private(INSIDE + "eager.context.context")()
    if not hasattr(context, "_seed"):
        raise UnknownTensorFlow(
            f"TensorFlow {version()} has no Context._seed: graphcopy's rules do not know this version"
        )
    before, context._seed = context._seed, graph
    try:
        yield
    finally:
        context._seed = before


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


def orphaned(handle: Any) -> tuple[Any, Any, Any] | None:
    """Value, dtype and shape of the variable behind a handle whose Python object is gone; None for any other handle."""
    weak, data = getattr(handle, "_parent_trackable", None), handle._handle_data
    if weak is None or weak() is not None or data is None or len(data.shape_and_type) != 1:
        return None
    tf = import_module("tensorflow")
    dtype = tf.dtypes.as_dtype(data.shape_and_type[0].dtype)
    try:
        value = read_handle(handle, dtype)
    except (tf.errors.FailedPreconditionError, tf.errors.NotFoundError, tf.errors.InvalidArgumentError):
        return None
    return value, dtype, tf.TensorShape(data.shape_and_type[0].shape)


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
    if "_lock" in remade:
        own["_lock"] = threading.RLock()
    if "_descriptor_cache" in remade:
        own["_descriptor_cache"] = weakref.WeakKeyDictionary()
    if "_function_cache" in remade:
        own["_function_cache"] = empty_function_cache()
    if "_function_captures" in remade:
        own["_function_captures"] = empty_captures()
    if "_key_for_call_stats" in remade:
        own["_key_for_call_stats"] = new._get_key_for_call_stats()


def array_under(tensor: Any) -> Any:
    """The value of an eager tensor as an array that is read only: on the tensor's own memory where possible."""
    import numpy

    found = numpy.asarray(tensor._numpy() if hasattr(tensor, "_numpy") else tensor.numpy()).view()
    found.flags.writeable = False
    return found


def function_library(concrete: Any) -> bytes:
    """A ConcreteFunction and all functions that it calls, as a FunctionDefLibrary with shapes and data of handles."""
    graph = private("tensorflow.Graph")()
    with graph.as_default():
        concrete.add_to_graph(graph)
    data: bytes = graph.as_graph_def(add_shapes=True).library.SerializeToString()
    return data


def loaded_function(library: bytes, name: str) -> Any:
    """Enter the functions of a library, under names that are free here; return the one that was called *name*."""
    definitions = private("tensorflow.core.framework.function_pb2.FunctionDefLibrary").FromString(library)
    load = private(INSIDE + "saved_model.function_deserialization.load_function_def_library")
    return load(definitions)[name]


def dataset_graph(dataset: Any) -> bytes:
    """A dataset as a serialised graph; raises FailedPreconditionError where it needs state beyond that."""
    policy = private("tensorflow.data.experimental.ExternalStatePolicy")
    write = private(INSIDE + "ops.gen_dataset_ops.dataset_to_graph_v2")
    variant = dataset._variant_tensor
    try:
        data: bytes = write(variant, external_state_policy=policy.FAIL.value, strip_device_assignment=True).numpy()
    except private("tensorflow.errors.FailedPreconditionError"):
        data = write(variant, external_state_policy=policy.IGNORE.value, strip_device_assignment=True).numpy()
        if not _is_only_random(data):
            raise
    return data


def _is_only_random(graph: bytes) -> bool:
    """Tell whether the only state in a dataset's graph is that of random operations, which begin anew there."""
    definition = private("tensorflow.core.framework.graph_pb2.GraphDef").FromString(graph)
    describe = private(INSIDE + "framework.op_def_registry.get")
    nodes = [*definition.node, *(node for function in definition.library.function for node in function.node_def)]
    for op in {node.op for node in nodes}:
        known = describe(op)
        if known is not None and known.is_stateful and not any(word in op for word in _NO_STATE):
            return False
    return True


_NO_STATE = ("Dataset", "_Arg", "_Retval", "Random", "Multinomial", "TruncatedNormal")
"""Words in the names of operations that count as stateful and hold nothing that could be lost."""


def dataset_of_graph(graph: bytes, spec: Any) -> Any:
    """Make a dataset of a serialised graph."""
    variant = private(INSIDE + "ops.gen_experimental_dataset_ops.dataset_from_graph")(graph)
    return private("tensorflow.data.experimental.from_variant")(variant, spec)


def note_checkpoint() -> None:
    """Start the clock from which the first checkpoint of a process is timed; ``Checkpoint.__init__`` does."""
    import time

    module = import_module(INSIDE + "checkpoint.checkpoint")
    if getattr(module, "_END_TIME_OF_LAST_WRITE", 0.0) is None:
        module._END_TIME_OF_LAST_WRITE = time.time()  # type: ignore[attr-defined]
