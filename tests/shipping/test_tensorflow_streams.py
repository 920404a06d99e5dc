"""TensorFlow's objects in a process that has not imported TensorFlow: what can travel works there, the rest is told."""

from __future__ import annotations

import os
import shutil
import sys

import pytest
from fresh_process import arrive

tf = pytest.importorskip("tensorflow")
np = pytest.importorskip("numpy")

import graphcopy

pytestmark = [pytest.mark.tensorflow]
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def works(obj, tmp_path, code):
    """Send *obj*, and run *code* over it in a fresh process."""
    code = "import tensorflow as tf\n" + code  # imported after the object has arrived
    data = graphcopy.dumps(obj, by_value=[sys.modules[__name__]])  # the other process has no such module
    return arrive(data, tmp_path / "stream", code, warnings="default")


def test_a_traced_function_goes_on_with_its_state_and_traces_again(tmp_path):
    weight, traces = tf.Variable([1.0, 2.0], name="weight"), []

    @tf.function(reduce_retracing=True)
    def grow(by):
        traces.append(1)
        return weight.assign_add([by, by])

    grow(tf.constant(1.0))
    code = """
grow, weight, traces = obj["grow"], obj["weight"], obj["traces"]
assert grow.experimental_get_tracing_count() == 0 and traces == [1]
assert grow(tf.constant(1.0)).numpy().tolist() == [3, 4] == weight.numpy().tolist()
grow(tf.constant(1.0))
assert grow.experimental_get_tracing_count() == 1 and traces == [1, 1]
assert grow._reduce_retracing and weight.name == "weight:0"
print("right")
"""
    assert works({"grow": grow, "weight": weight, "traces": traces}, tmp_path, code) == "right"
    assert weight.numpy().tolist() == [2, 3] and grow.experimental_get_tracing_count() == 1


def test_a_module_with_tracked_containers(tmp_path):
    class Affine(tf.Module):
        def __init__(self):
            self.factor = tf.Variable(3.0)
            self.layers = [tf.Variable(1.0)]
            self.named = {"a": tf.Variable(2.0)}

        @tf.function
        def __call__(self, x):
            return self.factor * x + self.layers[0] + self.named["a"]

    affine = Affine()
    affine(tf.constant(2.0))
    code = """
two = tf.constant(2.0)
assert float(obj(two)) == 9 and len(obj.variables) == 3
obj.factor.assign(0.0)
with tf.GradientTape() as tape:
    y = obj(two)
assert float(y) == 3 and float(tape.gradient(y, obj.factor)) == 2
print("right")
"""
    assert works(affine, tmp_path, code) == "right"


def test_variables_and_tensors_of_all_kinds(tmp_path):
    loose = tf.Variable([[1, 2]], shape=[None, 2], dtype=tf.int32, trainable=False, name="loose")
    sent = {
        "loose": loose, "same": loose, "text": tf.Variable("text"), "half": tf.Variable([1.5], dtype=tf.bfloat16),
        "flag": tf.constant([True, False]), "words": tf.constant(["a", "b"]), "number": tf.constant(1.5, tf.float64),
        "ragged": tf.ragged.constant([[1], [2, 3]]), "sparse": tf.sparse.from_dense([0, 4]), "empty": tf.zeros([0, 3]),
        "complex": tf.constant([1j]), "spec": tf.TensorSpec([None, 2], tf.int8), "bfloat": tf.zeros([2], tf.bfloat16),
    }  # fmt: skip
    code = """
loose = obj["loose"]
assert loose is obj["same"] and not loose.trainable and loose.name == "loose:0"
loose.assign([[1, 2], [3, 4]])
assert obj["text"].numpy() == b"text" and obj["half"].dtype == tf.bfloat16 and float(obj["half"][0]) == 1.5
assert obj["flag"].numpy().tolist() == [True, False] and obj["words"].numpy().tolist() == [b"a", b"b"]
assert obj["number"].dtype == tf.float64 and float(obj["number"]) == 1.5 and obj["empty"].shape == (0, 3)
assert obj["ragged"].to_list() == [[1], [2, 3]] and tf.sparse.to_dense(obj["sparse"]).numpy().tolist() == [0, 4]
assert obj["complex"].numpy()[0] == 1j and obj["spec"] == tf.TensorSpec([None, 2], tf.int8)
assert obj["bfloat"].dtype == tf.bfloat16
print("right")
"""
    assert works(sent, tmp_path, code) == "right"


