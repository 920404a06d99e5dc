"""Cost grows linearly: time per node at 1,000 to 1,000,000 nodes, with and without rules that need paths."""

from __future__ import annotations

import gc
import time
from typing import Any

import graphcopy

from .workloads import family, json_tree

__all__ = ["as_table", "growth"]


KINDS = ("builtins", "instances", "a predicate", "a path rule")


def growth(sizes: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)) -> dict[str, list[float]]:
    """Microseconds per node, by kind of graph and rules, for each of the sizes."""
    figures: dict[str, list[float]] = {"nodes": [float(size) for size in sizes], **{kind: [] for kind in KINDS}}
    predicate = [graphcopy.prune(dict, where=lambda node: "absent" in node.obj)]
    path = [graphcopy.prune(path="obj.**.children[0].name")]
    for size in sizes:
        people = family(size / 200_000 / 2)
        figures["builtins"].append(_best(json_tree(size / 1_000_000)) / size * 1e6)
        figures["instances"].append(_best(people) / size * 1e6)
        figures["a predicate"].append(_best(people, predicate) / size * 1e6)
        figures["a path rule"].append(_best(people, path) / size * 1e6)
    return figures


def as_table(figures: dict[str, list[float]]) -> str:
    """The figures as text."""
    lines = ["nodes      " + "   ".join(f"{kind:>11}" for kind in KINDS) + "   (microseconds a node)"]
    for place, size in enumerate(figures["nodes"]):
        lines.append(f"{size:<10.0f} " + "   ".join(f"{figures[kind][place]:11.3f}" for kind in KINDS))
    for kind in KINDS:
        lines.append(
            f"{kind}: the dearest size costs {max(figures[kind]) / min(figures[kind]):.2f} times the cheapest a node"
        )
    return "\n".join(lines)


def _best(obj: Any, rules: Any = ()) -> float:
    best = float("inf")
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        copied = graphcopy.copy(obj, rules=rules)
        gc.collect(0)
        best = min(best, time.process_time() - start)
        del copied
    return best
