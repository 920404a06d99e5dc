"""A copy is saved, exported and loaded like the original, and what was loaded goes on with it: Keras 3 and Keras 2."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import numpy as np
from keras_twins import X, fit, mse, same, small, state, values

import graphcopy

pytestmark = [pytest.mark.tensorflow]


@pytest.fixture(params=["drop", "keep"])
def rules(request):
    """Traces dropped, and kept."""
    return [graphcopy.tf_rules(traces="keep")] if request.param == "keep" else []


def functional(lib):
    inputs = lib.Input((3,))
    hidden = lib.layers.BatchNormalization()(lib.layers.Dense(4, activation="relu")(inputs))
    model = lib.Model(inputs, lib.layers.Dense(1)(hidden))
    model.compile(lib.optimizers.Adam(0.05), mse(lib))
    return model


@pytest.mark.parametrize("make", [small, functional])
def test_a_copy_is_saved_and_loaded_and_goes_on(lib, rules, make, tmp_path):
    model = make(lib)
    fit(model)
    copied = graphcopy.copy(model, rules=rules)
    fit(copied)
    ask = lambda each: np.array(each(tf.constant(X)))
    wanted, theirs = ask(copied), state(copied)
    copied.save(tmp_path / "copied.keras")
    loaded = lib.models.load_model(tmp_path / "copied.keras")
    assert np.allclose(ask(loaded), wanted, atol=1e-6)
    assert same(values(loaded.optimizer.variables), values(copied.optimizer.variables), 1e-6)
    tf.saved_model.save(copied, str(tmp_path / "saved"))
    assert np.allclose(_served(tf.saved_model.load(str(tmp_path / "saved"))), wanted, atol=1e-5)
    copied.export(str(tmp_path / "exported"))
    served = tf.saved_model.load(str(tmp_path / "exported"))
    assert np.allclose(served.serve(tf.constant(X)), wanted, atol=1e-5)
    assert same(state(copied), theirs), "saving changed the copy"
    again = graphcopy.copy(served)
    assert np.allclose(again.serve(tf.constant(X)), wanted, atol=1e-5)
    fit(loaded), fit(copied), fit(model), fit(model)
    assert same(values(copied.weights), values(model.weights), 1e-6)
    assert same(values(loaded.weights), values(model.weights), 1e-5)
    copied.save(tmp_path / "copied.h5")  # last: in Keras 3 it takes the settings of compile away from what it saves
    loaded = lib.models.load_model(tmp_path / "copied.h5")
    assert np.allclose(ask(loaded), ask(copied), atol=1e-6)


def _served(loaded):
    (out,) = loaded.signatures["serving_default"](tf.constant(X)).values()
    return out
