"""The receipt: what a finished copy did other than copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from logging import Logger
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

from .anatomy.functions import holds_state, is_importable
from .anatomy.global_names import used_names
from .anatomy.parts import Parts, Pruned, Replaced, Shared
from .anatomy.registry import dotted
from .graph.compact import CompactGraph
from .graph.paths import Path

__all__ = ["Entry", "Receipt", "receipt_of"]

_FRESH = frozenset(["fresh_lock", "fresh_rlock"])


class Entry(NamedTuple):
    """One node that was not plainly copied: where, what was done, by which rule, and what was lost."""

    path: Path
    treatment: str
    type: str
    rule: str
    lost: str

    def __str__(self) -> str:
        by = f" by {self.rule}" if self.rule else ""
        return f"{self.path}: {self.type} {self.treatment}{by}" + (f": {self.lost}" if self.lost else "")


class Receipt:
    """What one copy did other than copy; iterating gives the entries in breadth-first order.

    entries
        A list of named tuples: ``path``, ``treatment`` ("shared", "pruned", "replaced", "rebuilt"), ``type``, ``rule``,
        ``lost``.
    fresh
        Locks that were made anew, counted by type.
    notes
        What else is to be known: globals that stay those of their module, for example.

    >>> import graphcopy, threading
    >>> copied, receipt = graphcopy.copy([threading.Lock(), (i for i in "ab")],
    ...                                  rules=[graphcopy.prune("builtins.generator")], receipt=True)
    >>> print(receipt)
    obj[1]: builtins.generator pruned by prune(builtins.generator)
    1 fresh _thread.lock
    """

    def __init__(self, entries: list[Entry], fresh: dict[str, int], notes: list[str]) -> None:
        self.entries = entries
        self.fresh = fresh
        self.notes = notes

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __str__(self) -> str:
        lines = [str(entry) for entry in self.entries]
        lines += [f"{count} fresh {name}" for name, count in self.fresh.items()]
        return "\n".join([*lines, *self.notes]) or "everything was copied"

    def __repr__(self) -> str:
        return f"<receipt: {len(self.entries)} entries>"

    def to_dict(self) -> dict[str, Any]:
        """The receipt as plain data, for JSON."""
        entries = [{**entry._asdict(), "path": str(entry.path)} for entry in self.entries]
        return {"entries": entries, "fresh": self.fresh, "notes": self.notes}


def receipt_of(graph: CompactGraph, notes: list[tuple[Any, Any]]) -> Receipt:
    """Read the receipt off a graph with its treatments.

    Listed is what a rule shared, pruned, replaced or rebuilt with loss, and live objects that are shared
    by default. Atoms, classes, modules and importable functions are left out.
    """
    entries: list[Entry] = []
    fresh: Counter[str] = Counter()
    for place in sorted(graph.outcomes):
        outcome, rule = graph.outcomes[place], graph.rules.get(place)
        name = str(getattr(rule, "name", "") or "")
        lost = ""
        if isinstance(outcome, Shared):
            if not outcome.live:
                continue
            treatment, lost = "shared", outcome.reason
        elif isinstance(outcome, Pruned):
            treatment = "pruned"
        elif isinstance(outcome, Replaced):
            treatment = "replaced"
        elif isinstance(outcome, Parts):
            entries += _cuts(graph, place, outcome)
            if name in _FRESH:
                fresh[dotted(type(graph.objs[place]))] += 1
                continue
            if not outcome.lost:
                continue
            treatment, lost = "rebuilt", outcome.lost
        else:
            continue
        entries.append(Entry(graph.path(place), treatment, dotted(type(graph.objs[place])), name, lost))
    said = dict.fromkeys(f"{_about(subject)}: {text}" for subject, text in notes)
    said.update(dict.fromkeys(_shared_globals(graph)))
    return Receipt(entries, dict(fresh), list(said))


def _cuts(graph: CompactGraph, place: int, parts: Parts) -> Iterator[Entry]:
    """The references of one object that rules cut."""
    if not parts.cut_by:
        return
    obj, path = graph.objs[place], graph.path(place)
    children, accessors = list(parts.children()), parts.accessors(obj)
    for number, rule in parts.cut_by.items():
        where = Path((*path.steps, accessors[number]))
        yield Entry(where, "pruned", dotted(type(children[number])), rule.name, "")


def _shared_globals(graph: CompactGraph) -> Iterator[str]:
    """The mutable globals that copied functions read: they stay those of the module."""
    for place in sorted(graph.outcomes):
        obj, outcome = graph.objs[place], graph.outcomes[place]
        if type(obj) is not FunctionType or not isinstance(outcome, Parts) or place in graph.rules:
            continue
        for name in used_names(obj.__code__):
            value = obj.__globals__.get(name)
            if holds_state(value) and not isinstance(value, _PROGRAM) and not is_importable(value):
                yield f"{obj.__qualname__} reads global {name!r}: shared"


_PROGRAM = (type, ModuleType, BuiltinFunctionType, Logger)


def _about(subject: Any) -> str:
    return dotted(subject if isinstance(subject, type) else type(subject))
