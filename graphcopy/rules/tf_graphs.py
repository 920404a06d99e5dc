"""The graph of a kept trace, seen from a copy.

A trace is a graph of operations; the variables that it reads are handed in as arguments, its *captures*. A copy runs
the very same operations and differs only in what it hands in. So it sees the graph through one of these.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["GraphOfCopy"]


class GraphOfCopy:
    """A FuncGraph with other captures and variables; all else is that of the one that *core* runs."""

    def __init__(self, core: Any, externals: Sequence[Any], variables: Iterable[Any]) -> None:
        self.core = core
        self.shared = shared = core.graph
        self.function_captures = type(shared.function_captures)()
        self.function_captures.reset_captures(externals, [internal for _, internal in shared.captures])
        self._function_captures = self.function_captures  # TensorFlow asks for it under both names
        self.variables = tuple(variables)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # isinstance asks for it
        return type(self.shared)

    def __getattr__(self, name: str) -> Any:
        if name == "shared":  # not there yet
            raise AttributeError(name)
        return getattr(self.shared, name)

    def __repr__(self) -> str:
        return f"<{self.shared} with captures of its own>"

    @property
    def captures(self) -> Any:
        """Pairs of what is handed in, and the placeholder that stands for it."""
        return self.function_captures.by_val_capture_tuples

    @property
    def external_captures(self) -> list[Any]:
        """What is handed in."""
        return list(self.function_captures.by_val_external.values())

    @property
    def internal_captures(self) -> list[Any]:
        """The placeholders that stand for it."""
        return list(self.function_captures.by_val_internal.values())

    @property
    def variables(self) -> tuple[Any, ...]:
        """The copy's variables; they are referred to weakly, as by any FuncGraph."""
        found = tuple(weak() for weak in self._weak_variables)
        if any(each is None for each in found):
            raise AssertionError("a function was called that reads variables which have been deleted")
        return found

    @variables.setter
    def variables(self, variables: Iterable[Any]) -> None:
        self._weak_variables = [weakref.ref(each) for each in variables]

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the copy's variables that are trained."""
        return tuple(each for each in self.variables if each.trainable)
