"""What installed rules cost copy.deepcopy where they match nothing: next to nothing."""

from __future__ import annotations

import copy
import gc
import statistics
import time
from typing import Any

import graphcopy

from .workloads import WORKLOADS

__all__ = ["as_table", "ratios"]

_GRAPHS = ("W1", "W2", "W3")


def ratios(scale: float = 0.01, rounds: int = 60) -> dict[str, float]:
    """By workload: CPU time of copy.deepcopy with installed rules, as a multiple of the time without; in turns."""
    rules = [graphcopy.share(f"somewhere.Else{number}") for number in range(20)]
    found = {}
    for name in _GRAPHS:
        obj = (WORKLOADS[name].clean or WORKLOADS[name].make)(scale)
        without, under = [], []
        for _ in range(rounds):
            without.append(_timed(obj))
            with graphcopy.install(rules):
                under.append(_timed(obj))
        # Lower quartiles: what a busy machine adds, it adds to either at random.
        found[name] = statistics.quantiles(under)[0] / statistics.quantiles(without)[0]
    return found


def as_table(found: dict[str, float]) -> str:
    """The ratios as text."""
    lines = ["copy.deepcopy with twenty installed rules that match nothing, as a multiple of copy.deepcopy without"]
    return "\n".join(lines + [f"{name}  {ratio:.3f}  {WORKLOADS[name].about}" for name, ratio in found.items()])


def _timed(obj: Any) -> float:
    gc.collect()
    start = time.process_time()
    copied = copy.deepcopy(obj)
    seconds = time.process_time() - start
    del copied
    return seconds