def test_large_variables_and_tensors_go_out_of_band():
    variable, tensor = tf.Variable(tf.ones([1000, 100])), tf.range(100_000)
    buffers: list = []
    data = graphcopy.dumps({"variable": variable, "tensor": tensor}, buffers=buffers)
    assert len(data) < 5000 and sorted(each.raw().nbytes for each in buffers) == [400_000, 400_000]
    new = graphcopy.loads(data, buffers=buffers)
    new["variable"].assign_add(tf.ones([1000, 100]))
    assert float(tf.reduce_sum(new["variable"])) == 200_000 and float(tf.reduce_sum(variable)) == 100_000
    assert np.array_equal(new["tensor"], tensor)


def test_a_variable_that_changes_after_it_was_written_is_sent_as_it_was():
    variable, buffers = tf.Variable(tf.ones([1000])), []
    data = graphcopy.dumps(variable, buffers=buffers)
    variable.assign_add(tf.ones([1000]))
    assert float(graphcopy.loads(data, buffers=buffers)[0]) == 1


def test_a_concrete_function_takes_its_trace_along(tmp_path):
    weight = tf.Variable(3.0)

    @tf.function
    def inner(x):
        return x * weight

    @tf.function
    def run(x, scale=None, *, times=1):
        for _ in tf.range(times):
            x = inner(x)
        return {"x": tf.cond(x > 1e6, lambda: x, lambda: x * weight), "y": [tf.stack([x, x])]}

    run = run.get_concrete_function(tf.TensorSpec([], tf.float32), times=2)
    code = """
run, weight = obj
two = tf.constant(2.0)
assert float(run(two)["x"]) == 54
weight.assign(1.0)
with tf.GradientTape() as tape:
    y = run(two)["x"]
assert float(tape.gradient(y, weight)) == 6 and run.structured_input_signature[1] == {"times": 2}
other = tf.function(lambda x: x + 1).get_concrete_function(two)  # names of functions do not clash
assert float(run(two)["y"][0][1]) == 2 and float(other(two)) == 3

import gc, graphcopy
again, its_weight = graphcopy.loads(graphcopy.dumps(obj))
copied, _ = graphcopy.copy([run, weight])
weight.assign(9.0)
del run, obj
gc.collect()
assert float(again(two)["x"]) == 2 == float(copied(two)["x"])
print("right")
"""
    assert works([run, weight], tmp_path, code) == "right"


def test_a_loaded_saved_model(tmp_path):
    source = tf.Module()
    source.weight = tf.Variable(3.0)
    source.table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [2.0]), -1.0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.string)])
    def run(x, key):
        return source.weight * x + source.table.lookup(key)

    source.run = run
    tf.saved_model.save(source, str(tmp_path / "saved"), signatures={"serving_default": run})
    loaded = tf.saved_model.load(str(tmp_path / "saved"))
    code = """
two, a = tf.constant(2.0), tf.constant("a")
assert float(obj.run(two, a)) == 8
obj.weight.assign(5.0)
assert float(obj.run(two, tf.constant("b"))) == 9
(answer,) = obj.signatures["serving_default"](x=two, key=a).values()
assert float(answer) == 12
print("right")
"""
    data = graphcopy.dumps(loaded)
    shutil.rmtree(tmp_path / "saved")
    code = "import tensorflow as tf\n" + code
    assert arrive(data, tmp_path / "stream", code, warnings="default") == "right"


def test_lookup_tables_bring_their_content(tmp_path):
    fixed = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    changing = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    changing.insert(["x"], [5])
    find = tf.function(lambda key: fixed.lookup(key))
    find(tf.constant("a"))
    code = """
assert int(obj["find"](tf.constant("b"))) == 2 and int(obj["changing"].lookup(tf.constant("x"))) == 5
obj["changing"].insert(["y"], [6])
assert int(obj["changing"].size()) == 2
print("right")
"""
    assert works({"fixed": fixed, "changing": changing, "find": find}, tmp_path, code) == "right"
    assert int(changing.size()) == 1


