"""What the copy does with models of GPflow and GPflux, and what that costs: rows of the table in the docs."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
gpflow = pytest.importorskip("gpflow")

import numpy as np
import tensorflow_probability as tfp

import graphcopy

pytestmark = [pytest.mark.tensorflow]
X = np.linspace(0, 1, 12)[:, None]
Y = np.cos(5 * X)


def size(variables):
    return sum(v.numpy().nbytes for v in {id(v): v for v in variables}.values())


@pytest.fixture(params=["with hooks", "without hooks"])
def hooks(request, monkeypatch):
    """GPflow's own hook, and without it; GPflow empties the caches of bijectors itself, graphcopy need not."""
    if request.param == "without hooks":
        monkeypatch.delattr(gpflow.optimizers.Scipy, "__getstate__")


def sampled():
    """A model whose hyperparameters were drawn from their priors, and whose bijectors hold what they were asked for."""
    model = gpflow.models.GPR((X, Y), gpflow.kernels.RBF(), noise_variance=0.1)
    number = lambda value: tf.constant(value, tf.float64)
    model.kernel.variance.prior = tfp.distributions.LogNormal(number(0.0), number(1.0))
    model.kernel.lengthscales.prior = tfp.distributions.Gamma(number(2.0), number(1.0))
    model.asked = []
    for parameter in (model.kernel.variance, model.kernel.lengthscales):
        parameter.assign(parameter.prior.sample(seed=[1, 2]))
        value = tf.identity(parameter.unconstrained_variable)
        model.asked.append((parameter.transform, value, parameter.transform.forward(value)))
    return model


def remembered(model):
    """Tell whether the bijectors give back, out of their caches, the very tensors that they were asked for."""
    return all(transform.inverse(image) is value for transform, value, image in model.asked)


def train(model, optimizer):
    return optimizer.minimize(model.training_loss, model.trainable_variables, options={"maxiter": 3}).fun


def test_models(kind, hooks):
    kind("GPflow model, parameters with priors and bijectors", copied="own variables; sampled and trained on")
    model, optimizer = sampled(), gpflow.optimizers.Scipy()
    train(model, optimizer)
    with kind.counting() as spent:
        copied, own = graphcopy.copy((model, optimizer))
    assert size(copied.variables) == size(model.variables)
    assert not {id(v.handle) for v in copied.variables} & {id(v.handle) for v in model.variables}
    before = float(model.training_loss())
    assert float(copied.training_loss()) == before
    density = float(model.log_posterior_density())
    for parameter in (copied.kernel.variance, copied.kernel.lengthscales):
        parameter.assign(parameter.prior.sample(seed=[3, 4]))
    assert float(copied.log_posterior_density()) != density == float(model.log_posterior_density())
    again, _ = graphcopy.copy((model, optimizer))
    reached = train(again, own)
    assert float(model.training_loss()) == before > reached
    assert train(model, optimizer) == pytest.approx(reached)
    assert spent.traces == 0
    kind.costs("its variables, once each", "no trace; the Scipy optimizer compiles its loss anew")


def test_caches_of_the_originals_bijectors_are_left_alone():
    model = sampled()
    assert remembered(model)
    copied = graphcopy.copy(model)
    assert remembered(model), "the copy emptied the caches of the original"
    for (ours, value, _), (theirs, same, image) in zip(model.asked, copied.asked):
        assert theirs is not ours and same is value, "tensors are shared, bijectors are not"
        assert float(theirs.inverse(image)) == pytest.approx(float(value))
    variable = copied.kernel.variance.unconstrained_variable
    variable.assign(0.25)
    fresh = gpflow.Parameter(1.0, transform=gpflow.utilities.positive())
    fresh.unconstrained_variable.assign(0.25)
    assert float(copied.kernel.variance.transform.forward(variable)) == pytest.approx(float(fresh.numpy()))
    assert float(copied.kernel.variance.numpy()) == pytest.approx(float(fresh.numpy()))


def test_posteriors(kind):
    kind("GPflow posterior with its cache", copied="over the copied model, data and cache")
    model = gpflow.models.GPR((X, Y), gpflow.kernels.RBF(), noise_variance=0.1)
    posterior = model.posterior(gpflow.posteriors.PrecomputeCacheType.VARIABLE)
    copied, own = graphcopy.copy((posterior, model))
    assert copied.kernel is own.kernel
    want, cache = posterior.predict_f(X)[0].numpy(), [v.numpy() for v in posterior.cache]
    assert all(np.array_equal(a, b) for a, b in zip(copied.cache, cache))
    own.kernel.lengthscales.assign(0.1)
    copied.update_cache()
    assert np.allclose(copied.predict_f(X)[0], own.predict_f(X)[0], atol=1e-5)
    assert not np.allclose(copied.predict_f(X)[0], want)
    assert all(np.array_equal(a, b) for a, b in zip(posterior.cache, cache))
    assert np.array_equal(posterior.predict_f(X)[0], want)
    kind.costs("its variables, once each")
