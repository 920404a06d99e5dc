"""Functions in a copy read the module's globals, but for those that a rule names."""

from __future__ import annotations

import pickle
import sys

import pytest

import graphcopy

w = [1]
total = 0
limit = 5


def grow(x):
    w.append(x)
    return w


def read():
    return w, limit


def count():
    global total
    total += 1
    return total


def test_named_globals_are_copied_once_for_all_functions():
    obj = {"grow": grow, "read": read, "w": w}
    new = graphcopy.copy(obj, rules=[graphcopy.own_globals("w")])
    assert new["grow"](2) == [1, 2] and w == [1]
    assert new["read"]()[0] is new["w"] is new["grow"].__globals__["w"] and new["w"] == [1, 2]
    assert new["grow"].__globals__ is new["read"].__globals__
    again = graphcopy.copy(obj, rules=[graphcopy.own_globals("w")])
    assert again["w"] == [1] and again["grow"] is not new["grow"]


def test_all_other_globals_stay_those_of_the_module(monkeypatch):
    new = graphcopy.copy([read], rules=[graphcopy.own_globals("w")])[0]
    assert new() == ([1], 5) and new()[0] is not w
    monkeypatch.setattr(sys.modules[__name__], "limit", 6)
    assert new()[1] == 6
    assert dict(new.__globals__)["limit"] == 6 and "limit" in new.__globals__ and new.__globals__.get("nowhere") is None


def test_a_global_that_is_assigned_to():
    new = graphcopy.copy([count], rules=[graphcopy.own_globals("total")])[0]
    assert new() == 1 and new() == 2 and total == 0


def test_closures_defaults_and_functions_in_functions():
    def outer(extra=w):
        def inner():
            return w, extra, own

        return inner

    own = [3]
    new = graphcopy.copy(outer, rules=[graphcopy.own_globals("w")])()()
    assert new == ([1], [1], [3]) and new[0] is new[1] is not w and new[2] is not own


def test_only_functions_that_read_them_are_copied():
    assert graphcopy.copy([count], rules=[graphcopy.own_globals("w")])[0] is count
    assert graphcopy.copy([read], rules=[graphcopy.own_globals("elsewhere.w")])[0] is read
    assert graphcopy.copy([read], rules=[graphcopy.own_globals(__name__ + ".w")])[0] is not read
    assert graphcopy.plan([count], rules=[graphcopy.own_globals("w")]).unused_rules


def test_functions_that_call_each_other_by_global_names():
    new = graphcopy.copy({"f": recursive}, rules=[graphcopy.own_globals("w", "recursive")])["f"]
    assert new(2) == [1, 0, 0] and w == [1] and new.__globals__["recursive"] is new


def recursive(depth):
    if depth:
        w.append(0)
        return recursive(depth - 1)
    return w


def test_it_is_on_the_receipt_with_its_path():
    plan = graphcopy.plan({"read": read}, rules=[graphcopy.own_globals("w")])
    assert [(str(entry.path), entry.lost) for entry in plan.receipt] == [
        ("obj['read']", "it has globals of its own: w")
    ]
    assert "obj['read'].__globals__['w']" in [str(path) for _, path in plan.graph.nodes(data="path")]


def test_a_copied_function_that_reads_a_mutable_global_is_on_the_receipt():
    note = [0]

    def closure():
        return w, note, limit, len, pytest, read

    receipt = graphcopy.plan([closure]).receipt
    said = [line for line in str(receipt).splitlines() if "reads global" in line]
    assert len(said) == 1 and said[0].endswith("closure reads global 'w': shared")
    assert "reads global" not in str(graphcopy.plan([closure], rules=[graphcopy.own_globals("w")]).receipt)


def test_it_is_a_value_and_refuses_what_is_no_name():
    rule = graphcopy.own_globals("w")
    assert pickle.loads(pickle.dumps(rule)) == rule != graphcopy.own_globals("v")
    for wrong in ("a b", "", "x[0]"):
        with pytest.raises(ValueError, match="no name"):
            graphcopy.own_globals(wrong)
    with pytest.raises(ValueError, match="names no global"):
        graphcopy.own_globals()
    with pytest.raises(TypeError):
        graphcopy.own_globals(w)
