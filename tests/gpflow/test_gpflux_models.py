"""Deep Gaussian processes of GPflux: Keras 2 functional models over layers that are GPflow modules."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
gpflux = pytest.importorskip("gpflux")

import gpflow
import numpy as np
import tf_keras

import graphcopy

pytestmark = [pytest.mark.tensorflow]
X = np.linspace(0, 1, 10)[:, None]
Y = np.sin(6 * X)
DATA = {"inputs": X, "targets": Y}


def deep_gp():
    tf_keras.backend.set_floatx("float64")
    layers = []
    for _ in range(2):
        kernel = gpflux.helpers.construct_basic_kernel(gpflow.kernels.RBF(), output_dim=1, share_hyperparams=True)
        points = gpflux.helpers.construct_basic_inducing_variables(4, 1, share_variables=True, z_init=X[::3].copy())
        layers.append(gpflux.layers.GPLayer(kernel, points, num_data=10, num_latent_gps=1, mean_function=None))
    return gpflux.models.DeepGP(layers, gpflux.layers.LikelihoodLayer(gpflow.likelihoods.Gaussian(0.1)))


def trained():
    dgp = deep_gp()
    train = dgp.as_training_model()
    train.compile(tf_keras.optimizers.Adam(0.01))
    train.fit(DATA, epochs=2, verbose=0, shuffle=False)
    return {"dgp": dgp, "train": train, "predict": dgp.as_prediction_model()}


def values(state):
    return [np.array(v) for v in state["dgp"].trainable_variables]


def same(one, other):
    return len(one) == len(other) and all(np.allclose(a, b) for a, b in zip(one, other))


def mean(state):
    tf.random.set_seed(0)  # the inner layers are sampled
    return state["predict"](X).f_mean.numpy()


def test_training_and_prediction():
    state = trained()
    before, want = values(state), mean(state)
    copied = graphcopy.copy(state)
    assert same(values(copied), before)
    assert np.allclose(mean(copied), want)
    copied["train"].fit(DATA, epochs=1, verbose=0, shuffle=False)
    assert same(values(state), before)
    assert not same(values(copied), before)
    assert int(copied["train"].optimizer.iterations) == 3
    assert int(state["train"].optimizer.iterations) == 2
    copied["dgp"].f_layers[1].q_mu.assign(3.0 * np.ones((4, 1)))
    assert not np.allclose(mean(copied), want, atol=1e-1)
    assert np.allclose(mean(state), want)
    assert copied["train"].layers[1] is copied["dgp"].f_layers[0] or any(
        layer is copied["dgp"].f_layers[0] for layer in copied["train"].layers
    )


def test_new_models_can_be_made_from_the_copy():
    state = trained()
    copied = graphcopy.copy(state["dgp"])
    again = copied.as_training_model()
    again.compile(tf_keras.optimizers.Adam(0.01))
    again.fit(DATA, epochs=1, verbose=0)
    assert same(values({"dgp": state["dgp"]}), values(state))
    assert copied.predict_f(X)[0].shape == (10, 1)


def test_losses_of_the_layers_can_be_read():
    copied = graphcopy.copy(trained())
    for layer in copied["dgp"].f_layers:
        assert all(loss is not None for loss in layer.losses)
    copied["predict"](X)
    assert all(layer.losses for layer in copied["dgp"].f_layers)
