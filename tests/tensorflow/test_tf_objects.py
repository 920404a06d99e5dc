"""What else TensorFlow makes: arrays, slices, structures, averages, operators, checkpoints, variables of every kind."""

from __future__ import annotations

import math
from typing import Any

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy
from graphcopy.rules.tf_private import UnknownTensorFlow, private

pytestmark = [pytest.mark.tensorflow]


def test_a_tensor_array_is_the_copys_own():
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    array = array.write(0, 1.0)
    unused = array.write(1, 2.0)
    holder = {"array": array, "same": array, "unused": unused}
    copied = graphcopy.copy(holder)
    assert copied["array"] is copied["same"]
    copied["array"].write(2, 9.0).mark_used()
    assert copied["array"].stack().numpy().tolist() == [1.0, 2.0, 9.0]
    assert array.stack().numpy().tolist() == [1.0, 2.0, 0.0]
    assert float(copied["unused"].read(1)) == 2.0


def test_composite_tensors_and_specs():
    held = {
        "ragged": tf.ragged.constant([[1], [2, 3]]),
        "sparse": tf.sparse.from_dense([[0, 1], [2, 0]]),
        "slices": tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2])),
        "spec": tf.TensorSpec([None], tf.int32, name="x"),
        "ragged spec": tf.RaggedTensorSpec([None, None], tf.int32),
        "maybe": tf.experimental.Optional.from_value(3),
        "none": tf.experimental.Optional.empty(tf.TensorSpec([], tf.int32)),
    }
    copied = graphcopy.copy(held)
    assert copied["ragged"].to_list() == [[1], [2, 3]]
    assert tf.sparse.to_dense(copied["sparse"]).numpy().tolist() == [[0, 1], [2, 0]]
    assert tf.convert_to_tensor(copied["slices"]).numpy().tolist() == [[1, 1], [0, 0], [0, 0]]
    assert copied["spec"] == held["spec"] and copied["ragged spec"] == held["ragged spec"]
    assert int(copied["maybe"].get_value()) == 3
    assert not bool(copied["none"].has_value())


DTYPES = [tf.string, tf.bool, tf.float16, tf.bfloat16, tf.float64, tf.complex64, tf.complex128, tf.int8, tf.uint64,
          tf.dtypes.experimental.float8_e4m3fn, tf.dtypes.experimental.float8_e5m2]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_variables_of_every_dtype(dtype):
    value = tf.constant(["a", "b"]) if dtype == tf.string else tf.cast(tf.constant([1.0, 0.0]), dtype)
    variable = tf.Variable(value)
    for copied in (graphcopy.copy(variable), graphcopy.loads(graphcopy.dumps(variable))):
        assert copied.dtype == dtype and copied.handle is not variable.handle
        assert copied.numpy().tolist() == variable.numpy().tolist()
        copied.assign(tf.reverse(value, [0]) if dtype in (tf.string, tf.bool, tf.float64) else value)
    assert variable.numpy().tolist() == value.numpy().tolist()


def test_the_settings_of_a_variable():
    variable = tf.Variable(
        1.0, shape=tf.TensorShape(None), name="nn", trainable=False,
        synchronization=tf.VariableSynchronization.ON_WRITE, aggregation=tf.VariableAggregation.MEAN,
        caching_device="/cpu:0",
    )  # fmt: skip
    variable.tag = [1]
    copied = graphcopy.copy(variable)
    for name in ("shape", "name", "trainable", "synchronization", "aggregation", "device", "_caching_device", "tag"):
        ours, theirs = getattr(variable, name), getattr(copied, name)
        assert str(ours) == str(theirs), name
    assert copied.tag is not variable.tag
    copied.assign([1.0, 2.0])
    assert variable.numpy() == 1.0


class TensorShape:
    """A user's class that has the name of one of TensorFlow's."""

    def __init__(self):
        self.sides = [1]


class Scaled(type(tf.Variable(0.0))):
    """A user's own variable."""

    def twice(self):
        return self * 2


