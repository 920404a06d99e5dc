"""Optimizers of Keras 3: slots, wrappers, averages, schedules; filed under the copy's variables."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras", minversion="3.0")

import numpy as np
import tensorflow as tf
from keras import layers, optimizers
from keras_twins import X, Y, check_twins, fit, same

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def model_with(optimizer):
    model = keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="tanh"), layers.Dense(1)])
    model.compile(optimizer, "mse")
    fit(model)
    return model


@pytest.mark.parametrize(
    "name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl", "Lion", "Adafactor"]
)
def test_kinds(name):
    options = {"momentum": 0.9} if name == "SGD" else {}
    check_twins(model_with(getattr(optimizers, name)(learning_rate=0.05, **options)))


@pytest.mark.parametrize(
    "options",
    [
        {"use_ema": True, "ema_overwrite_frequency": 3},
        {"gradient_accumulation_steps": 3},
        {"clipnorm": 0.5, "weight_decay": 0.01},
        {"global_clipnorm": 0.5},
        {"loss_scale_factor": 8.0},
        {"amsgrad": True},
    ],
    ids=lambda options: next(iter(options)),
)
def test_options(options):
    check_twins(model_with(optimizers.Adam(0.05, **options)))


def test_learning_rate_schedule():
    schedule = optimizers.schedules.ExponentialDecay(0.1, decay_steps=1, decay_rate=0.5)
    check_twins(model_with(optimizers.SGD(schedule)))


def test_loss_scaling():
    model = model_with(optimizers.LossScaleOptimizer(optimizers.Adam(0.05), dynamic_growth_steps=1))
    copied = check_twins(model)
    assert copied.optimizer.inner_optimizer is not model.optimizer.inner_optimizer
    assert copied.optimizer.inner_optimizer.iterations == model.optimizer.inner_optimizer.iterations


def test_mixed_precision():
    with_policy = keras.Sequential([
        keras.Input((3,)), layers.Dense(4, dtype="mixed_float16"), layers.Dense(1, dtype="float32"),
    ])  # fmt: skip
    with_policy.compile(optimizers.LossScaleOptimizer(optimizers.SGD(0.05)), "mse")
    fit(with_policy)
    copied = check_twins(with_policy, tolerance=1e-3)
    assert copied.layers[0].compute_dtype == "float16"


@pytest.mark.skipif(not hasattr(optimizers, "MultiOptimizer"), reason="since Keras 3.13")
def test_several_optimizers():
    choice = optimizers.OptimizerMap(optimizers.Adam(0.05), {".*bias": optimizers.SGD(0.1, momentum=0.9)})
    check_twins(model_with(optimizers.MultiOptimizer(choice)))


def test_an_optimizer_of_variables_without_a_model():
    weights = [tf.Variable([1.0, -2.0]), keras.Variable([[3.0]])]
    optimizer = optimizers.Adam(0.1)
    state = {"optimizer": optimizer, "weights": weights}

    def step(each):
        each["optimizer"].apply([tf.constant([1.0, 2.0]), tf.constant([[1.0]])], each["weights"])

    step(state)
    step(state)
    copied = graphcopy.copy(state)
    assert same(copied["optimizer"].variables, optimizer.variables)
    step(copied)
    assert int(optimizer.iterations) == 2
    step(state)
    assert same(copied["weights"], weights)
    assert same(copied["optimizer"].variables, optimizer.variables)
    assert len(copied["optimizer"].variables) == len(optimizer.variables)


def test_an_optimizer_copied_without_its_variables_brings_them_along():
    weight = keras.Variable([1.0])
    optimizer = optimizers.Adam(0.1)
    optimizer.apply([tf.constant([1.0])], [weight])
    copied = graphcopy.copy(optimizer)
    (own,) = copied._trainable_variables
    assert own is not weight
    copied.apply([tf.constant([1.0])], [own])
    assert np.allclose(weight, [0.9], atol=1e-4)


class Tuned(optimizers.Optimizer):
    """A user's optimizer, with state of its own and no get_config."""

    def __init__(self, decide):
        super().__init__(learning_rate=0.1)
        self.decide, self.calls = decide, []

    def build(self, variables):
        super().build(variables)
        self.slots = [self.add_variable_from_reference(v, name="slot") for v in variables]

    def update_step(self, gradient, variable, learning_rate):
        slot = self.slots[self._get_variable_index(variable)]
        self.assign_add(slot, gradient)
        self.assign_sub(variable, self.decide(slot) * learning_rate)


def test_a_users_optimizer():
    model = model_with(Tuned(lambda slot: slot * 0.5))
    copied = check_twins(model)
    assert copied.optimizer.calls is not model.optimizer.calls


def test_the_fitted_model_of_a_search_keeps_its_optimizer():
    model = model_with(optimizers.Adam(0.05))
    trials = {"best": model, "optimizer": model.optimizer, "variables": model.trainable_variables, "x": X, "y": Y}
    copied = graphcopy.copy(trials)
    assert copied["best"].optimizer is copied["optimizer"]
    assert all(a is b for a, b in zip(copied["variables"], copied["best"].trainable_variables))
