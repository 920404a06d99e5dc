"""Finding every culprit: graphcopy.explain beside one deep copy of a clean graph, and beside what people use.

    python -m benchmarks.explaining            100,000 objects with 400 culprits; W8
    python -m benchmarks.explaining --scale 0.1

Ratios in one run, CPU time, medians, with ``gc.collect(0)`` inside the timer. The recursive search pickles every part
again at each level, as do-it-yourself helpers do: cheap on what is flat, quadratic in depth. It, dill's ``badobjects``
and (where it is installed) ray's ``inspect_serializability`` run on a thousand objects with four culprits and on
objects in a row, since they do not end on the large graph.
"""

from __future__ import annotations

import argparse
import copy
import io
import pickle
import statistics
import sys
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import graphcopy

from .measuring import timed
from .workloads import application


class Part:
    """One object of the large graph."""

    def __init__(self, number: int, lock: bool) -> None:
        self.number = number
        self.values = [number, number + 1]
        self.options = {"name": str(number)}
        if lock:
            self.lock = threading.Lock()


def parts(count: int, culprits: int) -> Any:
    """A list of objects, in groups, of which some hold a lock."""
    every = max(1, count // 3 // culprits) if culprits else 0
    found = [Part(number, bool(every) and number % every == 0) for number in range(count // 3)]
    return [found[place : place + 100] for place in range(0, len(found), 100)]


def chained(count: int, lock: bool) -> Any:
    """Objects that refer to one another in a row, the last of them to a lock."""
    link = Part(0, lock)
    for number in range(1, count):
        above = Part(number, False)
        above.following = link  # type: ignore[attr-defined]
        link = above
    return link


def searched(obj: Any, path: str = "obj", found: list[str] | None = None) -> list[str]:
    """Pickle again, part by part: the search that helpers on the web do."""
    found = [] if found is None else found
    try:
        pickle.dumps(obj)
        return found
    except Exception:
        pass
    if isinstance(obj, dict):
        pieces = [(f"{path}[{key!r}]", value) for key, value in obj.items()]
    elif isinstance(obj, (list, tuple)):
        pieces = [(f"{path}[{place}]", value) for place, value in enumerate(obj)]
    elif hasattr(obj, "__dict__"):
        pieces = [(f"{path}.{name}", value) for name, value in vars(obj).items()]
    else:
        found.append(path)
        return found
    for name, value in pieces:
        searched(value, name, found)
    return found


def ratio(one: Callable[[Any], Any], a: Any, other: Callable[[Any], Any], b: Any, rounds: int) -> float:
    """How long *one* takes on *a* in units of *other* on *b*; they take turns."""
    times: list[tuple[float, float]] = [(timed(one, a), timed(other, b)) for _ in range(rounds)]
    return statistics.median(x for x, _ in times) / statistics.median(y for _, y in times)


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    threading.stack_size(512 * 1024 * 1024)
    worker = threading.Thread(target=measure, args=(options.scale, options.rounds))
    worker.start()
    worker.join()


def measure(scale: float, rounds: int) -> None:
    """The measurements, in a thread with a stack on which copy.deepcopy can recurse."""
    sys.setrecursionlimit(400_000)
    count, culprits = int(100_000 * scale), int(400 * scale) or 4
    dirty, clean = parts(count, culprits), parts(count, 0)
    found = len(graphcopy.explain(dirty, backend="deepcopy").culprits)
    print(f"{count:,} objects, {found} culprits; 1.00 is copy.deepcopy of the same graph without locks")
    for backend in ("deepcopy", "pickle", "graphcopy"):
        figure = ratio(lambda obj, b=backend: graphcopy.explain(obj, backend=b), dirty, copy.deepcopy, clean, rounds)
        print(f"  explain, backend {backend:10} {figure:6.2f}")
    live, still = application(scale), application(scale, live=False)
    for backend in ("deepcopy", "graphcopy"):
        figure = ratio(lambda obj, b=backend: graphcopy.explain(obj, backend=b), live, copy.deepcopy, still, rounds)
        print(f"  W8, backend {backend:15} {figure:6.2f}")
    small, small_clean = parts(1000, 4), parts(1000, 0)
    _beside_others("1,000 objects, 4 culprits", small, small_clean, rounds)
    for length in (100, 200, 400):
        title = f"a row of {length} objects, the last with a lock"
        _beside_others(title, chained(length, True), chained(length, False), rounds)


def _beside_others(title: str, dirty: Any, clean: Any, rounds: int) -> None:
    print(title)
    others: dict[str, Callable[[Any], Any]] = {
        "explain, backend pickle": lambda obj: graphcopy.explain(obj, backend="pickle"),
        "pickling part after part": searched,
    }
    if find_spec("ray") is not None:
        from ray.util import inspect_serializability

        others["ray's inspector, depth 3"] = lambda obj: inspect_serializability(obj, print_file=io.StringIO())
    for name, other in others.items():
        print(f"  {name:27} {ratio(other, dirty, copy.deepcopy, clean, rounds):8.2f}   finds {_found(other, dirty)}")
    import dill.detect

    figure = ratio(lambda obj: dill.detect.badobjects(obj, depth=3), dirty, copy.deepcopy, clean, 1)
    print(f"  dill.detect, depth 3        {figure:8.2f}")


def _found(search: Callable[[Any], Any], obj: Any) -> str:
    answer = search(obj)
    if isinstance(answer, list):
        return str(len(answer))
    if isinstance(answer, tuple):  # ray: whether it can be sent, and a set of failures
        return str(len(answer[1]))
    return str(len(answer.culprits))


if __name__ == "__main__":
    main()
