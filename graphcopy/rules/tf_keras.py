"""Keras 2 (tf_keras, and ``keras`` up to TensorFlow 2.15): models as plain object graphs.

``Model.__reduce__`` and ``__deepcopy__`` write an archive and lose what it does not know;
``Metric.__deepcopy__`` goes by the configuration; optimizers file their slots under the unique ids of
the *original* variables. Here everything is copied by its attributes, and what is filed under ids is
filed anew under those of the copies.

Facts from the sources of tf_keras 2.18.
"""

from __future__ import annotations

import collections
import sys
import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

from .attributewise import attributewise, decides_for_itself
from .making import immutable, rebuild, rule
from .ruleset import RuleSet

__all__ = ["NodeIds", "SlotTables", "TensorCounts", "VariablesByKey", "tf_keras_rules"]

_PACKAGES = ("tf_keras", "keras", "tensorflow", "tensorflow_probability", "gpflow", "gpflux", "trieste")
_TABLES = ("_index_dict", "_slots")


def _both(*names: str) -> tuple[str, ...]:
    return tuple(f"{package}.src.{name}" for package in ("tf_keras", "keras") for name in names)


class VariablesByKey:
    """Finds the variables under whose unique ids an optimizer files its slots, among all that was copied.

    An optimizer of Keras 2 does not hold the variables that it trains, only their ids. This stands in
    ``Parts.weak``. For a key that belongs to no copied variable the key itself is given.
    """

    __slots__ = ("keys",)

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = tuple(keys)

    def __call__(self, originals: Iterable[Any]) -> list[Any]:
        found = dict.fromkeys(self.keys)
        kinds: dict[type, bool] = {}
        for obj in originals:
            kind = type(obj)
            is_variable = kinds.get(kind)
            if is_variable is None:
                is_variable = kinds[kind] = kind.__module__.startswith("tensorflow.") and hasattr(kind, "assign_add")
            if is_variable and obj._unique_id in found:
                found[obj._unique_id] = obj
        return [key if obj is None else obj for key, obj in found.items()]


class SlotTables:
    """Files an optimizer's slots under the unique ids of the copied variables."""

    __slots__ = ("keys",)

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys

    def __call__(self, new: Any, variables: Sequence[Any]) -> None:
        names = {
            key: variable if type(variable) is str else variable._unique_id
            for key, variable in zip(self.keys, variables)
        }
        for table in _tables(new):
            refill(table, {names.get(key, key): value for key, value in table.items()})


def _tables(optimizer: Any) -> list[Any]:
    own = object.__getattribute__(optimizer, "__dict__")
    found = [own[name] for name in _TABLES if own.get(name) is not None]
    found.extend((own.get("_deferred_slot_restorations") or {}).values())
    return found


def refill(table: Any, content: dict[Any, Any]) -> None:
    """Put *content* into a dict, or into one that TensorFlow wraps, as if it had stood there from the start."""
    plain = getattr(table, "__wrapped__", table)
    dict.clear(plain)  # Keras 3 has dicts of its own that would note what is taken out of them
    dict.update(plain, content)
    if plain is not table:
        table._self_last_wrapped_dict_snapshot = dict(content)


@rule(
    *_both(
        "optimizers.optimizer._BaseOptimizer",
        "optimizers.experimental.optimizer._BaseOptimizer",
        "optimizers.legacy.optimizer_v2.OptimizerV2",
        "mixed_precision.loss_scale_optimizer.BaseLossScaleOptimizer",
    )
)
def optimizer(node: Any) -> Any:
    "An optimizer finds a variable's slots by the variable's unique id: the copy's tables name the copied variables."
    if decides_for_itself(node.type, *_PACKAGES):
        return NotImplemented
    keys = [*dict.fromkeys(key for table in _tables(node.obj) for key in table if type(key) is str)]
    return attributewise(node.obj, weak=VariablesByKey(keys), bind=SlotTables(keys))


class NodeIds:
    """Gives a layer's call node the ids of its copied tensors."""

    __slots__ = ()

    def __call__(self, new: Any, targets: object) -> None:
        flatten = sys.modules["tensorflow"].nest.flatten
        ids = [str(id(tensor)) for tensor in new._keras_inputs]
        places = [place for _, place in new._keras_inputs_ids_and_indices]
        new._keras_inputs_ids_and_indices = list(zip(ids, places))
        new.flat_input_ids = ids
        new.flat_output_ids = [str(id(tensor)) for tensor in flatten(new.outputs)]


