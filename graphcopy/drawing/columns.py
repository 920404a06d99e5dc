"""In which column each box stands: the distance from the root, as one reads."""

from __future__ import annotations

from .picture import Picture

__all__ = ["columns_of"]


def columns_of(picture: Picture) -> list[int]:
    """The column of each node.

    An original is read from left to right, its copy from right to left, and what both share stands between them.
    """
    sides = {node.side for node in picture.nodes}
    if sides <= {""}:
        return _distances(picture, "")
    mine, its = _distances(picture, "original"), _distances(picture, "copied")
    middle = max((column for column, node in zip(mine, picture.nodes) if node.side == "original"), default=-1) + 1
    last = middle + ("between" in sides)
    last += max((column for column, node in zip(its, picture.nodes) if node.side == "copied"), default=0)
    found = []
    for node, left, right in zip(picture.nodes, mine, its):
        found.append(left if node.side == "original" else last - right if node.side == "copied" else middle)
    return found


def _distances(picture: Picture, side: str) -> list[int]:
    """The distance of each node of one side from the root of the side."""
    number = {node.key: place for place, node in enumerate(picture.nodes)}
    members = [place for place, node in enumerate(picture.nodes) if node.side == side]
    inside = set(members)
    out: dict[int, list[int]] = {}
    for edge in picture.edges:
        if edge.kind != "between":
            out.setdefault(number[edge.source], []).append(number[edge.target])
    found = [-1] * len(number)
    starts = [place for place in members if picture.nodes[place].root]
    for start in [*starts, *members]:
        if found[start] >= 0:
            continue
        found[start] = 0
        waiting = [start]
        for place in waiting:
            for target in out.get(place, ()):
                if found[target] < 0 and target in inside:
                    found[target] = found[place] + 1
                    waiting.append(target)
    return [max(0, distance) for distance in found]
