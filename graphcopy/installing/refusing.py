"""Which rules can be installed: those that speak for types. All others are refused, with the reason."""

from __future__ import annotations

from typing import Any

from ..rules.rule import Rule
from ..rules.ruleset import flatten

__all__ = ["installable"]

_INSTEAD = "Give them to graphcopy.copy(obj, rules=[...])"


def installable(rules: Any) -> tuple[Rule, ...]:
    """List the single rules of *rules*.

    Raises TypeError for what is no rule, and ValueError for rules that cannot be installed; it names all of them.
    """
    found = tuple(flatten(rules)) if rules else ()
    reasons = [f"{rule.name}: {reason}" for rule in found if (reason := _why_not(rule))]
    if reasons:
        lines = "\n".join(f"  {reason}" for reason in reasons)
        raise ValueError(f"nothing was installed, since these rules cannot be:\n{lines}\n{_INSTEAD}")
    return found


def _why_not(rule: Rule) -> str:
    if rule.needs_graph:
        return "it asks where an object stands (by path, attribute or predicate), and copy.deepcopy tells only its type"
    if object in rule.types:
        return "it names no type (a plain function is asked about every object), and copy.deepcopy asks by type"
    return ""
