"""Arrays: time and peak memory of a copy, beside a bare memory copy and copy.deepcopy.

    python -m benchmarks.arrays [--count 100] [--megabytes 8] [--rounds 5]

Each way runs in a child process of its own, so that the peak is its own; time is the median of the rounds,
peak is what the resident set grew by, as a multiple of the data.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

WAYS = ("memory", "deepcopy", "graphcopy", "views")


def data(way: str, count: int, megabytes: int) -> Any:
    """The arrays; for "views" each with three views of it."""
    import numpy

    arrays = [numpy.full(megabytes << 17, float(number)) for number in range(count)]
    if way == "views":
        return [[array, array[::2], array[1:], array.reshape(2, -1)] for array in arrays]
    return arrays


def one(way: str, count: int, megabytes: int, rounds: int) -> dict[str, float]:
    """Time one way of copying, in this process."""
    import copy

    import numpy

    import graphcopy

    original = data(way, count, megabytes)
    graphcopy.copy([numpy.zeros(3)])
    ways: dict[str, Any] = {
        "memory": lambda: [numpy.array(array, copy=True) for array in original],
        "deepcopy": lambda: copy.deepcopy(original),
        "graphcopy": lambda: graphcopy.copy(original),
        "views": lambda: graphcopy.copy(original),
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for _ in range(rounds):
        start = time.process_time()
        copied = ways[way]()
        times.append(time.process_time() - start)
        del copied
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return {"seconds": statistics.median(times), "peak": grown / (count * megabytes << 20)}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--megabytes", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--way", choices=WAYS)
    given = parser.parse_args()
    if given.way:
        print(json.dumps(one(given.way, given.count, given.megabytes, given.rounds)))
        return
    sizes = ["--count", str(given.count), "--megabytes", str(given.megabytes), "--rounds", str(given.rounds)]
    base = 0.0
    print(f"{given.count} arrays of {given.megabytes} MB\n\n{'way':<12}{'seconds':>9}{'x memory':>10}{'peak/data':>11}")
    for way in WAYS:
        command = [sys.executable, "-m", "benchmarks.arrays", "--way", way, *sizes]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        base = base or answer["seconds"]
        print(f"{way:<12}{answer['seconds']:>9.3f}{answer['seconds'] / base:>10.2f}{answer['peak']:>11.3f}")


if __name__ == "__main__":
    main()
