"""Lookup tables: a resource of its own with the same content.

What a table holds is read out of the runtime when the copy is filled, not from its initializer: a file
may be gone by then, and a mutable table has changed since.
"""

from __future__ import annotations

import sys
from typing import Any

from ..anatomy.parts import Parts
from .attributewise import attributewise
from .making import rule
from .tf_private import INSIDE, private, unique_number

__all__ = ["PutTable", "StoredTable", "filled_table", "restored_content", "table"]

_HANDLES = ("_resource_handle", "_resource_handle_value", "_init_op")


def content_of(table: Any) -> tuple[Any, Any]:
    """The keys and values in a table, as tensors."""
    export = private(INSIDE + "ops.gen_lookup_ops.lookup_table_export_v2")
    keys, values = export(table.resource_handle, table._key_dtype, table._value_dtype)
    if hasattr(table, "_empty_key"):  # a dense table hands out its own memory, and would take it in as it is
        return tuple(numpy_copy(each) for each in (keys, values))
    return keys, values


def numpy_copy(tensor: Any) -> Any:
    """The value of a tensor in an array with memory of its own."""
    import numpy

    return numpy.array(tensor.numpy(), copy=True)


class PutTable:
    """Gives a table that was made empty its attributes, a resource and the content of *original*."""

    __slots__ = ("original", "put")

    def __init__(self, put: Any, original: Any) -> None:
        self.put = put
        self.original = original

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        fill(new, self.put, state, content_of(self.original))

    def __reduce__(self) -> tuple[Any, ...]:
        keys, values = (each.numpy() if hasattr(each, "numpy") else each for each in content_of(self.original))
        return (StoredTable, (self.put, keys, values))


class StoredTable:
    """The same in another process, with content that came along."""

    __slots__ = ("keys", "put", "values")

    def __init__(self, put: Any, keys: Any, values: Any) -> None:
        self.put = put
        self.keys = keys
        self.values = values

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        fill(new, self.put, state, (self.keys, self.values))


def fill(new: Any, put: Any, state: dict[Any, Any], content: tuple[Any, Any]) -> None:
    """Make the resource of *new* under a name that no other table has, and put the content in."""
    tf = sys.modules["tensorflow"]
    if state.get("_shared_name") is not None:
        state["_shared_name"] = f"table_{unique_number()}"
    put(new, state)
    kind = "lookup_table_import_v2" if hasattr(type(new), "insert") else "initialize_table_v2"
    put_in = private(INSIDE + f"ops.gen_lookup_ops.{kind}")
    with tf.init_scope():
        new._resource_handle = new._create_resource()
        keys = tf.convert_to_tensor(content[0], new._key_dtype)
        put_in(new._resource_handle, keys, tf.convert_to_tensor(content[1], new._value_dtype))


@rule(INSIDE + "ops.lookup_ops.LookupInterface")
def table(node: Any) -> Any:
    "A lookup table comes with its content; what is inserted into the copy stays in the copy."
    parts = attributewise(node.obj, without=_HANDLES)
    if isinstance(parts, Parts) and node.obj.__dict__.get("_resource_handle_value") is not None:
        parts.setter = PutTable(parts.setter, node.obj)
    return parts


_KINDS = {"HashTableV2": "initialize_table_v2", "MutableHashTableV2": "lookup_table_import_v2"}
"""The operation that makes a table, and the one that fills it."""


def restored_content(table: Any) -> tuple[str, str, str, Any, Any] | None:
    """A table of a loaded SavedModel: operation, types, keys and values; None for resources of other kinds.

    It does not know its types; they stand in the trace of the function that makes its resource.
    """
    for concrete in getattr(table._create_resource, "concrete_functions", ()):
        for operation in concrete.graph.get_operations():
            if operation.type in _KINDS:
                types = operation.get_attr("key_dtype"), operation.get_attr("value_dtype")
                export = private(INSIDE + "ops.gen_lookup_ops.lookup_table_export_v2")
                keys, values = export(table._resource_handle_value, *types)
                return (operation.type, types[0].name, types[1].name, keys.numpy(), values.numpy())
    return None


def filled_table(device: str, kind: str, key_type: str, value_type: str, keys: Any, values: Any) -> Any:
    """Make the resource of a table, and put keys and values in."""
    tf = sys.modules["tensorflow"]
    made = "hash_table_v2" if kind == "HashTableV2" else "mutable_hash_table_v2"
    with tf.init_scope(), tf.device(device):
        handle = private(INSIDE + f"ops.gen_lookup_ops.{made}")(
            key_dtype=key_type, value_dtype=value_type, shared_name=f"table_{unique_number()}"
        )
        content = tf.convert_to_tensor(keys, key_type), tf.convert_to_tensor(values, value_type)
        private(INSIDE + f"ops.gen_lookup_ops.{_KINDS[kind]}")(handle, *content)
    return handle
