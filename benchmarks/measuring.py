"""Measuring: peers in turns, CPU time with the collector's debt, peak memory in a process of its own."""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import peers
from .peers import available, by_value
from .workloads import WORKLOADS

__all__ = ["Figure", "interleaved", "measure"]

Figure = dict[str, Any]


_STACK = 512 * 1024 * 1024  # bytes, for the peers that recurse


def timed(peer: Callable[[Any], Any], obj: Any, repeat: int = 1) -> float:
    """CPU seconds of *repeat* copies, with a collection of the youngest generation inside the timer."""
    gc.collect()
    start = time.process_time()
    for _ in range(repeat):
        copied = peer(obj)
    gc.collect(0)
    seconds = time.process_time() - start
    del copied
    return seconds


def interleaved(names: list[str], objs: dict[str, Any], rounds: int, repeat: int = 1) -> dict[str, float]:
    """The median time of each peer; they take turns, so that a slow minute hits all."""
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            times[name].append(timed(peers.peer(name), objs[name], repeat))
    return {name: statistics.median(each) for name, each in times.items()}


def peak(workload: str, peer: str, scale: float) -> float | None:
    """Extra peak memory in MB of one copy in a fresh process; None when it fails."""
    words = [sys.executable, "-m", "benchmarks.measuring", workload, peer, str(scale)]
    done = subprocess.run(words, capture_output=True, text=True)
    return float(json.loads(done.stdout)) if done.returncode == 0 and done.stdout else None


def measure(name: str, scale: float, rounds: int, memory: bool) -> Figure:
    """Measure one workload against its peers, in a thread with a stack on which they can recurse."""
    found: list[Figure] = []
    before = threading.stack_size(_STACK)
    try:
        worker = threading.Thread(target=lambda: found.append(_measure(name, scale, rounds, memory)))
        worker.start()
        worker.join()
    finally:
        threading.stack_size(before)
    return found[0]


def _measure(name: str, scale: float, rounds: int, memory: bool) -> Figure:
    work = WORKLOADS[name]
    obj = work.make(scale)
    clean = work.clean(scale) if work.clean else obj
    if work.baseline == "cloudpickle":
        by_value()
    sys.setrecursionlimit(400_000)  # for the peers; graphcopy does not need it
    from .verifying import verdict

    objs, verdicts = {}, {}
    for peer in ("graphcopy", *work.peers):
        if not available(peer):
            verdicts[peer] = "not installed"
            continue
        given = obj
        verdicts[peer] = verdict(peers.peer(peer), obj)
        if verdicts[peer].startswith("fails") and clean is not obj:
            given = clean
            verdicts[peer] += "; timed without locks"
            if verdict(peers.peer(peer), clean).startswith("fails"):
                continue
        elif verdicts[peer].startswith("fails"):
            continue
        objs[peer] = given
    times = interleaved(list(objs), objs, rounds, work.repeat)
    sizes = {peer: peak(name, peer, scale) for peer in objs} if memory else {}
    return {
        "workload": name, "about": work.about, "baseline": work.baseline, "target": work.target,
        "times": times, "verdicts": verdicts, "peak": sizes,
    }  # fmt: skip


def resident(field: str) -> float:
    """Resident memory of this process in MB, now (VmRSS) or at its peak (VmHWM); Linux only.

    ``ru_maxrss`` will not do: a child starts with the peak of the process that made it.
    """
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


def _main(workload: str, peer: str, scale: str) -> None:
    if WORKLOADS[workload].baseline == "cloudpickle":
        by_value()
    obj = WORKLOADS[workload].make(float(scale))
    sys.setrecursionlimit(400_000)
    gc.collect()
    copier = peers.peer(peer)
    before = resident("VmRSS")
    copied = copier(obj)
    after = resident("VmHWM")
    del copied
    print(json.dumps(max(0.0, after - before)))


if __name__ == "__main__":
    threading.stack_size(_STACK)
    worker = threading.Thread(target=_main, args=sys.argv[1:])
    worker.start()
    worker.join()
