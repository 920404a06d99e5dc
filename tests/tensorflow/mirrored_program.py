"""Run by test_tf_mirrored in a process of its own, with two logical CPUs; prints what it found."""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

import graphcopy

(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def variables():
    with strategy.scope():
        held = {
            "value": tf.Variable(1.0),
            "count": tf.Variable(
                0.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM
            ),
            "strategy": strategy,
        }
    copied = graphcopy.copy(held)
    assert copied["strategy"] is strategy is copied["value"].distribute_strategy
    assert type(copied["value"]) is type(held["value"]) and type(copied["count"]) is type(held["count"])
    pairs = [pair for name in ("value", "count") for pair in zip(held[name].values, copied[name].values)]
    print(sum(ours.handle is not theirs.handle and ours.device == theirs.device for ours, theirs in pairs), len(pairs))

    @tf.function
    def step():
        copied["value"].assign_add(1.0)
        copied["count"].assign_add(1.0)

    strategy.run(step)
    assert [float(each) for each in copied["value"].values] == [2.0, 2.0]
    assert float(copied["count"].read_value()) == 2.0
    assert [float(each) for each in held["value"].values] == [1.0, 1.0]
    assert float(held["count"].read_value()) == 0.0


def kept_traces():
    with strategy.scope():
        held = {"value": tf.Variable(1.0)}
        held["slot"] = tf.Variable(0.0)
    log = []

    @tf.function
    def step(x):
        log.append("traced")

        def replica(x):
            held["slot"].assign_add(x)
            held["value"].assign_add(x * held["slot"])
            return held["value"] * x

        return strategy.reduce("SUM", strategy.run(replica, args=(x,)), axis=None)

    def state(each):
        return [float(v) for name in ("value", "slot") for v in each[name].values]

    held["step"] = step
    step(tf.constant(1.0))
    traced, before = len(log), state(held)
    copied, receipt = graphcopy.copy(held, rules=[graphcopy.tf_rules(traces="keep")], receipt=True)
    dropped = any("traces" in str(entry.lost) for entry in receipt)
    print("kept traces:", "no: " + str(receipt) if dropped else "yes")
    theirs = [float(copied["step"](tf.constant(2.0))) for _ in range(2)]
    assert state(held) == before, (state(held), before)
    after = state(copied)
    assert [float(step(tf.constant(2.0))) for _ in range(2)] == theirs
    assert state(held) == after == state(copied)
    assert dropped or len(log) == traced


def iterators():
    spread = iter(strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(2)))
    try:
        graphcopy.copy([spread])
    except graphcopy.CopyError as error:
        (culprit,) = error.culprits
        assert str(culprit.path) == "obj[0]" and "position" in culprit.reason and "iter(dataset)" in culprit.advice
    else:
        raise AssertionError("an iterator over several devices was copied")


def model(keras):
    with strategy.scope():
        made = keras.Sequential(
            [keras.Input((3,)), keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dense(1)]
        )
        made.compile("adam", "mse", metrics=["mae"])
    x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
    y = x.sum(1, keepdims=True)
    train = lambda each: each.fit(x, y, epochs=2, batch_size=8, verbose=0, shuffle=False)
    train(made)
    before = made.get_weights()
    copied = graphcopy.copy(made)
    keeping = graphcopy.copy(made, rules=[graphcopy.tf_rules(traces="keep")])
    train(copied), train(keeping)
    assert all(np.allclose(a, b) for a, b in zip(copied.get_weights(), keeping.get_weights()))
    assert all(np.array_equal(a, b) for a, b in zip(before, made.get_weights()))
    assert not any(np.array_equal(a, b) for a, b in zip(before[:2], copied.get_weights()))
    after = copied.get_weights()
    train(made)
    assert all(np.array_equal(a, b) for a, b in zip(after, copied.get_weights()))
    assert all(np.allclose(a, b) for a, b in zip(after, made.get_weights()))


if __name__ == "__main__":
    variables()
    kept_traces()
    iterators()
    for name in ("keras", "tf_keras"):
        if find_spec(name):
            model(importlib.import_module(name))
    print("right")
