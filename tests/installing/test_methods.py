"""A class's own ``__deepcopy__``, made by rules."""

from __future__ import annotations

import copy
import threading

import pytest

import graphcopy


class Token:
    pass


class Model:
    __deepcopy__ = graphcopy.deepcopy_method([graphcopy.share(Token)])

    def __init__(self):
        self.lock = threading.RLock()
        self.token = Token()
        self.parts = [self, (self, {"parts": []})]
        self.count = 0

    def __getstate__(self):
        return {**self.__dict__, "count": self.count + 1}


class Inherits(Model):
    pass


class Calls(Model):
    def __deepcopy__(self, memo):
        new = super().__deepcopy__(memo)
        new.count += 10
        return new


class Slotted:
    __slots__ = ("__dict__", "a", "b")
    __deepcopy__ = graphcopy.deepcopy_method()


class Listed(list):
    __deepcopy__ = graphcopy.deepcopy_method([graphcopy.share(Token)])


class Failed(Exception):
    __deepcopy__ = graphcopy.deepcopy_method([graphcopy.share(Token)])


WAYS = {"deepcopy": copy.deepcopy, "graphcopy": graphcopy.copy, "plan": lambda obj: graphcopy.plan(obj).copy()}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def check(model, new, count):
    assert type(new) is type(model)
    assert new is not model
    assert new.lock is not model.lock
    assert new.token is model.token
    assert new.parts[0] is new.parts[1][0] is new
    assert new.count == count
    assert model.count == 0
    assert model.parts[0] is model


@pytest.mark.parametrize(("cls", "count"), [(Model, 1), (Inherits, 1), (Calls, 11)])
def test_right_copy(cls, count, way):
    model = cls()
    check(model, way(model), count)


@pytest.mark.parametrize(("cls", "count"), [(Model, 1), (Inherits, 1), (Calls, 11)])
def test_inside_other_things(cls, count, way):
    model = cls()
    around = {"before": model.parts[1][1], "model": model, "again": [model, (model, model.parts)]}
    model.around = around
    new = way(around)
    check(model, new["model"], count)
    assert new["again"][0] is new["again"][1][0] is new["model"]
    assert new["before"] is new["model"].parts[1][1]
    assert new["again"][1][1] is new["model"].parts
    assert new["model"].around is new


@pytest.mark.parametrize("cls", [Model, Inherits, Calls])
def test_the_memo_is_obeyed(cls):
    model = cls()
    memo = {id(model.parts): "there"}
    new = copy.deepcopy(model, memo)
    assert new.parts == "there"
    assert copy.deepcopy(model, memo) is new
    assert copy.deepcopy(model, {id(model): 5}) == 5
    assert type(model.__deepcopy__({})) is cls
    assert type(Model.__deepcopy__(model)) is cls


def test_other_shapes(way):
    slotted = Slotted()
    slotted.a, slotted.b, slotted.c = threading.Lock(), [slotted], {}
    new = way(slotted)
    assert new.b[0] is new
    assert new.a is not slotted.a
    listed = Listed([Token(), threading.Lock()])
    listed.more = listed
    new = way(listed)
    assert type(new) is Listed
    assert new[0] is listed[0]
    assert new[1] is not listed[1]
    assert new.more is new
    failed = Failed("text", [])
    failed.token = Token()
    new = way(failed)
    assert new.args == ("text", [])
    assert new.args[1] is not failed.args[1]
    assert new.token is failed.token


def test_rules_that_need_paths(way):
    def by_path(node):
        return graphcopy.share() if str(node.path).endswith("keep") else NotImplemented

    class Asks:
        __deepcopy__ = graphcopy.deepcopy_method([by_path])

        def __init__(self):
            self.keep, self.lose = [], []

    obj = Asks()
    new = way(obj)
    assert new.keep is obj.keep
    assert new.lose is not obj.lose


def test_given_rules_come_first():
    model = Model()
    assert graphcopy.copy([model], rules=[graphcopy.replace(Token, 5)])[0].token == 5
    assert graphcopy.copy([model], rules=[graphcopy.replace(Model, 6)]) == [6]


def test_the_plan_knows_the_rules_of_the_class():
    class Reads:
        __deepcopy__ = graphcopy.deepcopy_method([graphcopy.prune("builtins.generator")])

        def __init__(self):
            self.lines = (i for i in "ab")

    reads = Reads()
    plan = graphcopy.plan({"a": [reads]})
    assert plan.culprits == []
    new, receipt = graphcopy.copy({"a": [reads]}, receipt=True)
    assert not hasattr(new["a"][0], "lines")
    assert [str(entry.path) for entry in receipt] == ["obj['a'][0].lines"]
    assert graphcopy.compare({"a": [reads]}, new).ok
    assert not hasattr(copy.deepcopy([reads])[0], "lines")
    assert not hasattr(graphcopy.loads(graphcopy.dumps([reads]))[0], "lines")


def test_a_culprit_is_named():
    model = Model()
    model.lines = (i for i in "ab")
    for _ in range(2):
        with pytest.raises(graphcopy.CopyError) as caught:
            copy.deepcopy([model])
        assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj.lines"]
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy([model])
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj[0].lines"]


def test_under_installed_rules():
    model = Model()
    with graphcopy.install([graphcopy.rule(Model)(lambda node: NotImplemented)]):
        check(model, copy.deepcopy(model), 1)
    with graphcopy.install([graphcopy.share(Inherits)]):
        inherits = Inherits()
        assert copy.deepcopy([inherits])[0] is inherits
        check(model, copy.deepcopy(model), 1)


def test_no_rule():
    with pytest.raises(TypeError, match="is no rule"):
        graphcopy.deepcopy_method([5])
    assert "1 rule" in repr(Model.__deepcopy__)


def test_it_can_be_pickled_with_its_class():
    """A class that travels by value takes the method along."""

    class Local:
        __deepcopy__ = graphcopy.deepcopy_method()

        def __init__(self):
            self.lock = threading.Lock()

    arrived = graphcopy.loads(graphcopy.dumps(Local()))
    assert type(copy.deepcopy(arrived)).__name__ == "Local"
