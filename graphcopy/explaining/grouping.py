"""Thousands of culprits in some lines: grouped by type, reason and common path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..anatomy.registry import dotted
from ..culprits import Culprit

__all__ = ["Group", "grouped"]


class Group(NamedTuple):
    """Culprits that are alike: the pattern of their paths, and an example."""

    pattern: str
    type: str
    reason: str
    number: int
    example: str
    advice: str

    def __str__(self) -> str:
        if self.number == 1:
            return f"{self.example}: {self.type}: {self.reason}\n      try {self.advice}"
        return (
            f"{self.number:,} x {self.type} at {self.pattern}: {self.reason}\n"
            f"      for example {self.example}\n      try {self.advice}"
        )


def pattern_of(culprit: Culprit) -> str:
    """The path with a star for every key and position."""
    return "obj" + "".join(
        "[*]" if step.kind in ("item", "member", "value", "key") else step.label for step in culprit.path.steps
    )


def grouped(culprits: Sequence[Culprit]) -> list[Group]:
    """The groups, largest first."""
    found: dict[tuple[str, str, str], list[Culprit]] = {}
    for culprit in culprits:
        found.setdefault((pattern_of(culprit), dotted(culprit.type), culprit.reason), []).append(culprit)
    groups = [
        Group(pattern, kind, reason, len(members), str(members[0].path), members[0].advice)
        for (pattern, kind, reason), members in found.items()
    ]
    return sorted(groups, key=lambda group: -group.number)
