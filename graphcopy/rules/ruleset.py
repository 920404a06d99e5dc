"""Rule sets: named, ordered, immutable."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from .rule import Rule, check_decide

__all__ = ["RuleSet", "flatten"]


class RuleSet:
    """A named tuple of rules.

    ``library`` is the module whose import wakes the set. Calling the set with options
    (``tf_rules(traces="keep")``) gives a new one, which ``make`` returns the rules of; an option or a value that it
    does not know raises TypeError or ValueError at once.
    """

    __slots__ = ("_make", "description", "library", "name", "options", "rules")

    def __init__(
        self,
        name: str,
        rules: Iterable[Any],
        *,
        library: str | None = None,
        description: str = "",
        make: Callable[..., Iterable[Rule]] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.rules: tuple[Rule, ...] = tuple(flatten(rules))
        self.library = library
        self.description = description
        self.options = dict(options or {})
        self._make = make

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __add__(self, other: Any) -> RuleSet:
        others = [other] if isinstance(other, Rule) else list(other)
        return RuleSet(f"{self.name}+{getattr(other, 'name', 'rules')}", [*self.rules, *others])

    def __call__(self, **options: Any) -> RuleSet:
        allowed = [] if self._make is None else list(inspect.signature(self._make).parameters)
        for name in options:
            if name not in allowed:
                known = f"its options are: {', '.join(allowed)}" if allowed else "it has none"
                raise TypeError(f"the rule set {self.name} has no option {name!r}; {known}")
        if self._make is None:
            return self
        merged = {**self.options, **options}
        return RuleSet(
            self.name, self._make(**merged), library=self.library, description=self.description,
            make=self._make, options=merged,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<rule set {self.name}: {len(self.rules)} rules>"


@lru_cache(maxsize=64)
def _rule_of(function: Callable[[Any], Any]) -> Rule:
    """A plain function is asked about every node; the same function gives the same rule, and so the same policy."""
    check_decide(function, getattr(function, "__qualname__", repr(function)))
    return Rule((object,), function)


def flatten(rules: Any) -> Iterator[Rule]:
    """List single rules out of rules, rule sets, plain functions, and lists of them.

    Raises TypeError for what is no rule.
    """
    if isinstance(rules, Rule):
        yield rules
        return
    for each in rules:
        if isinstance(each, Rule):
            yield each
        elif isinstance(each, (RuleSet, list, tuple)):
            yield from flatten(each)
        elif callable(each) and not isinstance(each, type):
            yield _rule_of(each)
        else:
            raise TypeError(
                f"{each!r} is no rule: give graphcopy.share(T), prune(T), replace(T, factory), a rule set, or a "
                "function of the node that returns a treatment or NotImplemented"
            )
