"""copy.deepcopy of what holds tf.functions and variables, under installed rules."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import threading
from copy import deepcopy  # before anything is installed

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def traced(v):
    @tf.function
    def step(x):
        v.assign_add(x)
        return v * 2.0

    step(tf.constant(1.0))
    return step


@pytest.fixture(autouse=True)
def installed():
    with graphcopy.installed(graphcopy.tf_rules):
        yield


def test_a_traced_function():
    v = tf.Variable(1.0)
    step = traced(v)
    for make in (copy.deepcopy, deepcopy):
        before = float(v)
        new = make(step)
        assert float(new(tf.constant(1.0))) == (before + 1) * 2
        assert float(v) == before
    assert step.experimental_get_tracing_count() == 1


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(2.0)
        self.step = traced(self.v)
        self.bound = tf.function(self.run)
        self.config = {"lock": threading.Lock(), "v": [self.v, (self.step, self)]}
        self.more = {"deep": [{"step": self.step, "self": self}]}

    def run(self, x):
        return self.v * x

    @tf.function
    def decorated(self, x):
        return self.v + x


def test_a_model_that_holds_one_in_any_attribute():
    model = Model()
    model.bound(tf.constant(2.0))
    model.decorated(tf.constant(2.0))
    new = copy.deepcopy({"model": model, "v": model.v, "step": model.step})
    one = new["model"]
    assert one.v is new["v"] is one.config["v"][0] is not model.v
    assert one.step is new["step"] is one.config["v"][1][0] is one.more["deep"][0]["step"]
    assert one.config["v"][1][1] is one is one.more["deep"][0]["self"]
    before = float(model.v)
    one.step(tf.constant(10.0))
    assert float(one.v) == before + 10
    assert float(model.v) == before
    assert float(one.bound(tf.constant(2.0))) == float(one.v) * 2
    assert float(one.decorated(tf.constant(1.0))) == float(one.v) + 1
    assert float(model.bound(tf.constant(2.0))) == before * 2


def test_a_function_before_and_after_its_variable():
    v = tf.Variable(3.0)
    step = traced(v)
    for root in ([step, v], [v, step], (step, {"v": v}), {"v": v, "again": [v, step]}):
        new = copy.deepcopy(root)
        flat = tf.nest.flatten(new)
        new_step, new_v = (next(e for e in flat if hasattr(e, name)) for name in ("python_function", "assign_add"))
        new_step(tf.constant(1.0))
        assert float(new_v) == float(v) + 1


def test_a_bound_function_met_before_its_model():
    """The bound function refers to the model only weakly, and deepcopy comes to the model later."""
    model = Model()
    model.decorated(tf.constant(1.0))
    bound = model.decorated
    new = copy.deepcopy([bound, model])
    before = float(model.v)
    new[1].v.assign(50.0)
    assert float(new[0](tf.constant(1.0))) == 51
    assert float(model.v) == before


def test_pickle():
    model = Model()
    model.bound(tf.constant(2.0))
    new = pickle.loads(pickle.dumps({"model": model, "v": model.v, "step": model.step}))
    one = new["model"]
    assert one.v is new["v"] is one.config["v"][0]
    assert one.step is new["step"] is one.config["v"][1][0]
    one.step(tf.constant(10.0))
    assert float(one.v) == float(model.v) + 10
    assert float(one.bound(tf.constant(2.0))) == float(one.v) * 2


@pytest.mark.engine
def test_multiprocessing_spawn():
    """The function is traced, and of a local scope: it goes to the worker with its variable."""
    step = traced(tf.Variable(1.0))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(calls, (step, 1.0)) == 6
    assert float(step(tf.constant(0.0))) == 4


def calls(step, x):
    return float(step(tf.constant(x)))
