"""GPflow models after training, after sampling priors, with posteriors and compiled functions."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
gpflow = pytest.importorskip("gpflow")

import numpy as np
import tensorflow_probability as tfp

import graphcopy

tfd = tfp.distributions
pytestmark = [pytest.mark.tensorflow]
X = np.linspace(0, 1, 12)[:, None]
Y = np.cos(5 * X)
T = np.array([[0.3], [0.9]])


def likelihood_counts():
    return (X, np.round(np.exp(Y)))


MODELS = {
    "gpr": lambda: gpflow.models.GPR((X, Y), gpflow.kernels.RBF(), noise_variance=0.1),
    "sgpr": lambda: gpflow.models.SGPR((X, Y), gpflow.kernels.Matern32(), X[::4].copy()),
    "vgp": lambda: gpflow.models.VGP((X, Y), gpflow.kernels.RBF(), gpflow.likelihoods.StudentT()),
    "svgp": lambda: gpflow.models.SVGP(
        gpflow.kernels.Matern52(), gpflow.likelihoods.Gaussian(0.1), X[::4].copy(), num_data=len(X)
    ),
    "gpmc": lambda: gpflow.models.GPMC((X, Y), gpflow.kernels.RBF(), gpflow.likelihoods.Gaussian(0.1)),
    "sum": lambda: gpflow.models.GPR(
        (X, Y), gpflow.kernels.RBF() * gpflow.kernels.Linear() + gpflow.kernels.White(0.1),
        mean_function=gpflow.mean_functions.Linear(),
    ),
    "multi": lambda: gpflow.models.SVGP(
        gpflow.kernels.SharedIndependent(gpflow.kernels.RBF(), 2), gpflow.likelihoods.Gaussian(0.1),
        gpflow.inducing_variables.SharedIndependentInducingVariables(
            gpflow.inducing_variables.InducingPoints(X[::4].copy())
        ), num_latent_gps=2, num_data=len(X),
    ),
    "poisson": lambda: gpflow.models.VGP(likelihood_counts(), gpflow.kernels.RBF(), gpflow.likelihoods.Poisson()),
    "warped": lambda: gpflow.models.GPR(
        (X, Y), gpflow.kernels.ChangePoints([gpflow.kernels.RBF(), gpflow.kernels.Matern12()], [0.5], 0.1)
    ),
}  # fmt: skip


def loss_of(model):
    targets = np.hstack([Y, -Y]) if getattr(model, "num_latent_gps", 1) == 2 else Y
    return (
        model.training_loss_closure((X, targets))
        if isinstance(model, gpflow.models.SVGP)
        else model.training_loss_closure()
    )


def train(model, steps=3):
    gpflow.optimizers.Scipy().minimize(loss_of(model), model.trainable_variables, options={"maxiter": steps})
    return [np.array(v) for v in model.trainable_variables]


def same(one, other):
    return len(one) == len(other) and all(np.allclose(a, b, atol=1e-6) for a, b in zip(one, other))


@pytest.mark.parametrize("name", MODELS)
def test_models(name):
    model = MODELS[name]()
    train(model)
    state = {"model": model, "predict": tf.function(model.predict_f), "loss": loss_of(model)}
    want = state["predict"](T)[0].numpy()
    loss = float(state["loss"]())
    copied = graphcopy.copy(state)
    values = lambda each: [np.array(v) for v in each["model"].trainable_variables]
    before = values(state)
    assert same(values(copied), before)
    assert np.allclose(copied["predict"](T)[0], want)
    assert float(copied["loss"]()) == pytest.approx(loss)
    after = train(copied["model"])
    assert same(values(state), before)
    assert not same(after, before)
    assert float(state["loss"]()) == pytest.approx(loss)
    assert float(copied["loss"]()) < loss
    assert np.allclose(copied["predict"](T)[0], copied["model"].predict_f(T)[0], atol=1e-5)
    assert same(train(model), after)


def priors():
    model = MODELS["gpr"]()
    model.kernel.variance.prior = tfd.LogNormal(tf.constant(0.0, tf.float64), tf.constant(1.0, tf.float64))
    model.kernel.lengthscales.prior = tfd.Gamma(tf.constant(2.0, tf.float64), tf.constant(1.0, tf.float64))
    return model


def test_after_sampling_priors():
    model = priors()
    for parameter in model.trainable_parameters:
        if parameter.prior is not None:
            parameter.assign(parameter.prior.sample(seed=[1, 2]))
            parameter.transform.forward(parameter.unconstrained_variable)
    want = float(model.training_loss())
    copied = graphcopy.copy(model)
    assert float(copied.training_loss()) == want
    copied.kernel.variance.assign(3.0)
    assert float(copied.training_loss()) != want
    assert float(model.training_loss()) == want
    assert copied.kernel.variance.prior is not model.kernel.variance.prior
    assert copied.kernel.variance.prior.log_prob(1.0) == model.kernel.variance.prior.log_prob(1.0)
    copied.kernel.variance.prior = None
    graphcopy.copy(copied)


def test_hamiltonian_sampling_goes_on():
    model = priors()
    gpflow.set_trainable(model.likelihood, False)
    helper = gpflow.optimizers.SamplingHelper(model.log_posterior_density, model.trainable_parameters)
    kernel = tfp.mcmc.HamiltonianMonteCarlo(helper.target_log_prob_fn, step_size=0.01, num_leapfrog_steps=2)
    state = {"model": model, "helper": helper, "kernel": kernel}

    def draw(each):
        samples = tfp.mcmc.sample_chain(
            3, current_state=each["helper"].current_state, kernel=each["kernel"], trace_fn=None, seed=[1, 2]
        )
        return [np.array(s) for s in samples]

    draw(state)
    copied = graphcopy.copy(state)
    copied["model"].kernel.variance.assign(4.0)
    model.kernel.variance.assign(4.0)
    assert same(draw(copied), draw(state))


def test_growing_data_and_posterior():
    x, y = (tf.Variable(v, shape=[None, 1], trainable=False) for v in (X, Y))
    model = gpflow.models.GPR((x, y), gpflow.kernels.RBF(), noise_variance=1e-2)
    posterior = model.posterior(gpflow.posteriors.PrecomputeCacheType.VARIABLE)
    state = {"x": x, "y": y, "model": model, "posterior": posterior, "predict": tf.function(posterior.predict_f)}
    want = state["predict"](T)[0].numpy()
    copied = graphcopy.copy(state)
    assert copied["model"].data[0] is copied["x"]
    assert copied["posterior"].X_data is copied["x"]
    assert copied["posterior"].kernel is copied["model"].kernel
    assert copied["x"].shape.as_list() == [None, 1]
    copied["x"].assign(np.r_[X, [[2.0]]])
    copied["y"].assign(np.r_[Y, [[7.0]]])
    copied["posterior"].update_cache()
    assert np.allclose(copied["predict"](T)[0], copied["model"].predict_f(T)[0], atol=1e-5)
    assert np.allclose(state["predict"](T)[0], want)
    assert x.numpy().shape == (12, 1)


@pytest.mark.parametrize("with_hook", [True, False])
def test_scipy_optimizer_starts_with_an_empty_cache(with_hook, monkeypatch):
    if not with_hook:
        monkeypatch.delattr(gpflow.optimizers.Scipy, "__getstate__")
    model, optimizer = MODELS["gpr"](), gpflow.optimizers.Scipy()
    optimizer.minimize(model.training_loss, model.trainable_variables, options={"maxiter": 1})
    copied = graphcopy.copy({"model": model, "optimizer": optimizer})
    assert len(optimizer.compile_cache) == 1
    assert len(copied["optimizer"].compile_cache) == 0
    before = [np.array(v) for v in model.trainable_variables]
    copied["optimizer"].minimize(
        copied["model"].training_loss, copied["model"].trainable_variables, options={"maxiter": 2}
    )
    assert same([np.array(v) for v in model.trainable_variables], before)


def test_natural_gradients_beside_adam():
    keras = pytest.importorskip("tf_keras")
    model = MODELS["svgp"]()
    gpflow.set_trainable(model.q_mu, False)
    gpflow.set_trainable(model.q_sqrt, False)
    state = {"model": model, "nat": gpflow.optimizers.NaturalGradient(0.1), "adam": keras.optimizers.Adam(0.01)}
    state["loss"] = model.training_loss_closure((X, Y))

    def step(each):
        each["nat"].minimize(each["loss"], [(each["model"].q_mu, each["model"].q_sqrt)])
        each["adam"].minimize(each["loss"], each["model"].trainable_variables)
        return float(each["loss"]())

    step(state)
    copied = graphcopy.copy(state)
    loss = float(state["loss"]())
    ahead = step(copied)
    assert float(state["loss"]()) == pytest.approx(loss)
    assert step(state) == pytest.approx(ahead)


def test_fixed_and_frozen_parameters():
    model = MODELS["gpr"]()
    gpflow.set_trainable(model.likelihood, False)
    model.kernel.lengthscales = gpflow.Parameter(0.5, transform=tfp.bijectors.Sigmoid(np.float64(0.1), np.float64(2.0)))
    copied = graphcopy.copy(model)
    assert len(copied.trainable_variables) == len(model.trainable_variables)
    assert float(copied.kernel.lengthscales.numpy()) == pytest.approx(0.5)
    copied.kernel.lengthscales.assign(1.5)
    assert float(model.kernel.lengthscales.numpy()) == pytest.approx(0.5)
    assert gpflow.utilities.parameter_dict(copied).keys() == gpflow.utilities.parameter_dict(model).keys()


def test_the_originals_bijectors_are_left_alone():
    model = MODELS["gpr"]()
    transform = model.kernel.variance.transform
    graphcopy.copy(model)
    assert model.kernel.variance.transform is transform
