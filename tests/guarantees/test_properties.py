"""Laws that hold for random graphs."""

from __future__ import annotations

import copy
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_graphs import (
    ALL_KINDS,
    DEEPCOPY_IS_WRONG,
    FROM_PIECES,
    MUTABLE,
    Plain,
    Pruned,
    Shared,
    Slotted,
    build,
    recipes,
)

import graphcopy
from graphcopy.copying.run import Run
from graphcopy.policies import policy_for
from graphcopy.walk import Walk

COUNT = int(os.environ.get("GRAPHCOPY_EXAMPLES", "60"))
law = settings(max_examples=COUNT, deadline=None, suppress_health_check=list(HealthCheck))


@law
@given(recipes(ALL_KINDS))
def test_a_copy_is_the_same_and_isolated(recipe):
    root = build(recipe)
    new = graphcopy.copy(root)
    found = graphcopy.compare(root, new)
    assert found.ok, str(found)
    again = graphcopy.copy(new)
    assert graphcopy.compare(new, again).ok
    assert graphcopy.compare(root, again).ok


@law
@given(recipes([kind for kind in ALL_KINDS if kind not in DEEPCOPY_IS_WRONG]))
def test_where_deepcopy_is_right_it_is_the_same(recipe):
    root = build(recipe)
    try:
        expected = copy.deepcopy(root)
    except (RecursionError, AttributeError):  # cycles through what must be made first
        return
    if not graphcopy.compare(root, expected).ok:
        return
    found = graphcopy.compare(expected, graphcopy.copy(root))
    assert found.ok, str(found)


UNSEEN = ("tuple", "nested tuple", "frozenset", "builtin method", "method")
"""Kinds that are returned as they are, without an entry in the memo, when they hold nothing that is copied."""

VISITED = ("copied", "rebuilt")

RULES = {
    "share": lambda: graphcopy.share(Shared),
    "prune": lambda: graphcopy.prune(Pruned),
    "prune to": lambda: graphcopy.prune(Pruned, value=0),
    "share slots": lambda: graphcopy.share(Slotted),
    "replace": lambda: graphcopy.replace(Plain, 5),
}


def asks_where(node):
    path = str(node.path)
    return NotImplemented if "obj" in path else graphcopy.prune()


RULES["look"] = lambda: graphcopy.rule(Plain, list)(asks_where)


@law
@given(recipes(ALL_KINDS), st.lists(st.sampled_from(list(RULES)), max_size=3, unique=True))
def test_with_rules(recipe, names):
    rules = [RULES[name]() for name in names]
    if "replace" in names:
        recipe = [(kind, pieces) for kind, pieces in recipe if kind not in ("set", "frozenset", "keyed dict", "weak")]
    root = build(recipe)
    new = graphcopy.copy(root, rules=rules)
    found = graphcopy.compare(root, new, rules=rules)
    assert found.ok, str(found)
    plan = graphcopy.plan(root, rules)
    assert graphcopy.compare(new, plan.copy(), rules=rules).differences == []


@law
@given(recipes([kind for kind in ALL_KINDS if kind not in UNSEEN]))
def test_the_walk_visits_what_the_copy_visits(recipe):
    root = build(recipe)
    policy = policy_for(())
    graph = Walk(policy).run(root)
    run = Run(policy)
    run.copy(root)
    visited = {id(node) for node in root if id(node) in run.memo}
    walked = {id(node) for node in root if id(node) in graph.index and graph.mark(graph.index[id(node)]) in VISITED}
    assert visited == walked


@law
@given(recipes(ALL_KINDS))
def test_every_path_leads_to_its_node(recipe):
    root = build(recipe)
    known = {id(node) for node in root}
    graph = graphcopy.plan(root).compact
    for place in range(len(graph)):
        obj, path = graph.objs[place], graph.path(place)
        there = path.follow(root)
        assert type(there) is type(obj), str(path)
        if id(obj) in known:
            assert there is obj or there == obj, str(path)


@law
@given(recipes(ALL_KINDS))
def test_the_original_is_as_it_was(recipe):
    root = build(recipe)
    twin = build(recipe)
    graphcopy.copy(root)
    found = graphcopy.compare(root, twin)
    assert found.differences == [], str(found)


class Finished:
    "Wants its pieces complete when it is made."

    made: list = []

    def __init__(self, *pieces):
        for piece in pieces:
            assert complete(piece), "made from something unfinished"
        self.pieces = pieces
        self.ready = True

    def __reduce__(self):
        return Finished, self.pieces


class Loaded:
    "Wants its state complete when it gets it."

    def __init__(self, pieces):
        self.pieces = pieces
        self.ready = True

    def __getstate__(self):
        return {"pieces": self.pieces}

    def __setstate__(self, state):
        assert complete(state["pieces"]), "given a state that is not finished"
        self.pieces = state["pieces"]
        self.ready = True


class Hashed:
    "Hashed by all that it holds."

    def __init__(self, pieces):
        self.pieces = tuple(pieces)
        self.ready = True

    def __hash__(self):
        assert complete(self.pieces), "hashed before it was finished"
        return 1


def complete(obj, seen=None) -> bool:
    seen = set() if seen is None else seen
    if id(obj) in seen:
        return True
    seen.add(id(obj))
    if isinstance(obj, (Finished, Loaded, Hashed)):
        return getattr(obj, "ready", False) and complete(obj.pieces, seen)
    if isinstance(obj, Plain):
        return "b" in vars(obj) and all(complete(piece, seen) for piece in vars(obj).values())
    if isinstance(obj, dict):
        return all(complete(piece, seen) for pair in obj.items() for piece in pair)
    if isinstance(obj, (list, tuple, set, frozenset)):
        return all(complete(piece, seen) for piece in obj)
    return True


def plain(pieces):
    new = Plain()
    new.a, new.b = list(pieces), 1
    return new


MAKERS = {
    "finished": lambda pieces: Finished(*pieces),
    "loaded": Loaded,
    "plain": plain,
    "list": list,
    "dict": lambda pieces: dict(enumerate(pieces)),
    "tuple": tuple,
    "set": lambda pieces: {piece for piece in pieces if isinstance(piece, (Hashed, Finished))},
    "hashed": Hashed,
    "keys": lambda pieces: {piece: 1 for piece in pieces if isinstance(piece, (Hashed, Finished))},
}


@law
@given(
    st.lists(
        st.tuples(st.sampled_from(list(MAKERS)), st.lists(st.integers(0, 20), max_size=4)), min_size=1, max_size=14
    )
)
def test_hooks_see_finished_children(recipe):
    nodes: list = []
    for kind, places in recipe:
        nodes.append(MAKERS[kind]([nodes[place % len(nodes)] for place in places if nodes]))
    root = nodes[-1], nodes[::-1]
    new = graphcopy.copy(root)
    assert complete(new)
    assert graphcopy.compare(root, new).ok


@pytest.mark.slow
def test_long():
    "The same laws on more examples: GRAPHCOPY_EXAMPLES=2000 pytest tests/guarantees/test_properties.py."
    assert set(ALL_KINDS) == {*MUTABLE, *FROM_PIECES}
