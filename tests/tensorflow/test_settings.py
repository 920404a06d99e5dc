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
    options = tf.autograph.experimental.Feature.LISTS

    def collect(n):
        found = []
        for i in tf.range(n):
            found.append(i)
        return tf.autograph.experimental.stack if False else tf.stack(found)

    with_lists = tf.function(collect, experimental_autograph_options=options)
    new = graphcopy.copy(with_lists)
    assert new._experimental_autograph_options is options
    outcomes = []
    for function in (with_lists, new, tf.function(collect)):
        try:
            function(tf.constant(3))
            outcomes.append("works")
        except Exception as error:
            outcomes.append(type(error).__name__)
    assert outcomes[0] == outcomes[1]


def test_jit_compile():
    function = tf.function(lambda x: x * 2, jit_compile=True)
    new = traced_copy(function, tf.constant(1.0))
    assert float(new(tf.constant(4.0))) == 8.0
    text = new.experimental_get_compiler_ir(tf.constant(4.0))(stage="hlo")
    assert "HloModule" in text
    with pytest.raises(ValueError, match="jit_compile"):
        (
            graphcopy.copy(tf.function(lambda x: x))(tf.constant(1.0)),
            graphcopy.copy(tf.function(lambda x: x)).experimental_get_compiler_ir(tf.constant(1.0)),
        )


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
