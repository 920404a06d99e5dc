"""Cost grows linearly: time per node at 1,000 to 1,000,000 nodes, with and without rules that need paths."""

from __future__ import annotations

import gc
import time
from typing import Any

import graphcopy

from .workloads import family, json_tree

__all__ = ["growth"]


def growth(sizes: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)) -> str:
    """A table of microseconds per node."""
    lines = ["nodes      builtins   instances   (microseconds a node)"]
    for size in sizes:
        figures = []
        for obj, nodes in ((json_tree(size / 1_000_000), size), (family(size / 200_000 / 2), size)):
            figures.append(_best(obj) / nodes * 1e6)
        lines.append(f"{size:<10} " + "   ".join(f"{figure:8.3f}" for figure in figures))
    return "\n".join(lines)


def _best(obj: Any) -> float:
    best = float("inf")
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        copied = graphcopy.copy(obj)
        gc.collect(0)
        best = min(best, time.process_time() - start)
        del copied
    return best
