"""W8: a model whose trace takes a second or more, called with several signatures.

Tracing again is what ``graphcopy.copy`` does by default; ``tf_rules(traces="keep")`` keeps the traces. The measure is
the CPU time until a copy has a trace for each signature that the original has seen: what keeping them costs (over a
copy that keeps nothing) must be less than a tenth of what tracing them again costs.

The time of the first calls is told beside it: there TensorFlow's runtime sets up what it runs. A kept trace is set up
already, unless it has random operations: their state is in what is set up, so that each copy needs its own.

    python -m benchmarks.traces [--layers 16] [--rounds 3] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import pstats
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

__all__ = ["Tower", "main"]

TARGET = 10.0
UNITS = 8


class Tower:
    """Many small layers with a training step: little to compute, much to trace."""

    def __init__(self, layers: int, dropout: float = 0.0) -> None:
        import tensorflow as tf

        self.traced = 0
        self.dropout = dropout
        self.weights = [tf.Variable(tf.random.stateless_normal([UNITS, UNITS], [n, 1]) / 4) for n in range(layers)]
        self.biases = [tf.Variable(tf.zeros([UNITS])) for _ in range(layers)]
        self.moments = [tf.Variable(tf.zeros_like(each)) for each in (*self.weights, *self.biases)]
        self.infer = tf.function(self.forward)
        self.step = tf.function(self.train)

    def forward(self, x: Any) -> Any:
        """Run all layers."""
        import tensorflow as tf

        self.traced += 1
        for weight, bias in zip(self.weights, self.biases):
            hidden = tf.nn.gelu(tf.matmul(x, weight) + bias)
            mean, variance = tf.nn.moments(hidden, axes=[-1], keepdims=True)
            x = x + (hidden - mean) / tf.sqrt(variance + 1e-5)
            if self.dropout:
                x = tf.nn.dropout(x, self.dropout, seed=1)
        return x

    def train(self, x: Any) -> Any:
        """Do one step of training with momentum."""
        import tensorflow as tf

        variables = [*self.weights, *self.biases]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.forward(x) ** 2)
        for variable, moment, slope in zip(variables, self.moments, tape.gradient(loss, variables)):
            moment.assign(0.9 * moment + slope)
            variable.assign_sub(1e-4 * moment)
        return loss

    def outside(self, x: Any) -> Any:
        """Differentiate the compiled function from outside of it."""
        import tensorflow as tf

        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.infer(x) ** 2)
        return tape.gradient(loss, self.weights)[0]

    def trace(self, name: str, inputs: list[Any]) -> None:
        """Trace a function (or look the trace up) for all *inputs*, without calling it."""
        for x in inputs:
            getattr(self, {"outside": "infer"}.get(name, name)).get_concrete_function(x)


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The CPU time of one call, and what it returns."""
    gc.collect()
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def compared(tower: Tower, name: str, inputs: list[Any], rounds: int) -> dict[str, float]:
    """The medians of all times of copies with and without the traces; raises AssertionError when a copy is wrong."""
    import numpy as np

    import graphcopy

    times: dict[str, list[float]] = {}
    for _ in range(rounds):
        answers = []
        for how in ("drop", "keep"):
            rules = [graphcopy.tf_rules(traces=how)]
            copying, copied = seconds(partial(graphcopy.copy, tower, rules))
            before = copied.traced
            tracing, _ = seconds(partial(copied.trace, name, inputs))
            calling, results = seconds(lambda copied=copied: [getattr(copied, name)(x) for x in inputs])  # type: ignore[misc]
            for what, taken in (("copy", copying), ("trace", tracing), ("call", calling)):
                times.setdefault(f"{how} {what}", []).append(taken)
            answers.append(results)
            if how == "keep" and copied.traced != before:
                raise AssertionError("a kept trace was traced again")
        if not tower.dropout and not all(np.allclose(one, other, atol=1e-5) for one, other in zip(*answers)):
            raise AssertionError("the copy is wrong: it gives something else than one that traces again")
    return {each: statistics.median(taken) for each, taken in times.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.traces", description=__doc__)
    parser.add_argument("--layers", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="say where the time of keeping goes")
    options = parser.parse_args()
    import tensorflow as tf

    import graphcopy

    print(f"W8  {options.layers} layers; TensorFlow {tf.__version__}; CPU seconds, medians of {options.rounds}")
    print(f"    {'':36}{'trace again':>12}{'keep':>8}{'ratio':>9}{'':>20}first calls: traced, kept")
    for about, name, shapes, dropout in (
        ("one trace of a training step", "step", 1, 0.0),
        ("four traces of a training step", "step", 4, 0.0),
        ("four traces with random operations", "step", 4, 0.1),
        ("four traces of inference", "infer", 4, 0.0),
        ("four traces, gradients from outside", "outside", 4, 0.0),
    ):
        tower = Tower(options.layers, dropout)
        inputs = [tf.ones([rows + 1, UNITS]) for rows in range(shapes)]
        for x in inputs:
            getattr(tower, name)(x)
        times = compared(tower, name, inputs, options.rounds)
        again = times["drop trace"]
        kept = max(times["keep copy"] - times["drop copy"], 0.0) + times["keep trace"]
        met = "met" if again / kept >= TARGET else "NOT met"
        row = f"    {about:36}{again:12.3f}{kept:8.3f}{again / kept:8.1f}x  target {TARGET:.0f} {met:7}"
        print(f"{row}{times['drop call']:12.3f}{times['keep call']:8.3f}")
        if options.profile:
            profile = cProfile.Profile()
            copied = profile.runcall(graphcopy.copy, tower, [graphcopy.tf_rules(traces="keep")])
            profile.runcall(copied.trace, name, inputs)
            pstats.Stats(profile).sort_stats("cumtime").print_stats(25)


if __name__ == "__main__":
    main()
