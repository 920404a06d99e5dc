"""Which rules can be installed, and where: those that speak for types. All others are refused, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..rules.rule import Rule
from ..rules.ruleset import RuleSet, flatten
from .matching import never_asked

__all__ = ["LIBRARIES", "checked_libraries", "checked_types", "installable", "not_for_pickle"]

LIBRARIES = ("copy", "pickle", "dill")
"""Where rules can be installed; cloudpickle and multiprocessing obey what is installed for pickle."""

_INSTEAD = "Give them to graphcopy.copy(obj, rules=...), or to a class: __deepcopy__ = graphcopy.deepcopy_method(rules)"
_SHIP = "Ship it with graphcopy.Shipment(obj, rules=[...]) instead"


def checked_libraries(libraries: Any) -> tuple[str, ...]:
    """The libraries that are named, all when None; raises ValueError for one that is not known."""
    if libraries is None:
        return LIBRARIES
    found = (libraries,) if isinstance(libraries, str) else tuple(libraries)
    for each in found:
        if each not in LIBRARIES:
            raise ValueError(f"rules cannot be installed for {each!r}: choose of {', '.join(LIBRARIES)}")
    return found


def checked_types(types: Iterable[Any]) -> tuple[type, ...]:
    """The classes of *types*; raises TypeError for what is none, ValueError for one that pickle never asks about."""
    found = tuple(types)
    for each in found:
        if not isinstance(each, type):
            raise TypeError(f"types= wants classes, not {each!r}")
        if never_asked(each):
            raise ValueError(f"pickle writes objects of {each!r} by itself and asks nobody. {_SHIP}")
    return found


def installable(rules: Any, *, strictly_for_pickle: bool = False) -> tuple[Rule, ...]:
    """List the single rules of *rules*.

    Raises TypeError for what is no rule, and ValueError for rules that cannot be installed; it names all of them.
    """
    found = tuple(flatten(rules)) if rules else ()
    reasons = [f"{rule.name}: {reason}" for rule in found if (reason := _why_not(rule))]
    if strictly_for_pickle:
        reasons += [f"{name}: {reason}. {_SHIP}" for name, reason in not_for_pickle(rules).items()]
    if reasons:
        lines = "\n".join(f"  {reason}" for reason in reasons)
        raise ValueError(f"nothing was installed, since these rules cannot be:\n{lines}\n{_INSTEAD}")
    return found


def _why_not(rule: Rule) -> str:
    if rule.needs_graph or rule.by_reference:
        return "it asks where an object stands (by path or attribute), and copy.deepcopy tells only its type"
    if object in rule.types:
        return "it names no type (such a rule is asked about every object), and copy.deepcopy asks by type"
    return ""


def not_for_pickle(rules: Any) -> dict[str, str]:
    """The rules that pickle cannot obey, by name, with the reason; those of shipped sets know what they do."""
    found = {}
    for rule in _own(rules or ()):
        if is_share(rule):
            found[rule.name] = "pickle has no way to share an object with another process"
        elif rule.types and all(isinstance(cls, type) and never_asked(cls) for cls in rule.types):
            found[rule.name] = "pickle writes such objects by itself and asks nobody"
    return found


def is_share(rule: Rule) -> bool:
    """Tell whether *rule* was made by ``share(T)``."""
    return rule.name.startswith("share(")


def _own(rules: Any) -> Iterator[Rule]:
    if isinstance(rules, Rule):
        yield rules
        return
    for each in rules:
        if isinstance(each, RuleSet) and each.library is not None:
            continue
        if isinstance(each, (Rule, RuleSet, list, tuple)):
            yield from _own(each)
