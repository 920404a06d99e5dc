"""W9: the peak memory of copying a model of 1 GB, each way of copying in a process of its own.

A variable is copied once, on its device: its value is handed over inside the runtime, which copies it at the first
write of either side; there is no detour through numpy or lists. A copy of 1 GB must take less than 1.2 GB beside the
original at its peak, every variable of the copy written to.

    python -m benchmarks.memory_of_models [--megabytes 1024] [--kinds variables keras traced]
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

__all__ = ["main"]

FACTOR = 1.2
PEERS = {
    "variables": ("graphcopy", "copy.deepcopy", "pickle"),
    "keras": ("graphcopy", "copy.deepcopy", "pickle"),
    "traced": ("graphcopy", "graphcopy, traces kept"),
}
ROWS = 256
MEGABYTE = 2**20


class Traced:
    """Variables, and a tf.function that reads and writes them all."""

    def __init__(self, variables: list[Any]) -> None:
        import tensorflow as tf

        self.variables = variables
        self.step = tf.function(self.add)

    def add(self, x: Any) -> Any:
        """Write to every variable."""
        import tensorflow as tf

        return tf.add_n([variable[0, 0].assign(x)[0, 0] for variable in self.variables])


def make(kind: str, megabytes: int) -> tuple[Any, Any]:
    """Make a model of that size, and a function that lists the variables of it or of a copy."""
    import tensorflow as tf

    columns = megabytes * MEGABYTE // 4 // 16 // ROWS
    if kind == "keras":
        import keras
        import numpy as np

        keras.utils.set_random_seed(0)
        # Momentum keeps a slot for each weight: half of the memory is the optimizer's.
        widths = [columns, ROWS] * 4
        model = keras.Sequential([keras.Input((ROWS,)), *(keras.layers.Dense(each, use_bias=False) for each in widths)])
        model.compile(keras.optimizers.SGD(0.001, momentum=0.9), "mse")
        model.fit(np.ones((4, ROWS), "float32"), np.zeros((4, ROWS), "float32"), verbose=0)
        return model, lambda obj: [each.value for each in (*obj.trainable_variables, *obj.optimizer.variables)]
    variables = [tf.Variable(tf.fill([ROWS, columns], float(place))) for place in range(16)]
    if kind == "variables":
        return variables, lambda obj: obj
    traced = Traced(variables)
    traced.step(tf.constant(1.0))
    return traced, lambda obj: obj.variables


def copied_by(peer: str, obj: Any) -> Any:
    """Copy *obj*."""
    import copy
    import pickle

    import graphcopy

    if peer == "copy.deepcopy":
        return copy.deepcopy(obj)
    if peer == "pickle":
        return pickle.loads(pickle.dumps(obj))
    traces = "keep" if "kept" in peer else "drop"
    return graphcopy.copy(obj, rules=[graphcopy.tf_rules(traces=traces)])


def one(kind: str, peer: str, megabytes: int) -> None:
    """Copy in this process; print the extra memory in MB at the peak: of the copy, and of writing to all of it."""
    import tensorflow as tf

    from .measuring import resident

    model, variables_of = make(kind, megabytes)
    copied_by(peer, [tf.Variable([1.0])])  # what is imported and set up once is no part of it
    gc.collect()
    size = sum(each.shape.num_elements() * each.dtype.size for each in variables_of(model)) / MEGABYTE
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak starts from here
    before = resident("VmRSS")
    copied = copied_by(peer, model)
    copying = resident("VmHWM") - before
    for each in variables_of(copied):
        if each.shape.rank == 2:
            each[0, 0].assign(tf.cast(2.0, each.dtype))
    if kind == "traced":
        copied.step(tf.constant(3.0))
    writing = resident("VmHWM") - before
    if len(variables_of(copied)) != len(variables_of(model)):
        raise AssertionError("the copy has other variables")
    print(f"{size:.0f} {copying:.0f} {writing:.0f}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.memory_of_models", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--kinds", nargs="+", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(*options.one, options.megabytes)
        return
    print("W9  extra memory in MB at the peak")
    print(f"    {'':12}{'':24}{'original':>10}{'copying':>10}{'and writing':>13}")
    for kind in options.kinds:
        for peer in PEERS[kind]:
            words = ["--one", kind, peer, "--megabytes", str(options.megabytes)]
            command = [sys.executable, "-m", "benchmarks.memory_of_models", *words]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                print(f"    {kind:12}{peer:24}  fails: {done.stderr.strip().splitlines()[-1][:90]}")
                continue
            size, copying, writing = map(float, done.stdout.split()[-3:])
            word = "met" if writing < FACTOR * size else "NOT met"
            target = f"   target {FACTOR * size:.0f} {word}" if peer.startswith("graphcopy") else ""
            print(f"    {kind:12}{peer:24}{size:10.0f}{copying:10.0f}{writing:13.0f}{target}")


if __name__ == "__main__":
    main()
