"""Classes that do unusual things: metaclasses, proxies, mocks, hooks that come and go."""

from __future__ import annotations

import copy
import copyreg
import unittest.mock

import pytest

import graphcopy


def test_mocks():
    for cls in (unittest.mock.Mock, unittest.mock.MagicMock):
        mock = cls()
        mock.a.b.return_value = 3
        mock.items = [1]
        new = graphcopy.copy(mock)
        assert new is not mock and new.a.b() == 3
        new.items.append(2)
        new.other(1)
        assert mock.items == [1] and not mock.other.called and not mock.a.b.called
    mock = unittest.mock.MagicMock()
    mock.__len__.return_value = 4
    assert len(graphcopy.copy(mock)) == 4

    class Spec:
        def method(self): ...

    assert isinstance(graphcopy.copy([unittest.mock.Mock(spec=Spec)])[0], Spec)


class Proxy:
    "Pretends to be what it wraps, and breaks when it is asked before it has something to wrap."

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped):
        object.__setattr__(self, "_wrapped", wrapped)

    @property
    def __class__(self):
        return type(self._wrapped)

    def __getattr__(self, name):
        return getattr(self._wrapped, name)

    def __setattr__(self, name, value):
        setattr(self._wrapped, name, value)

    def __eq__(self, other):
        return self._wrapped == other

    def __hash__(self):
        return hash(self._wrapped)


@pytest.mark.parametrize("wrapped", [[1], {"k": [1]}, {1, 2}, (1, [2]), bytearray(b"x"), 5, frozenset([(1,)])])
def test_proxies(wrapped):
    obj = [Proxy(wrapped), wrapped, {"p": Proxy(wrapped)}]
    new = graphcopy.copy(obj)
    assert type(new[0]) is Proxy
    assert object.__getattribute__(new[0], "_wrapped") is new[1] is object.__getattribute__(new[2]["p"], "_wrapped")
    found = graphcopy.compare(obj, new)
    assert found.ok, str(found)
    for _, data in graphcopy.reference_graph(obj).nodes(data=True):
        assert data["path"].follow(obj) is data["obj"]


def test_metaclasses_that_raise():
    class NoAnswer(type):
        def __getattr__(cls, name):
            raise KeyError(name)

    class Quarrelsome(type):
        def __eq__(cls, other):
            raise RuntimeError("not to be compared")

        __hash__ = type.__hash__

    for meta in (NoAnswer, Quarrelsome):
        cls = meta("Odd", (), {})
        obj = cls()
        obj.x = [1]
        for _ in range(2):
            new = graphcopy.copy([obj, cls])
            assert new[1] is cls and new[0].x == [1] and new[0].x is not obj.x
        assert graphcopy.compare(obj, graphcopy.copy(obj)).ok


def test_a_class_that_changes_between_copies():
    class Base:
        pass

    class Changing(Base):
        pass

    obj = Changing()
    obj.x = [1]
    assert graphcopy.copy(obj).x == [1]
    Changing.__getstate__ = lambda self: {"x": "state"}
    assert graphcopy.copy(obj).x == "state"
    del Changing.__getstate__
    Changing.__deepcopy__ = lambda self, memo: 5
    assert graphcopy.copy([obj]) == [5]
    del Changing.__deepcopy__
    Changing.__reduce__ = lambda self: (int, ("7",))
    assert graphcopy.copy([obj]) == [7]
    del Changing.__reduce__
    copyreg.pickle(Changing, lambda self: (str, ("z",)))
    assert graphcopy.copy([obj]) == ["z"]
    del copyreg.dispatch_table[Changing]
    Base.__setstate__ = lambda self, state: self.__dict__.update(state, seen=1)
    assert graphcopy.copy(obj).seen == 1
    del Base.__setstate__
    obj.__class__ = Base
    assert type(graphcopy.copy(obj)) is Base


def test_state_hooks_of_slotted_classes():
    class Own:
        __slots__ = ("a", "b")

        def __getstate__(self):
            return {"a": self.a}

        def __setstate__(self, state):
            self.a, self.b = state["a"], None

    obj = Own()
    obj.a, obj.b = [1], [2]
    new = graphcopy.copy(obj)
    assert new.a == [1] and new.b is None

    class Pair:
        __slots__ = ("__dict__", "a")

        def __getstate__(self):
            return {"q": 1}, {"a": self.a}

    obj = Pair()
    obj.a = [1]
    new = graphcopy.copy(obj)
    assert new.a == [1] and new.a is not obj.a and new.q == 1


@pytest.mark.parametrize("state", [{}, False, 0, [], None])
def test_empty_states_as_copy_deepcopy_takes_them(state):
    class Own:
        def __getstate__(self):
            return state

        def __setstate__(self, state):
            self.got = state

    assert vars(graphcopy.copy(Own())) == vars(copy.deepcopy(Own()))


def test_a_hook_that_returns_none():
    class Vanishing:
        def __deepcopy__(self, memo):
            return None

    obj = Vanishing()
    assert graphcopy.copy([obj, (obj,), {"k": obj}]) == [None, (None,), {"k": None}]


def test_a_hook_may_keep_its_own_entries_in_the_memo():
    class Counting:
        def __deepcopy__(self, memo):
            memo["calls"] = memo.get("calls", 0) + 1
            return Counting()

    memo: dict = {}
    graphcopy.copy([Counting(), Counting()], memo=memo)
    assert memo["calls"] == 2


def test_hooks_that_hand_over_to_copy():
    class Removed:
        "The well-known trick: take the hook off, deep-copy, put it on again."

        def __init__(self):
            self.x = [1]

        def __deepcopy__(self, memo):
            return copy._reconstruct(self, memo, *self.__reduce_ex__(4))

    obj = Removed()
    obj.y = obj.x
    new = graphcopy.copy([obj, obj.x])
    assert new[0].y is new[0].x is new[1]


def test_hooks_that_are_no_functions():
    class ByClass:
        @classmethod
        def __deepcopy__(cls, memo):
            return "by the class"

    class ByCallable:
        class Hook:
            def __call__(self, memo):
                return "by a callable"

        __deepcopy__ = Hook()

    class Without:
        __deepcopy__ = None

    assert graphcopy.copy([ByClass(), ByCallable()]) == ["by the class", "by a callable"]
    assert type(graphcopy.copy(Without())) is Without


def test_copies_within_copies():
    "Finalizers and hooks may copy on their own account."

    class Dying:
        def __del__(self):
            graphcopy.copy([1, [2]])

    class Hooked:
        def __init__(self):
            self.x = [1]

        def __deepcopy__(self, memo):
            Dying()
            new = Hooked()
            memo[id(self)] = new
            new.x = graphcopy.copy(self.x, memo=memo)
            new.own = graphcopy.copy({"a": 1}, memo=memo), graphcopy.copy(5, memo=memo), graphcopy.copy([new.x])
            return new

    obj = Hooked()
    new = graphcopy.copy([obj, obj.x])
    assert new[0].x is new[1] and new[0].own == ({"a": 1}, 5, [[1]])
