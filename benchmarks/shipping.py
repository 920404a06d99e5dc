"""Bytes for another process: time and peak memory of dumps and loads, beside plain pickle and a bare memory copy.

    python -m benchmarks.shipping [--scale 1.0] [--rounds 5]

Arrays (100 of 8 MB, numpy's and TensorFlow's where that is installed) go out of band and are compared with one
copy of their memory; the workloads W1 to W3 are compared with pickle's C pickler. Each figure comes from a child
process of its own, so that the peak is its own; times are CPU seconds, the median of the rounds.
"""

from __future__ import annotations

import argparse
import gc
import json
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .measuring import resident
from .workloads import WORKLOADS

ARRAYS = ("arrays", "variables")
GRAPHS = ("W1", "W2", "W3")
WAYS = ("memory", "dumps", "loads", "loads of bytes", "Shipment", "pickle.dumps", "pickle.loads")


def data(what: str, scale: float) -> Any:
    """What is sent."""
    if what in GRAPHS:
        return WORKLOADS[what].make(scale)
    arrays = WORKLOADS["W4"].make(scale)
    if what == "arrays":
        return arrays
    import tensorflow

    return [tensorflow.Variable(array) for array in arrays]


def job(what: str, way: str, obj: Any) -> Callable[[], Any]:
    """What is timed."""
    import graphcopy

    buffers: list[Any] = []
    if way == "memory":
        return lambda: [each.copy() for each in obj]
    if way == "dumps":
        return (lambda: graphcopy.dumps(obj, buffers=[])) if what in ARRAYS else (lambda: graphcopy.dumps(obj))
    if way == "pickle.dumps":
        return lambda: pickle.dumps(obj, 5, buffer_callback=None if what in GRAPHS else lambda buffer: None)
    if way == "pickle.loads":
        plain = pickle.dumps(obj, 5, buffer_callback=None if what in GRAPHS else buffers.append)
        return lambda: pickle.loads(plain, buffers=buffers or None)
    if way == "Shipment":
        shipment = graphcopy.Shipment(obj)
        return lambda: pickle.dumps(shipment, 5, buffer_callback=None if what in GRAPHS else lambda buffer: None)
    written = graphcopy.dumps(obj, buffers=buffers if what in ARRAYS else None)
    if way == "loads of bytes":
        buffers = [bytes(each) for each in buffers]
    return lambda: graphcopy.loads(written, buffers=buffers or None)


def one(what: str, way: str, scale: float, rounds: int) -> dict[str, float]:
    """Time one way in this process."""
    import graphcopy

    graphcopy.loads(graphcopy.dumps([1]))
    obj = data(what, scale)
    run = job(what, way, obj)
    times = []
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the peak of making the data
    before = resident("VmRSS")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        made = run()
        gc.collect(0)
        times.append(time.process_time() - start)
        del made
    return {"seconds": statistics.median(times), "megabytes": max(0.0, resident("VmHWM") - before)}


def figures(what: str, scale: float, rounds: int) -> dict[str, dict[str, float]]:
    """All ways of one kind of data, each in a process of its own."""
    found = {}
    for way in WAYS:
        if (way in ("memory", "loads of bytes")) != (what in ARRAYS) and way in ("memory", "loads of bytes"):
            continue
        if what == "variables" and way.startswith(("pickle", "memory")):
            continue
        words = ["--what", what, "--way", way, "--scale", str(scale), "--rounds", str(rounds)]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.shipping", *words], check=True, capture_output=True, text=True
        )
        found[way] = json.loads(done.stdout.splitlines()[-1])
    return found


def verdicts(what: str, found: dict[str, dict[str, float]], copy: float) -> list[str]:
    """Whether the targets are met."""
    if what in ARRAYS:
        share = found["dumps"]["seconds"] / copy
        return [f"dumps takes {share:.2f} of a memory copy; target 1.00: {'met' if share <= 1 else 'NOT met'}"]
    lines = []
    for way in ("dumps", "loads"):
        share = found[way]["seconds"] / found[f"pickle.{way}"]["seconds"]
        lines.append(f"{way} takes {share:.2f} of pickle's time; target 1.50: {'met' if share <= 1.5 else 'NOT met'}")
    return lines


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--what", choices=ARRAYS + GRAPHS)
    parser.add_argument("--way", choices=WAYS)
    given = parser.parse_args()
    if given.way:
        print(json.dumps(one(given.what, given.way, given.scale, given.rounds)))
        return
    copy = 0.0
    for what in (given.what,) if given.what else ARRAYS + GRAPHS:
        if what == "variables" and (find_spec("tensorflow") is None or not copy):
            continue
        found = figures(what, given.scale, given.rounds)
        copy = found["memory"]["seconds"] if "memory" in found else copy
        print(what)
        for way, figure in found.items():
            print(f"    {way:16}{figure['seconds']:9.3f} s{figure['megabytes']:9.0f} MB more at the peak")
        for line in verdicts(what, found, copy):
            print(f"    {line}", flush=True)


if __name__ == "__main__":
    main()
