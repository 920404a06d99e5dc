"""ConcreteFunctions and loaded SavedModels read the copied variables."""

from __future__ import annotations

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
