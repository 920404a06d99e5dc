"""Print the table."""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import os
import platform
from concurrent.futures import ProcessPoolExecutor

from . import __doc__ as about
from . import installed
from .growing import as_table, growth
from .measuring import Figure, measure
from .workloads import WORKLOADS


def row(figure: Figure) -> str:
    """One workload in some lines."""
    times, base = figure["times"], figure["times"].get(figure["baseline"])
    lines = [f"{figure['workload']}  {figure['about']}"]
    for peer, verdict in figure["verdicts"].items():
        seconds = times.get(peer)
        speed = f"{base / seconds:8.2f}" if base and seconds else "        "
        taken = f"{seconds:9.3f} s" if seconds is not None else " " * 11
        memory = figure["peak"].get(peer)
        size = f"{memory:9.0f} MB" if memory is not None else " " * 12
        lines.append(f"    {peer:12}{speed} x {figure['baseline']}{taken}{size}   {verdict}")
    if figure["target"] and base:
        reached = base / times["graphcopy"]
        lines.append(f"    target {figure['target']}: {'met' if reached >= figure['target'] else 'NOT met'}")
    return "\n".join(lines)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        prog="benchmarks", description=about, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("workloads", nargs="*", help=f"some of {', '.join(WORKLOADS)}")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("--linear", action="store_true")
    parser.add_argument("--installed", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    if options.installed:
        print(installed.as_table(installed.ratios()))
        return
    if options.linear:
        print(as_table(growth()))
        return
    figures = []
    for name in options.workloads or WORKLOADS:
        # In a process of its own: what one leaves behind (memory, classes registered by value) is not the next one's.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            figure = pool.submit(measure, name, options.scale, options.rounds, not options.no_memory).result()
        figures.append(figure)
        print(row(figure), flush=True)
    if options.json:
        facts = {
            "python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(), "date": datetime.date.today().isoformat(), "scale": options.scale,
        }  # fmt: skip
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**facts, "figures": figures, "growth": growth()}, file, indent=1)


if __name__ == "__main__":
    main()
