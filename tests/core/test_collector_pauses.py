"""The garbage collector pauses while a copy runs, and what others say of it stands."""

from __future__ import annotations

import gc

import pytest

import graphcopy
from graphcopy.copying import collecting


@pytest.fixture(autouse=True)
def as_it_was():
    before, callbacks = gc.isenabled(), list(gc.callbacks)
    gc.enable()
    yield
    assert collecting._at_collection not in gc.callbacks
    gc.callbacks[:] = callbacks
    gc.enable() if before else gc.disable()


class Watching:
    "Copied with a hook that looks at the collector, and does something to it."

    def __init__(self, act=lambda: None):
        self.act = act
        self.seen = []

    def __deepcopy__(self, memo):
        self.seen.append(gc.isenabled())
        self.act()
        self.seen.append(gc.isenabled())
        return Watching(self.act)


def many():
    return [[number] for number in range(gc.get_threshold()[0] * 3 + 100)]


def collections():
    return sum(stats["collections"] for stats in gc.get_stats())


def test_no_more_than_one_collection_begins_in_a_large_copy():
    root = [[number] for number in range(200_000)]
    graphcopy.copy(root[:1])  # what is imported first has been
    gc.collect()
    before = collections()
    graphcopy.copy(root)
    assert collections() - before <= 2  # the one that switches it off, and one when it is on again
    assert gc.isenabled()


def test_a_hook_late_in_a_large_copy_finds_it_off_and_it_is_on_in_the_end():
    watching = Watching()
    graphcopy.copy([*many(), watching])
    assert watching.seen == [False, False]
    assert gc.isenabled()


def test_a_small_copy_never_touches_the_switch():
    watching = Watching()
    gc.collect()
    graphcopy.copy([watching])
    assert watching.seen == [True, True]


def test_who_switches_it_on_meanwhile_has_it_on():
    watching = Watching(gc.enable)
    later = Watching()
    graphcopy.copy([*many(), watching, *many(), later])
    assert watching.seen == [False, True]
    assert later.seen == [True, True]
    assert gc.isenabled()


def test_who_switches_it_off_before_the_first_collection_has_it_off():
    watching = Watching(gc.disable)
    gc.collect()
    graphcopy.copy([watching, *many()])
    assert not gc.isenabled()


def test_off_before_is_off_afterwards():
    gc.disable()
    graphcopy.copy(many())
    assert not gc.isenabled()


@pytest.mark.parametrize("act", [gc.callbacks.clear, lambda: 1 / 0], ids=["cleared", "raises"])
def test_it_is_on_again_whatever_happens(act):
    try:
        graphcopy.copy([Watching(act), *many()])
    except graphcopy.CopyError:
        pass
    assert gc.isenabled()


def test_copies_within_copies_count():
    inner = Watching(lambda: graphcopy.copy(many()))
    graphcopy.copy([*many(), inner, *many()])
    assert inner.seen == [False, False]
    assert gc.isenabled()
