"""What each tool does with objects of TensorFlow and Keras: right, wrong without an error, or an error.

    python -m benchmarks.behaviours_of_models  a Markdown table of the tools that are installed

The second table in docs/compared.md is made by this script, where TensorFlow and Keras 3 are installed.
"""

from __future__ import annotations

import os
from typing import Any

from .behaviours import Case, table, versions

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


class Trainer:
    """Weights, and a tf.function over them."""

    def __init__(self) -> None:
        import tensorflow as tf

        self.weights = tf.Variable([1.0, 2.0])

        @tf.function
        def step(x: Any) -> Any:
            return self.weights * x

        self.step = step


def _traced() -> Any:
    trainer = Trainer()
    trainer.step(2.0)
    return trainer


def _steps_apart(original: Any, copied: Any) -> bool:
    copied.weights.assign([10.0, 20.0])
    return copied.step(2.0).numpy().tolist() == [20, 40] and original.step(2.0).numpy().tolist() == [2, 4]


def _in_training() -> Any:
    import keras
    import numpy as np

    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    model.notes = [1]
    return {"model": model, "kernel": model.layers[0].kernel}


def _state(held: Any) -> list[Any]:
    model = held["model"]
    return [each.numpy().tolist() for each in (*model.variables, *model.optimizer.variables)]


def _trains_on(original: Any, copied: Any) -> bool:
    import numpy as np

    before = _state(original)
    same = _state(copied) == before
    copied["model"].fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    return same and _state(copied) != before and _state(original) == before


def _tied(original: Any, copied: Any) -> bool:
    mine, its = original["model"], copied["model"]
    tied = copied["kernel"] is its.layers[0].kernel is not mine.layers[0].kernel
    return tied and getattr(its, "notes", None) == [1]


CASES: list[Case] = [
    ("object with a traced `tf.function`", _traced, _steps_apart),
    ("Keras model in training: weights and optimizer state", _in_training, _trains_on),
    ("the same: its own attributes, and references to its weights", _in_training, _tied),
]


if __name__ == "__main__":
    print(table(CASES))
    print()
    print(versions("tensorflow", "keras"))
