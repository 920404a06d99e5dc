"""Subclasses of containers with an ``__init__``, ``__setitem__`` or ``append`` of their own keep what they hold."""

import collections
import copy

import pytest

import graphcopy


class Recent(collections.deque):
    def __init__(self, limit, owner):
        super().__init__(maxlen=limit)
        self.owner = owner

    def append(self, item):
        super().append(("appended", item))


class Grouped(collections.defaultdict):
    def __init__(self, owner):
        super().__init__(list)
        self.owner = owner


class Tagged(collections.OrderedDict):
    def __init__(self, tag, owner):
        super().__init__()
        self.tag, self.owner = tag, owner

    def __setitem__(self, key, value):
        super().__setitem__(key, (self.tag, value))


class Votes(collections.Counter):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner


class Members(set):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def add(self, item):
        super().add(("added", item))


class Fixed(frozenset):
    def __new__(cls, owner, *items):
        new = super().__new__(cls, items)
        new.owner = owner
        return new


def recent(owner):
    new = Recent(3, owner)
    new.append([1])
    return new


def grouped(owner):
    new = Grouped(owner)
    new["a"].append([1])
    return new


def tagged(owner):
    new = Tagged("t", owner)
    new["b"], new["a"] = [1], [2]
    new.move_to_end("b")
    return new


def votes(owner):
    new = Votes(owner)
    new["x"] += 2
    return new


def members(owner):
    new = Members(owner)
    new.add("x")
    return new


def fixed(owner):
    return Fixed(owner, 1, 2)


@pytest.mark.parametrize("make", [recent, grouped, tagged, votes, members, fixed])
def test_content_class_and_attributes_are_those_of_the_original(make):
    owner = ["owner"]
    original = make(owner)
    owner.append(original)
    there, its = graphcopy.copy([original, owner])
    assert type(there) is type(original) and there.owner is its and its[1] is there and its is not owner
    assert graphcopy.compare([original, owner], [there, its]).ok
    base = type(original).__mro__[1]
    assert base(there) == base(original) if base is not collections.defaultdict else dict(there) == dict(original)


@pytest.mark.parametrize("make", [recent, grouped, tagged, votes, members, fixed])
def test_they_are_sent_alike(make):
    original = make([1])
    there = graphcopy.loads(graphcopy.dumps(original))
    assert type(there) is type(original) and there.owner == [1] and list(there) == list(original)


def test_limit_factory_and_order_are_kept():
    there = graphcopy.copy(recent([]))
    assert there.maxlen == 3 and list(there) == [("appended", [1])]
    there = graphcopy.copy(grouped([]))
    assert there["new"] == [] and there["a"] == [[1]]
    assert list(graphcopy.copy(tagged([])).items()) == [("a", ("t", [2])), ("b", ("t", [1]))]


class Slotted(list):
    __slots__ = ("got", "x")

    def __setstate__(self, state):
        self.got = state


class Told(list):
    def __setstate__(self, state):
        self.got = state


def test_setstate_gets_what_pickle_would_hand_it():
    slotted = Slotted([1])
    slotted.x = [1]
    assert graphcopy.copy(slotted).got == copy.deepcopy(slotted).got == (None, {"x": [1]})
    told = Told([1])
    told.x = [1]
    own = told.__dict__  # somebody else holds it too
    assert graphcopy.copy([told, own])[0].got == copy.deepcopy(told).got == {"x": [1]}
    assert not hasattr(graphcopy.copy(Told([1])), "got")