def test_a_users_own_variable_with_a_users_own_attribute():
    variable = Scaled(3.0)
    variable.form = TensorShape()
    copied = graphcopy.copy(variable)
    assert type(copied) is Scaled and float(copied.twice()) == 6.0
    copied.form.sides.append(2)
    assert variable.form.sides == [1]


def test_a_variable_without_a_value():
    with tf.Graph().as_default():
        in_graph = tf.Variable(1.0)
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy([in_graph])
    assert "session" in caught.value.culprits[0].reason
    destroyed = tf.Variable(1.0)
    tf.raw_ops.DestroyResourceOp(resource=destroyed.handle)
    copied = graphcopy.copy(destroyed)
    copied.assign(2.0)
    assert float(copied) == 2.0


def leaking() -> tuple[Any, Any]:
    class Holder:
        pass

    held: Any = Holder()
    held.items = []

    @tf.function
    def step(x):
        y = x + 1
        held.items.append(y)
        held.y, held.pair, held.table = y, (1, y), {"y": y, "n": 2}
        held.ask = lambda: y
        return y

    step(tf.constant(1.0))
    return held, step


def test_a_symbolic_tensor_is_none_wherever_it_was_kept():
    held, _ = leaking()
    copied, receipt = graphcopy.copy(held, receipt=True)
    assert copied.items == [None]
    assert copied.y is None and copied.pair == (1, None) and copied.table == {"y": None, "n": 2}
    assert copied.ask() is None
    assert any(entry.treatment == "pruned" and "SymbolicTensor" in entry.type for entry in receipt)
    assert tf.is_symbolic_tensor(held.y) and held.ask() is held.y


def test_a_tape_in_use_is_a_culprit_with_advice():
    variable = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = variable * variable
    held = {"tape": tape, "variable": variable}
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(held)
    (culprit,) = caught.value.culprits
    assert str(culprit.path) == "obj['tape']" and "recorded" in culprit.reason
    copied = graphcopy.copy(held, rules=eval(culprit.advice.partition("=")[2]))
    assert "tape" not in copied
    assert float(tape.gradient(y, variable)) == 6.0
    unused = graphcopy.copy(tf.GradientTape(persistent=True))
    with unused:
        y = variable * 2
    assert float(unused.gradient(y, variable)) == 2.0


def test_moving_averages_follow_the_copied_variable():
    variable = tf.Variable(1.0)
    average = tf.train.ExponentialMovingAverage(0.5)
    average.apply([variable])
    copied = graphcopy.copy({"average": average, "variable": variable})
    copied["variable"].assign(5.0)
    copied["average"].apply([copied["variable"]])
    assert float(copied["average"].average(copied["variable"])) == 3.0
    assert float(average.average(variable)) == 1.0
    assert average.average(copied["variable"]) is None


def test_linear_operators():
    variable = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
    full, diagonal = tf.linalg.LinearOperatorFullMatrix(variable), tf.linalg.LinearOperatorDiag([1.0, 2.0])
    state = {"v": variable, "full": full, "product": tf.linalg.LinearOperatorKronecker([full, diagonal])}
    copied = graphcopy.copy(state)
    copied["v"].assign(variable * 3)
    assert copied["product"].operators[0] is copied["full"]
    assert float(copied["full"].trace()) == 12.0 and float(full.trace()) == 4.0
    assert math.isclose(float(copied["product"].trace()), 36.0)


class Net(tf.Module):
    """Holds one variable in many structures."""

    def __init__(self):
        super().__init__(name="net")
        self.v = tf.Variable(1.0)
        self.rows, self.table, self.pair = [self.v, [self.v]], {"a": self.v, "b": {"c": [self.v]}}, (self.v, (self.v,))
        self.same_rows, self.same_table = self.rows, self.table

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def __call__(self, x):
        return x * self.v

    @tf.Module.with_name_scope
    def scoped(self):
        return tf.Variable(0.0, name="w").name


