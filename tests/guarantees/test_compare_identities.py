"""Ids that stand in tables: compare knows that those of a right copy are the ids of the copies."""

from __future__ import annotations

import pytest

import graphcopy


class Node:
    def __init__(self, name):
        self.name = name


def tables(as_set=False):
    nodes = [Node("a"), Node("b"), Node("c")]
    ids = list(map(id, nodes))
    table = set(ids) if as_set else dict(zip(ids, [[1], [2], [3]]))
    return {"table": table, "nodes": nodes, "first": ids[0], "name": f"{ids[1]}_ib-0"}


def right_copy(original):
    copied = graphcopy.copy(original, rules=[graphcopy.rekey_ids])
    copied["first"] = id(copied["nodes"][0])
    copied["name"] = f"{id(copied['nodes'][1])}_ib-0"
    return copied


@pytest.mark.parametrize("as_set", [False, True])
def test_ids_of_the_copies_are_right(as_set):
    original = tables(as_set)
    assert graphcopy.compare(original, right_copy(original)).ok


def swapped_key(copied):
    a, b = map(id, copied["nodes"][:2])
    table = copied["table"]
    table[a], table[b] = table[b], table[a]


def wrong_key(copied):
    table = copied["table"]
    table[id(copied)] = table.pop(id(copied["nodes"][0]))


def shared_value(copied):
    copied["table"][id(copied["nodes"][1])] = copied["table"][id(copied["nodes"][0])]


def wrong_value(copied):
    copied["first"] = id(copied["nodes"][1])


def wrong_name(copied):
    copied["name"] = f"{id(copied['nodes'][0])}_ib-0"


def other_suffix(copied):
    copied["name"] = f"{id(copied['nodes'][1])}_ib-1"


def one_more(copied):
    copied["table"][id(copied)] = [4]


def one_less(copied):
    del copied["table"][id(copied["nodes"][2])]


@pytest.mark.parametrize(
    "spoil",
    [swapped_key, wrong_key, shared_value, wrong_value, wrong_name, other_suffix, one_more, one_less],
)
def test_other_ids_are_told(spoil):
    original = tables()
    copied = right_copy(original)
    spoil(copied)
    assert not graphcopy.compare(original, copied).ok


def test_a_set_with_another_id_is_told():
    original = tables(as_set=True)
    copied = right_copy(original)
    copied["table"].remove(id(copied["nodes"][0]))
    copied["table"].add(id(copied))
    found = graphcopy.compare(original, copied)
    assert {difference.kind for difference in found.differences} == {"missing", "added"}


def test_numbers_that_are_no_ids_are_values():
    assert not graphcopy.compare([1, 140_000_000_000_000], [1, 140_000_000_000_001]).ok


@pytest.mark.parametrize("as_set", [False, True])
def test_ids_of_the_originals_are_told(as_set):
    """A plain copy of such a table looks right, entry by entry, and knows none of the copies."""
    original = {key: value for key, value in tables(as_set).items() if key in ("table", "nodes")}
    found = graphcopy.compare(original, graphcopy.copy(original))
    assert not found.ok and len(found.differences) == 3
    assert "is still the id of an object of the original" in str(found)


def test_ids_of_what_is_shared_stay():
    original = {key: value for key, value in tables().items() if key in ("table", "nodes")}
    rules = [graphcopy.share(Node)]
    assert graphcopy.compare(original, graphcopy.copy(original, rules=rules), rules=rules).ok
