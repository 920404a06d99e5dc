"""``memo`` as in copy.deepcopy, and classes with a ``__deepcopy__``."""

from __future__ import annotations

import copy

import pytest

import graphcopy


def test_what_stands_in_the_memo_is_used_and_what_is_copied_is_entered():
    inner, outer = [1], {"k": []}
    memo = {id(inner): "instead"}
    new = graphcopy.copy([inner, outer, inner], memo=memo)
    assert new[0] == "instead" and new[2] == "instead"
    assert memo[id(outer)] is new[1] and memo[id(outer["k"])] is new[1]["k"]
    assert graphcopy.copy(outer, memo=memo) is new[1]
    assert any(kept is outer for kept in memo[id(memo)])


@pytest.mark.parametrize("make", [list, dict, lambda: ([],), lambda: lambda x=[]: x, type("C", (), {})])
def test_none_in_the_memo_is_used(make):
    obj = make()
    assert graphcopy.copy([obj], memo={id(obj): None}) == [None] == copy.deepcopy([obj], {id(obj): None})


def test_a_failed_copy_leaves_the_memo_as_it_was():
    first = [1]
    memo: dict = {}
    new = graphcopy.copy(first, memo=memo)
    before, kept = dict(memo), list(memo[id(memo)])
    with pytest.raises(graphcopy.CopyError):
        graphcopy.copy([[2], first, (x for x in "ab")], memo=memo)
    assert memo == before and memo[id(memo)] == kept
    assert graphcopy.copy([first], memo=memo)[0] is new


def test_rules_that_need_paths_use_the_memo_too():
    inner = [1]
    seen = []

    @graphcopy.rule(set)
    def look(node):
        seen.append(str(node.path))
        return graphcopy.share()

    memo = {id(inner): "instead"}
    own = {3}
    new = graphcopy.copy([inner, {"s": own}], rules=[look], memo=memo)
    assert new == ["instead", {"s": {3}}] and new[1]["s"] is own
    assert "obj[1]['s']" in seen


class Hooked:
    def __init__(self, *children):
        self.children = list(children)

    def __deepcopy__(self, memo):
        new = type(self)()
        memo[id(self)] = new
        new.children = [copy.deepcopy(child, memo) for child in self.children]
        return new


def test_nested_hooks_keep_aliases_and_cycles():
    shared: list = []
    inner = Hooked(shared)
    outer = Hooked(inner, shared, {"inner": inner})
    inner.children.append(outer)
    shared.append(inner)
    new = graphcopy.copy([outer, shared])
    assert new[1] is new[0].children[1] is new[0].children[0].children[0]
    assert new[0].children[0].children[1] is new[0]
    assert new[1][0] is new[0].children[0] is new[0].children[2]["inner"]
    assert graphcopy.compare([outer, shared], new).ok if hasattr(graphcopy, "compare") else True


def test_a_hook_may_call_graphcopy_with_its_memo():
    class Own(Hooked):
        def __deepcopy__(self, memo):
            new = type(self)()
            memo[id(self)] = new
            new.children = graphcopy.copy(self.children, memo=memo)
            return new

    shared: list = []
    new = graphcopy.copy([shared, Own(shared)])
    assert new[1].children[0] is new[0] is not shared


class Lenient(Hooked):
    "Copies what it can, and shares the rest."

    caught: tuple = (TypeError,)

    def __deepcopy__(self, memo):
        new = type(self)()
        memo[id(self)] = new
        for child in self.children:
            try:
                new.children.append(copy.deepcopy(child, memo))
            except self.caught:
                new.children.append(child)
        return new


def test_a_hook_may_catch_what_a_child_raises():
    good, stream = [1], (x for x in "ab")
    bad = [good, [stream]]
    obj = Lenient(bad, good)
    new = graphcopy.copy([obj, good])
    assert new[0].children[0] is bad
    assert new[0].children[1] is new[1] is not good


