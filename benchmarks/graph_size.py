"""Bytes a node of the compact graph, and the time to see it as a networkx graph.

python -m benchmarks.graph_size
"""

from __future__ import annotations

import time
import tracemalloc

import graphcopy

from .workloads import application, family, json_tree


def main() -> None:
    """Print one line for each workload."""
    _ = graphcopy.plan([]).graph  # what is imported first is not of the graph
    for name, obj in (("W1", json_tree(0.1)), ("W2", family(0.25)), ("W8", application(0.5))):
        tracemalloc.start()
        plan = graphcopy.plan(obj)
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        start = time.perf_counter()
        graph = plan.graph
        seconds = time.perf_counter() - start
        nodes, edges = len(plan.compact), graph.number_of_edges()
        print(
            f"{name}: {nodes} nodes, {edges} references, {size / nodes:.0f} bytes a node, view {seconds * 1e3:.1f} ms"
        )


if __name__ == "__main__":
    main()
