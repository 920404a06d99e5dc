"""Benchmarks: graphcopy beside its peers, in one run.

    python -m benchmarks               the table
    python -m benchmarks W1 W2         some workloads
    python -m benchmarks --scale 0.1   smaller ones
    python -m benchmarks --linear      time per node as the graph grows
    python -m benchmarks --installed   what installed rules cost copy.deepcopy
    python -m benchmarks --json FILE   the figures

Times are CPU times of the process, with ``gc.collect(0)`` inside the timer, so that a collector that
was paused is paid by whoever paused it; peers take turns, and medians are shown as ratios to
``copy.deepcopy`` in the same run. Peak memory is that of a process of its own. Every copy is
verified; a wrong one is marked.
"""
