"""What TensorFlow keeps in its runtime: tensors, datasets, handles, strategies."""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.parts import Outcome, Parts, Refused
from ..anatomy.registry import dotted
from ..graph.accessors import attribute
from ..rules.attributewise import attributewise
from ..rules.tf_private import INSIDE, array_under, dataset_graph, dataset_of_graph, note_checkpoint, private
from ..rules.tf_tables import filled_table, restored_content
from .forms import form

__all__ = ["default_strategy", "make_dataset", "make_tensor"]

_SUMMARIES = INSIDE + "ops.summary_ops_v2."


def _cut(obj: Any) -> str:
    return f'rules=[graphcopy.prune("{dotted(type(obj))}")]'


@form(INSIDE + "framework.ops.EagerTensor")
def tensor(obj: Any, context: Any) -> Any:
    """A tensor is its value, which can go out of band; a handle means something in this process only."""
    if obj.dtype.name in ("resource", "variant"):
        return Refused(
            "a handle to a resource in the runtime of this process",
            "send the variable, table or dataset that owns it",
        )
    array = array_under(obj)
    if array.dtype.kind not in "biufc":  # strings, and what numpy has no type of its own for
        return NotImplemented
    return Parts(make_tensor, (array,), where=())


def make_tensor(array: Any) -> Any:
    """Make a tensor of an array."""
    import tensorflow

    return tensorflow.convert_to_tensor(array)


@form(INSIDE + "data.ops.dataset_ops.DatasetV2", subclasses=True)
def dataset(obj: Any, context: Any) -> Outcome:
    """A dataset is the graph that makes it, with the values that it was made of."""
    tf = sys.modules["tensorflow"]
    try:
        graph = dataset_graph(obj)
    except tf.errors.OpError as error:
        reason = str(error.message).rpartition("}}")[2].partition(" [Op:")[0].strip()
        return Refused(
            f"it depends on more than its own graph: {reason}",
            f"{_cut(obj)}, or send the function that makes the dataset, and call it there",
        )
    return Parts(make_dataset, (graph, obj.element_spec), where=())


def make_dataset(graph: bytes, spec: Any) -> Any:
    """Make a dataset of its graph."""
    import tensorflow  # noqa: F401  the rules expect it

    return dataset_of_graph(graph, spec)


@form(INSIDE + "data.ops.iterator_ops.OwnedIterator", subclasses=True)
def iterator(obj: Any, context: Any) -> Outcome:
    """The position of an iterator is known to the runtime alone."""
    return Refused(
        "the position of an iterator is known to the runtime of this process",
        f"{_cut(obj)}, or send the dataset, and call iter() there; dataset.skip(n) goes on after n elements",
    )


@form(_SUMMARIES + "SummaryWriter", subclasses=True)
def summary_writer(obj: Any, context: Any) -> Outcome:
    """A summary writer has files open."""
    return Refused(
        "it writes to files that this process has open",
        f"{_cut(obj)}, or make one there with tf.summary.create_file_writer",
    )


@form(INSIDE + "framework.ops.Graph", subclasses=True)
def graph(obj: Any, context: Any) -> Outcome:
    """A graph lives in the runtime."""
    return Refused(
        "a graph lives in the runtime of this process",
        f"{_cut(obj)}, or send the tf.function, which traces again there (a ConcreteFunction takes its trace along)",
    )


@form(INSIDE + "eager.context.Context")
def runtime(obj: Any, context: Any) -> Outcome:
    """The runtime is the other side's own."""
    return Parts(the_context, (), where=())


def the_context() -> Any:
    """The runtime of this process."""
    return private(INSIDE + "eager.context.context")()


@form(INSIDE + "distribute.distribute_lib.StrategyBase", subclasses=True)
def strategy(obj: Any, context: Any) -> Outcome:
    """The default strategy is the other side's own; another one is bound to the devices of this process."""
    if type(obj).__name__ == "_DefaultDistributionStrategy":
        return Parts(default_strategy, (), where=())
    return Refused(
        "a distribution strategy is bound to the devices of this process",
        f"{_cut(obj)}, or make the strategy there, and send the model outside of it",
    )


def default_strategy() -> Any:
    """The strategy of this process that does not distribute."""
    import tensorflow

    return tensorflow.distribute.get_strategy()


@form(INSIDE + "trackable.resource.RestoredResource", subclasses=True)
def restored_table(obj: Any, context: Any) -> Any:
    """A table of a loaded SavedModel comes with its content; functions capture it before it is complete."""
    content = None if obj._resource_handle_value is None else restored_content(obj)
    if content is None:
        return NotImplemented
    parts = attributewise(obj, without=["_resource_handle_value"])
    args = (type(obj), obj._resource_device, *content)
    where = [attribute("__class__"), attribute("_resource_device"), *[attribute("resource_handle")] * len(content)]
    where += [attribute(name) for name in parts.attrs]
    return Parts(make_restored, args, attrs=parts.attrs, setter=parts.setter, where=where)


def make_restored(cls: Any, device: str, *content: Any) -> Any:
    """Make a table of a loaded SavedModel with a resource of its own."""
    new = cls.__new__(cls)
    new._resource_handle = filled_table(device, *content)
    return new


@form(INSIDE + "checkpoint.checkpoint.Checkpoint", INSIDE + "checkpoint.checkpoint.CheckpointV1")
def checkpoint(obj: Any, context: Any) -> Any:
    """A Checkpoint is its attributes."""
    return attributewise(obj, bind=begin_checkpoints)


def begin_checkpoints(new: Any, targets: object) -> None:
    """Tell the module of checkpoints that there is one, as their ``__init__`` does."""
    note_checkpoint()
