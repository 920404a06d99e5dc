"""What hangs on Keras models: callbacks, histories, metrics, seeds, vocabularies; and copies of copies."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras", minversion="3.0")

import threading

import numpy as np
import tensorflow as tf
from keras import layers
from keras_twins import X, Y, check_pair, fit, same, weights

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def small():
    model = keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
    return model


class Watch(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.lock, self.epochs = threading.Lock(), 0

    def on_epoch_end(self, epoch, logs=None):
        with self.lock:
            self.epochs += 1


def test_callbacks_refer_to_the_copied_model():
    watch, losses = Watch(), []
    callbacks = [
        watch,
        keras.callbacks.EarlyStopping("loss", patience=3, restore_best_weights=True),
        keras.callbacks.ReduceLROnPlateau("loss", patience=1),
        keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: losses.append(logs["loss"])),
        keras.callbacks.TerminateOnNaN(),
        keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5),
    ]
    state = {"model": small(), "callbacks": callbacks, "losses": losses}
    state["history"] = state["model"].fit(X, Y, epochs=2, verbose=0, shuffle=False, callbacks=callbacks)
    copied = graphcopy.copy(state)
    assert all(each.model is copied["model"] for each in copied["callbacks"])
    assert copied["history"].model is copied["model"]
    assert copied["model"].history is copied["history"]
    assert copied["history"].history == state["history"].history
    train = lambda each: each["model"].fit(X, Y, verbose=0, shuffle=False, callbacks=each["callbacks"]).history
    assert train(copied) == train(state)
    assert watch.epochs == 3 == copied["callbacks"][0].epochs
    assert len(losses) == len(copied["losses"]) == 3
    assert copied["losses"] is not losses


def test_a_callback_that_writes_for_tensorboard(tmp_path):
    pytest.importorskip("tensorboard")
    board = keras.callbacks.TensorBoard(tmp_path, update_freq="epoch")
    model = small()
    model.fit(X, Y, verbose=0, callbacks=[board])
    copied = graphcopy.copy({"model": model, "board": board})
    fit(copied["model"], callbacks=[copied["board"]])
    fit(model, callbacks=[board])


@pytest.mark.parametrize(
    "make",
    [
        keras.metrics.Mean,
        keras.metrics.AUC,
        keras.metrics.MeanSquaredError,
        lambda: keras.metrics.F1Score(threshold=0.5),
        lambda: keras.metrics.MeanMetricWrapper(lambda a, b: abs(a - b)),
        keras.metrics.R2Score,
    ],
    ids=["mean", "auc", "mse", "f1", "wrapper", "r2"],
)
def test_metric_state(make):
    metric = make()
    truth, guess = np.array([[0.0], [1.0], [1.0]], "float32"), np.array([[0.1], [0.4], [0.9]], "float32")
    data = (truth,) if type(metric) is keras.metrics.Mean else (truth, guess)
    feed = lambda each: each.update_state(*data)
    feed(metric)
    copied = graphcopy.copy(metric)
    assert np.allclose(copied.result(), metric.result())
    copied.reset_state()
    assert not same([np.array(v) for v in copied.variables], [np.array(v) for v in metric.variables])
    feed(copied)
    assert np.allclose(copied.result(), metric.result())


def test_seed_generators_go_on_in_step():
    seeds = keras.random.SeedGenerator(5)
    draw = tf.function(lambda: keras.random.normal((3,), seed=seeds))
    state = {"seeds": seeds, "draw": draw, "drop": layers.Dropout(0.5, seed=11)}
    draw(), state["drop"](X, training=True)
    copied = graphcopy.copy(state)
    assert copied["seeds"] is not seeds
    one, two = copied["draw"]().numpy(), copied["draw"]().numpy()
    assert np.array_equal(one, draw())
    assert np.array_equal(two, draw())
    assert not np.array_equal(one, two)
    assert np.array_equal(copied["drop"](X, training=True), state["drop"](X, training=True))


def test_vocabularies_are_the_copys_own():
    lookup = layers.StringLookup(vocabulary=["red", "green"])
    numbers = layers.IntegerLookup(vocabulary=[3, 7], output_mode="one_hot")
    text = layers.TextVectorization(output_sequence_length=3)
    text.adapt(["red car", "green car"])
    words = tf.constant(["red", "blue"])
    state = {"lookup": lookup, "numbers": numbers, "text": text, "all": [lookup, numbers, text]}
    state["encode"] = tf.function(lambda w: (lookup(w), text(w)))
    state["encode"](words)
    copied = graphcopy.copy(state)
    assert copied["all"][0] is copied["lookup"]
    assert same(copied["encode"](words), state["encode"](words))
    assert np.array_equal(copied["numbers"]([[3]]), numbers([[3]]))
    assert copied["text"].get_vocabulary() == text.get_vocabulary()
    copied["lookup"].set_vocabulary(["blue", "red"])
    copied["text"].adapt(["blue"])
    assert copied["lookup"](words).numpy().tolist() == [2, 1]
    assert lookup(words).numpy().tolist() == [1, 0]
    assert text(words).numpy().tolist() == state["encode"](words)[1].numpy().tolist()


def test_a_vocabulary_still_being_adapted():
    lookup = layers.StringLookup()
    lookup.adapt(tf.constant(["a", "b", "b"]))
    copied = graphcopy.copy(lookup)
    assert copied.get_vocabulary() == lookup.get_vocabulary()
    copied.adapt(tf.constant(["z"]))
    assert lookup.get_vocabulary() == ["[UNK]", "b", "a"]
    assert "z" in copied.get_vocabulary()


def test_preprocessing_state():
    scale, bins = layers.Normalization(), layers.Discretization(num_bins=3)
    scale.adapt(X)
    bins.adapt(X[:, 0])
    crossed = layers.HashedCrossing(num_bins=5)
    copied = graphcopy.copy([scale, bins, crossed, layers.Hashing(num_bins=3), layers.RandomRotation(0.2, seed=1)])
    assert np.allclose(copied[0](X), scale(X))
    assert np.array_equal(copied[1](X[:, 0]), bins(X[:, 0]))
    copied[0].adapt(X * 9)
    assert not np.allclose(copied[0](X), scale(X))


def test_a_model_with_its_preprocessing_inside():
    scale = layers.Normalization()
    scale.adapt(X)
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Dense(1)(scale(inputs)))
    model.compile("adam", "mse")
    fit(model)
    check_pair(model, graphcopy.copy(model))


def test_a_copy_of_a_copy():
    model = small()
    fit(model)
    once = graphcopy.copy(model)
    fit(once)
    check_pair(once, graphcopy.copy(once))


def test_many_copies_do_not_meet():
    model = small()
    fit(model)
    copies = [graphcopy.copy(model) for _ in range(3)]
    fit(copies[0])
    assert same(weights(copies[1]), weights(model))
    assert not same(weights(copies[0]), weights(model))


def test_symbolic_tensors_and_initializers_stay_usable():
    inputs = keras.Input((3,))
    state = {
        "inputs": inputs,
        "out": layers.Dense(2, kernel_initializer=keras.initializers.RandomNormal(seed=1))(inputs),
    }
    copied = graphcopy.copy(state)
    model = keras.Model(copied["inputs"], copied["out"])
    assert model(X).shape == (16, 2)
    assert copied["inputs"] is model.inputs[0]


def test_the_plan_of_a_model_names_no_culprit():
    model = small()
    fit(model)
    plan = graphcopy.plan(model)
    assert plan.culprits == []
    check_pair(model, plan.copy())
