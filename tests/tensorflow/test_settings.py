"""Every setting of a tf.function survives, seen through what it does."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy


def traced_copy(function, *args):
    function(*args)
    return graphcopy.copy(function)


def test_name():
    def triple(x):
        return x * 3

    function = tf.function(triple)
    new = traced_copy(function, tf.constant(1.0))
    assert new.name == function.name and new.__name__ == "triple"
    assert b"triple" in tf.compat.as_bytes(new.get_concrete_function(tf.constant(1.0)).name)


def test_input_signature():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def double(x):
        return x * 2

    new = traced_copy(double, tf.constant([1.0]))
    new(tf.constant([1.0]))
    new(tf.constant([1.0, 2.0]))
    assert new.experimental_get_tracing_count() == 1, "one trace serves all lengths"
    with pytest.raises((TypeError, ValueError)):
        new(tf.constant([[1.0]]))
    assert new.input_signature == double.input_signature


@pytest.mark.parametrize("autograph", [True, False])
def test_autograph(autograph):
    def absolute(x):
        if x < 0:
            return -x
        return x

    function = tf.function(absolute, autograph=autograph)
    if autograph:
        assert float(traced_copy(function, tf.constant(-2.0))(tf.constant(-3.0))) == 3.0
    else:
        with pytest.raises(Exception, match=r"symbolic|Tensor.*bool|AutoGraph"):
            graphcopy.copy(function)(tf.constant(-3.0))


def test_autograph_options():
    def positive(x):
        assert x > 0, "not positive"
        return x

    feature = tf.autograph.experimental.Feature.ASSERT_STATEMENTS
    with_asserts = tf.function(positive, experimental_autograph_options=feature)
    new = traced_copy(with_asserts, tf.constant(1.0))
    assert float(new(tf.constant(2.0))) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="not positive"):  # at run time: the assert was converted
        new(tf.constant(-1.0))
    with pytest.raises(Exception, match="symbolic"):  # without the option it is an error while tracing
        graphcopy.copy(tf.function(positive))(tf.constant(1.0))


def test_jit_compile():
    function = tf.function(lambda x: x * 2, jit_compile=True)
    new = traced_copy(function, tf.constant(1.0))
    assert float(new(tf.constant(4.0))) == 8.0
    text = new.experimental_get_compiler_ir(tf.constant(4.0))(stage="hlo")
    assert "HloModule" in text
    plain = graphcopy.copy(tf.function(lambda x: x))
    with pytest.raises(ValueError, match="jit_compile"):
        plain.experimental_get_compiler_ir(tf.constant(1.0))


@pytest.mark.parametrize("reduce", [True, False])
def test_reduce_retracing(reduce):
    function = tf.function(lambda x: x * 2, reduce_retracing=reduce)
    new = traced_copy(function, tf.constant([1.0]))
    for length in range(1, 6):
        new(tf.zeros([length]))
    assert new.experimental_get_tracing_count() == (2 if reduce else 5)


def test_implements():
    function = tf.function(lambda x: x * 2, experimental_implements="double")
    new = traced_copy(function, tf.constant(1.0))
    definition = new.get_concrete_function(tf.constant(1.0)).function_def
    assert definition.attr["_implements"].s == b"double"


def test_attributes():
    function = tf.function(lambda x: x * 2, experimental_attributes={"_noinline": True})
    new = traced_copy(function, tf.constant(1.0))
    assert new.get_concrete_function(tf.constant(1.0)).function_def.attr["_noinline"].b is True
