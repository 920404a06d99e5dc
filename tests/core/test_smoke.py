"""The pipeline end to end on plain Python, in a second."""

from __future__ import annotations

import collections
import functools
import threading
import weakref

import pytest

import graphcopy


class Plain:
    pass


class Slotted:
    __slots__ = ("x", "y")


def everything() -> Plain:
    obj = Plain()
    obj.items = [1, [2]]
    obj.me = obj
    obj.lock = threading.RLock()
    obj.pair = (obj.items, (obj,))
    obj.weak = weakref.ref(obj)
    obj.append = obj.items.append
    obj.table = {obj: 1, (1, 2): obj.items, (0, obj): 2}
    obj.members = {obj}
    count = 0

    def increase() -> int:
        nonlocal count
        count += 1
        return count

    obj.increase = increase
    obj.partial = functools.partial(increase, obj.items)
    obj.queue = collections.deque([obj.items], maxlen=3)
    obj.slotted = Slotted()
    obj.slotted.x = obj.items
    return obj


def test_aliases_cycles_and_bindings_stay():
    obj = everything()
    new = graphcopy.copy(obj)
    assert new is not obj
    assert new.me is new and new.weak() is new
    assert new.pair[0] is new.items and new.pair[1][0] is new
    assert list(new.table) == [new, (1, 2), (0, new)] and new.table[1, 2] is new.items
    assert new.members == {new}
    assert new.partial.func is new.increase and new.partial.args[0] is new.items
    assert new.queue[0] is new.items and new.queue.maxlen == 3
    assert new.slotted.x is new.items and not hasattr(new.slotted, "y")
    new.append(5)
    assert new.items[-1] == 5 and obj.items == [1, [2]]
    assert (new.increase(), new.increase(), obj.increase()) == (1, 2, 1)
    assert new.lock is not obj.lock and new.lock.acquire(False)


def test_paths_evaluate_to_the_nodes():
    obj = everything()
    graph = graphcopy.reference_graph(obj)
    for _, data in graph.nodes(data=True):
        there = eval(str(data["path"]), {"obj": obj})
        assert there is data["obj"] or there == data["obj"]


def test_every_culprit_is_named():
    obj = [(i for i in "ab"), {"k": (i for i in "cd")}]
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(obj)
    assert isinstance(caught.value, TypeError)
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj[0]", "obj[1]['k']"]


def test_depth_is_no_limit():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    new = graphcopy.copy(deep)
    depth = 0
    while new:
        new = new[0]
        depth += 1
    assert depth == 100_000
