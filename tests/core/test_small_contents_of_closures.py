"""What a closure holds is complete at once where it is small and flat; it is the same copy as by any other way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphcopy

atoms = st.none() | st.integers() | st.text(max_size=3)
contents = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, max_size=10)
        | st.dictionaries(st.text(max_size=2) | st.integers() | st.tuples(st.integers()), inner, max_size=10)
        | st.tuples(inner, inner)
    ),
    max_leaves=8,
)


def holding(*contents: Any) -> Any:
    first, second = contents

    def held() -> tuple[Any, Any]:
        return first, second

    def set_first(value: Any) -> None:
        nonlocal first
        first = value

    return held, set_first


@settings(deadline=None, suppress_health_check=list(HealthCheck))  # a busy machine is no failure
@given(contents, contents, st.booleans(), st.permutations(range(4)))
def test_closures_over_anything(first, second, same, order):
    if same:
        second = first
    held, set_first = holding(first, second)
    original = [[held, set_first, first, second][place] for place in order]
    copied = graphcopy.copy(original)
    assert graphcopy.compare(original, copied).ok
    placed = {what: copied[order.index(what)] for what in range(4)}
    assert placed[0]() == (first, second)
    assert placed[0]()[0] is placed[2] and placed[0]()[1] is placed[3]
    placed[1]("new")
    assert placed[0]()[0] == "new" and held()[0] is first


@pytest.mark.parametrize("content", [[1], {"a": 1}, [], {}], ids=repr)
def test_rules_on_the_content_hold(content):
    held, _ = holding(content, None)
    assert graphcopy.copy(held, rules=[graphcopy.share(type(content))])()[0] is content
    marked = type(content)()
    assert graphcopy.copy(held, rules=[graphcopy.replace(type(content), lambda: marked)])()[0] is marked
    memo = {id(content): None}
    assert graphcopy.copy(held, memo=memo)()[0] is None


class Waiting:
    "Asks the function that it holds for its list as soon as it gets its state."

    def __init__(self, held):
        self.held = held

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.seen = repr(self.held())


@pytest.mark.parametrize("content", [[1, [2]], [1], {"a": [1]}, {1: (2, [3])}], ids=repr)
def test_a_hook_finds_it_complete(content):
    held, _ = holding(content, [content])
    copied = graphcopy.copy([held, Waiting(held), content])
    assert copied[1].seen == repr((content, [content]))
    assert copied[1].held()[0] is copied[2] is copied[1].held()[1][0]


def test_a_partial_gets_no_dict_by_being_copied():
    import functools
    import gc

    partial = functools.partial(print, [1], end="")
    copied = graphcopy.copy(partial)
    assert not any(each == {} for each in gc.get_referents(partial) if type(each) is dict)
    assert copied.args == ([1],) and copied.args[0] is not partial.args[0] and copied.keywords == {"end": ""}
