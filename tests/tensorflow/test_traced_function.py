"""The case graphcopy was born from: a tf.function that has been called."""

from __future__ import annotations

import copy
import gc

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

THREE = 3.0


def make(**settings):
    """A tf.function over its own variable, and a counter that goes up while Python code runs."""
    weight = tf.Variable(2.0)
    traced: list[str] = []

    @tf.function(**settings)
    def foo(x):
        traced.append("trace")
        return weight * x

    foo.weight, foo.traced = weight, traced
    return foo


def test_deepcopy_works_before_the_first_call_and_raises_after_it():
    foo = make()
    copy.deepcopy(foo)
    foo(tf.constant(THREE))
    with pytest.raises(TypeError):
        copy.deepcopy(foo)


@pytest.mark.parametrize("rules", [(), ("tf_rules",)], ids=["awake", "given"])
@pytest.mark.parametrize("called", [True, False], ids=["traced", "untraced"])
def test_the_copy_traces_again_and_the_original_does_not(called, rules):
    foo = make()
    x = tf.constant(THREE)
    if called:
        assert float(foo(x)) == 6.0
    before = foo.experimental_get_tracing_count()
    new = graphcopy.copy(foo, rules=[getattr(graphcopy, name) for name in rules])
    assert new is not foo and type(new) is type(foo)
    assert new.experimental_get_tracing_count() == 0
    assert float(new(x)) == 6.0
    assert new.experimental_get_tracing_count() == 1
    assert foo.experimental_get_tracing_count() == before
    assert len(new.traced) == len(foo.traced) + 1 and new.traced is not foo.traced
    new(tf.constant([THREE]))
    assert foo.experimental_get_tracing_count() == before
    assert float(foo(x)) == 6.0
    assert foo.experimental_get_tracing_count() == 1


def test_defaults_off_without_rules_names_what_stops_the_copy():
    foo = make()
    foo(tf.constant(THREE))
    with pytest.raises(graphcopy.CopyError):
        graphcopy.copy(foo, defaults=False)
    assert float(foo(tf.constant(THREE))) == 6.0


def test_each_side_has_its_own_variable_eagerly_and_in_the_trace():
    foo = make()
    x = tf.constant(THREE)
    foo(x)
    new = graphcopy.copy(foo)
    new(x)
    new.weight.assign(10.0)
    assert (float(new(x)), float(foo(x))) == (30.0, 6.0)
    foo.weight.assign(1.0)
    assert (float(new(x)), float(foo(x))) == (30.0, 3.0)


def test_gradients_flow_to_the_variables_of_the_copy():
    foo = make()
    x = tf.constant(THREE)
    foo(x)
    new = graphcopy.copy(foo)
    with tf.GradientTape() as tape:
        y = new(x) ** 2
    assert float(tape.gradient(y, new.weight)) == 2 * 6.0 * 3.0
    with tf.GradientTape() as tape:
        y = new(x)
    assert tape.gradient(y, foo.weight) is None


def test_writes_inside_the_trace_stay_on_their_side():
    total = tf.Variable(0.0)

    @tf.function
    def add(x):
        total.assign_add(x)
        return total.read_value()

    add(tf.constant(1.0))
    new = graphcopy.copy(add)
    assert float(new(tf.constant(5.0))) == 6.0
    assert float(total) == 1.0
    assert float(add(tf.constant(1.0))) == 2.0


def test_the_original_survives_its_copies():
    foo = make()
    x = tf.constant(THREE)
    foo(x)
    for _ in range(3):
        new = graphcopy.copy(foo)
        new(x)
        del new
        gc.collect()
    assert float(foo(x)) == 6.0
    assert foo.experimental_get_tracing_count() == 1


def test_a_copy_of_a_copy():
    foo = make()
    x = tf.constant(THREE)
    foo(x)
    first = graphcopy.copy(foo)
    first(x)
    first.weight.assign(4.0)
    second = graphcopy.copy(first)
    second.weight.assign(5.0)
    assert [float(each(x)) for each in (foo, first, second)] == [6.0, 12.0, 15.0]


def test_a_function_that_makes_its_variable_at_the_first_call():
    class Lazy:
        def __init__(self):
            self.variable = None
            self.call = tf.function(self._call)

        def _call(self, x):
            if self.variable is None:
                self.variable = tf.Variable(2.0)
            return self.variable * x

    lazy = Lazy()
    x = tf.constant(THREE)
    lazy.call(x)
    new = graphcopy.copy(lazy)
    new.variable.assign(7.0)
    assert (float(new.call(x)), float(lazy.call(x))) == (21.0, 6.0)


def test_over_another_tf_function():
    inner = make()

    @tf.function
    def outer(x):
        return inner(x) + 1.0

    x = tf.constant(THREE)
    outer(x)
    new = graphcopy.copy({"outer": outer, "inner": inner})
    new["inner"].weight.assign(5.0)
    assert (float(new["outer"](x)), float(outer(x))) == (16.0, 7.0)


def test_over_a_python_object():
    class Settings:
        def __init__(self):
            self.scale = tf.Variable(2.0)
            self.log = []

    settings = Settings()

    @tf.function
    def call(x):
        settings.log.append("traced")
        return x * settings.scale

    x = tf.constant(THREE)
    call(x)
    new = graphcopy.copy([call, settings])
    new[0](x)
    assert new[1] is not settings
    assert (len(new[1].log), len(settings.log)) == (2, 1)
    new[1].scale.assign(0.0)
    assert (float(new[0](x)), float(call(x))) == (0.0, 6.0)


class Decorated:
    """A method decorated in the class."""

    def __init__(self):
        self.weight = tf.Variable(2.0)

    @tf.function
    def call(self, x):
        return self.weight * x


class Wrapped(Decorated):
    """A method wrapped in ``__init__``."""

    def __init__(self):
        super().__init__()
        self.call = tf.function(self.plain)

    def plain(self, x):
        return self.weight * x


class Stored(Decorated):
    """A bound tf.function stored in the object."""

    def __init__(self):
        super().__init__()
        self.step = self.call
        self.steps = {"step": self.step}


@pytest.mark.parametrize("cls", [Decorated, Wrapped, Stored])
def test_methods_are_bound_to_the_copy(cls):
    obj = cls()
    x = tf.constant(THREE)
    call = getattr(obj, "step", obj.call)
    call(x)
    traces = call.experimental_get_tracing_count()
    new = graphcopy.copy(obj)
    new_call = getattr(new, "step", new.call)
    assert float(new_call(x)) == 6.0
    new.weight.assign(5.0)
    assert (float(new_call(x)), float(call(x))) == (15.0, 6.0)
    obj.weight.assign(1.0)
    assert (float(new_call(x)), float(call(x))) == (15.0, 3.0)
    assert call.experimental_get_tracing_count() == traces
    if cls is Stored:
        assert new.steps["step"] is new.step
