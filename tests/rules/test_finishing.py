"""A rule may do something once everything is copied, and a rule set may have options."""

from __future__ import annotations

import pytest

import graphcopy
from graphcopy.rules.rule import Rule
from graphcopy.rules.ruleset import RuleSet


class Registry:
    """Registers objects by identity, outside of them."""

    numbers: dict[int, int] = {}


class Item:
    pass


def test_finish_is_called_once_a_copy_with_all_copies_at_hand():
    calls = []

    def finish(run):
        items = [(obj, run.copy_of(obj)) for obj in run.originals() if type(obj) is Item]
        calls.append(len(items))
        Registry.numbers.update({id(new): Registry.numbers[id(old)] for old, new in items})

    numbering = Rule((Item,), lambda node: NotImplemented, finish=finish)
    items = [Item(), Item()]
    Registry.numbers = {id(item): place for place, item in enumerate(items)}
    copied = graphcopy.copy([items, items[0]], rules=[numbering, numbering])
    assert [Registry.numbers[id(item)] for item in copied[0]] == [0, 1]
    assert calls == [2]
    made = graphcopy.plan(items, rules=[numbering])
    for _ in range(2):
        assert [Registry.numbers[id(item)] for item in made.copy()] == [0, 1]
    assert calls == [2, 2, 2]


def test_what_finish_raises_is_told():
    def finish(run):
        raise RuntimeError("no room")

    with pytest.raises(graphcopy.CopyError, match="no room"):
        graphcopy.copy([1, []], rules=[Rule((Item,), lambda node: NotImplemented, finish=finish)])


def test_options_are_checked_at_once():
    def make(*, depth: int = 1):
        if depth < 1:
            raise ValueError("depth is 1 or more")
        return []

    rules = RuleSet("mine", make(), make=make)
    assert rules(depth=2).options == {"depth": 2}
    with pytest.raises(TypeError, match="mine has no option 'deep'; its options are: depth"):
        rules(deep=2)
    with pytest.raises(ValueError, match="1 or more"):
        rules(depth=0)
    with pytest.raises(TypeError, match="plain has no option 'depth'; it has none"):
        RuleSet("plain", [])(depth=1)
