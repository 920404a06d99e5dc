"""Copy a fitted GPflow model, with its compiled training loss and its optimizer.

Prints what it shows: the copy predicts the same, and is trained on without the original noticing.
"""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import gpflow
import numpy as np

import graphcopy


class Fit:
    """What a user keeps together: the model, its compiled loss, the optimizer."""

    def __init__(self, x: np.ndarray, y: np.ndarray) -> None:
        self.model = gpflow.models.GPR((x, y), kernel=gpflow.kernels.Matern52())
        self.loss = self.model.training_loss_closure(compile=True)
        self.optimizer = gpflow.optimizers.Scipy()

    def train(self, steps: int) -> float:
        """Train some steps; return the loss."""
        self.optimizer.minimize(self.loss, self.model.trainable_variables, options={"maxiter": steps})
        return float(self.loss())


rng = np.random.default_rng(1)
x = np.sort(rng.uniform(size=(20, 1)), axis=0)
y = np.sin(8 * x) + 0.1 * rng.normal(size=x.shape)

fit = Fit(x, y)
print("loss of the original after 3 steps:", round(fit.train(3), 4))

copied = graphcopy.copy(fit)
assert np.allclose(fit.model.predict_f(x)[0], copied.model.predict_f(x)[0])
assert copied.model is not fit.model
print("the copy predicts the same")

before = float(fit.loss())
print("the copy after 20 more steps:", round(copied.train(20), 4), "- the original:", round(float(fit.loss()), 4))
assert float(fit.loss()) == before
assert float(copied.loss()) < before
