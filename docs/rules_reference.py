"""Write the rules reference from the rule sets: ``python docs/rules_reference.py``, and at each build of the docs.

It needs none of the libraries: rules name their classes by dotted names. A test holds that the page is current.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import graphcopy
from graphcopy.policies import SHIPPED
from graphcopy.rules.answers import Put, Sharing
from graphcopy.rules.rule import Rule
from graphcopy.rules.ruleset import RuleSet

PAGE = Path(__file__).parent / "rules-reference.md"

HEAD = """\
# Rules reference

Every rule that comes with graphcopy, in the order in which it is asked: the first that answers decides. The sets of
libraries are in force as soon as the library is imported; before them come the rules that you give, after them those of
plain Python. Set by set this is what `print(graphcopy.tf_rules)` and `graphcopy rules tf_rules` print.

*Treatment* says what a rule can answer: **own** (the copy gets one of its own), **shared** (both refer to the same
object), **cut** (nothing, or None, stands there), **refused** (it is a culprit of a `CopyError`). Where it depends on
the object there are several; a rule that has nothing to say about an object passes it on. What is shared or
cut stands on the receipt, but for values that can never change.

[Write rules](rules.md) tells how to add to these, and how to make exceptions from them.
"""

USE = {
    "resource_rules": "To be given: `graphcopy.copy(obj, rules=[graphcopy.resource_rules])`.",
    "rekey_ids": "To be given: `graphcopy.copy(obj, rules=[graphcopy.rekey_ids])`.",
    "weak_key_state": "To be given: `graphcopy.copy(obj, rules=[graphcopy.weak_key_state])`.",
    "python_rules": "Always in force, after all others; `defaults=False` turns them off.",
}
"""How those sets are used that no library wakes."""

ANSWERS = {
    "own": {"Parts", "rebuild", "rebuilt", "replace", "replaced", "attributewise", "plain", "copied"},
    "shared": {"share", "shared"},
    "cut": {"prune", "pruned"},
    "refused": {"refuse", "refused"},
}
"""Treatment to the functions by which a rule answers it."""


def rule_sets() -> Iterator[tuple[str, RuleSet]]:
    """Every shipped set and its name: those of libraries, then plain Python's, then those to be given."""
    for module, name in SHIPPED.values():
        yield name, getattr(import_module(module), name)
    for name in USE:
        yield name, getattr(graphcopy, name)


def treatment_of(rule: Rule) -> str:
    """What the rule can answer, read from the functions that it calls."""
    decide: Any = rule._decide
    if isinstance(decide, Sharing):
        return "shared"
    if isinstance(decide, Put):
        return "own" if decide.whole else "cut"
    called = names_in(decide, set())
    return " or ".join(word for word, functions in ANSWERS.items() if called & functions)


def names_in(function: Any, seen: set[Any]) -> set[str]:
    """The names that a function uses, and those of the functions that it calls in modules of rules."""
    names = set(function.__code__.co_names)
    for name in list(names):
        inner = function.__globals__.get(name)
        ours = inspect.isfunction(inner) and inner.__module__.startswith("graphcopy.rules.")
        answers = any(name in functions for functions in ANSWERS.values())
        if ours and not answers and inner not in seen:
            seen.add(inner)
            names |= names_in(inner, seen)
    return names


def types_of(rule: Rule) -> str:
    """What the rule matches, one class a line; long module paths are cut to the library and the class."""
    return "<br>".join(f"`{_dotted(each)}`" for each in rule.types) if rule.types != (object,) else "every object"


def _dotted(each: Any) -> str:
    if isinstance(each, str):
        return each
    return each.__qualname__ if each.__module__ == "builtins" else f"{each.__module__}.{each.__qualname__}"


def as_code(text: str) -> str:
    """Mark names with underscores as code: in Markdown they would be bold."""
    return re.sub(r"(?<!\w)(\w*_\w*)", r"`\1`", text)


def section(name: str, rules: RuleSet) -> str:
    """The table of one set."""
    public = name in graphcopy.__all__
    use = USE.get(name) or f"In force when `{rules.library}` is imported."
    lines = [f"## {name if public else rules.name}", "", f"For {rules.description}. {use}"]
    if public:
        lines[1:1] = ["", "```{eval-rst}", f".. py:data:: graphcopy.{name}", "   :type: graphcopy.RuleSet", "```"]
    if rules._make is not None:
        options = ", ".join(
            f"{each.name}={each.default!r}" for each in inspect.signature(rules._make).parameters.values()
        )
        lines += ["", f"`graphcopy.{name}({options})`: {inspect.getdoc(rules._make)}"]
    lines += ["", "| matches | treatment | why |", "|---|---|---|"]
    lines += [f"| {types_of(rule)} | {treatment_of(rule)} | {as_code(rule.description)} |" for rule in rules]
    return "\n".join(lines) + "\n"


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(name, rules) for name, rules in rule_sets())])


def write() -> None:
    """Write the page, where it has changed."""
    text = page()
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
