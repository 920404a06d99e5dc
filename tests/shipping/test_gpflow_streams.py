"""GPflow models, tfp distributions and Trieste's wrappers go on in another process."""

from __future__ import annotations

import os
import sys

import pytest
from fresh_process import arrive

gpflow = pytest.importorskip("gpflow")
import numpy as np
import tensorflow as tf

import graphcopy

pytestmark = [pytest.mark.tensorflow]
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

X = np.linspace(0, 1, 20).reshape(-1, 1)
Y = np.sin(6 * X)


def works(obj, tmp_path, code):
    data = graphcopy.dumps(obj, by_value=[sys.modules[__name__]])
    return arrive(data, tmp_path / "stream", code, warnings="default").splitlines()[-1]


def test_a_model_and_its_loss_closure_are_trained_on(tmp_path):
    model = gpflow.models.GPR((X, Y), gpflow.kernels.SquaredExponential())
    loss = model.training_loss_closure()
    gpflow.optimizers.Scipy().minimize(loss, model.trainable_variables, options={"maxiter": 2})
    mean = model.predict_f(X)[0].numpy()
    code = """
import gpflow, numpy as np
model, loss = obj["model"], obj["loss"]
assert np.allclose(model.predict_f(obj["x"])[0].numpy(), obj["mean"], rtol=1e-12)
before = float(model.training_loss())
assert float(loss()) == before
gpflow.optimizers.Scipy().minimize(loss, model.trainable_variables, options={"maxiter": 20})
assert float(model.training_loss()) < before - 1
print("right")
"""
    before = float(model.training_loss())
    assert works({"model": model, "loss": loss, "x": X, "mean": mean}, tmp_path, code) == "right"
    assert float(model.training_loss()) == before


def test_a_sparse_model_with_its_traced_step(tmp_path):
    inducing = X[::4].copy()
    model = gpflow.models.SVGP(
        gpflow.kernels.Matern52() + gpflow.kernels.White(), gpflow.likelihoods.Gaussian(), inducing, num_data=20
    )
    gpflow.set_trainable(model.inducing_variable, False)
    model.likelihood.variance.prior = None
    optimizer = tf.keras.optimizers.Adam(0.1)
    optimizer.build(model.trainable_variables)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = model.training_loss((X, Y))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    step()
    code = """
model, step = obj["model"], obj["step"]
assert len(model.trainable_variables) == obj["count"] and step.experimental_get_tracing_count() == 0
losses = [float(step()) for _ in range(5)]
assert losses[-1] < losses[0] and step.experimental_get_tracing_count() == 1
assert abs(losses[0] - obj["expected"]) < 1e-9, (losses, obj["expected"])
assert int(obj["optimizer"].iterations) == 6
print("right")
"""
    sent = {
        "model": model, "step": step, "optimizer": optimizer, "count": len(model.trainable_variables),
        "expected": float(model.training_loss((X, Y))),
    }  # fmt: skip
    assert works(sent, tmp_path, code) == "right"


def test_distributions_and_bijectors(tmp_path):
    tfp = pytest.importorskip("tensorflow_probability")
    scale = tf.Variable(2.0)
    made = tfp.distributions.TransformedDistribution(tfp.distributions.Normal(0.0, scale), tfp.bijectors.Exp())
    made.log_prob(2.0)
    code = """
assert abs(float(obj["made"].log_prob(2.0)) - obj["expected"]) < 1e-6
obj["scale"].assign(1.0)
assert abs(float(obj["made"].log_prob(1.0)) + 0.9189385) < 1e-6
print("right")
"""
    sent = {"made": made, "scale": scale, "expected": float(made.log_prob(2.0))}
    assert works(sent, tmp_path, code) == "right"


def test_a_trieste_model(tmp_path):
    trieste = pytest.importorskip("trieste")
    from trieste.models.gpflow import GaussianProcessRegression

    data = trieste.data.Dataset(tf.constant(X), tf.constant(Y))
    model = GaussianProcessRegression(gpflow.models.GPR((X, Y), gpflow.kernels.Matern52()))
    model.update(data)
    model.optimize(data)
    mean = model.predict(data.query_points)[0].numpy()
    code = """
import numpy as np
model, data = obj["model"], obj["data"]
assert np.allclose(model.predict(data.query_points)[0].numpy(), obj["mean"], rtol=1e-10)
model.update(data)
model.optimize(data)
print("right")
"""
    assert works({"model": model, "data": data, "mean": mean}, tmp_path, code) == "right"
