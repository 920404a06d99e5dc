"""What a rule gets to see of a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import NeedsGraph
from ..graph.paths import Path

__all__ = ["Node"]


class Node:
    """An object, and where it stands.

    ``obj`` and ``type`` are always there. ``path`` needs the graph; a rule that reads it makes the copy build it
    first. ``travels`` is True when the copy is made of bytes, in another process.
    """

    __slots__ = ("_graph", "_index", "_look", "_path", "obj", "travels", "type", "ways")

    def __init__(self, obj: Any, graph: Any = None, index: int = -1, look: Any = None, path: Any = None) -> None:
        self.obj = obj
        self.type = type(obj)
        self.travels = False
        self.ways: Sequence[Any] = ()  # the kinds of references to it, for rules by attribute or path
        self._path = path  # path() tells the path of what is not in the graph yet
        self._graph = graph
        self._index = index
        self._look = look  # look(obj) makes the graph when it is needed: (graph, index)

    def __repr__(self) -> str:
        return f"<Node {self.type.__qualname__}>"

    @property
    def path(self) -> Path:
        """The shortest path from the root."""
        if self._path is not None:
            told: Path = self._path()
            return told
        if self._graph is None:
            if self._look is None:
                raise NeedsGraph
            self._graph, self._index = self._look(self.obj)
        path: Path = self._graph.path(self._index)
        return path
