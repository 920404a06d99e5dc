"""What graphcopy does with the culprits of another tool, and the advice that follows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..anatomy.parts import Outcome, Parts, Pruned, Refused, Replaced, Shared
from ..culprits import Culprit
from ..errors import NeedsGraph, Obstacle
from ..policies import SHIPPED
from ..rules.asking import Asking

__all__ = ["tell_treatments"]

_WORDS: dict[Any, str] = {Parts: "rebuilt", Shared: "shared", Pruned: "left out", Replaced: "replaced"}


class _Question(Asking):
    """Asks the rules about one object, and keeps which one answered."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}
        self.notes: list[tuple[Any, Any]] = []
        self.rule: Any = None

    def matched(self, rule: Any, obj: Any, treatment: Any) -> None:
        """Keep the rule."""
        self.rule = rule


def tell_treatments(culprits: Sequence[Culprit], policy: Any) -> None:
    """Say for each culprit what a copy under *policy* does with it."""
    for culprit in culprits:
        question = _Question()
        outcome = _outcome(culprit.obj, policy, question)
        if isinstance(outcome, Refused):
            culprit.treatment = "cannot copy it either"
            continue
        rule = question.rule
        if rule is None:
            culprit.treatment = "shared" if isinstance(outcome, Shared) else "copied"
        else:
            culprit.treatment = f"{_WORDS[type(outcome)]} by {rule.name}: {rule.description}".rstrip(": ")
        culprit.advice, culprit.alternatives = f"rules=[{_set_with(rule)}]", ()


def _outcome(obj: Any, policy: Any, question: _Question) -> Outcome:
    anatomy = policy.anatomy(type(obj))
    try:
        return Shared() if anatomy is None else anatomy.open(obj, question)  # type: ignore[no-any-return]
    except (Obstacle, NeedsGraph) as error:
        return Refused(str(error))
    except Exception as error:  # foreign code
        return Refused(f"{type(error).__name__}: {error}")


def _set_with(rule: Any) -> str:
    """The public rule set that has *rule*; nothing where it is in force without being named."""
    if rule is None:
        return ""
    public: Any = sys.modules["graphcopy"]
    homes = [("graphcopy.rules.python", "python_rules"), *SHIPPED.values()]
    for module, name in homes:
        if name in public.__all__ and module in sys.modules and rule in tuple(getattr(import_module(module), name)):
            return f"graphcopy.{name}"
    return ""
