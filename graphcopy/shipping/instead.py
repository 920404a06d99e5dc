"""What a rule puts in the place of something travels as it is: rules are not asked about it again.

They would replace it again, and so on without end. An object is known by its identity; numbers and
strings, of which there is one for all, travel in the clothes of a type that no rule speaks for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeGuard

from ..anatomy.parts import NOTHING, Pruned, Replaced
from ..graph.accessors import is_literal

__all__ = ["disguised", "stands_instead", "undressed"]


def stands_instead(outcome: Any) -> TypeGuard[Replaced | Pruned]:
    """Tell whether *outcome* puts a value in the place of the object: it travels, and may be no more able to."""
    return isinstance(outcome, Replaced) or (isinstance(outcome, Pruned) and outcome.value is not NOTHING)


def disguised(value: Any, is_ruled: Callable[[type], bool]) -> Any:
    """What travels for the literal *value*, for ``undressed``; NOTHING where *value* itself can, or no type is free.

    >>> undressed(disguised(6, lambda cls: cls is int))
    6
    >>> disguised([6], lambda cls: True) is NOTHING
    True
    """
    if not is_literal(value) or not is_ruled(type(value)):
        return NOTHING
    text = repr(value)
    if not is_ruled(str):
        return text
    if not is_ruled(bytes):
        return text.encode()
    return NOTHING if is_ruled(int) else int.from_bytes(text.encode(), "big")


def undressed(dress: Any) -> Any:
    """The value that ``disguised`` has dressed."""
    if type(dress) is int:
        dress = dress.to_bytes((dress.bit_length() + 7) // 8, "big")
    return ast.literal_eval(dress if type(dress) is str else dress.decode())
