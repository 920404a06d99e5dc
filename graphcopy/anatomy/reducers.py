"""What others have registered with ``copyreg``: our own entries there are looked through.

While rules are installed for pickle, ``copyreg.dispatch_table`` holds reducers that ask them. They are meant for
pickle: graphcopy itself, copy.copy and what copy.deepcopy does without the rules ask for what stood there before.
"""

from __future__ import annotations

import copyreg
from typing import Any

__all__ = ["Beneath", "InstalledReducer", "reducer_of"]


class InstalledReducer:
    """The base of reducers that stand in ``copyreg.dispatch_table`` while rules are installed."""

    __slots__ = ("beneath",)

    def __init__(self, beneath: Any) -> None:
        self.beneath = beneath  # what stood there before: a reducer of somebody else's, or None


def reducer_of(cls: type) -> Any:
    """The reducer that somebody has registered for *cls*, or None."""
    found = copyreg.dispatch_table.get(cls)
    return found.beneath if isinstance(found, InstalledReducer) else found


class Beneath:
    """``copyreg.dispatch_table`` as it is without ours."""

    __slots__ = ()

    def get(self, cls: type) -> Any:
        """The reducer that somebody has registered for *cls*, or None."""
        return reducer_of(cls)
