"""The checks that a copied model has to stand: same predictions, same course of training, no contact."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphcopy

X = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
Y = X.sum(1, keepdims=True)


def weights(model: Any) -> list[np.ndarray]:
    """All variables as arrays: weights, optimizer, metrics, seeds."""
    variables = list(model.variables)
    if getattr(model, "optimizer", None) is not None:
        variables += list(model.optimizer.variables)
    return [np.array(v) for v in variables]


def same(one: list[Any], other: list[Any], tolerance: float = 0.0) -> bool:
    """Tell whether two lists of arrays are alike."""
    return len(one) == len(other) and all(np.allclose(a, b, atol=tolerance, rtol=tolerance) for a, b in zip(one, other))


def fit(model: Any, x: Any = X, y: Any = Y, **options: Any) -> dict[str, list[float]]:
    """Train for an epoch, the same way every time."""
    options = {"epochs": 1, "batch_size": 8, "verbose": 0, "shuffle": False, **options}
    return model.fit(x, y, **options).history


def check_twins(model: Any, train: Any = fit, x: Any = X, tolerance: float = 1e-6) -> Any:
    """Copy a trained model; check that both go the same way without touching each other; return the copy."""
    copied = graphcopy.copy(model)
    check_pair(model, copied, train, x, tolerance)
    return copied


def check_pair(model: Any, copied: Any, train: Any = fit, x: Any = X, tolerance: float = 1e-6) -> None:
    """Check that *copied* is an independent twin of *model*."""
    assert copied is not model
    assert type(copied) is type(model)
    assert not {id(v) for v in model.variables} & {id(v) for v in copied.variables}
    before = weights(model)
    assert same(weights(copied), before)
    predict = lambda each: _flat(each.predict(x, verbose=0))
    assert same(predict(copied), predict(model), tolerance)
    before = weights(model)  # predicting draws seeds in some layers
    assert same(weights(copied), before)
    count = len(before)
    theirs = train(copied)
    assert same(weights(model), before), "training the copy changed the original"
    after = weights(copied)
    assert not same(after, before), "the copy did not learn"
    assert len(after) == count, "variables pile up in the copy"
    ours = train(model)
    assert same(weights(copied), after), "training the original changed the copy"
    assert same(weights(model), after, tolerance), "the copy took another course"
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys()
        assert all(np.allclose(ours[name], theirs[name], atol=tolerance) for name in ours)
    assert same(predict(copied), predict(model), tolerance)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [each for name in sorted(value) for each in _flat(value[name])]
    return [each for part in value for each in _flat(part)] if isinstance(value, (list, tuple)) else [value]


def mse(lib: Any) -> Any:
    """The loss as an object: Keras 3 cannot load its name from an h5 file."""
    return lib.losses.MeanSquaredError()


def small(lib: Any, optimizer: Any = None, **settings: Any) -> Any:
    """A compiled model of two layers."""
    model = lib.Sequential([lib.Input((3,)), lib.layers.Dense(4, activation="tanh"), lib.layers.Dense(1)])
    model.compile(optimizer or lib.optimizers.Adam(0.05), mse(lib), **settings)
    return model


def values(variables: Any) -> list[np.ndarray]:
    """Variables as arrays; legacy optimizers of Keras 2 have a method that gives them."""
    return [np.array(v) for v in (variables() if callable(variables) else variables)]


def state(model: Any) -> list[np.ndarray]:
    """Weights, optimizer and metrics."""
    metrics = [v for metric in model.metrics for v in metric.variables]
    return [*values(model.weights), *values(model.optimizer.variables), *values(metrics)]
