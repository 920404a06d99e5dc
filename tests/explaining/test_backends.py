"""What each backend says of an object is what the tool itself does with it; every path leads to its culprit."""

from __future__ import annotations

import collections
import copy
import functools
import io
import logging
import pickle
import queue
import socket
import sys
import threading
import types
import unittest.mock
import weakref

import cloudpickle
import dill
import pytest

import graphcopy

TOOLS = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda obj: pickle.loads(pickle.dumps(obj, 5)),
    "cloudpickle": lambda obj: cloudpickle.loads(cloudpickle.dumps(obj)),
    "dill": lambda obj: dill.loads(dill.dumps(obj)),
}


class Plain:
    pass


class Slotted:
    __slots__ = ("a", "b")


class WantsArguments:
    def __new__(cls, size):
        return object.__new__(cls)

    def __init__(self, size):
        self.size = size


class Recursing:
    def __init__(self):
        self.inner = [1]

    def __getattr__(self, name):
        return getattr(self.inner, name)


class RaisesKeyError(dict):
    def __getattr__(self, name):
        return self[name]


class KeywordsOnly(Exception):
    def __init__(self, *, limit):
        super().__init__(f"over {limit}")
        self.limit = limit


class OwnDeepCopy:
    """Its hook leaves the lock out, as careful classes do."""

    def __init__(self):
        self.lock, self.rows, self.other = threading.Lock(), [[1]], Plain()

    def __deepcopy__(self, memo):
        new = OwnDeepCopy()
        new.rows = copy.deepcopy(self.rows, memo)
        new.other = copy.deepcopy(self.other, memo)
        return new

    def __reduce__(self):
        return (OwnDeepCopy, ())


class OnlyOne:
    made = None

    def __new__(cls):
        if cls.made is None:
            cls.made = object.__new__(cls)
        return cls.made


class TellsArguments:
    def __new__(cls, size):
        return object.__new__(cls)

    def __init__(self, size):
        self.size = size

    def __getnewargs__(self):
        return (self.size,)


@functools.lru_cache
def cached(x):
    return x


class RefusesState:
    def __getstate__(self):
        raise ValueError("not this one")


def filled(obj, **values):
    for name, value in values.items():
        setattr(obj, name, value)
    return obj


def local_class():
    class Local:
        pass

    return Local


def closing_over(value):
    return lambda: value


def generator():
    yield 1


def on_a_cycle():
    node = Plain()
    node.pair = (threading.Lock(), node)
    return node


OBJECTS = {
    "values": lambda: {"a": [1, 2.0, "b", None, (1,)], "b": {1, 2}, "c": b"x"},
    "instance": lambda: filled(Plain(), rows=[1], name="n"),
    "slots": lambda: filled(Slotted(), a=[1], b=threading.RLock()),
    "lock": lambda: filled(Plain(), lock=threading.Lock()),
    "lock in a tuple on a cycle": on_a_cycle,
    "queue": lambda: [queue.Queue()],
    "event": lambda: {"e": threading.Event()},
    "generator as root": generator,
    "generator": lambda: {"g": generator()},
    "module": lambda: {"m": types},
    "lambda": lambda: [lambda: 1],
    "closure over a lock": lambda: [closing_over(threading.Lock())],
    "instance of a local class": lambda: [local_class()()],
    "local class": lambda: [local_class()],
    "class that wants arguments": lambda: [WantsArguments(1)],
    "getattr that recurses": lambda: {"r": Recursing()},
    "getattr that raises KeyError": lambda: RaisesKeyError(a=[1], b=RaisesKeyError()),
    "exception with keywords only": lambda: {"e": KeywordsOnly(limit=3)},
    "exception": lambda: {"e": ValueError("x", [1])},
    "own deepcopy": lambda: [OwnDeepCopy()],
    "getstate that raises": lambda: {"s": RefusesState()},
    "mappingproxy": lambda: {"p": types.MappingProxyType({"a": [1]})},
    "dict view": lambda: {"v": {"a": 1}.keys()},
    "memoryview": lambda: {"v": memoryview(b"ab")},
    "weak reference": lambda: (lambda p: {"p": p, "w": weakref.ref(p)})(Plain()),
    "weak method": lambda: (lambda p: {"p": p, "w": weakref.WeakMethod(p.go)})(HasMethod()),
    "bound method": lambda: HasMethod().go,
    "partial": lambda: functools.partial(sorted, [3, 1]),
    "registered logger": lambda: [logging.getLogger("graphcopy.tests.explaining")],
    "private logger": lambda: [logging.Logger("private")],
    "handler": lambda: [logging.StreamHandler(io.StringIO())],
    "string stream": lambda: [io.StringIO("a")],
    "standard stream": lambda: [sys.__stdout__],
    "ordered dict, deque, counter": lambda: [
        collections.OrderedDict(a=[1]), collections.deque([[1]]), collections.Counter("ab"),
        collections.defaultdict(list, a=[1]),
    ],
    "weak proxy": lambda: (lambda p: {"p": p, "w": weakref.proxy(p)})(Plain()),
    "sentinel": lambda: [unittest.mock.sentinel.anything],
    "one instance": lambda: [OnlyOne()],
    "arguments told": lambda: [TellsArguments(3)],
    "cached local function": lambda: [functools.lru_cache(closing_over(1))],
    "cached function": lambda: [cached],
    "method of an object with a lock": lambda: filled(Plain(), method=OwnDeepCopy().__reduce__),
    "iterators": lambda: [iter([1, 2]), enumerate([1]), zip([1], [2])],
}  # fmt: skip


