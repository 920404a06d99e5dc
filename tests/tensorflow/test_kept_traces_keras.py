"""A Keras model, Keras 3 or tf_keras, that keeps its traces of training, prediction and evaluation."""

from __future__ import annotations

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

pytestmark = [pytest.mark.tensorflow]

KEEP = graphcopy.tf_rules(traces="keep")
ROWS = np.linspace(0.0, 1.0, 48, dtype="float32").reshape(16, 3)
TARGETS = ROWS.sum(axis=1, keepdims=True)


@pytest.fixture
def keras(lib):
    return lib


def trained(keras, **settings):
    """A model that has been trained, evaluated and asked; and a list that grows when Python code of a layer runs."""
    keras.utils.set_random_seed(0)
    log = []

    class Doubled(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(4, activation="swish")

        def call(self, x, training=False):
            log.append("traced")
            return 2.0 * self.dense(x)

    model = keras.Sequential([Doubled(), keras.layers.BatchNormalization(), Doubled(), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"], **settings)
    train(model)
    model.predict(ROWS, verbose=0)
    model.evaluate(ROWS, TARGETS, verbose=0)
    return model, log


def train(model):
    return model.fit(ROWS, TARGETS, epochs=2, batch_size=8, shuffle=False, verbose=0).history


@pytest.mark.parametrize("settings", [{}, {"jit_compile": True}], ids=str)
def test_a_model_goes_on_without_a_new_trace(keras, settings):
    model, log = trained(keras, **settings)
    new, receipt = graphcopy.copy(model, rules=[KEEP], receipt=True)
    assert not [entry for entry in receipt if "traces" in entry.lost]
    before = new.predict(ROWS, verbose=0)
    traced = len(log)
    assert np.array_equal(before, model.predict(ROWS, verbose=0))
    history = train(new)
    assert np.array_equal(before, model.predict(ROWS, verbose=0))
    expected = train(model)
    for name in expected:
        assert history[name] == pytest.approx(expected[name], rel=1e-5)
    for one, other in zip(model.get_weights(), new.get_weights()):
        assert np.allclose(one, other, atol=1e-6)
    assert new.evaluate(ROWS, TARGETS, verbose=0) == pytest.approx(model.evaluate(ROWS, TARGETS, verbose=0), rel=1e-5)
    assert len(log) == traced


def test_a_custom_step_and_a_loop_of_ones_own(keras):
    log = []

    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)

        def call(self, x):
            log.append("traced")
            return self.dense(x)

    class Loop:
        def __init__(self):
            keras.utils.set_random_seed(0)
            self.model = Model()
            self.optimizer = keras.optimizers.SGD(0.01, momentum=0.5)

        @tf.function
        def step(self, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.model(x) - y) ** 2)
            slopes = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(slopes, self.model.trainable_variables))
            return loss

    loop = Loop()
    x, y = tf.constant(ROWS), tf.constant(TARGETS)
    for _ in range(2):
        loop.step(x, y)
    traced = len(log)
    new = graphcopy.copy(loop, rules=[KEEP])
    losses = [float(new.step(x, y)) for _ in range(3)]
    assert losses == pytest.approx([float(loop.step(x, y)) for _ in range(3)])
    assert losses[2] < losses[0]
    assert len(log) == traced
