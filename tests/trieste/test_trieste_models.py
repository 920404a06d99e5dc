"""Trieste's models, with their own copy hooks and with these taken away: the copy can be trained on."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
trieste = pytest.importorskip("trieste", minversion="4.0")

import gpflow
import numpy as np
import tf_keras
from trieste.models.gpflow import (
    GaussianProcessRegression,
    SparseVariational,
    VariationalGaussianProcess,
    build_gpr,
    build_svgp,
    build_vgp_classifier,
)
from trieste.models.gpflow.utils import randomize_hyperparameters
from trieste.models.gpflux import DeepGaussianProcess, build_vanilla_deep_gp
from trieste.models.keras import DeepEnsemble, build_keras_ensemble
from trieste.models.optimizer import BatchOptimizer, KerasOptimizer
from trieste_hooks import HOOKS, without_hooks

import graphcopy

pytestmark = [pytest.mark.tensorflow]
SPACE = trieste.space.Box([0.0], [1.0])
X = tf.constant(np.linspace(0, 1, 10)[:, None])
DATA = trieste.data.Dataset(X, tf.sin(3 * X))
MORE = DATA + trieste.data.Dataset(tf.constant([[0.33]], tf.float64), tf.constant([[0.8]], tf.float64))


@pytest.fixture(params=["with hooks", "without hooks"])
def hooks(request, monkeypatch):
    """Run the test with the classes' own hooks, and again with these taken away."""
    if request.param == "without hooks":
        without_hooks(monkeypatch)