@rule(*_both("engine.node.Node"))
def call_node(node: Any) -> Any:
    "The node of a layer's call knows its tensors by id: the copy's knows the copied ones."
    return attributewise(node.obj, bind=NodeIds())


class TensorCounts:
    """Counts how often each copied tensor is used in a functional model, as the original does."""

    __slots__ = ("counts",)

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts = counts

    def __call__(self, new: Any, tensors: Sequence[Any]) -> None:
        counts = {str(id(tensor)): count for tensor, count in zip(tensors, self.counts)}
        new.__dict__["_tensor_usage_count"] = collections.Counter(counts)


@rule(*_both("engine.functional.Functional"))
def functional(node: Any) -> Any:
    "A functional model counts the uses of its tensors by their ids: the copy's counts are those of the copied tensors."
    obj = node.obj
    if decides_for_itself(node.type, *_PACKAGES):
        return NotImplemented
    usage = obj.__dict__.get("_tensor_usage_count")
    if usage is None:
        return _layer_parts(obj)
    flatten = sys.modules["tensorflow"].nest.flatten
    tensors = {str(id(tensor)): tensor for tensor in flatten(obj._nested_inputs)}
    for nodes in obj._nodes_by_depth.values():
        for call in nodes:
            for tensor in (*call._keras_inputs, *flatten(call.outputs)):
                tensors[str(id(tensor))] = tensor
    keys = [key for key in usage if key in tensors]
    return _layer_parts(obj, weak=[tensors[key] for key in keys], bind=TensorCounts([usage[key] for key in keys]))


@rule(*_both("engine.base_layer.Layer"))
def layer(node: Any) -> Any:
    "A layer, model or metric is copied by its attributes; losses that are symbols of a dropped trace are left out."
    if decides_for_itself(node.type, *_PACKAGES):
        return NotImplemented
    return _layer_parts(node.obj)


def _layer_parts(obj: Any, **more: Any) -> Any:
    # No name may be bound to obj.__dict__ here: a dict that others hold is copied as an object of its own.
    instead: dict[str, Any] = {"_losses": _with_values(obj.__dict__.get("_losses"))}
    local = obj.__dict__.get("_thread_local")
    if local is None:
        return attributewise(obj, instead=instead, **more)
    values = dict(vars(local))
    if "_eager_losses" in values:
        values["_eager_losses"] = _with_values(values["_eager_losses"])
    instead["_thread_local"] = values
    return attributewise(obj, instead=instead, through={"_thread_local": local_with}, **more)


def local_with(values: dict[str, Any]) -> threading.local:
    """Make a thread-local with *values* for the present thread."""
    local = threading.local()
    vars(local).update(values)
    return local


def _with_values(losses: Any) -> Any:
    """The losses that are no symbols of a graph; the very list where that is all of them."""
    if not losses:
        return losses
    is_symbol = sys.modules["tensorflow"].is_symbolic_tensor
    kept = [loss for loss in losses if not is_symbol(loss)]
    return kept if len(kept) < len(losses) else losses


@rule(*_both("engine.keras_tensor.UserRegisteredTypeKerasTensor"))
def symbolic_object(node: Any) -> Any:
    "A tensor of a functional model that stands for a distribution shares the symbolic one of Keras' own graph."
    return attributewise(node.obj, as_it_is=["_user_registered_symbolic_object"])


@rule(*_both("backend.ContextValueCache"))
def fresh_cache(node: Any) -> Any:
    "What a cell keeps for each graph (dropout masks) is made anew when it is needed."
    return rebuild(empty_cache, node.type, attrs={"default_factory": node.obj.default_factory})


def empty_cache(cls: Any) -> Any:
    """Make an empty ContextValueCache; its factory, often a method of the cell that holds it, comes later."""
    new = cls.__new__(cls)
    weakref.WeakKeyDictionary.__init__(new)
    return new


@rule(*_both("layers.rnn.gru_lstm_utils.DefunWrapper"))
def defun_wrapper(node: Any) -> Any:
    "The compiled step of an LSTM or GRU is copied like any traced function."
    return attributewise(node.obj)


tf_keras_rules = RuleSet(
    "tf_keras",
    [
        optimizer,
        call_node,
        functional,
        layer,
        symbolic_object,
        fresh_cache,
        defun_wrapper,
        immutable("The signature of a call never changes: it is shared.", "inspect.Signature"),
    ],
    library="tf_keras",
    description="Keras 2 models, layers, optimizers, metrics",
)
