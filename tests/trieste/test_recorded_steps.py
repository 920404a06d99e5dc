"""Trieste records every step by copy.deepcopy: with the rules installed it works without Trieste's own hooks."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
trieste = pytest.importorskip("trieste", minversion="4.0")

import numpy as np
import tf_keras
from trieste.ask_tell_optimization import AskTellOptimizer
from trieste.bayesian_optimizer import BayesianOptimizer
from trieste.models.gpflow import GaussianProcessRegression, build_gpr
from trieste.models.gpflux import DeepGaussianProcess, build_vanilla_deep_gp
from trieste.models.keras import DeepEnsemble, build_keras_ensemble
from trieste.models.optimizer import BatchOptimizer, KerasOptimizer
from trieste_hooks import without_hooks

import graphcopy

pytestmark = [pytest.mark.tensorflow]
SPACE = trieste.space.Box([0.0], [1.0])
X = tf.constant(np.linspace(0, 1, 5)[:, None])
observe = lambda x: trieste.data.Dataset(x, tf.sin(5 * x))
DATA = observe(X)


def fit():
    return {"epochs": 2, "batch_size": 5, "verbose": 0}


MODELS = {
    "gpr": lambda: GaussianProcessRegression(
        build_gpr(DATA, SPACE, likelihood_variance=1e-3), BatchOptimizer(tf_keras.optimizers.Adam(0.05), max_iter=3)
    ),
    "ensemble": lambda: DeepEnsemble(
        build_keras_ensemble(DATA, 2, 1, 4), KerasOptimizer(tf_keras.optimizers.Adam(0.01), fit())
    ),
    "deep": lambda: DeepGaussianProcess(
        build_vanilla_deep_gp(DATA, SPACE, 2, 4), KerasOptimizer(tf_keras.optimizers.Adam(0.01), fit())
    ),
}


def rule_for(name):
    if name == "gpr":
        return trieste.acquisition.rule.EfficientGlobalOptimization()
    sampling = trieste.acquisition.rule.DiscreteThompsonSampling(20, 1)
    return sampling


@pytest.mark.parametrize("hooks", ["without hooks", "with hooks"])
@pytest.mark.parametrize("name", MODELS)
def test_every_step_is_recorded(name, hooks, monkeypatch):
    if hooks == "without hooks":
        without_hooks(monkeypatch)
    with graphcopy.install(graphcopy.tf_rules):
        result = BayesianOptimizer(observe, SPACE).optimize(2, DATA, MODELS[name](), rule_for(name), track_state=True)
    assert result.is_ok, result.final_result
    final = result.try_get_final_model()
    models = [record.model for record in result.history]
    assert len(models) == 2
    assert len({id(model) for model in (*models, final)}) == 3
    assert [len(record.dataset) for record in result.history] == [5, 6]
    weights = [[np.array(v) for v in model.model.trainable_variables] for model in models if hasattr(model, "model")]
    if weights:
        one, two = weights
        assert any(not np.allclose(a, b) for a, b in zip(one, two))
    models[0].optimize(DATA)  # a recorded model can be trained on


def test_ask_tell_gives_a_copy(monkeypatch):
    """``from copy import deepcopy`` stands in Trieste's module since before the rules are installed."""
    without_hooks(monkeypatch)
    optimizer = AskTellOptimizer(SPACE, DATA, MODELS["gpr"](), rule_for("gpr"))
    with graphcopy.install(graphcopy.tf_rules):
        result = optimizer.to_result()
    copied = result.try_get_final_model()
    assert copied is not optimizer.model
    assert np.allclose(copied.predict(X)[0], optimizer.model.predict(X)[0])
    optimizer.tell(observe(optimizer.ask()))
    copied.optimize(DATA)
