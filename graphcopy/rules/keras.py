"""Keras 3: models, layers, optimizers, metrics and losses as plain object graphs.

``KerasSaveable.__reduce__`` writes each object to an archive of its own: attributes, metric state
and random states are lost, and two references to one layer become two layers. Here they are copied by
their attributes, whatever they are, built or not, with or without ``get_config``. What Keras keeps in
tables under ``id()`` or a variable's unique id is filed anew under the ids of the copies.

Facts from the sources of Keras 3.15.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .attributewise import attributewise, decides_for_itself
from .making import rule
from .ruleset import RuleSet
from .tf_keras import refill, tf_keras_rules

__all__ = ["NodeKeys", "TrackedIds", "VariableTables", "keras_rules"]

_VARIABLE_TABLES = ("_trainable_variables_indices", "_var_to_optimizer_idx")


class TrackedIds:
    """Files the copies of what a Tracker tracks under their own ids."""

    __slots__ = ("stores",)

    def __init__(self, stores: Sequence[str]) -> None:
        self.stores = stores

    def __call__(self, new: Any, tracked: Sequence[Any]) -> None:
        ids: dict[str, set[int]] = {name: set() for name in new.stored_ids}
        for store, value in zip(self.stores, tracked):
            ids[store].add(id(value))
        new.stored_ids = ids


@rule("keras.src.utils.tracking.Tracker")
def tracker(node: Any) -> Any:
    "A layer's or optimizer's tracker knows what it tracks by id: the copy's knows the copies."
    obj = node.obj
    stores, tracked = [], []
    for store, ids in obj.stored_ids.items():
        for value in obj.config[store][1]:
            if id(value) in ids:
                stores.append(store)
                tracked.append(value)
    return attributewise(obj, weak=tracked, bind=TrackedIds(stores))


class VariableTables:
    """Files the entries of an optimizer's tables under the keys of the copied variables."""

    __slots__ = ("tables",)

    def __init__(self, tables: dict[str, list[tuple[int, Any]]]) -> None:
        self.tables = tables

    def __call__(self, new: Any, variables: Sequence[Any]) -> None:
        keys = [new._var_key(variable) for variable in variables]
        for name, entries in self.tables.items():
            refill(new.__dict__[name], {keys[place]: value for place, value in entries})


@rule("keras.src.optimizers.base_optimizer.BaseOptimizer")
def optimizer(node: Any) -> Any:
    "An optimizer finds a variable's slots by the variable's id: the copy's tables name the copied variables."
    obj = node.obj
    if decides_for_itself(node.type, "keras"):
        return NotImplemented
    variables = list(obj.__dict__.get("_trainable_variables") or ())
    places = {obj._var_key(variable): place for place, variable in enumerate(variables)}
    tables = {}
    for name in _VARIABLE_TABLES:
        table = obj.__dict__.get(name)
        if table is not None:
            tables[name] = [(places[key], value) for key, value in table.items() if key in places]
    return attributewise(obj, weak=variables, bind=VariableTables(tables))


class NodeKeys:
    """Names the nodes of a Function by its copied operations."""

    __slots__ = ("keys",)

    def __init__(self, keys: Sequence[tuple[int, str]]) -> None:
        self.keys = keys

    def __call__(self, new: Any, operations: Sequence[Any]) -> None:
        new.__dict__["_nodes"] = {f"{id(operations[place])}{rest}" for place, rest in self.keys}
        if "_nnx_op_mapping" in new.__dict__:
            new.__dict__["_nnx_op_mapping"] = {id(operation): operation for operation in operations}


@rule("keras.src.ops.function.Function")
def function(node: Any) -> Any:
    "A functional model names its nodes by the ids of their layers: the copy's are named after the copied layers."
    obj = node.obj
    if decides_for_itself(node.type, "keras"):
        return NotImplemented
    operations = list(obj.__dict__.get("_operations") or ())
    places = {str(id(operation)): place for place, operation in enumerate(operations)}
    keys = []
    for key in obj.__dict__.get("_nodes") or ():
        owner, dash, rest = key.partition("_ib-")
        if owner in places:
            keys.append((places[owner], dash + rest))
    return attributewise(obj, weak=operations, bind=NodeKeys(keys))


@rule("keras.src.saving.keras_saveable.KerasSaveable", "keras.src.ops.operation.Operation")
def saveable(node: Any) -> Any:
    "A layer, model, metric or loss is copied by its attributes; its __reduce__ would make an archive of it."
    if decides_for_itself(node.type, "keras"):
        return NotImplemented
    return attributewise(node.obj)


keras_rules = RuleSet(
    "keras",
    [tracker, optimizer, function, saveable, *tf_keras_rules],  # up to TensorFlow 2.15, ``keras`` is Keras 2
    library="keras",
    description="Keras models, layers, optimizers, metrics",
)
