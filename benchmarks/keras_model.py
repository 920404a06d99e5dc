"""W7: a Keras model of 5 million parameters, compiled, trained and traced.

The measure is the time of copying all its variables (weights, slots, metrics) one by one with
``tf.Variable(v)``: less than that no copy can cost that goes by TensorFlow's own constructor. Correctness comes
first: copies must predict the same and take the same course in training.

    python -m benchmarks.keras_model [--rounds 7] [--profile]
"""

from __future__ import annotations

import argparse
import copy
import cProfile
import gc
import os
import pickle
import pstats
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

__all__ = ["main", "make_model"]

TARGETS = {"variables": 2.0, "copy.deepcopy": 8.0}


def make_model(layers: int = 10, units: int = 700) -> Any:
    """Build, train and trace the model."""
    import keras
    import numpy as np

    keras.utils.set_random_seed(1)
    dense = [keras.layers.Dense(units, activation="relu") for _ in range(layers)]
    model = keras.Sequential([keras.Input((256,)), *dense, keras.layers.Dropout(0.1), keras.layers.Dense(10)])
    model.compile(keras.optimizers.Adam(0.001), "mse", metrics=["mae"])
    fit(model, np.random.default_rng(0).normal(size=(64, 256)).astype("float32"))
    return model


def fit(model: Any, x: Any) -> Any:
    """Train for an epoch, the same way every time."""
    return model.fit(x, x[:, :10], verbose=0, shuffle=False).history["loss"]


def variables_of(model: Any) -> list[Any]:
    """Every tf.Variable of the model, its optimizer, metrics and seeds."""
    found = {id(v): v for v in (*model.variables, *model.optimizer.variables)}
    return [v.value if hasattr(v, "value") and not callable(v.value) else v for v in found.values()]


def verdict(copied: Any, model: Any) -> str:
    """Say whether a copy predicts and trains as the original does (which is trained on for that)."""
    import numpy as np

    x = np.random.default_rng(1).normal(size=(64, 256)).astype("float32")
    if not np.array_equal(copied.predict(x, verbose=0), model.predict(x, verbose=0)):
        return "WRONG: predicts something else"
    if not np.allclose(fit(copied, x), fit(model, x)):
        return "WRONG: takes another course in training"
    ours, theirs = model.get_weights(), copied.get_weights()
    alike = all(np.allclose(a, b, atol=1e-6) for a, b in zip(ours, theirs))
    return "right" if alike else "WRONG: other weights after training"


def timed(peer: Callable[[], Any]) -> float:
    """CPU seconds of one call, the collector's debt included."""
    gc.collect()
    start = time.process_time()
    result = peer()
    gc.collect(0)
    seconds = time.process_time() - start
    del result
    return seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.keras_model", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--profile", action="store_true", help="say where the time of a copy goes")
    options = parser.parse_args()
    import tensorflow as tf

    import graphcopy

    model = make_model()
    variables = variables_of(model)
    print(f"W7  Keras model, {model.count_params():,} parameters, {len(variables)} variables; {tf.__version__}")
    peers: dict[str, Callable[[], Any]] = {
        "variables": lambda: [tf.Variable(v) for v in variables],
        "graphcopy": lambda: graphcopy.copy(model),
        "copy.deepcopy": lambda: copy.deepcopy(model),
        "pickle": lambda: pickle.loads(pickle.dumps(model)),
    }
    times: dict[str, list[float]] = {name: [] for name in peers}
    for name in peers:
        peers[name]()  # what is made at the first call only
    for _ in range(options.rounds):
        for name, peer in peers.items():
            times[name].append(timed(peer))
    median = {name: statistics.median(each) for name, each in times.items()}
    for name, peer in peers.items():
        said = "" if name == "variables" else verdict(peer(), model)
        print(f"    {name:14}{median[name] * 1000:9.1f} ms   {said}")
    for name, bound in TARGETS.items():
        ratio = median["graphcopy"] / median[name] if bound == 2.0 else median[name] / median["graphcopy"]
        met = ratio <= bound if bound == 2.0 else ratio >= bound
        word = "times the time of the variables" if bound == 2.0 else "times as fast as copy.deepcopy"
        print(f"    {ratio:.2f} {word}: target {bound} {'met' if met else 'NOT met'}")
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(peers["graphcopy"])
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)


if __name__ == "__main__":
    main()
