"""Classes that make one object only, or find one again: what a copy puts in must not go into the original."""

from __future__ import annotations

import collections

import pytest

import graphcopy


class Registry:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.entries = {}
            cls._instance.name = "the one"
        return cls._instance


class Slotted:
    __slots__ = ("entries",)
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.entries = [1]
        return cls._instance


class WithSetState(Registry):
    _instance = None

    def __setstate__(self, state):
        self.__dict__.update(state)


class Pooled:
    _pool: dict = {}

    def __new__(cls, key):
        if key not in cls._pool:
            made = cls._pool[key] = super().__new__(cls)
            made.key, made.entries = key, []
        return cls._pool[key]

    def __getnewargs__(self):
        return (self.key,)


def the_found():
    return FOUND


class Found:
    def __init__(self):
        self.entries = {"a": [1]}

    def __reduce__(self):
        return the_found, (), self.__dict__.copy()


class FoundWithAtoms(Found):
    def __init__(self):
        self.entries = 1

    def __reduce__(self):
        return the_found_with_atoms, (), {"entries": 2}


def the_found_with_atoms():
    return FOUND_WITH_ATOMS


FOUND, FOUND_WITH_ATOMS = Found(), FoundWithAtoms()


def only(base, *content):
    class Only(base):
        _instance = None

        def __new__(cls, *args):
            if cls._instance is None:
                cls._instance = super().__new__(cls)
            return cls._instance

    return Only(*content)


ONES = {
    "attributes": Registry,
    "slots": Slotted,
    "setstate": WithSetState,
    "pool": lambda: Pooled("a"),
    "reduce": the_found,
    "reduce of atoms": the_found_with_atoms,
    "list": lambda: only(list, [[1], [2]]),
    "dict": lambda: only(dict, {"a": [1]}),
    "set": lambda: only(set, [1, (2,)]),
    "deque": lambda: only(collections.deque, [[1], [2]], 5),
    "defaultdict": lambda: only(collections.defaultdict, list, {"a": [1]}),
    "OrderedDict": lambda: only(collections.OrderedDict, {"a": [1]}),
}


def state(one):
    """What it holds, by identity."""
    own = {name: id(getattr(one, name)) for name in ("entries", "name", "key") if hasattr(one, name)}
    content = [id(each) for each in one] if hasattr(one, "__iter__") else []
    values = [id(each) for each in one.values()] if hasattr(one, "values") else []
    return own, content, values, getattr(one, "maxlen", None), getattr(one, "default_factory", None)


@pytest.mark.parametrize("make", ONES.values(), ids=ONES)
def test_the_only_one_is_shared_and_left_as_it_is(make):
    one = make()
    before = state(one)
    root = {"one": one, "again": [one], "entries": getattr(one, "entries", None), "mine": [1]}
    copied = graphcopy.copy(root)
    assert copied["one"] is one and copied["again"][0] is one
    assert state(one) == before
    assert copied["mine"] == [1] and copied["mine"] is not root["mine"]


@pytest.mark.parametrize("make", ONES.values(), ids=ONES)
def test_it_stands_on_the_receipt(make):
    root = [make()]
    copied, receipt = graphcopy.copy(root, receipt=True)
    assert [(str(entry.path), entry.treatment) for entry in receipt] == [("obj[0]", "shared")]
    assert "making another one gave the same object" in str(receipt)
    assert graphcopy.compare(root, copied, receipt=receipt).ok


def test_a_plan_is_carried_out_twice():
    plan = graphcopy.plan([Registry(), [1]])
    first, second = plan.copy(), plan.copy()
    assert first[0] is second[0] is Registry() and first[1] is not second[1]


def test_another_one_that_can_be_made_is_made():
    class Counted:
        made = 0

        def __new__(cls):
            cls.made += 1
            return super().__new__(cls)

    one = Counted()
    one.entries = [1]
    copied = graphcopy.copy(one)
    assert copied is not one and copied.entries == [1] and copied.entries is not one.entries
    assert Counted.made == 2
