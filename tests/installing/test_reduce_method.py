"""A class's own ``__reduce_ex__``, made by rules."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest
from installed_samples import Account, Calls, Handle, Inherits, by_handle

import graphcopy


def cloudpickled(obj):
    return pytest.importorskip("cloudpickle").dumps(obj)


def dilled(obj):
    return pytest.importorskip("dill").dumps(obj)


WAYS = {
    **{f"protocol {number}": lambda obj, number=number: pickle.dumps(obj, number) for number in range(6)},
    "cloudpickle": cloudpickled,
    "dill": dilled,
    "graphcopy": graphcopy.dumps,
}


@pytest.fixture(params=WAYS)
def dumps(request):
    return WAYS[request.param]


@pytest.mark.parametrize("cls", [Account, Inherits, Calls])
def test_round_trip(cls, dumps):
    account = cls()
    outside = {"account": account, "entries": account.entries, "again": (account, account.both[1])}
    account.outside = outside
    new = pickle.loads(dumps(outside))
    one = new["account"]
    assert type(one) is cls
    assert one.lock.acquire(False)
    assert one.handle.name == "a"
    assert one.handle is one.both[0]
    assert one.interest(100) == 2
    assert one.hooks[0] is one.interest
    assert one.me() is one
    assert one.outside is new
    assert one.entries is new["entries"]
    assert one is new["again"][0]


def test_what_others_cannot_write_is_once_more_outside():
    """The locks and functions below the object are one; outside of it pickle fails on them as ever."""
    account = Account()
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps([account, account.hooks])
    new = graphcopy.loads(graphcopy.dumps([account, account.hooks]))
    assert new[0].hooks is new[1]
    assert new[1][1] is new[0].lock


def test_graphcopy_does_not_ask_it_while_rules_are_installed():
    with graphcopy.install([graphcopy.replace(Handle, 5)]):
        account = Account()
        account.outside = Handle("x")
        new = graphcopy.loads(graphcopy.dumps(account))
    assert new.outside.name == "x"


def test_shallow_and_deep_copies_are_as_without_it():
    account = Account()
    new = copy.copy(account)
    assert new.lock is account.lock
    assert new.interest is account.interest
    with pytest.raises(TypeError, match="cannot pickle"):
        copy.deepcopy(account)
    with graphcopy.install([by_handle]):
        new = copy.deepcopy(account)
        assert type(new.handle) is Handle
        assert pickle.loads(pickle.dumps(account)).handle.name == "a"


def test_graphcopy_obeys_its_rules():
    account = Account()
    account.lines = (i for i in "ab")
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(account)
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj.lines"]
    del account.lines
    new = graphcopy.copy([account])[0]
    assert new.handle.name == "a"
    assert type(new.lock) is type(threading.Lock())
    with pytest.raises(TypeError, match="generator"):
        account.lines = (i for i in "ab")
        pickle.dumps(account)
