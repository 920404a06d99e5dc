"""What the copy does with each kind of object of TensorFlow, and what that costs, counted: the table in the docs."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

KEEP = graphcopy.tf_rules(traces="keep")
ONE = tf.constant(1.0)
numbers = tf.data.Dataset.range


def rest(iterator: Any) -> list[Any]:
    return [each.numpy().tolist() for each in iterator]


def times(weight: Any) -> Any:
    @tf.function
    def run(x):
        return weight * x

    run(ONE), run(tf.constant([1.0]))
    return run


def traces(count: int) -> str:
    """The number in words that stay the same for all versions."""
    return {0: "no trace", 1: "one trace"}.get(count, f"{count} traces")


@pytest.mark.parametrize("keep", [False, True], ids=["drop", "keep"])
def test_functions(kind, keep):
    if keep:
        kind('`tf.function`, with `tf_rules(traces="keep")`', copied="its traces over the copied objects")
    else:
        kind("`tf.function`", copied="its Python function over the copied objects, every setting")
    weight = tf.Variable(2.0)
    state = {"weight": weight, "run": times(weight)}
    with kind.counting() as copying:
        copied = graphcopy.copy(state, rules=[KEEP] if keep else [])
    copied["weight"].assign(5.0)
    with kind.counting() as first:
        assert float(copied["run"](ONE)) == 5.0
    with kind.counting() as second:
        assert float(copied["run"](ONE)) == 5.0
    assert float(state["run"](ONE)) == 2.0
    assert (copying.traces, first.traces, second.traces) == (0, 0 if keep else 1, 0)
    kind.costs(
        f"{traces(copying.traces)} when it is copied", f"{traces(first.traces)} at the first call of a signature"
    )


def test_concrete_functions(kind):
    kind("ConcreteFunction", copied="the same trace over the copied variables")
    weight = tf.Variable(2.0)
    held = {"w": weight, "run": times(weight).get_concrete_function(ONE)}
    with kind.counting() as spent:
        copied = graphcopy.copy(held)
        copied["w"].assign(3.0)
        assert float(copied["run"](ONE)) == 3.0
    assert float(held["run"](ONE)) == 2.0
    assert spent.traces == 0
    kind.costs(f"{traces(spent.traces)}, neither when it is copied nor when it is called")


@pytest.mark.parametrize("keep", [False, True], ids=["drop", "keep"])
def test_loaded_models(kind, keep, tmp_path):
    option = ', with `tf_rules(traces="keep")`' if keep else ""
    kind(f"loaded SavedModel{option}", copied="its functions keep what was loaded, over the copied variables")
    module = tf.Module()
    module.w = tf.Variable(2.0)
    module.run = tf.function(lambda x: module.w * x, input_signature=[tf.TensorSpec([], tf.float32)])
    tf.saved_model.save(module, str(tmp_path))
    held = tf.saved_model.load(str(tmp_path))
    held.run(ONE)
    before = sorted(tmp_path.rglob("*"))
    with kind.counting() as copying:
        copied = graphcopy.copy(held, rules=[KEEP] if keep else [])
        copied.w.assign(3.0)
    with kind.counting() as first:
        assert float(copied.run(ONE)) == 3.0
    assert float(held.run(ONE)) == 2.0
    assert sorted(tmp_path.rglob("*")) == before
    assert (copying.traces, first.traces) == (0, 0 if keep else 1)
    kind.costs("no file", f"{traces(first.traces)} of the call into it, at the first one")


def address(variable: Any) -> int:
    """Where in memory its value stands; to read a variable that nobody writes does not copy it (on a CPU)."""
    return np.frombuffer(memoryview(variable.read_value()), np.uint8).ctypes.data


def test_variables(kind):
    kind("`tf.Variable`, any dtype, shape, aggregation", copied="own resources, on the same devices")
    with tf.device("CPU:0"):
        variable = tf.Variable(tf.random.stateless_uniform([2**20], [1, 2]))
    copied = graphcopy.copy(variable)
    assert address(copied) == address(variable), "nothing was written yet"
    copied.assign_add(tf.zeros([]) + tf.ones([2**20]))
    assert address(copied) != address(variable)
    assert copied.handle is not variable.handle and copied.device == variable.device
    assert float(copied[0]) == float(variable[0]) + 1.0
    kind.costs("no memory when it is copied", "its own size once one of the two is written")


def test_tensors(kind):
    kind("tensor, ragged, sparse, IndexedSlices, specs, dtypes", copied="immutable parts are shared")
    held = {
        "tensor": tf.ones([3]), "ragged": tf.ragged.constant([[1], [2, 3]]), "spec": tf.TensorSpec([None], tf.int32),
        "sparse": tf.sparse.from_dense([[0, 1]]), "slices": tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0])),
        "dtype": tf.int8,
    }  # fmt: skip
    copied = graphcopy.copy(held)
    ours, theirs = (
        (each["tensor"], each["ragged"].flat_values, each["sparse"].values, each["slices"].values, each["dtype"])
        for each in (held, copied)
    )
    assert all(a is b for a, b in zip(ours, theirs))
    assert copied["spec"] == held["spec"] and copied["ragged"].to_list() == [[1], [2, 3]]
    kind.costs("nothing: the values are the same objects")


def test_tensor_arrays(kind):
    kind("TensorArray", copied="its own; the tensors in it are shared")
    array = tf.TensorArray(tf.float32, 2, clear_after_read=False).write(0, 1.0)
    copied = graphcopy.copy(array)
    assert copied.read(0) is array.read(0)
    copied = copied.write(1, 2.0)
    assert array.stack().numpy().tolist() == [1.0, 0.0] and copied.stack().numpy().tolist() == [1.0, 2.0]
    kind.costs("one list: the values are the same objects")


def test_leaked_tensors(kind):
    kind("tensor that leaked from a trace", copied="None; on the receipt")
    leaked: list[Any] = []
    tf.function(lambda x: leaked.append(x))(ONE)
    copied, receipt = graphcopy.copy(leaked, receipt=True)
    assert copied == [None] and len(list(receipt)) == 1
    kind.costs("nothing")


def test_optionals(kind):
    kind("Optional", copied="its handle is shared, since the value cannot change; on the receipt")
    held = tf.experimental.Optional.from_value(3)
    copied, receipt = graphcopy.copy(held, receipt=True)
    assert int(copied.get_value()) == 3 and "handle" in str(receipt)
    assert copied._variant_tensor is held._variant_tensor
    kind.costs("nothing: the handle is the same object")


def test_objects_over_variables(kind):
    kind("`tf.random.Generator`, moving averages, linear operators", copied="own variables, at the same point")
    generator, variable = tf.random.Generator.from_seed(3), tf.Variable([1.0, 2.0])
    average, operator = tf.train.ExponentialMovingAverage(0.5), tf.linalg.LinearOperatorDiag(variable)
    average.apply([variable])
    generator.normal([2])
    held = {"generator": generator, "v": variable, "average": average, "operator": operator}
    with kind.counting() as spent:
        copied = graphcopy.copy(held)
    assert copied["generator"].normal([2]).numpy().tolist() == generator.normal([2]).numpy().tolist()
    copied["v"].assign([5.0, 5.0])
    copied["average"].apply([copied["v"]])
    assert copied["average"].average(copied["v"]).numpy().tolist() == [3.0, 3.5]
    assert average.average(variable).numpy().tolist() == [1.0, 2.0]
    assert (float(copied["operator"].trace()), float(operator.trace())) == (10.0, 3.0)
    made = [generator.state, variable, average.average(variable)]
    anew = [copied["generator"].state, copied["v"], copied["average"].average(copied["v"])]
    assert not {id(each.handle) for each in made} & {id(each.handle) for each in anew}
    assert [each.shape for each in made] == [each.shape for each in anew] and spent.traces == 0
    kind.costs("their variables, once each", "no trace")


def test_tables(kind):
    kind("lookup tables", copied="own, with the content at that moment")
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    table.insert(["a", "b"], tf.constant([1, 2], tf.int64))
    fixed = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([7], tf.int64)), -1)
    copied, same = graphcopy.copy([table, fixed])
    copied.insert(["a"], tf.constant([9], tf.int64))
    assert table.lookup(tf.constant(["a", "b"])).numpy().tolist() == [1, 2]
    assert copied.lookup(tf.constant(["a", "b"])).numpy().tolist() == [9, 2]
    assert int(copied.size()) == int(table.size()) == 2
    assert same.resource_handle is not fixed.resource_handle and int(same.size()) == 1
    kind.costs("its content, once")


def test_shared_datasets(kind):
    kind("dataset that reads nothing from outside", copied="shared: it cannot change")
    held = numbers(9).map(lambda x: x + 1).batch(2)
    with kind.counting() as spent:
        assert graphcopy.copy([held])[0] is held
    assert spent.traces == 0
    kind.costs("nothing: it is the same object")


def test_rebuilt_datasets(kind):
    kind(
        "dataset whose functions read variables, tables, Python objects or generators",
        copied="made anew over the copies",
    )
    scale, limit = tf.Variable(2, dtype=tf.int64), tf.Variable(5, dtype=tf.int64)
    times, small = (lambda x: x * scale), (lambda x: x < limit)
    held = {"data": numbers(4).map(times).filter(small), "scale": scale, "limit": limit}
    with kind.counting() as spent:
        copied = graphcopy.copy(held)
    copied["scale"].assign(1)
    assert rest(copied["data"]) == [0, 1, 2, 3] and rest(held["data"]) == [0, 2, 4]
    assert spent.traces == 2
    kind.costs("one trace of each of its functions when it is copied")


def test_shuffling_datasets(kind):
    kind(
        "dataset that shuffles anew at each pass", copied="made anew, with the same seeds; its passes are counted anew"
    )
    held = numbers(20).shuffle(20, seed=3)
    with kind.counting() as spent:
        copied, receipt = graphcopy.copy(held, receipt=True)
    assert "counts its passes anew" in str(receipt)
    assert copied is not held and rest(copied) == rest(held)
    assert spent.traces == 0
    kind.costs("a new pipeline, without a trace")


def test_iterators(kind):
    kind("iterator", copied="own, at the same position, shuffle buffer included")
    held = iter(numbers(30).shuffle(9, seed=1))
    next(held)
    with kind.counting() as spent:
        copied = graphcopy.copy(held)
    assert rest(copied) == rest(held) != []
    assert spent.traces == 0
    kind.costs("what a checkpoint of it holds", "no trace")


def test_iterators_without_a_position(kind):
    kind(
        "iterator whose position TensorFlow cannot save (Python generator, `py_function`, random operation without a "
        "state variable, several devices)",
        copied="a culprit, with advice",
    )
    spec = tf.TensorSpec([], tf.int32)
    held = iter(tf.data.Dataset.from_generator(lambda: iter([1, 2]), output_signature=spec))
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(held)
    (culprit,) = caught.value.culprits
    assert culprit.advice and rest(held) == [1, 2]
    kind.costs("nothing: no copy is made")


def test_wrapped_structures(kind):
    kind("wrapped lists, dicts, tuples of a `tf.Module`", copied="wrapped in the same way, aliases kept")
    module = tf.Module()
    variable = module.v = tf.Variable(1.0)
    module.rows, module.table, module.pair = [variable], {"v": variable}, (variable,)
    copied = graphcopy.copy(module)
    for name in ("rows", "table", "pair"):
        assert type(getattr(copied, name)) is type(getattr(module, name))
    assert copied.v is copied.rows[0] is copied.table["v"] is copied.pair[0]
    assert len(copied.variables) == 1
    kind.costs("as lists, dicts and tuples")


def test_checkpoints(kind, tmp_path):
    kind("Checkpoint", copied="tracks the copied objects")
    variable = tf.Variable(1.0)
    copied = graphcopy.copy({"checkpoint": tf.train.Checkpoint(v=variable), "v": variable})
    assert list(tmp_path.iterdir()) == []
    copied["v"].assign(9.0)
    saved = copied["checkpoint"].save(str(tmp_path / "c"))
    copied["v"].assign(0.0)
    copied["checkpoint"].restore(saved)
    assert (float(copied["v"]), float(variable)) == (9.0, 1.0)
    kind.costs("as its objects", "no file")


def test_checkpoint_managers(kind, tmp_path):
    kind("CheckpointManager", copied="saves the copied objects in the *same directory* (on the receipt)")
    held = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), str(tmp_path), max_to_keep=2)
    held.save()
    before = sorted(os.listdir(tmp_path))
    copied, receipt = graphcopy.copy(held, receipt=True)
    assert sorted(os.listdir(tmp_path)) == before
    assert "same directory" in str(receipt) and copied.directory == held.directory
    assert copied.checkpoint.v is not held.checkpoint.v
    kind.costs("as its objects", "no file")


def test_outputs_and_strategies(kind, tmp_path):
    kind("summary writer, distribution strategy", copied="shared; on the receipt")
    writer, strategy = tf.summary.create_file_writer(str(tmp_path)), tf.distribute.OneDeviceStrategy("/cpu:0")
    before = os.listdir(tmp_path)
    copied, receipt = graphcopy.copy([writer, strategy], receipt=True)
    assert copied[0] is writer and copied[1] is strategy and len(list(receipt)) == 2
    assert os.listdir(tmp_path) == before
    kind.costs("nothing: they are the same objects")


def test_tapes(kind):
    kind("GradientTape that has recorded", copied="a culprit, with advice")
    with tf.GradientTape() as tape:
        tape.watch(ONE)
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(tape)
    assert caught.value.culprits[0].advice
    kind.costs("nothing: no copy is made")
