"""What the copy does with Trieste's models, and what that costs: rows of the table in the docs."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
trieste = pytest.importorskip("trieste", minversion="4.0")

import numpy as np
from test_trieste_models import DATA, MODELS, MORE, X, train, values
from trieste_hooks import without_hooks

import graphcopy

pytestmark = [pytest.mark.tensorflow]
NAMES = {
    "gpr-adam": "Trieste GaussianProcessRegression with a tf_keras optimizer",
    "ensemble": "Trieste DeepEnsemble",
    "deep-raw": "Trieste DeepGaussianProcess",
}


@pytest.mark.parametrize("hooks", ["with hooks", "without hooks"])
@pytest.mark.parametrize("name", NAMES)
def test_models(kind, name, hooks, monkeypatch):
    kind(NAMES[name], copied="trained on where the original stands, with and without Trieste's own copy hooks")
    if hooks == "without hooks":
        without_hooks(monkeypatch)
    model = MODELS[name]()
    train(model)
    with kind.counting() as spent:
        copied = graphcopy.copy(model)
    before = values(model)
    assert all(np.array_equal(a, b) for a, b in zip(values(copied), before))
    assert sum(v.nbytes for v in values(copied)) == sum(v.nbytes for v in before)
    train(copied, MORE)
    assert all(np.array_equal(a, b) for a, b in zip(values(model), before))
    assert any(not np.array_equal(a, b) for a, b in zip(values(copied), before))
    assert copied.predict(X)[0].shape == model.predict(DATA.query_points)[0].shape
    assert spent.traces == 0
    kind.costs("its variables, once each", "no trace when it is copied")
