"""ConcreteFunctions and loaded SavedModels read the copied variables."""

from __future__ import annotations

import functools
import gc
import weakref

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def test_a_concrete_function_beside_its_variable():
    w = tf.Variable([1.0, 1.0])
    run = tf.function(lambda x: tf.linalg.matvec(x, w) ** 2)
    state = {"w": w, "infer": run.get_concrete_function(tf.TensorSpec([None, 2], tf.float32))}
    row = tf.constant([[1.0, 2.0]])
    copied = graphcopy.copy(state)
    copied["w"].assign([2.0, 2.0])
    assert copied["infer"](row).numpy().tolist() == [36.0]
    assert state["infer"](row).numpy().tolist() == [9.0]
    with tf.GradientTape() as tape:
        y = copied["infer"](row)
    assert tape.gradient(y, copied["w"]).numpy().tolist() == [12.0, 24.0]
    assert tuple(copied["infer"].structured_input_signature[0][0].shape) == (None, 2)


def test_a_loaded_model(tmp_path):
    source = tf.Module()
    source.w = tf.Variable(4.0)
    source.f = tf.function(lambda x: x * source.w, input_signature=[tf.TensorSpec([], tf.float32)])
    tf.saved_model.save(source, str(tmp_path), signatures={"serving_default": source.f})
    loaded = tf.saved_model.load(str(tmp_path))
    copied = graphcopy.copy({"model": loaded, "infer": loaded.signatures["serving_default"]})
    copied["model"].w.assign(5.0)
    one = tf.constant(1.0)
    assert float(copied["model"].f(one)) == 5.0
    assert float(next(iter(copied["infer"](one).values()))) == 5.0
    assert float(loaded.f(one)) == 4.0


@pytest.mark.parametrize("kind", ["inner", "branch", "loop"])
def test_gradients_go_through_functions_within_a_trace(kind):
    w = tf.Variable(3.0)
    inner = tf.function(lambda x: x * w)

    @tf.function
    def run(x):
        if kind == "inner":
            return inner(x) * w
        if kind == "branch":
            return tf.cond(x > 100.0, lambda: x, lambda: x * w * w)
        for _ in tf.range(2):
            x = x * w
        return x

    concrete = run.get_concrete_function(tf.TensorSpec([], tf.float32))
    copied, its_w = graphcopy.copy([concrete, w])
    w.assign(0.0)
    with tf.GradientTape() as tape:
        y = copied(tf.constant(2.0))
    assert float(y) == 18 and float(tape.gradient(y, its_w)) == 12


def test_the_copy_runs_the_same_graph_and_either_side_outlives_the_other():
    state = {"w": tf.Variable(2.0)}
    body = functools.partial(lambda w, x: (x * w) ** 2, state["w"])
    state["f"] = tf.function(body).get_concrete_function(tf.TensorSpec([], tf.float32))
    copied = graphcopy.copy(state)
    again = graphcopy.copy(copied)
    del copied
    gc.collect()
    again["w"].assign(3.0)
    x = tf.constant(1.0)
    assert (float(again["f"](x)), float(state["f"](x))) == (9.0, 4.0)
    handle = weakref.ref(state["w"].handle)
    del state, body
    gc.collect()
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = again["f"](x)
        slope = tape.gradient(y, again["w"])
    assert (float(slope), float(outer.gradient(slope, again["w"]))) == (6.0, 2.0)
    assert handle() is None
    assert tape.watched_variables()[0] is again["w"]
    assert again["f"].graph.captures[0][0] is again["w"].handle


def test_a_custom_gradient_stays_and_reads_the_copys_variable():
    scale = tf.Variable(10.0)

    @tf.custom_gradient
    def scaled(x):
        return x * scale, lambda upstream, variables=None: (upstream * scale, [tf.constant(0.0)] * len(variables))

    concrete = tf.function(scaled).get_concrete_function(tf.TensorSpec([], tf.float32))
    copied = graphcopy.copy({"f": concrete, "scale": scale})
    again = graphcopy.copy(copied)
    copied["scale"].assign(3.0)
    again["scale"].assign(4.0)
    x = tf.constant(1.0)
    for each, expected in ((concrete, 10.0), (copied["f"], 3.0), (again["f"], 4.0)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = each(x)
        assert (float(y), float(tape.gradient(y, x))) == (expected, expected)


def test_random_operations_draw_on_their_own():
    tf.random.set_seed(1)
    f = tf.function(lambda: tf.random.uniform([], seed=2)).get_concrete_function()
    first = [float(f()) for _ in range(2)]
    copied = graphcopy.copy(f)
    assert [float(copied()) for _ in range(2)] == first
    ahead = float(copied())
    assert float(f()) == ahead


def test_a_variable_that_only_the_trace_holds_is_copied():
    class Holder:
        pass

    holder = Holder()
    holder.w = tf.Variable([2.0, 3.0])
    add = tf.function(lambda x: holder.w.assign_add(x)).get_concrete_function(tf.TensorSpec([2], tf.float32))
    read = tf.function(lambda: holder.w + 0.0).get_concrete_function()
    del holder.w
    gc.collect()
    copied = graphcopy.copy({"add": add, "read": read})
    copied["add"](tf.constant([1.0, 1.0]))
    assert copied["read"]().numpy().tolist() == [3.0, 4.0]  # both read one variable
    assert read().numpy().tolist() == [2.0, 3.0]


def test_what_is_only_known_when_it_is_called_is_a_culprit():
    @tf.function
    def f(x):
        graph = tf.compat.v1.get_default_graph()
        return x * graph.capture_call_time_value(lambda: tf.constant(2.0), tf.TensorSpec([], tf.float32))

    with pytest.raises(graphcopy.CopyError, match="only known when it is called"):
        graphcopy.copy(f.get_concrete_function(tf.TensorSpec([], tf.float32)))


def test_python_code_inside_is_told():
    f = tf.function(lambda x: tf.numpy_function(lambda value: value + value, [x], tf.float32))
    concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
    copied, receipt = graphcopy.copy(concrete, receipt=True)
    assert float(copied(tf.constant(2.0))) == 4.0
    assert "original's Python function" in str(receipt)


def test_paths_lead_to_the_variables():
    w = tf.Variable(2.0)
    large = tf.range(1000.0)
    f = tf.function(lambda x: x * w + large).get_concrete_function(tf.TensorSpec([], tf.float32))
    root = {"f": f}
    graph = graphcopy.plan(root).graph
    found = [(obj, eval(str(path), {"obj": root})) for obj, path in zip(*_columns(graph, "obj", "path"))]
    assert [obj is there for obj, there in found] == [True] * len(found)
    assert any(obj is w for obj, _ in found) and any(obj is large for obj, _ in found)


def _columns(graph, *names):
    return [[value for _, value in graph.nodes(data=name)] for name in names]
