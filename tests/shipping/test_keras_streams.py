"""A Keras model in the midst of its training goes on in another process as it would have here."""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec

import pytest
from fresh_process import arrive

tf = pytest.importorskip("tensorflow")
np = pytest.importorskip("numpy")

import graphcopy

pytestmark = [pytest.mark.tensorflow]
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

X = np.linspace(0, 1, 24, dtype="float32").reshape(8, 3)
Y = X.sum(axis=1, keepdims=True)
SHAPE = {"epochs": 2, "verbose": 0, "shuffle": False, "batch_size": 4}


LIBRARIES = pytest.mark.parametrize(
    "library",
    [
        pytest.param(name, marks=pytest.mark.skipif(find_spec(name) is None, reason=f"needs {name}"))
        for name in ("keras", "tf_keras")
    ],
)


def subclassed(keras):
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = keras.layers.Dense(4, activation="relu")
            self.out = keras.layers.Dense(1)
            # In Keras 2 the state of a seeded dropout lies in the compiled step, and begins anew with each trace.
            self.drop = keras.layers.Dropout(0.1 if keras.__name__ == "keras" else 0.0, seed=5)

        def call(self, x, training=None):
            return self.out(self.drop(self.hidden(x), training=training))

    return Net()


def functional(keras):
    first = keras.Input((3,))
    tied = keras.layers.Dense(3, activation="tanh")
    body = keras.layers.BatchNormalization()(tied(tied(first)))
    return keras.Model(first, keras.layers.Dense(1)(body))


def sequential(keras):
    return keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])


@LIBRARIES
@pytest.mark.parametrize("make", [subclassed, functional, sequential])
def test_training_goes_on_there_as_it_would_here(library, make, tmp_path):
    keras = pytest.importorskip(library)
    keras.utils.set_random_seed(1)
    model, calls = make(keras), []

    def loss(truth, guess):  # a closure, which is called for each trace
        calls.append(1)
        return keras.losses.mean_squared_error(truth, guess)

    model.compile(keras.optimizers.Adam(0.01), loss, metrics=["mae"])
    model.fit(X, Y, **SHAPE)
    data = graphcopy.dumps({"model": model, "calls": calls, "x": X, "y": Y}, by_value=[sys.modules[__name__]])
    steps = int(model.optimizer.iterations)
    expected = {k: [float(each) for each in v] for k, v in model.fit(X, Y, **SHAPE).history.items()}
    code = f"""
import json
model, before = obj["model"], len(obj["calls"])
assert int(model.optimizer.iterations) == {steps} and before == {len(calls)}
history = model.fit(obj["x"], obj["y"], **{SHAPE!r}).history
assert len(obj["calls"]) > before, "the training step was traced again"
print(json.dumps({{k: [float(each) for each in v] for k, v in history.items()}}))
"""
    answer = json.loads(arrive(data, tmp_path / "stream", code, warnings="default").splitlines()[-1])
    assert answer.keys() == expected.keys()
    for name, values in expected.items():
        assert answer[name] == pytest.approx(values, rel=1e-6), name


@LIBRARIES
def test_layers_metrics_optimizers_and_callbacks(library, tmp_path):
    keras = pytest.importorskip(library)
    model = sequential(keras)
    model.compile("sgd", "mse")
    model.fit(X, Y, verbose=0)
    mean = keras.metrics.Mean()
    mean.update_state([1.0, 2.0])
    stop = keras.callbacks.EarlyStopping()
    stop.set_model(model)
    predict = lambda x: model.predict(x, verbose=0)
    sent = {
        "lookup": keras.layers.StringLookup(vocabulary=["a", "b"]), "mean": mean, "stop": stop, "predict": predict,
        "sgd": keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)), "model": model,
    }  # fmt: skip
    code = """
import numpy as np
assert obj["lookup"](["b"]).numpy().tolist() == [2] and float(obj["mean"].result()) == 1.5
obj["mean"].update_state([4.5])
assert float(obj["mean"].result()) == 2.5 and obj["stop"].model is obj["model"]
assert obj["predict"](np.ones((2, 3), "float32")).shape == (2, 1)
weights = [w.copy() for w in obj["model"].get_weights()]
obj["model"].set_weights([w + 1 for w in weights])
assert not np.array_equal(obj["model"].get_weights()[0], weights[0])
print("right")
"""
    data = graphcopy.dumps(sent, by_value=[sys.modules[__name__]])
    assert arrive(data, tmp_path / "stream", code, warnings="default").splitlines()[-1] == "right"
