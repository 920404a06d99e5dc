"""Paths: how one gets from the root to a node, written as Python only when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .accessors import Accessor

__all__ = ["Path"]

_RUN = 500  # a longer run of one accessor is folded: the compiler cannot nest deeper than some thousands
_CHUNK = 200


class Path:
    """The accessors from the root to a node.

    ``str(path)`` is Python over ``obj`` and builtins that evaluates to the node; ``len`` is the number of steps.

    >>> from graphcopy.graph.accessors import attribute, item
    >>> path = Path([attribute("layers"), item(3)])
    >>> str(path)
    'obj.layers[3]'
    >>> path.follow(type("Model", (), {"layers": [1, 2, 3, 4]})())
    4
    """

    __slots__ = ("_steps",)

    def __init__(self, steps: Sequence[Accessor] = ()) -> None:
        self._steps = tuple(steps)

    @property
    def steps(self) -> tuple[Accessor, ...]:
        """The accessors, root first."""
        return self._steps

    def __len__(self) -> int:
        return len(self._steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self._steps == other._steps

    def __hash__(self) -> int:
        return hash(self._steps)

    def __str__(self) -> str:
        return self.render("obj")

    def __repr__(self) -> str:
        return f"Path({str(self)!r})"

    def render(self, root: str) -> str:
        """Write the path with *root* as the name of the root."""
        if len(self._steps) <= _RUN:
            return _apply(root, self._steps)
        pieces: list[str] = []  # each is the body of a lambda over o
        pending: list[Accessor] = []

        def flush() -> None:
            if pending:
                pieces.append(f"lambda o: {_apply('o', pending)}")
                pending.clear()

        for step, count in _runs(self._steps):
            if count > _RUN:
                flush()
                pieces.append(
                    f"lambda o: __import__('functools').reduce(lambda o, _: {step.render('o')}, range({count}), o)"
                )
                continue
            for _ in range(count):
                pending.append(step)
                if len(pending) == _CHUNK:
                    flush()
        flush()
        return f"__import__('functools').reduce(lambda o, f: f(o), [{', '.join(pieces)}], {root})"

    def follow(self, obj: Any) -> Any:
        """Evaluate the path on *obj*."""
        return eval(str(self), {"obj": obj})

    def pretty(self) -> str:
        """Write the path for a person: labels in a row, long middles left out."""
        labels = [step.label for step in self._steps]
        if len(labels) > 40:
            labels = [*labels[:20], f" ... {len(labels) - 40} more ... ", *labels[-20:]]
        return "obj" + "".join(label if label[:1] in ".[" else f"<{label}>" for label in labels)


def _apply(expression: str, steps: Sequence[Accessor]) -> str:
    before = "".join(step.before for step in reversed(steps))
    return before + expression + "".join(step.after for step in steps)


def _runs(steps: Sequence[Accessor]) -> list[tuple[Accessor, int]]:
    runs: list[tuple[Accessor, int]] = []
    for step in steps:
        if runs and runs[-1][0] == step:
            runs[-1] = (step, runs[-1][1] + 1)
        else:
            runs.append((step, 1))
    return runs
