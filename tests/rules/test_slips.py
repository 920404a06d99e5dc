"""Slips of the pen in rules: each is told where it is written, or with the rule and the path."""

from __future__ import annotations

import pytest

import graphcopy


class Connection:
    def __init__(self, address):
        self.address = address


class Pump:
    def __init__(self):
        self.connection, self.parts = Connection("a:1"), [[1]]


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (lambda: graphcopy.rebuild("x"), "'x' cannot be called"),
        (lambda: graphcopy.rebuild(Connection, "a", timeout=3), "knows no timeout="),
        (lambda: graphcopy.replace(lambda old: 1, Connection), "the type comes first"),
        (lambda: graphcopy.share([Connection, Pump]), r"one after the other, as in share\(A, B\)"),
        (lambda: graphcopy.prune("_cache"), "attr='_cache' selects by attribute"),
    ],
)
def test_what_is_told_at_once(write, said):
    with pytest.raises((TypeError, ValueError), match=said):
        write()


def made_by(decide):
    decide.__name__ = decide.__qualname__ = "connect"
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(Pump(), rules=[graphcopy.rule(Connection)(decide)])
    (culprit,) = caught.value.culprits
    assert str(culprit.path) == "obj.connection" and culprit.hint.startswith("mend the rule")
    return culprit.reason


def test_a_rebuild_that_fails_names_its_rule():
    reason = made_by(lambda node: graphcopy.rebuild(Connection))
    assert "missing 1 required positional argument" in reason and "the rule connect (" in reason


def test_a_rebuild_of_the_object_itself_names_its_rule():
    reason = made_by(lambda node: graphcopy.rebuild(lambda old: old, node.obj))
    assert "leads back to itself" in reason and "the rule connect (" in reason
