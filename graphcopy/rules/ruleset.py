"""Rule sets: named, ordered, immutable."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from .rule import Rule, check_decide

__all__ = ["RuleSet", "flatten", "given_items"]


class RuleSet:
    """A named tuple of rules: a value. Sets are added with ``+``, never changed; ``str`` is a table of what they do.

    ``library`` is the module whose import wakes the set. Calling the set with options
    (``tf_rules(traces="keep")``) gives a new one, which ``make`` returns the rules of.

    Raises TypeError for what is no rule; when it is called, TypeError for an option and ValueError for a value that it
    does not know.

    >>> import graphcopy
    >>> rules = [graphcopy.share(set), graphcopy.prune(attr="_cache")]
    >>> print(graphcopy.RuleSet("mine", rules, description="my classes"))
    mine: my classes (2 rules)
      set            shared
      attr='_cache'  the reference is cut
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
        if not isinstance(name, str) or isinstance(rules, str):
            raise TypeError(f"the name comes first: RuleSet('mine', [...]), not RuleSet({name!r}, {rules!r})")
        if not isinstance(library, (str, type(None))):
            raise TypeError(f"library={library!r} is no name of a module, as in library='torch'")
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
        single = isinstance(other, Rule) or (callable(other) and not isinstance(other, RuleSet))
        others = [other] if single else other
        name = getattr(other, "name", None) or "more"
        return RuleSet(f"{self.name}+{name}", [*self.rules, *flatten(others)], description=self.description)

    def __radd__(self, other: Any) -> RuleSet:
        return RuleSet(f"more+{self.name}", [*flatten(other), *self.rules], description=self.description)

    def __contains__(self, rule: object) -> bool:
        return rule in self.rules

    def __getitem__(self, place: int) -> Rule:
        return self.rules[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and (self.name, self.rules) == (other.name, other.rules)

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

    def __reduce__(self) -> tuple[Any, ...]:
        settings = (self.name, self.rules, self.library, self.description, self._make, self.options)
        return (_restored, settings)

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
        return f"<rule set {self.name}: {len(self.rules)} rule{'s' * (len(self.rules) != 1)}>"

    def __str__(self) -> str:
        about = ": ".join(part for part in (self.name, self.description) if part)
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        wakes = f", when {self.library} is imported" if self.library else ""
        lines = [f"{about} ({len(self.rules)} rule{'s' * (len(self.rules) != 1)}{options}{wakes})"]
        pairs = [(_cut_short(str(rule.selector)), rule.description or rule.name) for rule in self.rules]
        width = max((len(matches) for matches, _ in pairs), default=0)
        lines += [f"  {matches:{width}}  {does}" for matches, does in pairs]
        return "\n".join(lines)


_WIDTH = 60  # of what a rule matches, in a table
_INNER_MODULES = re.compile(r"(?<=\w)(?:\.\w+)+\.(?=\w)")


def _cut_short(text: str) -> str:
    text = "every object" if text == "object" else text
    if len(text) > _WIDTH:
        text = _INNER_MODULES.sub("..", text)  # the library and the class say more than what stands between
    return text if len(text) <= _WIDTH else text[: _WIDTH - 4] + " ..."


def _restored(name: str, rules: Any, library: Any, description: str, make: Any, options: Any) -> RuleSet:
    """Make a rule set that arrives in another process."""
    return RuleSet(name, rules, library=library, description=description, make=make, options=options)


@lru_cache(maxsize=64)
def _rule_of(function: Callable[[Any], Any]) -> Rule:
    """A plain function is asked about every node; the same function gives the same rule, and so the same policy."""
    check_decide(function, getattr(function, "__qualname__", repr(function)))
    return Rule((object,), function)


def given_items(rules: Any) -> tuple[Any, ...]:
    """List what a user gave: rules one by one, and rule sets as a whole."""
    if isinstance(rules, (Rule, RuleSet)):
        return (rules,)
    found: list[Any] = []
    for each in rules or ():
        found += given_items(each) if isinstance(each, (list, tuple)) else [each]
    return tuple(found)


def _shown(given: Any) -> str:
    """Write what was given for a rule; a treatment is taken for one by those who forget what it is for."""
    if type(given).__module__ == "graphcopy.anatomy.parts":
        return f"a treatment without a selection ({type(given).__name__}), as share() and its like return,"
    return repr(given)[:200]


def flatten(rules: Any) -> Iterator[Rule]:
    """List single rules out of rules, rule sets, plain functions, and lists of them.

    Raises TypeError for what is no rule.
    """
    if isinstance(rules, Rule):
        yield rules
        return
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        raise TypeError(f"rules= wants a rule, a rule set, or a list of them, not {_shown(rules)}")
    for each in rules:
        if isinstance(each, Rule):
            yield each
        elif isinstance(each, (RuleSet, list, tuple)):
            yield from flatten(each)
        elif callable(each) and not isinstance(each, type):
            yield _rule_of(each)
        else:
            raise TypeError(
                f"{_shown(each)} is no rule: give graphcopy.share(T), prune(T), replace(T, factory), a rule set, or a "
                "function of the node that returns a treatment or NotImplemented"
            )
