"""The reference graph inside: integer arrays, with labels worked out from the parent when asked for."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from .accessors import Accessor, attribute
from .paths import Path

__all__ = ["CompactGraph"]


_LOST = attribute("it_was_here_before_the_object_changed")


class CompactGraph:
    """Nodes are numbered in breadth-first order, the root is 0.

    The references of node n are ``targets[offsets[n]:offsets[n + 1]]``. ``parents[n]`` is the node by
    which n was first reached, ``slots[n]`` the number of that reference.
    """

    __slots__ = (
        "_index", "accessors_of", "marks", "objs", "offsets", "outcomes", "parents", "rules", "slots",
        "targets",
    )  # fmt: skip

    def __init__(self) -> None:
        self.objs: list[Any] = []
        self._index: dict[int, int] | None = {}
        self.offsets = array("q", [0])
        self.targets = array("i")
        self.parents = array("i")
        self.slots = array("q")
        self.marks: dict[int, str] = {}  # what is not plainly copied
        self.outcomes: dict[int, Any] = {}  # how it came apart, where that had to be asked
        self.rules: dict[int, Any] = {}
        self.accessors_of: Callable[[int], Sequence[Accessor]] = lambda place: ()

    def __len__(self) -> int:
        return len(self.objs)

    @property
    def index(self) -> dict[int, int]:
        """The number of each node by the id of its object; made anew when asked for, since it is the heaviest part."""
        if self._index is None:
            self._index = {id(obj): place for place, obj in enumerate(self.objs)}
        return self._index

    def forget_index(self) -> None:
        """Give the memory of the index back."""
        self._index = None

    def add(self, root: Any) -> None:
        """Enter the root."""
        self.index[id(root)] = 0
        self.objs.append(root)
        self.parents.append(-1)
        self.slots.append(-1)

    def successors(self, place: int) -> Sequence[int]:
        """The nodes that node *place* refers to, one for each reference."""
        return self.targets[self.offsets[place] : self.offsets[place + 1]]

    def mark(self, place: int) -> str:
        """What happens to the node: copied, shared, pruned, replaced, rebuilt or culprit."""
        return self.marks.get(place, "copied")

    def path(self, place: int, labels: dict[int, Sequence[Accessor]] | None = None) -> Path:
        """The shortest path from the root to node *place*.

        *labels* keeps the accessors of the nodes on the way, for whoever asks for many paths.
        """
        steps: list[Accessor] = []
        while place > 0:
            parent = self.parents[place]
            if labels is None:
                accessors = self.accessors_of(parent)
            else:
                accessors = labels[parent] if parent in labels else labels.setdefault(parent, self.accessors_of(parent))
            number = self.slots[place] - self.offsets[parent]
            steps.append(accessors[number] if number < len(accessors) else _LOST)
            place = parent
        steps.reverse()
        return Path(steps)

    def references(self, place: int) -> list[tuple[Accessor, int]]:
        """The references of node *place*: accessor and target."""
        return list(zip(self.accessors_of(place), self.successors(place)))
