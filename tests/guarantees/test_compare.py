"""compare() finds what is shared and what differs, and is quiet about what is right."""

from __future__ import annotations

import array
import collections
import copy
import json
import logging
import pickle
import weakref

import pytest

import graphcopy

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
from graphcopy.comparing.sides import Side
from graphcopy.policies import policy_for

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Box:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Slotted:
    __slots__ = ("x", "y")


def kinds(comparison) -> list[str]:
    return sorted(each.kind for each in comparison.differences)


def paths(comparison) -> list[tuple[str, str]]:
    return [(str(each.path), str(each.copied_path)) for each in comparison.shared]


def test_a_right_copy():
    shared = [1, 2.5, "x"]
    obj = Box(a=shared, b=(shared, {1, "x"}), c={"k": shared}, d=collections.deque([shared], 3))
    obj.me = obj
    obj.weak = weakref.ref(obj)
    obj.log = logging.getLogger("x")
    found = graphcopy.compare(obj, graphcopy.copy(obj))
    assert found.ok and not found.not_told_apart, str(found)
    assert str(found).startswith("same and isolated: ")


def test_shared_objects_have_two_paths():
    inner = [1]
    obj = {"a": inner, "b": 1}
    found = graphcopy.compare(obj, {"a": [1], "b": 1} | {"a": inner})
    assert not found.ok
    assert paths(found) == [("obj['a']", "obj['a']")]
    assert "original['a'] and at copied['a']" in str(found)
    json.dumps(found.to_dict())


def test_a_shared_object_in_another_place():
    inner = [1]
    found = graphcopy.compare([inner], [[1], inner])
    assert paths(found) == [("obj[0]", "obj[1]")]
    assert kinds(found) == ["length"]


def test_a_shared_closure_cell():
    def make():
        items: list = []
        return lambda: items

    function = make()
    found = graphcopy.compare(function, copy.deepcopy(function))
    assert [each.type.__name__ for each in found.shared] == ["function", "cell", "list"]
    # A new function over the same cell is found too.
    import types

    half = types.FunctionType(function.__code__, function.__globals__, closure=function.__closure__)
    found = graphcopy.compare(function, half)
    assert [each.type.__name__ for each in found.shared] == ["cell", "list"]
    assert graphcopy.compare(function, graphcopy.copy(function)).ok


def test_shared_memory_of_arrays():
    numpy = pytest.importorskip("numpy")
    base = numpy.arange(10.0)
    obj = {"a": base[2:5]}
    found = graphcopy.compare(obj, {"a": base[2:5]})
    assert [(each.how, str(each.path)) for each in found.shared] == [("the same memory", "obj['a']")]
    assert graphcopy.compare({"a": base[::2]}, {"a": base[::2].copy()}).ok
    assert graphcopy.compare([base[0::2]], [base[1::2]]).shared == []
    assert graphcopy.compare({"a": base}, {"a": base.copy()}).ok
    other = base.copy()
    other[3] = 7
    assert kinds(graphcopy.compare([base], [other])) == ["value"]
    assert kinds(graphcopy.compare([base], [base.astype("f4")])) == ["value"]
    assert graphcopy.compare([numpy.array([numpy.nan])], [numpy.array([numpy.nan])]).ok


def test_shared_memory_of_buffers():
    store = bytearray(b"abcdef")
    found = graphcopy.compare([memoryview(store)], [memoryview(store)], rules=[graphcopy.share(memoryview)])
    assert [each.how for each in found.shared] in (["the same memory"], ["the same object"])
    numbers = array.array("d", [1, 2])
    assert graphcopy.compare([numbers], [array.array("d", [1, 2])]).ok
    assert len(graphcopy.compare([numbers], [numbers]).shared) == 1


def test_aliases():
    one: list = []
    assert kinds(graphcopy.compare([one, one], [[], []])) == ["alias lost"]
    assert kinds(graphcopy.compare([[], []], [one, one])) == ["alias invented"]
    loop: list = []
    loop.append(loop)
    assert kinds(graphcopy.compare(loop, [[[]]])) == ["alias lost", "length"] or not graphcopy.compare(loop, [[[]]]).ok