def test_the_error_of_a_child_is_shown_as_it_is():
    class Broken:
        def __reduce__(self):
            raise KeyError("broken")

    class Catching(Lenient):
        caught = (KeyError,)

    broken = Broken()
    assert graphcopy.copy(Catching(broken)).children == [broken]
    with pytest.raises(graphcopy.CopyError, match=r"obj\.children\[0\]") as caught:
        graphcopy.copy(Hooked(broken))
    assert [culprit.obj for culprit in caught.value.culprits] == [broken]


def test_what_failed_outside_of_the_hook_stays_failed():
    "The list had been begun before the hook asked for it, and cannot be completed."
    stream = (x for x in "ab")
    outer = [None, stream]
    outer[0] = Lenient(outer)
    with pytest.raises(graphcopy.CopyError, match=r"obj\[1\]"):
        graphcopy.copy(outer)


def test_without_memo_the_hook_is_not_trusted():
    class Forgetful:
        def __init__(self, child):
            self.child = child

        def __deepcopy__(self, memo):
            return type(self)(copy.deepcopy(self.child))

    shared = [1]
    new = graphcopy.copy([shared, Forgetful(shared)])
    assert new[1].child is new[0]


def test_a_hook_in_c_writes_into_the_memo():
    from xml.etree import ElementTree

    tree = ElementTree.fromstring("<a x='1'><b>t</b><c/></a>")
    new = graphcopy.copy({"tree": tree, "b": tree[0]})
    assert ElementTree.tostring(new["tree"]) == ElementTree.tostring(tree)
    assert new["tree"] is not tree and new["tree"][0] is not tree[0]
    new["tree"][0].text = "changed"
    assert tree[0].text == "t"
    assert new["b"] is new["tree"][0]


def test_a_copied_sequence_of_a_memo_is_alive():
    memo: dict = {}
    for _ in range(50):
        graphcopy.copy([[]], memo=memo)
    assert len(memo) == 101


def test_a_hook_may_ask_for_what_waits_on_the_stack():
    items: list = []
    iterator = iter(items)
    pair = (iterator, items)
    hooked = Hooked(pair, iterator)
    items.append(hooked)
    for root in ([iterator, pair, hooked], [hooked, pair, iterator], [pair, [hooked]], [items, iterator]):
        new = graphcopy.copy(root)
        assert graphcopy.compare(root, new).ok


def test_a_hook_may_ask_for_a_weak_reference():
    import weakref

    class Target:
        pass

    inside, outside = Target(), Target()
    inside.hooked = Hooked(weakref.ref(inside), weakref.ref(outside), weakref.ref(inside, print))
    root = [inside.hooked, inside]
    new = graphcopy.copy(root)
    assert new[0].children[0]() is new[1] is not inside
    assert new[0].children[1]() is outside
    assert new[0].children[2]() is new[1] and new[0].children[2].__callback__ is print


def test_what_a_failing_child_brought_forward_goes_back():
    "The pair waits on the stack below; the hook's child moves it up, and then fails."
    from random_graphs import Reduced

    stream = (x for x in "ab")
    items: list = [1]
    reduced = Reduced(items, (items, 2))
    for good in (reduced, (reduced, items), {"r": reduced}, [[reduced]]):
        root = [good, Lenient([good, stream], good)]
        for order in (root, root[::-1]):
            new = graphcopy.copy(order)
            hooked = next(each for each in new if isinstance(each, Lenient))
            other = next(each for each in new if not isinstance(each, Lenient))
            assert hooked.children[0] is root[1].children[0]
            assert hooked.children[1] is other
            assert graphcopy.compare(good, other).ok


def test_nested_keys():
    class Key:
        def __init__(self, piece):
            self.piece = piece

        def __hash__(self):
            return hash(self.name)

    key = Key(None)
    key.name = "n"
    deep = (key,)
    for _ in range(3000):
        deep = (deep,)
    key.piece = {deep: 1, "s": {deep}}
    new = graphcopy.copy(key)
    assert len(new.piece) == 2 and next(iter(new.piece["s"])) in new.piece
