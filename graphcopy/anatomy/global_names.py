"""Which globals a function uses, read off its code."""

from __future__ import annotations

import dis
import types
import weakref
from collections.abc import Iterator

__all__ = ["nested_code", "used_names"]

_GLOBAL = {dis.opmap[name] for name in ("LOAD_GLOBAL", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_NAME")}
_used: weakref.WeakKeyDictionary[types.CodeType, tuple[str, ...]] = weakref.WeakKeyDictionary()


def nested_code(code: types.CodeType) -> Iterator[types.CodeType]:
    """*code*, and the code of what is defined in it."""
    waiting = [code]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(const for const in each.co_consts if isinstance(const, types.CodeType))


def used_names(code: types.CodeType) -> tuple[str, ...]:
    """The names of the globals that *code* and the code nested in it use, in order.

    >>> used_names((lambda: print(len)).__code__)
    ('print', 'len')
    """
    known = _used.get(code)
    if known is None:
        found: dict[str, None] = {}
        for each in nested_code(code):
            for step in dis.get_instructions(each):
                if step.opcode in _GLOBAL:
                    found[str(step.argval)] = None
        known = _used[code] = tuple(found)
    return known