def test_a_module_with_wrapped_structures_saves_and_restores(tmp_path):
    net = Net()
    copied = graphcopy.copy(net)
    for name in ("rows", "table", "pair"):
        assert type(getattr(copied, name)) is type(getattr(net, name))
    assert copied.rows[0] is copied.rows[1][0] is copied.table["a"] is copied.table["b"]["c"][0] is copied.pair[1][0]
    assert copied.same_rows is copied.rows and copied.same_table is copied.table
    assert copied.scoped() == net.scoped() == "net/w:0"
    copied.rows.append(tf.Variable(2.0))
    assert len(copied.trainable_variables) == 2 and len(net.trainable_variables) == 1
    copied.v.assign(7.0)
    tf.saved_model.save(copied, str(tmp_path / "saved"))
    assert float(tf.saved_model.load(str(tmp_path / "saved"))(tf.constant(2.0))) == 14.0
    assert float(net(tf.constant(2.0))) == 2.0


def test_checkpoints_of_the_copy_hold_the_copys_values(tmp_path):
    variable = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=variable)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    manager.save()
    copied, receipt = graphcopy.copy({"manager": manager, "v": variable, "checkpoint": checkpoint}, receipt=True)
    assert copied["manager"].checkpoint is copied["checkpoint"]
    assert "same directory" in str(receipt)
    copied["v"].assign(9.0)
    saved = copied["manager"].save()
    assert len(manager.checkpoints) == 1 and len(copied["manager"].checkpoints) == 2
    assert float(variable) == 1.0
    copied["v"].assign(0.0)
    copied["checkpoint"].restore(saved)
    assert float(copied["v"]) == 9.0 and float(variable) == 1.0
    checkpoint.restore(saved)
    assert float(variable) == 9.0


def test_a_summary_writer_is_shared_and_told(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    copied, receipt = graphcopy.copy({"writer": writer}, receipt=True)
    assert "obj['writer']" in str(receipt)
    with copied["writer"].as_default():
        tf.summary.experimental.write_raw_pb(tf.constant(b""), step=1)
    copied["writer"].flush()
    del copied
    with writer.as_default():
        tf.summary.experimental.write_raw_pb(tf.constant(b""), step=2)
    writer.flush()
    assert len(list(tmp_path.iterdir())) == 1


def test_tables_of_all_kinds():
    key = lambda *values: tf.constant(values, tf.int64)
    dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-2)
    dense.insert(key(1), key(5))
    vectors = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
    vectors.insert(tf.constant(["a"]), [[1.0, 2.0]])
    words = tf.lookup.KeyValueTensorInitializer(["a", "b"], key(0, 1))
    vocabulary = tf.lookup.StaticVocabularyTable(words, 2)
    copied = graphcopy.copy([dense, vectors, vocabulary])
    copied[0].insert(key(2), key(6))
    copied[0].erase(key(1))
    assert copied[0].lookup(key(1, 2)).numpy().tolist() == [-1, 6]
    assert dense.lookup(key(1, 2)).numpy().tolist() == [5, -1]
    assert copied[1].lookup(tf.constant(["a"])).numpy().tolist() == [[1.0, 2.0]]
    assert int(copied[2].lookup(tf.constant(["b"]))[0]) == 1 and int(copied[2].size()) == 4


def test_a_version_that_lacks_something_is_named(monkeypatch):
    module = pytest.importorskip("tensorflow.python.ops.gen_resource_variable_ops")
    variable = tf.Variable(1.0)
    private.cache_clear()
    monkeypatch.delattr(module, "assign_variable_op")
    try:
        with pytest.raises(Exception) as caught:
            graphcopy.copy([variable])
        error = caught.value
        while not isinstance(error, UnknownTensorFlow):
            error = error.__cause__ or error.__context__
        assert tf.__version__ in str(error) and "assign_variable_op" in str(error)
        assert tf.__version__ in str(caught.value)
    finally:
        monkeypatch.undo()
        private.cache_clear()
    assert float(graphcopy.copy(variable)) == 1.0
