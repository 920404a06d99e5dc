"""Treatments: what a rule may answer for a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..anatomy.parts import NOTHING, Parts, Pruned, Refused, Replaced, Shared

__all__ = ["COPY", "Copy", "Treatment", "copied", "refused"]


class Copy:
    """Copy the node plainly, as if no further rule matched."""

    __slots__ = ()


COPY: Final = Copy()
Treatment = Parts | Pruned | Refused | Replaced | Shared | Copy


def copied() -> Copy:
    """The treatment "copy it plainly"."""
    return COPY


def refused(reason: str, advice: str = "") -> Refused:
    """The treatment "this is a culprit", with a reason and a line of advice."""
    return Refused(reason, advice)


def shared(reason: str = "a rule shares it", *, live: bool = True) -> Shared:
    """The treatment "the copy refers to the same object"."""
    return Shared(reason, live=live)


def pruned(value: Any = NOTHING) -> Pruned:
    """The treatment "cut every reference to it"; with *value* that stands in its place."""
    return Pruned(value)


def replaced(value: Any) -> Replaced:
    """The treatment "this value stands in its place"."""
    return Replaced(value)


def rebuilt(func: Callable[..., Any], args: Sequence[Any] = (), **pieces: Any) -> Parts:
    """The treatment "make it anew", in reduce form; see ``anatomy.parts.Parts``."""
    return Parts(func, tuple(args), **pieces)


__all__ += ["pruned", "rebuilt", "replaced", "shared"]