class HasMethod:
    def go(self):
        return 1


def raises(tool, obj):
    try:
        tool(obj)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("backend", TOOLS)
@pytest.mark.parametrize("name", OBJECTS)
def test_culprits_are_named_when_the_tool_fails_and_only_then(name, backend):
    obj = OBJECTS[name]()
    report = graphcopy.explain(obj, backend=backend)  # before the tool, which may change things
    error = raises(TOOLS[backend], obj)
    assert bool(report.culprits) == (error is not None), (error, [c.reason for c in report.culprits])


@pytest.mark.parametrize("backend", [*TOOLS, "graphcopy"])
@pytest.mark.parametrize("name", OBJECTS)
def test_every_path_leads_to_its_culprit(name, backend):
    obj = OBJECTS[name]()
    report = graphcopy.explain(obj, backend=backend)
    for culprit in report.culprits:
        found = eval(str(culprit.path), {"obj": obj})
        assert found is culprit.obj or found == culprit.obj
    for hazard in report.hazards:
        found = eval(str(hazard.path), {"obj": obj})
        assert found is hazard.obj or found == hazard.obj


@pytest.mark.parametrize("name", OBJECTS)
def test_the_tools_own_words_are_given(name):
    obj = OBJECTS[name]()
    report = graphcopy.explain(obj, backend="deepcopy")
    error = raises(copy.deepcopy, obj)
    if error is not None and type(error) is TypeError and "argument" not in str(error):
        assert str(error) in {culprit.reason for culprit in report.culprits}


@pytest.mark.parametrize("backend", [*TOOLS, "graphcopy"])
@pytest.mark.parametrize("name", OBJECTS)
def test_each_line_of_advice_makes_its_culprit_go_away(name, backend):
    obj = OBJECTS[name]()
    for culprit in graphcopy.explain(obj, backend=backend).culprits:
        for line in (culprit.advice, *culprit.alternatives):
            rules = eval(f"dict({line})", {"graphcopy": graphcopy})["rules"]
            plan = graphcopy.plan(obj, rules=rules)
            assert all(each.obj is not culprit.obj for each in plan.culprits), line


def test_hooks_are_called_once():
    calls = []

    class Counted:
        def __reduce_ex__(self, protocol):
            calls.append(protocol)
            return (Counted, ())

    counted = Counted()
    graphcopy.explain([counted, counted], backend="deepcopy")
    assert calls == [4]


def test_owner_and_parts():
    from concurrent.futures import ThreadPoolExecutor

    crawler = filled(Plain(), pool=ThreadPoolExecutor(1))
    report = graphcopy.explain(crawler, backend="deepcopy")
    by_path = {str(culprit.path): culprit for culprit in report.culprits}
    owner = by_path["obj.pool"]
    assert by_path["obj.pool._work_queue"].owner is owner
    assert by_path["obj.pool._shutdown_lock"] in owner.parts
    assert owner.owner is None


def test_an_unknown_backend_is_refused():
    with pytest.raises(ValueError, match="no backend 'dil': it is one of 'graphcopy', 'deepcopy'"):
        graphcopy.explain([], backend="dil")


def test_a_socket_is_named_by_all():
    with socket.socket() as sock:
        for backend in TOOLS:
            assert [str(c.path) for c in graphcopy.explain({"s": sock}, backend=backend).culprits] == ["obj['s']"]
