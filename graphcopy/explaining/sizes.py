"""Which branches are heavy: bytes and nodes by path, each node counted where its shortest path leads."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from ..graph.compact import CompactGraph
from ..graph.paths import Path

__all__ = ["Branch", "branches"]


class Branch(NamedTuple):
    """What hangs below a path."""

    path: Path
    nbytes: int
    nodes: int

    def __str__(self) -> str:
        return f"{self.path}: {self.nbytes:,} bytes in {self.nodes:,} nodes"


def branches(graph: CompactGraph, depth: int) -> list[Branch]:
    """The branches down to *depth* steps, heaviest first; what two branches share counts for the nearer one."""
    count = len(graph)
    nbytes = [size_of(obj) for obj in graph.objs]
    nodes = [1] * count
    levels = [0] * count
    for place in range(1, count):
        levels[place] = levels[graph.parents[place]] + 1
    for place in range(count - 1, 0, -1):  # breadth-first numbers: children after their parents
        parent = graph.parents[place]
        nbytes[parent] += nbytes[place]
        nodes[parent] += nodes[place]
    wanted = [place for place in range(count) if levels[place] <= depth]
    wanted.sort(key=lambda place: -nbytes[place])
    return [Branch(graph.path(place), nbytes[place], nodes[place]) for place in wanted]


def size_of(obj: Any) -> int:
    """The bytes of one object: its buffer where it has one, and what ``sys.getsizeof`` says."""
    try:
        own = getattr(obj, "nbytes", None) if type(obj).__module__ != "builtins" else None
        if type(own) is int:
            return own
        return sys.getsizeof(obj, 0)
    except Exception:
        return 0
