"""rich: a console writes to the same terminal; what it keeps for the running thread is its own.

Facts from the sources of rich 15.
"""

from __future__ import annotations

from typing import Any

from ..anatomy.parts import Parts
from .making import rule
from .ruleset import RuleSet

__all__ = ["rich_rules"]


def make_locals(cls: Any, theme_stack: Any) -> Any:
    """Make thread-locals with an empty buffer."""
    return cls(theme_stack=theme_stack)


@rule("rich.console.ConsoleThreadLocals")
def console_locals(node: Any) -> Any:
    "A console's thread-locals keep the themes; what is not printed yet stays with the original."
    return Parts(make_locals, (node.type, node.obj.theme_stack))


rich_rules = RuleSet("rich", [console_locals], library="rich", description="rich consoles")
