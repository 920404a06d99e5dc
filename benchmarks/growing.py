"""Cost grows linearly: time per node at 1,000 to 1,000,000 nodes, with and without rules that need paths."""

from __future__ import annotations

import gc
import time
from typing import Any

import graphcopy

from .workloads import family, json_tree

__all__ = ["as_table", "growth"]


def growth(sizes: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)) -> dict[str, list[float]]:
    """Microseconds per node, by kind of graph, for each of the sizes."""
    figures: dict[str, list[float]] = {"nodes": [float(size) for size in sizes], "builtins": [], "instances": []}
    for size in sizes:
        figures["builtins"].append(_best(json_tree(size / 1_000_000)) / size * 1e6)
        figures["instances"].append(_best(family(size / 200_000 / 2)) / size * 1e6)
    return figures


def as_table(figures: dict[str, list[float]]) -> str:
    """The figures as text."""
    lines = ["nodes      builtins   instances   (microseconds a node)"]
    for size, one, other in zip(figures["nodes"], figures["builtins"], figures["instances"]):
        lines.append(f"{size:<10.0f} {one:8.3f}   {other:8.3f}")
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
