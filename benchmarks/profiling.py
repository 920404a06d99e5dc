"""Where the time of a copy goes, line by line, as py-spy samples it (``pip install py-spy``).

    python -m benchmarks.profiling W1                  by function
    python -m benchmarks.profiling W6 --lines 20       and the dearest lines
    python -m benchmarks.profiling S2 --seconds 30

py-spy looks at the process from outside, so that nothing is slowed down by being looked at (``cProfile`` makes a
call look five times as dear as it is).
"""

from __future__ import annotations

import argparse
import collections
import gc
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .workloads import WORKLOADS

__all__ = ["main", "shares"]


def repeat(workload: str, scale: float, seconds: float) -> None:
    """Copy one workload again and again."""
    import graphcopy

    obj = WORKLOADS[workload].make(scale)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(WORKLOADS[workload].repeat):
            copied = graphcopy.copy(obj)
        gc.collect(0)
        del copied


def shares(stacks: str, *, lines: bool = False) -> list[tuple[float, str]]:
    """The share of the samples in each function (or line) of graphcopy, of those taken while it copies.

    *stacks* is what ``py-spy record --format raw`` writes.
    """
    count: collections.Counter[str] = collections.Counter()
    for line in stacks.splitlines():
        stack, samples = line.rsplit(" ", 1)
        frames = stack.split(";")
        if any(frame.startswith("copy (graphcopy/public.py") for frame in frames):
            count[frames[-1] if lines else re.sub(r":\d+\)$", ")", frames[-1])] += int(samples)
    total = sum(count.values())
    return [(samples / total, name) for name, samples in count.most_common()]


def main() -> None:
    """Let py-spy look at this script in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=list(WORKLOADS))
    parser.add_argument("--scale", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--lines", type=int, default=0)
    parser.add_argument("--repeat", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.repeat:
        repeat(options.workload, options.scale, options.seconds)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "stacks")
        spy = [sys.executable.replace(os.path.basename(sys.executable), "py-spy"), "record", "--rate", "500"]
        words = [*spy, "--format", "raw", "--output", str(file), "--", sys.executable, "-m", __spec__.name]
        given = [options.workload, "--scale", str(options.scale), "--seconds", str(options.seconds), "--repeat"]
        done = subprocess.run([*words, *given], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr or "py-spy failed")
        stacks = file.read_text(encoding="utf-8")
    print(f"{options.workload}  {WORKLOADS[options.workload].about}")
    for share, name in shares(stacks)[:12]:
        print(f"    {share:6.1%}  {name}")
    for share, name in shares(stacks, lines=True)[: options.lines]:
        print(f"    {share:6.1%}  {name}")


if __name__ == "__main__":
    main()
