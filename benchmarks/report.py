"""Write the table and the plots of docs/performance.md from the figures of one run.

python -m benchmarks --json figures.json
python -m benchmarks.report figures.json      needs matplotlib
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .growing import KINDS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PEERS = ("graphcopy", "deepcopy", "copium", "pickle", "cloudpickle", "dill")


def cell(figure: dict[str, Any], peer: str) -> str:
    """How many times as fast as the baseline, or why not."""
    verdict = figure["verdicts"].get(peer, "")
    seconds, base = figure["times"].get(peer), figure["times"].get(figure["baseline"])
    if seconds is None:
        return verdict.removeprefix("fails: ").split(";")[0] or "-"
    speed = f"{base / seconds:.2f}" if base else f"{seconds:.2f} s"
    if verdict.startswith("wrong"):
        return f"{speed} **wrong**"
    return speed + (" (a)" if "timed without locks" in verdict else "")


def table(data: dict[str, Any]) -> str:
    """The table as Markdown."""
    lines = [
        f"Python {data['python']}, {data['machine']}, {data['cores']} cores, {data['date']}"
        + (f", at {data['scale']:g} of the full size" if data["scale"] != 1 else ""),
        "",
        "| workload | 1.00 is | " + " | ".join(PEERS) + " | target | peak memory, MB |",
        "|---|---|" + "---|" * (len(PEERS) + 2),
    ]
    for figure in data["figures"]:
        times, base = figure["times"], figure["times"].get(figure["baseline"])
        target = "-"
        if figure["target"]:
            met = base and base / times["graphcopy"] >= figure["target"]
            target = f"{figure['target']:.2f} {'met' if met else '**not met**'}"
        peaks = [figure["peak"].get(peer) for peer in ("graphcopy", figure["baseline"])]
        memory = " / ".join("-" if peak is None else f"{peak:.0f}" for peak in peaks)
        cells = " | ".join(cell(figure, peer) for peer in PEERS)
        lines.append(
            f"| {figure['workload']} {figure['about']} | {figure['baseline']} | {cells} | {target} | {memory} |"
        )
    lines += [
        "",
        "(a) fails on the workload itself, and was timed on the same graph without its locks, loggers and functions.",
    ]
    return "\n".join(lines) + "\n"


def plots(data: dict[str, Any]) -> None:
    """Bars of the speeds, and the time per node as the graph grows."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "graphcopy"
    from matplotlib import pyplot

    shown = [each for each in data["figures"] if each["times"].get(each["baseline"])]
    figure, axes = pyplot.subplots(figsize=(9, 4.5))
    width = 0.8 / len(PEERS)
    for place, peer in enumerate(PEERS):
        speeds = [
            each["times"][each["baseline"]] / each["times"][peer] if peer in each["times"] else 0 for each in shown
        ]
        axes.bar([x + place * width for x in range(len(shown))], speeds, width, label=peer)
    axes.set_yscale("log")
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xticks([x + 0.4 - width / 2 for x in range(len(shown))], [each["workload"] for each in shown])
    axes.set_ylabel("times as fast as the baseline")
    axes.legend(ncols=3, fontsize="small")
    figure.tight_layout()
    (DOCS / "images").mkdir(exist_ok=True)
    figure.savefig(DOCS / "images" / "performance.svg", metadata={"Date": None})

    figure, axes = pyplot.subplots(figsize=(6, 3.2))
    for kind in KINDS:
        axes.plot(data["growth"]["nodes"], data["growth"][kind], marker="o", label=kind)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("nodes")
    axes.set_ylabel("microseconds a node")
    axes.legend()
    figure.tight_layout()
    figure.savefig(DOCS / "images" / "growth.svg", metadata={"Date": None})


def main() -> None:
    """Read the figures, write table and plots."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    (DOCS / "performance_table.md").write_text(
        "<!-- made by benchmarks/report.py -->\n\n" + table(data), encoding="utf-8"
    )
    plots(data)


if __name__ == "__main__":
    main()
