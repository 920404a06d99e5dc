"""Copy a Keras model in the midst of training, and train both on.

Prints what it shows: the copy goes on exactly as the original does, and neither sees the other.
"""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

import graphcopy


class Regressor(keras.Model):
    """A subclassed model without get_config, with a train_step and a counter of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = keras.layers.Dense(16, activation="tanh")
        self.out = keras.layers.Dense(1)
        self.dropout = keras.layers.Dropout(0.2, seed=3)
        self.steps = self.add_weight(shape=(), initializer="zeros", trainable=False, name="steps")

    def call(self, x, training=False):
        """Predict."""
        return self.out(self.dropout(self.hidden(x), training=training))

    def train_step(self, data):
        """Count the steps, and train as usual."""
        self.steps.assign_add(1.0)
        return super().train_step(data)


keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
x = rng.normal(size=(64, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)

model = Regressor()
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse", metrics=["mae"])
model.fit(x, y, epochs=2, verbose=0, shuffle=False)
print("after two epochs: steps", float(model.steps), "- loss", round(model.evaluate(x, y, verbose=0)[0], 4))

copied = graphcopy.copy(model)
print("the copy:         steps", float(copied.steps), "- loss", round(copied.evaluate(x, y, verbose=0)[0], 4))
assert np.array_equal(model.predict(x, verbose=0), copied.predict(x, verbose=0))

model.fit(x, y, epochs=2, verbose=0, shuffle=False)
print("the original is trained on; the copy is where it was: steps", float(model.steps), "and", float(copied.steps))
copied.fit(x, y, epochs=2, verbose=0, shuffle=False)
difference = max(float(np.abs(a - b).max()) for a, b in zip(model.get_weights(), copied.get_weights()))
print("the copy is trained on with the same data: largest difference of a weight", difference)
assert difference < 1e-6
assert int(copied.optimizer.iterations) == int(model.optimizer.iterations) == 8
