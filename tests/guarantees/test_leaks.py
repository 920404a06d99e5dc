"""Many copies leave memory flat, and the reference counts of the original as they were."""

from __future__ import annotations

import collections
import functools
import gc
import sys
import threading
import weakref

import pytest
from random_graphs import Both, Hooked, Keyed, Pile, Plain, Reduced, Refilled, Slotted, Stated, Table

import graphcopy

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def everything():
    shared = [1, [2]]
    plain, both, slotted = Plain(), Both(), Slotted()
    plain.a, both.a, both.c, slotted.a = shared, plain, [both], (shared, 1)
    plain.weak = weakref.ref(both)
    keyed = Keyed("k")
    pile, table, hooked, refilled = Pile([shared]), Table(k=shared), Hooked(), Refilled()
    pile.more, table.more, hooked.items, refilled.state = table, pile, [shared, hooked, plain], shared
    refilled.items, refilled.pairs = [plain], {1: keyed}

    def function(x=shared, *, y=plain):
        return shared, x, y

    function.note = plain
    everything = [
        shared, plain, both, slotted, keyed, pile, table, hooked, refilled, function,
        {keyed: 1, (1, keyed): 2}, {keyed, 1}, frozenset({keyed, 2}), (shared, (plain,)), Stated(shared),
        Reduced(shared, (1, plain)), collections.deque([shared], 3), collections.OrderedDict(a=shared),
        collections.defaultdict(list, a=shared), functools.partial(function, plain, k=shared), shared.append,
        refilled.append, threading.Lock(), threading.RLock(), ValueError(shared), bytearray(b"x"), iter(shared),
        function.__closure__[0], slice(shared, None), collections.Counter("ab"), property(function),
    ]  # fmt: skip
    try:
        import numpy
    except ImportError:
        return everything
    return [*everything, numpy.arange(3.0)]


def blocks():
    gc.collect()
    return sys.getallocatedblocks()


def growth(step, times):
    """How many blocks of memory *times* steps leave behind, after as many to warm up."""
    for _ in range(times):
        step()
    rounds = []
    for _ in range(3):  # caches of the interpreter itself fill up meanwhile: the least counts
        before = blocks()
        for _ in range(times // 3):
            step()
        rounds.append(blocks() - before)
    return min(rounds)


def check(root, step, times):
    objs = graphcopy.plan(root).compact.objs
    step()
    gc.collect()
    counts = [sys.getrefcount(each) for each in objs]
    assert growth(step, times) < max(200, times // 30)
    assert [sys.getrefcount(each) for each in objs] == counts


@pytest.mark.parametrize("times", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_copies(times):
    root = everything()
    check(root, lambda: graphcopy.copy(root), times)


def test_copies_with_a_memo_plans_and_comparisons():
    root = everything()
    check(root, lambda: graphcopy.copy(root, memo={}), 100)
    check(root, lambda: graphcopy.plan(root).copy(), 100)
    check(root, lambda: graphcopy.compare(root, graphcopy.copy(root)), 60)


def test_throw_away_rules():
    root = everything()

    def step():
        @graphcopy.rule(Plain)
        def one_time(node):
            return NotImplemented

        graphcopy.copy(root, rules=[one_time, graphcopy.share(Keyed)])

    check(root, step, 400)


def test_failed_copies():
    root = everything()
    broken = [root, (x for x in "ab")]

    def step():
        with pytest.raises(graphcopy.CopyError):
            graphcopy.copy(broken)

    check(root, step, 100)


def test_throw_away_classes():
    "A policy does not keep all classes alive that it has ever seen."
    alive = []
    for number in range(5000):
        cls = type(f"C{number}", (), {})
        alive.append(weakref.ref(cls))
        graphcopy.copy([cls()])
    del cls
    gc.collect()
    assert sum(each() is not None for each in alive) < 4200


def test_a_copy_does_not_keep_the_original_alive():
    root = everything()
    watched = weakref.ref(root[1])
    new = graphcopy.copy(root)
    del root
    gc.collect()
    assert watched() is None and new
