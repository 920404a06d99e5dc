"""Dicts and sets that hold what leads back to them are filled when everything is there, or refused before writing."""

from __future__ import annotations

import collections
import functools
import types

import pytest

import graphcopy
from graphcopy.shipping.journey import Journey
from graphcopy.shipping.knots import knots_of
from graphcopy.shipping.sending import shipping_policy
from graphcopy.shipping.writing import written


class Key:
    """Hashed by what it holds."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return isinstance(other, Key) and self.number == other.number


class Around:
    """Hashed by what another one holds."""

    def __init__(self, key):
        self.key = key

    def __hash__(self):
        return hash(self.key)

    def __eq__(self, other):
        return isinstance(other, Around) and self.key == other.key


class Slotted:
    __slots__ = ("number", "own")

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        return self.number == other.number


class Reduced(Key):
    def __reduce__(self):
        return (Reduced, (self.number,), self.__dict__)


class Members(set):
    pass


class Table(dict):
    pass


def slotted():
    key = Slotted()
    key.number = 1
    key.own = {key}
    return key


def two():
    one, other = Key(1), Key(2)
    one.own, other.own = {other}, {one}
    one.other = other
    return one


def with_own(make, cls=Key):
    key = cls(1)
    key.own = make(key)
    return key


CASES = {
    "a set": lambda: with_own(lambda key: {key}),
    "a dict": lambda: with_own(lambda key: {"first": 0, key: 1, "last": 2}),
    "in a tuple": lambda: with_own(lambda key: {(1, (key,)): 2}),
    "through another": lambda: with_own(lambda key: {Around(key): 2}),
    "in a list in a list": lambda: with_own(lambda key: [[{Around(key)}]]),
    "an OrderedDict": lambda: with_own(lambda key: collections.OrderedDict([(key, 1), ("b", 2)])),
    "a Counter": lambda: with_own(lambda key: collections.Counter([key, key])),
    "a defaultdict": lambda: with_own(lambda key: collections.defaultdict(list, {key: [1]})),
    "a subclass of set": lambda: with_own(lambda key: Members([key])),
    "a subclass of dict": lambda: with_own(lambda key: Table({key: 1})),
    "a mapping proxy": lambda: with_own(lambda key: types.MappingProxyType({key: 1})),
    "a partial": lambda: with_own(lambda key: functools.partial(print, {key: 1})),
    "its own reduce": lambda: with_own(lambda key: {key}, Reduced),
    "slots": slotted,
    "two": two,
}


def by_writer(obj):
    return written(Journey(shipping_policy((), True, ()), obj))


@pytest.mark.parametrize("write", [graphcopy.dumps, by_writer])
@pytest.mark.parametrize("name", CASES)
def test_hash_containers_in_a_knot_arrive(name, write):
    obj = CASES[name]()
    new = graphcopy.loads(write(obj))
    comparison = graphcopy.compare(obj, new, rules=[graphcopy.share(types.BuiltinFunctionType)])
    assert comparison.differences == []
    own = new.own
    if isinstance(own, functools.partial):
        own = own.args[0]
    while type(own) is list:
        own = own[0]
    assert len(own) == len(list(own)) and all(each in own for each in list(own)), "its members are found in it"


def test_an_order_of_keys_stays():
    new = graphcopy.loads(graphcopy.dumps(CASES["a dict"]()))
    assert list(new.own) == ["first", new, "last"]


def test_a_frozenset_that_cannot_be_made_is_refused_before_a_byte_is_written():
    with pytest.raises(graphcopy.CopyError, match="lead back to it") as caught:
        graphcopy.dumps(with_own(lambda key: frozenset([Around(key)])))
    assert type(caught.value.culprits[0].obj) is frozenset


class Copies:
    """Made of a dict that it copies."""

    def __init__(self, content):
        self.content = dict(content)

    def __reduce__(self):
        return (Copies, (self.content,))


def test_what_would_be_lost_in_silence_is_refused():
    with pytest.raises(graphcopy.CopyError, match="Copies is called with it before"):
        graphcopy.dumps(with_own(lambda key: Copies({key: 1})))


def test_without_a_knot_nothing_is_put_off():
    obj = [{Around(Key(1)): 2}, {Key(2)}, Members([Key(3)]), {(Key(4),): 1}]
    for write in (graphcopy.dumps, by_writer):
        data = write(obj)
        assert b"arrive" not in data and graphcopy.loads(data) == obj


def test_knots_are_those_of_networkx():
    import random

    import networkx

    chance = random.Random(3)
    for _ in range(30):
        nodes: list = [[] for _ in range(30)]
        for _ in range(40):
            chance.choice(nodes).append(chance.choice(nodes))
        compact = graphcopy.plan(nodes).compact
        graph = networkx.DiGraph()
        for place in range(len(compact)):
            graph.add_edges_from((place, target) for target in compact.successors(place))
        looped = {place for place in graph if graph.has_edge(place, place)}
        expected = {
            frozenset(each) for each in networkx.strongly_connected_components(graph) if len(each) > 1 or each & looped
        }
        found: dict = {}
        knots = knots_of(compact)
        for place, obj in enumerate(compact.objs):
            if id(obj) in knots:
                found.setdefault(knots[id(obj)], set()).add(place)
        assert {frozenset(each) for each in found.values()} == expected