class Watch(tf_keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.epochs = 0

    def on_epoch_end(self, epoch, logs=None):
        self.epochs += 1


def fit_args(**more):
    return {"epochs": 2, "batch_size": 5, "verbose": 0, "shuffle": False, **more}


def gpr_with(optimizer):
    return GaussianProcessRegression(build_gpr(DATA, SPACE, likelihood_variance=1e-3), optimizer)


def sampled():
    """A model whose hyperparameters were drawn from their priors, and whose bijectors were asked."""
    gpr = build_gpr(DATA, SPACE, likelihood_variance=1e-3)
    tf.random.set_seed(2)
    randomize_hyperparameters(gpr)
    drawn = [parameter for parameter in gpr.trainable_parameters if parameter.prior is not None]
    assert len(drawn) >= 2
    for parameter in drawn:
        parameter.prior.log_prob(parameter.prior.sample(3))
        parameter.transform.inverse(parameter.transform.forward(parameter.unconstrained_variable))
    return GaussianProcessRegression(
        gpr, BatchOptimizer(tf_keras.optimizers.Adam(0.05), max_iter=3), num_kernel_samples=4
    )


MODELS = {
    "gpr": lambda: gpr_with(None),
    "gpr-adam": lambda: gpr_with(BatchOptimizer(tf_keras.optimizers.Adam(0.05), max_iter=3)),
    "gpr-compiled": lambda: gpr_with(BatchOptimizer(tf_keras.optimizers.Adam(0.05), max_iter=3, compile=True)),
    "gpr-legacy": lambda: gpr_with(BatchOptimizer(tf_keras.optimizers.legacy.Adam(0.05), max_iter=3)),
    "gpr-sampled": sampled,
    "svgp": lambda: SparseVariational(
        build_svgp(DATA, SPACE, num_inducing_points=5),
        BatchOptimizer(tf_keras.optimizers.Adam(0.05), max_iter=3, batch_size=10),
    ),
    "vgp": lambda: VariationalGaussianProcess(
        gpflow.models.VGP(DATA.astuple(), gpflow.kernels.RBF(), gpflow.likelihoods.Gaussian(0.1)),
        BatchOptimizer(tf_keras.optimizers.Adam(0.05), max_iter=3),
        use_natgrads=True,
    ),
    "ensemble": lambda: DeepEnsemble(
        build_keras_ensemble(DATA, 2, 1, 4),
        KerasOptimizer(tf_keras.optimizers.Adam(0.01), fit_args(callbacks=[Watch()])),
    ),
    "deep": lambda: DeepGaussianProcess(
        lambda: build_vanilla_deep_gp(DATA, SPACE, 2, 4), KerasOptimizer(tf_keras.optimizers.Adam(0.01), fit_args())
    ),
    "deep-raw": lambda: DeepGaussianProcess(
        build_vanilla_deep_gp(DATA, SPACE, 2, 4), KerasOptimizer(tf_keras.optimizers.Adam(0.01), fit_args())
    ),
}  # fmt: skip


def values(model):
    inner = getattr(model, "model_gpflux", None) or model.model
    return [np.array(v) for v in inner.trainable_variables]


def train(model, data=DATA):
    tf.random.set_seed(4)
    np.random.seed(4)
    model.update(data)
    model.optimize(data)


def same(one, other, tolerance=1e-6):
    alike = lambda a, b: a.shape == b.shape and np.allclose(a, b, atol=tolerance)
    return len(one) == len(other) and all(map(alike, one, other))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.usefixtures("hooks")
def test_models_can_be_trained_on(name):
    model = MODELS[name]()
    train(model)
    copied = graphcopy.copy(model)
    before = values(model)
    assert same(values(copied), before)
    sampled = name.startswith("deep")  # the inner layers of a deep GP are sampled
    assert np.allclose(copied.predict(X)[0], model.predict(X)[0], atol=0.5 if sampled else 1e-6)
    train(copied, MORE)
    assert same(values(model), before)
    assert not same(values(copied), before)
    train(model, MORE)
    if not sampled:
        assert same(values(copied), values(model), 1e-4)
        assert np.allclose(copied.predict(X)[0], model.predict(X)[0], atol=1e-3)
    assert same(states(copied), states(model), np.inf if sampled else 1e-3)


def states(model):
    optimizer = getattr(model.optimizer, "optimizer", None)
    found = getattr(optimizer, "variables", [])
    return [np.array(v) for v in (found() if callable(found) else found)]


@pytest.mark.usefixtures("hooks")
def test_aliases_inside_an_ensemble():
    model = MODELS["ensemble"]()
    train(model)
    copied = graphcopy.copy(model)
    assert copied.model.optimizer is copied.optimizer.optimizer
    watch = copied.optimizer.fit_args["callbacks"][0]
    assert watch.epochs == 2
    assert watch.model is copied.model
    assert copied.model.history.model is copied.model
    assert model.optimizer.fit_args["callbacks"][0].model is model.model


@pytest.mark.usefixtures("hooks")
def test_two_models_over_one_optimizer_and_a_stack():
    one, two = MODELS["gpr"](), MODELS["gpr-adam"]()
    stack = trieste.models.interfaces.TrainableModelStack((one, 1), (two, 1))
    copied = graphcopy.copy({"stack": stack, "one": one})
    assert copied["stack"]._models[0] is copied["one"]
    both = trieste.data.Dataset(X, tf.concat([DATA.observations] * 2, 1))
    train(copied["stack"], both)


def test_classification():
    data = trieste.data.Dataset(X, tf.cast(X > 0.5, tf.float64))
    model = VariationalGaussianProcess(build_vgp_classifier(data, SPACE, noise_free=False))
    model.optimize(data)
    copied = graphcopy.copy(model)
    assert np.allclose(copied.predict(X)[0], model.predict(X)[0])


@pytest.mark.parametrize("sampler", ["RandomFourierFeatureTrajectorySampler", "DecoupledTrajectorySampler"])
@pytest.mark.usefixtures("hooks")
def test_trajectories(sampler):
    model = MODELS["gpr"]()
    trajectory = getattr(trieste.models.gpflow, sampler)(model, num_features=50).get_trajectory()
    negated = trieste.acquisition.function.continuous_thompson_sampling.negate_trajectory_function(trajectory)
    at = tf.constant(np.linspace(0, 1, 4)[:, None, None])
    want = negated(at).numpy()
    copied = graphcopy.copy(negated)
    assert copied is not negated
    assert np.allclose(copied(at), want)
    negated.resample()
    assert not np.allclose(negated(at), want)
    assert np.allclose(copied(at), want)


def test_a_users_own_state_is_honoured():
    class Mine(GaussianProcessRegression):
        def __getstate__(self):
            return {**self.__dict__, "extra": None}

    model = Mine(build_gpr(DATA, SPACE, likelihood_variance=1e-3))
    model.extra = [1]
    assert graphcopy.copy(model).extra is None
    assert model.extra == [1]


def test_the_hooks_are_those_that_the_rules_know():
    from graphcopy.rules.trieste import trieste_rules

    for cls, _ in HOOKS:
        assert any(rule.matches_type(cls) for rule in trieste_rules), cls
