"""TensorFlow: functions, variables, tensors and the wrappers that modules put around lists and dicts."""

from __future__ import annotations

from typing import Any

from ..anatomy.parts import Parts
from ..graph.accessors import instance_attribute
from .attributewise import attributewise
from .making import immutable, prune, refuse, rule
from .ruleset import RuleSet
from .tf_concrete import concrete_function
from .tf_data import dataset, dataset_function, iterator, live_iterator, options
from .tf_functions import function, plumbing
from .tf_private import INSIDE, is_eager, orphaned, private
from .tf_tables import table
from .tf_traces import kept_function
from .tf_variables import NewHandle, variable
from .treatments import shared

__all__ = ["tf_rules"]

_FRAMEWORK = INSIDE + "framework."
_SUMMARIES = INSIDE + "ops.summary_ops_v2."
_DATA_STRUCTURES = INSIDE + "trackable.data_structures."


@rule(_FRAMEWORK + "tensor.Tensor", _FRAMEWORK + "ops.Tensor", INSIDE + "types.core.Value")
def tensor(node: Any) -> Any:
    "A tensor is immutable and shared; one that leaked from a trace is None in the copy, as the trace is dropped."
    if not is_eager(node.obj):
        return prune(value=None)
    if node.obj.dtype.name == "resource" and not node.travels and orphaned(node.obj) is not None:
        return Parts(NewHandle(node.obj))  # only a trace holds that variable
    if node.obj.dtype.name in ("resource", "variant"):  # what it leads to can change: that must be told
        return shared("a handle to a resource of the runtime", live=True)
    return shared("immutable", live=False)


constants = immutable(
    "A dtype, shape, spec or signature never changes: it is shared.",
    _FRAMEWORK + "dtypes.DType", _FRAMEWORK + "tensor_shape.TensorShape", _FRAMEWORK + "type_spec.TypeSpec",
    _FRAMEWORK + "device_spec.DeviceSpecV2", "inspect.Signature",
)  # fmt: skip


@rule(INSIDE + "distribute.distribute_lib.StrategyBase", INSIDE + "distribute.distribute_lib.StrategyExtendedV2")
def strategy(node: Any) -> Any:
    "A distribution strategy is a setting of the process: shared."
    return shared("a setting of the process", live=True)


@rule(_DATA_STRUCTURES + "_DictWrapper", _DATA_STRUCTURES + "_TupleWrapper")
def wrapper(node: Any) -> Any:
    "The wrapper that a module puts around a dict or a tuple stays one, around the copy."
    obj = node.obj
    state = {name: getattr(obj, name) for name in _SELF if hasattr(obj, name)}
    if node.type.__name__ == "_TupleWrapper":
        return Parts(wrap, (node.type, obj.__wrapped__), attrs=state, setter=put_wrapped)
    return Parts(wrap, (node.type, {}), attrs={**state, "__wrapped__": obj.__wrapped__}, setter=put_wrapped)


_SELF = (
    "_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names",
    "_self_unconditional_deferred_dependencies", "_self_update_uid", "_self_name_based_restores",
    "_self_saveable_object_factories", "_self_setattr_tracking", "_self_trainable", "_self_extra_variables",
    "_self_attribute_sentinel", "_self_non_string_key", "_self_external_modification",
    "_self_last_wrapped_dict_snapshot", "_self_tuple_is_constructable",
)  # fmt: skip
"""The attributes of a wrapper itself; all others are those of what it wraps."""


def wrap(cls: Any, content: Any) -> Any:
    """Put an empty wrapper around *content*, without its ``__init__``."""
    new = cls.__new__(cls)
    private("wrapt.ObjectProxy").__init__(new, content)
    return new


def put_wrapped(new: Any, state: dict[str, Any]) -> None:
    """Give a wrapper what it wraps and its own attributes, past its tracking."""
    proxy: Any = private("wrapt.ObjectProxy")
    for name, value in state.items():
        proxy.__setattr__(new, name, value)


@rule(INSIDE + "eager.backprop.GradientTape")
def tape(node: Any) -> Any:
    "A gradient tape that has recorded operations is a culprit: the record is the runtime's; an unused one is copied."
    if node.obj._tape is None:
        return NotImplemented
    name = "tensorflow.python.eager.backprop.GradientTape"
    return refuse(
        "what it recorded, with the tensors of the original, is known to the runtime alone",
        f'rules=[graphcopy.prune("{name}")], or rules=[graphcopy.replace("{name}", tf.GradientTape)]',
    )


@rule(INSIDE + "checkpoint.checkpoint_management.CheckpointManager")
def checkpoint_manager(node: Any) -> Any:
    "A CheckpointManager saves the copied objects, in the same directory: each side may delete what the other saved."
    parts = attributewise(node.obj)
    parts.lost = f"a directory of its own: it goes on in the same directory, {node.obj.directory}"
    return parts


@rule(_SUMMARIES + "SummaryWriter")
def summary_writer(node: Any) -> Any:
    "A summary writer is an output of the process: the copy writes to the same files."
    return shared("an output channel of the process: both sides write to the same files", live=True)


@rule(INSIDE + "util.tf_should_use.ShouldUseWrapper")
def reminder(node: Any) -> Any:
    "What TensorFlow wraps to remind its user that a result was not used is copied without the reminder."
    wrapped = object.__getattribute__(node.obj, "_tf_should_use_wrapped_value")
    return Parts(_itself, (wrapped,), where=(instance_attribute(node.obj, "_tf_should_use_wrapped_value"),))


def _itself(value: Any) -> Any:
    return value


@rule(_DATA_STRUCTURES + "TrackableDataStructure", INSIDE + "checkpoint.graph_view.ObjectGraphView")
def tracked(node: Any) -> Any:
    "A tracked list or mapping, or the view of a Checkpoint, is copied by its attributes; its hooks make another one."
    return attributewise(node.obj)


def make_rules(*, traces: str = "drop") -> list[Any]:
    """The rules, with the traces of a tf.function dropped (it traces again at its first call) or kept."""
    functions = {"drop": function, "keep": kept_function}
    if traces not in functions:
        raise ValueError(f"tf_rules(traces={traces!r}): traces is one of {', '.join(map(repr, functions))}")
    return [variable, concrete_function, functions[traces], *plumbing, table, dataset, dataset_function,
            options, iterator, live_iterator, tensor, constants, strategy, wrapper, reminder, tape,
            checkpoint_manager, summary_writer,
            tracked]  # fmt: skip


tf_rules = RuleSet(
    "tensorflow",
    make_rules(),
    library="tensorflow",
    description="TensorFlow functions, variables, tensors",
    make=make_rules,
)