def test_one_dict_of_two_instances():
    one, two = Box(x=[1]), Box()
    two.__dict__ = one.__dict__
    assert graphcopy.compare([one, two], graphcopy.copy([one, two])).ok
    assert "alias lost" in kinds(graphcopy.compare([one, two], copy.deepcopy([one, two])))
    # Whoever else looks at the __dict__ changes nothing.
    held = one.__dict__
    single = [one]
    assert graphcopy.compare(single, copy.deepcopy(single)).ok and held


def test_values_types_attributes_and_order():
    assert kinds(graphcopy.compare([1, 0.0, "a"], [1, -0.0, "b"])) == ["value", "value"]
    assert kinds(graphcopy.compare([1], [True])) == ["value"]
    assert kinds(graphcopy.compare([[]], [()])) == ["type"]
    assert kinds(graphcopy.compare([[]], [None])) == ["type"]
    assert kinds(graphcopy.compare({"a": 1, "b": 2}, {"b": 2, "a": 1})) == ["order"]
    assert kinds(graphcopy.compare({"a": 1}, {"b": 1})) == ["added", "missing"]
    found = graphcopy.compare(Box(x=1, y=[1]), Box(x=1))
    assert kinds(found) == ["missing"] and str(found.differences[0].path) == "obj.y"
    found = graphcopy.compare(Box(x=1), Box(x=1, y=2))
    assert kinds(found) == ["added"] and str(found.differences[0].copied_path) == "obj.y"
    one, two = Slotted(), Slotted()
    one.x = one.y = 1
    two.x = 1
    assert kinds(graphcopy.compare(one, two)) == ["missing"]
    assert kinds(graphcopy.compare(Box(x={1, 2}), Box(x={1, 3}))) == ["added", "missing"]
    Text = type("Text", (str,), {})
    assert kinds(graphcopy.compare([Text("a")], [Text("b")])) == ["value"]
    found = graphcopy.compare([collections.deque([1], 3)], [collections.deque([1], 4)])
    assert str(found.differences[0].path) == "obj[0].maxlen"


def test_paths_of_differences_evaluate():
    obj = Box(a=[{"k": (1, [2, 3])}], s=Slotted())
    obj.s.x = 5
    new = copy.deepcopy(obj)
    new.a[0]["k"][1][1] = 4
    new.s.x = 6
    found = graphcopy.compare(obj, new)
    assert [(each.path.follow(obj), each.copied_path.follow(new)) for each in found.differences] in (
        [(3, 4), (5, 6)],
        [(5, 6), (3, 4)],
    )


def test_weak_references():
    class Node:
        pass

    one = Node()
    one.me = weakref.ref(one)
    wrong = copy.deepcopy(one)
    assert kinds(graphcopy.compare(one, wrong)) == ["weak"]
    outside = Node()
    assert graphcopy.compare([weakref.ref(outside)], [weakref.ref(outside)]).ok


def test_members_of_sets():
    class Named:
        def __init__(self, name, *others):
            self.name, self.others = name, list(others)

    deep = Named("deep", Named("a"))
    obj = {Named("a"), Named("b"), Named("c", Named("x")), Named("c", Named("y")), deep, (1, 2), ("a", deep)}
    found = graphcopy.compare(obj, graphcopy.copy(obj))
    assert found.ok and not found.not_told_apart
    alike = {Named("a") for _ in range(5)}
    found = graphcopy.compare(alike, graphcopy.copy(alike))
    assert found.ok and [(str(path), count) for path, count in found.not_told_apart] == [("obj", 5)]
    # Known by another way: nothing is left to be told apart.
    both = [alike, list(alike)]
    found = graphcopy.compare(both, graphcopy.copy(both))
    assert found.ok and not found.not_told_apart
    wrong = [graphcopy.copy(alike), list(graphcopy.copy(alike))]
    assert "members" in kinds(graphcopy.compare(both, wrong))
    other = graphcopy.copy(obj)
    next(each for each in other if isinstance(each, Named) and each.name == "deep").others[0].name = "changed"
    assert kinds(graphcopy.compare(obj, other)) == ["members"]
    assert "members" in kinds(graphcopy.compare({Named(1), Named(2)}, {Named(1), Named(2), Named(3)}))
    fewer = graphcopy.compare({frozenset({Named(1)})}, {frozenset({Named(2)})})
    assert kinds(fewer) == ["value"]


