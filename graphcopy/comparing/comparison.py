"""compare(): the proof that a copy is the same as its original and shares nothing with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..anatomy.registry import dotted
from ..graph.compact import CompactGraph
from ..graph.paths import Path
from .isolation import shared_objects
from .pairing import Finding, Pairing
from .sides import Side

__all__ = ["Comparison", "Difference", "SharedObject", "compare_under"]

_SHOWN = 20


class SharedObject:
    """A mutable object, or memory, that is reachable from the original and from the copy.

    ``path`` leads there from the original, ``copied_path`` from the copy; ``how`` says whether it is
    the same object or the same memory behind two objects.
    """

    __slots__ = ("_its_place", "_one", "_other", "_place", "how", "obj", "type")

    def __init__(self, one: Side, other: Side, place: int, its_place: int, how: str) -> None:
        self._one, self._other, self._place, self._its_place = one, other, place, its_place
        self.obj = one.graph.objs[place]
        self.type = type(self.obj)
        self.how = how

    @property
    def path(self) -> Path:
        """The shortest path from the original."""
        return self._one.path(self._place)

    @property
    def copied_path(self) -> Path:
        """The shortest path from the copy."""
        return self._other.path(self._its_place)

    @property
    def places(self) -> tuple[int, int]:
        """The number of the node in the graph of either side."""
        return self._place, self._its_place

    def __str__(self) -> str:
        kind = dotted(self.type)
        return f"{kind}: {self.how} at {self.path.render('original')} and at {self.copied_path.render('copied')}"

    def __repr__(self) -> str:
        return f"<shared {self}>"


class Difference:
    """One place at which the copy is not like the original.

    ``kind`` is one of "type", "value", "missing", "added", "length", "order", "members", "alias lost",
    "alias invented", "not shared", "weak".
    """

    __slots__ = ("_finding", "_one", "_other", "detail", "kind")

    def __init__(self, one: Side, other: Side, finding: Finding) -> None:
        self._one, self._other, self._finding = one, other, finding
        self.kind = finding.kind
        self.detail = finding.detail

    @property
    def path(self) -> Path:
        """Where it is in the original."""
        return self._one.path(self._finding.place, self._finding.step)

    @property
    def copied_path(self) -> Path:
        """Where it is in the copy."""
        return self._other.path(self._finding.its_place, self._finding.its_step)

    @property
    def places(self) -> tuple[int, int]:
        """The number of the node in the graph of either side."""
        return self._finding.place, self._finding.its_place

    def __str__(self) -> str:
        mine, its = self.path.render("original"), self.copied_path.render("copied")
        where = mine if mine[len("original") :] == its[len("copied") :] else f"{mine} and {its}"
        return f"{where}: {self.kind}: {self.detail}"

    def __repr__(self) -> str:
        return f"<difference {self}>"


class Comparison:
    """What compare() found; ``str()`` is a report.

    ok
        True when the copy is the same as the original and isolated from it.
    shared
        What is reachable from both and can change: a list of SharedObject.
    differences
        Where the graphs are not isomorphic: a list of Difference.
    not_told_apart
        (path, count) of sets with members that are alike in all that they hold, so that nobody can say which
        became which.
    nodes
        The number of nodes of either side.
    graphs
        The two graphs, for ``draw``.

    >>> import graphcopy
    >>> found = graphcopy.compare({"a": [1]}, {"a": [1, 2]})
    >>> found.ok, [(str(each.path), each.kind) for each in found.differences]
    (False, [("obj['a']", 'length')])
    """

    __slots__ = ("differences", "graphs", "nodes", "not_told_apart", "shared")

    def __init__(
        self,
        shared: list[SharedObject],
        differences: list[Difference],
        not_told_apart: list[tuple[Path, int]],
        graphs: tuple[CompactGraph, CompactGraph],
    ) -> None:
        self.shared = shared
        self.differences = differences
        self.not_told_apart = not_told_apart
        self.graphs = graphs
        self.nodes = (len(graphs[0]), len(graphs[1]))

    @property
    def ok(self) -> bool:
        """Tell whether the copy is the same, and shares nothing mutable."""
        return not self.shared and not self.differences

    def __repr__(self) -> str:
        return f"<comparison: {len(self.shared)} shared, {len(self.differences)} differences>"

    def __str__(self) -> str:
        nodes, its_nodes = self.nodes
        if self.ok:
            lines = [f"same and isolated: {nodes} nodes"]
        else:
            lines = [f"not a right copy: {nodes} nodes in the original, {its_nodes} in the copy"]
        lines += _section("shared", self.shared)
        lines += _section("different", self.differences)
        lines += _section(
            "not told apart", [f"{count} members of {path.render('original')}" for path, count in self.not_told_apart]
        )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "ok": self.ok,
            "nodes": list(self.nodes),
            "shared": [
                {
                    "type": dotted(each.type),
                    "how": each.how,
                    "path": str(each.path),
                    "copied_path": str(each.copied_path),
                }
                for each in self.shared
            ],
            "differences": [
                {
                    "kind": each.kind,
                    "detail": each.detail,
                    "path": str(each.path),
                    "copied_path": str(each.copied_path),
                }
                for each in self.differences
            ],
            "not_told_apart": [{"path": str(path), "count": count} for path, count in self.not_told_apart],
        }


def _section(name: str, entries: list[Any]) -> list[str]:
    if not entries:
        return []
    lines = [f"{name}:", *(f"  {entry}" for entry in entries[:_SHOWN])]
    if len(entries) > _SHOWN:
        lines.append(f"  ... and {len(entries) - _SHOWN} more")
    return lines


def compare_under(policy: Any, original: Any, copied: Any, receipt: Any = None) -> Comparison:
    """Compare two graphs along the references that *policy* sees."""
    one, other = Side(original, policy), Side(copied, policy)
    otherwise, kept = _named_by(receipt, one)
    pairing = Pairing(one, other, lambda place: place in otherwise)
    pairing.run()
    return Comparison(
        [SharedObject(one, other, *entry) for entry in shared_objects(one, other, kept)],
        [Difference(one, other, finding) for finding in pairing.findings],
        [(one.path(place), count) for place, count in pairing.alike],
        (one.graph, other.graph),
    )


def _named_by(receipt: Any, one: Side) -> tuple[set[int], set[int]]:
    """The places that a receipt names: all of them, and those that it says are shared."""
    otherwise: set[int] = set()
    kept: set[int] = set()
    entries: Iterable[Any] = () if receipt is None else getattr(receipt, "entries", receipt)
    for entry in entries:
        path = getattr(entry, "path", None)
        if path is None:
            continue
        for place in _places(one, path):
            otherwise.add(place)
            if "share" in str(getattr(entry, "treatment", "")):
                kept.add(place)
    return otherwise, kept


def _places(one: Side, path: Any) -> list[int]:
    """The node at the end of *path*, found by following the path."""
    try:
        found = eval(str(path), {"obj": one.root})
    except Exception:  # the receipt belongs to something else
        return []
    place = one.index.get(id(found))
    return [] if place is None else [place]
