"""The rules reference is what the rule sets say, and every shipped rule says in one sentence why it is there."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE: dict[str, Any] = runpy.run_path(str(DOCS / "rules_reference.py"))
SETS = dict(REFERENCE["rule_sets"]())
RULES = [(name, rule) for name, rules in SETS.items() for rule in rules]


def test_the_page_is_what_the_rule_sets_say():
    page = (DOCS / "rules-reference.md").read_text(encoding="utf-8")
    assert page == REFERENCE["page"](), "run: python docs/rules_reference.py"


def test_every_public_rule_set_is_on_the_page():
    import graphcopy

    public = {name for name in graphcopy.__all__ if isinstance(getattr(graphcopy, name), graphcopy.RuleSet)}
    assert public <= set(SETS)


@pytest.mark.parametrize(("name", "rule"), RULES, ids=[f"{name}-{rule.name[:40]}" for name, rule in RULES])
def test_every_shipped_rule_says_why(name, rule):
    why = rule.description
    assert why[0].isupper() and why.endswith(".") and len(why.split()) >= 5, f"{name}: {why!r}"
    assert REFERENCE["treatment_of"](rule), f"{name}: {rule.name} seems to answer nothing"


def test_what_a_rule_can_answer_is_read_from_what_it_calls():
    import graphcopy

    @graphcopy.rule(set)
    def several(node: Any) -> Any:
        "Shares, cuts or refuses."
        if node.obj:
            return graphcopy.share()
        return graphcopy.prune() if node.path else graphcopy.refuse("because")

    treatment_of = REFERENCE["treatment_of"]
    assert treatment_of(several) == "shared or cut or refused"
    assert treatment_of(graphcopy.share(set)) == "shared"
    assert treatment_of(graphcopy.prune(set)) == "cut"
    assert treatment_of(graphcopy.replace(set, value=1)) == "own"