def test_what_rules_and_classes_share_is_passed_over():
    class Token:
        def __init__(self):
            self.items = []

    class Same(Token):
        def __deepcopy__(self, memo):
            return self

    rules = [graphcopy.share(Token)]
    obj = [Token(), {"t": Token()}]
    new = graphcopy.copy(obj, rules=rules)
    assert graphcopy.compare(obj, new, rules=rules).ok
    assert len(graphcopy.compare(obj, new).shared) == 4
    same = [Same()]
    assert graphcopy.compare(same, graphcopy.copy(same)).ok
    # But not what is reached by another way as well.
    same.append(same[0].items)
    assert paths(graphcopy.compare(same, [same[0], same[1]])) == [("obj[1]", "obj[1]")]


def test_what_a_receipt_names_is_passed_over():
    Entry = collections.namedtuple("Entry", "path treatment")
    inner = [[1]]
    obj = {"a": inner, "b": [2]}
    new = {"a": inner, "b": None}
    assert graphcopy.compare(obj, new, receipt=[Entry("obj['a']", "shared"), Entry("obj['b']", "pruned")]).ok
    assert not graphcopy.compare(obj, new, receipt=[Entry("obj['a']", "shared")]).ok


def test_pruned_and_replaced():
    class Cache:
        pass

    for rule in (graphcopy.prune(Cache), graphcopy.replace(Cache, dict)):
        obj = Box(
            cache=Cache(), items=[Cache(), 1], table={"c": Cache(), "d": 2}, members={Cache(), 1}, pair=(Cache(),)
        )
        new = graphcopy.copy(obj, rules=[rule]) if rule.description != "replaced" else None
        if new is None:
            del obj.members
            new = graphcopy.copy(obj, rules=[rule])
        assert graphcopy.compare(obj, new, rules=[rule]).ok
        assert not graphcopy.compare(obj, new).ok


def test_after_pickle():
    obj = Box(a=[1], b={"x": {2, 3}}, c=(1, [2]), d=Slotted())
    obj.d.x = obj.a
    found = graphcopy.compare(obj, pickle.loads(pickle.dumps(obj)))
    assert found.ok, str(found)


def test_it_is_linear(monkeypatch):
    opened = []

    def count(size: int) -> int:
        obj = [Box(x=[n], y={"k": (n, [n])}, s={n, (n, n)}) for n in range(size)]
        new = graphcopy.copy(obj)
        calls = 0
        real = Side.outcome

        def counting(self, place):
            nonlocal calls
            calls += 1
            return real(self, place)

        monkeypatch.setattr(Side, "outcome", counting)
        assert graphcopy.compare(obj, new).ok
        monkeypatch.setattr(Side, "outcome", real)
        opened.append(calls)
        return calls

    assert count(2000) < 10.5 * count(200)


def test_deep():
    deep = end = Box()
    for _ in range(10_000):
        deep = Box(next=[(deep,)])
    new = graphcopy.copy(deep)
    found = graphcopy.compare(deep, new)
    assert found.ok
    there = new
    while hasattr(there, "next"):
        there = there.next[0][0]
    there.more = end
    found = graphcopy.compare(deep, new)
    assert kinds(found) == ["added"] and len(found.shared) == 1
    assert found.shared[0].path.follow(deep) is end
    assert found.differences[0].copied_path.follow(new) is end
    # CPython cannot free such a chain of instances in one go on every Python: take it apart.
    for each in (deep, new):
        while hasattr(each, "next"):
            each = each.__dict__.pop("next")[0][0]


def test_hooks_that_make_state_anew():
    class Own:
        def __init__(self):
            self.items = [1, [2]]

        def __getstate__(self):
            return {"packed": tuple(self.items)}

        def __setstate__(self, state):
            self.items = list(state["packed"])

    obj = [Own()]
    assert graphcopy.compare(obj, graphcopy.copy(obj)).ok
    new = graphcopy.copy(obj)
    new[0].items[1] = obj[0].items[1]
    assert len(graphcopy.compare(obj, new).shared) == 1


def test_policy_sides_agree():
    side = Side([[1], 2], policy_for(()))
    assert len(side) == 2 and side.place(1) is None
