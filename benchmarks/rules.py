"""What rules cost: twenty rules by type that do not match, rules by attribute, rules by path.

``python -m benchmarks.rules`` prints CPU seconds of one copy, the best of some rounds that take turns.
"""

from __future__ import annotations

import gc
import time
from typing import Any

import graphcopy

from .workloads import family

__all__ = ["figures", "main", "unmatched_rules"]


def unmatched_rules(count: int = 20) -> list[Any]:
    """Rules for as many classes of which there is no object."""
    return [graphcopy.share(type(f"Absent{number}", (), {})) for number in range(count)]


def figures(sizes: tuple[int, ...] = (5_000, 20_000, 80_000), rounds: int = 3) -> list[tuple[int, dict[str, float]]]:
    """CPU seconds by kind of rules, for graphs of instances of these sizes."""
    kinds: dict[str, list[Any]] = {
        "no rules": [],
        "20 by type": unmatched_rules(),
        "attr='absent'": [graphcopy.prune(attr="absent")],
        "attr='name'": [graphcopy.prune(attr="name")],
        "path, 3 steps": [graphcopy.prune(path="obj.children[*].name")],
        "path, any depth": [graphcopy.prune(path="obj.**.children[0].name")],
    }
    found = []
    for size in sizes:
        obj = family(size / 200_000)
        best = dict.fromkeys(kinds, float("inf"))
        for _ in range(rounds):
            for kind, rules in kinds.items():
                best[kind] = min(best[kind], _seconds(obj, rules))
        found.append((size, best))
    return found


def _seconds(obj: Any, rules: list[Any]) -> float:
    gc.collect()
    start = time.process_time()
    copied = graphcopy.copy(obj, rules=rules)
    seconds = time.process_time() - start
    del copied
    return seconds


def main() -> None:
    """Print microseconds an instance."""
    for size, best in figures():
        print(f"{size:,} instances")
        for kind, seconds in best.items():
            times = seconds / best["no rules"]
            print(f"    {kind:16} {seconds / size * 1e6:8.2f} us an instance   {times:6.2f} x no rules")


if __name__ == "__main__":
    main()
