"""A plain function of the node is a rule, too."""

from __future__ import annotations

import pytest

import graphcopy


class Part:
    def __init__(self, keep):
        self.keep = keep


def test_it_is_asked_about_every_node_and_may_pass():
    asked = []

    def share_kept(node):
        asked.append(node.type)
        if node.type is Part and node.obj.keep:
            return graphcopy.share()
        return NotImplemented

    obj = [Part(True), Part(False), 1, "a"]
    new = graphcopy.copy(obj, rules=[share_kept])
    assert new[0] is obj[0] and new[1] is not obj[1]
    assert int not in asked and list in asked


def test_it_may_ask_where_the_node_is():
    def cut(node):
        return graphcopy.prune() if str(node.path) == "obj['b']" else NotImplemented

    obj = {"a": [1], "b": [2]}
    assert graphcopy.copy(obj, rules=[cut]) == {"a": [1]}
    assert obj == {"a": [1], "b": [2]}


def test_what_it_raises_is_told_with_its_name_and_the_path():
    def broken(node):
        if node.obj == [2]:
            raise KeyError("oops")
        return NotImplemented

    with pytest.raises(graphcopy.CopyError, match="broken") as caught:
        graphcopy.copy({"b": [2]}, rules=[broken])
    assert str(caught.value.culprits[0].path) == "obj['b']"


def test_what_is_no_rule_is_refused_at_once():
    with pytest.raises(TypeError, match="is no rule"):
        graphcopy.copy([], rules=[Part])
    with pytest.raises(TypeError, match="is no rule"):
        graphcopy.copy([], rules=["share"])


def test_the_same_function_gives_the_same_policy():
    from graphcopy.policies import policy_for

    def passes(node):
        return NotImplemented

    assert policy_for([passes]) is policy_for([passes])
