"""Depth is no limit: a million under the default recursion limit, in a bounded C stack."""

from __future__ import annotations

import collections
import copy
import functools
import sys
import threading
import types

import pytest

import graphcopy

SMALL = (512 if sys.version_info < (3, 13) else 4096) * 1024  # CPython 3.13 itself frees deeper before it stops


class Plain:
    pass


class Slotted:
    __slots__ = ("next",)


class Reduced:
    def __init__(self, piece):
        self.piece = piece

    def __reduce__(self):
        return Reduced, (self.piece,)


class Stated:
    def __init__(self, piece):
        self.piece = piece

    def __getstate__(self):
        return {"piece": self.piece}

    def __setstate__(self, state):
        self.piece = state["piece"]


class Pile(list):
    pass


class Table(dict):
    pass


def instance(cls):
    def wrap(inner):
        new = cls()
        new.next = inner
        return new

    return wrap


def closure(inner):
    return lambda: inner


def default(inner):
    def function(x=inner):
        return x

    return function


def attribute(inner):
    def function():
        pass

    function.inner = inner
    return function


def frozen(inner):
    return (frozenset([inner]),) if isinstance(inner, tuple) else (inner,)


def cells_of_arrays(inner):
    import numpy

    new = numpy.empty(1, object)
    new[0] = inner
    return new


DEEP = {
    "list": lambda inner: [inner],
    "dict": lambda inner: {"k": inner},
    "tuple": lambda inner: (inner, []),
    "frozenset": frozen,
    "instance": instance(Plain),
    "slots": instance(Slotted),
    "linked list": instance(Plain),
    "closure": closure,
    "default": default,
    "function attribute": attribute,
    "partial": lambda inner: functools.partial(sorted, inner),
    "reduce argument": Reduced,
    "state": Stated,
    "list subclass": lambda inner: Pile([inner]),
    "dict subclass": lambda inner: Table(k=inner),
    "ordered dict": lambda inner: collections.OrderedDict(k=inner),
    "exception": lambda inner: ValueError(inner),
    "bound builtin": lambda inner: [inner].append,
    "all in turn": None,
}
"""What CPython can free a million deep of."""

LESS_DEEP = {
    "cell": (10_000, lambda inner: types.CellType(inner)),
    "bound method": (10_000, lambda inner: types.MethodType(sorted, inner or 1)),
    "property": (10_000, property),
    "deque": (10_000, lambda inner: collections.deque([inner])),
    "default dict": (10_000, lambda inner: collections.defaultdict(list, k=inner)),
    "object array": (2_000, cells_of_arrays),
}
"""What CPython cannot free much deeper: its deallocators recurse. Tested to these depths."""


def build(kind, depth):
    deep = None
    wraps = (
        [DEEP[name] for name in DEEP if name not in ("frozenset", "all in turn")]
        if kind == "all in turn"
        else [DEEP[kind]]
    )
    for number in range(depth):
        deep = wraps[number % len(wraps)](deep)
    return deep


def check(deep):
    limit = sys.getrecursionlimit()
    new = graphcopy.copy(deep)
    assert type(new) is type(deep) and new is not deep
    graph = graphcopy.plan(deep).compact
    again = graphcopy.plan(new).compact
    assert len(graph) == len(again)
    assert list(graph.targets) == list(again.targets)
    place = len(graph) - 1
    there = graph.path(place).follow(deep)
    assert there is graph.objs[place] or there == graph.objs[place]
    assert sys.getrecursionlimit() == limit


def in_small_stack(work):
    "Run *work* on a small stack: recursion in C would overflow it soon."
    failures = []

    def run():
        try:
            work()
        except BaseException as error:
            failures.append(error)

    before = threading.stack_size(SMALL)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if failures:
        raise failures[0]


@pytest.mark.parametrize("kind", list(DEEP))
def test_deep(kind):
    deep = build(kind, 20_000)
    in_small_stack(lambda: check(deep))


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(DEEP))
def test_a_million(kind):
    check(build(kind, 1_000_000))


@pytest.mark.parametrize("kind", list(LESS_DEEP))
def test_what_cpython_cannot_free_deeper(kind):
    depth, wrap = LESS_DEEP[kind]
    if kind == "object array":
        pytest.importorskip("numpy")
    deep = None
    for _ in range(depth):
        deep = wrap(deep)
    check(deep)


def test_a_culprit_at_the_bottom():
    deep = (x for x in "ab")
    bottom = deep
    for _ in range(20_000):
        deep = [deep]
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(deep)
    assert caught.value.culprits[0].path.follow(deep) is bottom


def test_hooks_that_recurse_end_with_an_error_that_names_the_class():
    class Recursive:
        def __init__(self, inner):
            self.inner = inner

        def __deepcopy__(self, memo):
            return Recursive(copy.deepcopy(self.inner, memo))

    def chain(depth):
        deep = None
        for _ in range(depth):
            deep = Recursive(deep)
        return deep

    # From an empty stack, the default recursion limit of 1000 is enough for 150 hooks within each other.
    in_small_stack(lambda: graphcopy.copy(chain(150)))
    with pytest.raises(graphcopy.CopyError, match=r"Recursive\.__deepcopy__ raised RecursionError") as caught:
        graphcopy.copy(chain(5000))
    assert isinstance(caught.value.__cause__, RecursionError)
    # What a rule takes out of the class's hands has no such limit.
    rules = [graphcopy.by_attributes(Recursive)] if hasattr(graphcopy, "by_attributes") else None
    if rules:
        graphcopy.copy(chain(5000), rules=rules)