def test_a_generator_goes_on_with_its_numbers(tmp_path):
    generator = tf.random.Generator.from_seed(3)
    generator.normal([5])
    expected = graphcopy.copy(generator).normal([4]).numpy().tolist()
    code = f"print(obj.normal([4]).numpy().tolist() == {expected!r})"
    assert works(generator, tmp_path, code) == "True"


def test_datasets_are_made_again_from_their_graphs(tmp_path):
    numbers = tf.data.Dataset.range(6).map(lambda x: x * 2).batch(4)
    pairs = tf.data.Dataset.from_tensor_slices({"a": np.arange(3), "b": ["x", "y", "z"]}).cache().prefetch(1)
    noisy = tf.data.Dataset.range(4).shuffle(4).map(lambda x: tf.cast(x, tf.float32) + tf.random.uniform([]))
    ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3]]))
    code = """
assert [batch.tolist() for batch in obj["numbers"].as_numpy_iterator()] == [[0, 2, 4, 6], [8, 10]]
assert [row["b"] for row in obj["pairs"].as_numpy_iterator()] == [b"x", b"y", b"z"]
assert sorted(int(x) for x in obj["noisy"]) == [0, 1, 2, 3] and len(obj["numbers"]) == 2
assert [row.numpy().tolist() for row in obj["ragged"]] == [[1], [2, 3]]
print("right")
"""
    sent = {"numbers": numbers, "pairs": pairs, "noisy": noisy, "ragged": ragged}
    assert works(sent, tmp_path, code) == "right"


def refusal(obj):
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.dumps([obj])
    (culprit,) = caught.value.culprits
    assert str(culprit.path) == "obj[0]"
    assert "graphcopy.share(" not in culprit.describe()  # which is no help to another process
    rules = eval(culprit.advice.removeprefix("rules="), {"graphcopy": graphcopy, "dataset": [1]})
    (arrived,) = graphcopy.loads(graphcopy.dumps([obj], rules=rules))
    assert arrived is None or list(arrived) == [1]
    return culprit.describe()


def test_datasets_and_iterators_over_variables_and_generators_are_made_there(tmp_path):
    weight = tf.Variable(2, dtype=tf.int64)
    feed = iter(tf.data.Dataset.range(9).shuffle(4, seed=1).batch(3))
    next(feed)
    sent = {
        "weight": weight,
        "scaled": tf.data.Dataset.range(3).map(lambda x: x * weight),
        "generated": tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32)),
        "feed": feed,
    }
    expected = [batch.numpy().tolist() for batch in graphcopy.copy(feed)]
    code = f"""
obj["weight"].assign(5)
assert [int(x) for x in obj["scaled"]] == [0, 5, 10]
assert [int(x) for x in obj["generated"]] == [1]
assert [batch.numpy().tolist() for batch in obj["feed"]] == {expected!r}
print("right")
"""
    assert works(sent, tmp_path, code) == "right"


def test_what_cannot_travel_is_told_with_advice(tmp_path):
    weight = tf.Variable(2, dtype=tf.int64)
    generated = tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32))
    assert "PyFunc" in refusal(iter(generated)) and "iter(dataset)" in refusal(iter(generated))
    assert "create_file_writer" in refusal(tf.summary.create_file_writer(str(tmp_path)))
    assert "handle to a resource" in refusal(weight.handle)
    assert "tf.function" in refusal(tf.Graph())
    assert "make the strategy there" in refusal(tf.distribute.MirroredStrategy(["CPU:0"]))


def test_the_default_strategy_is_the_other_sides_own():
    assert graphcopy.loads(graphcopy.dumps([tf.distribute.get_strategy()]))[0] is tf.distribute.get_strategy()


def test_a_checkpoint_and_its_manager(tmp_path):
    variable = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=variable)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path / "checkpoints"), 3)
    code = """
assert obj["manager"].checkpoint.v is obj["variable"]
obj["variable"].assign(2.0)
path = obj["manager"].save()
obj["variable"].assign(3.0)
obj["manager"].checkpoint.restore(path)
print(float(obj["variable"]))
"""
    assert works({"variable": variable, "manager": manager}, tmp_path, code) == "2.0"
