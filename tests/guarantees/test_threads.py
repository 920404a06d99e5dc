"""Copies in several threads at once, also of what another thread is changing."""

from __future__ import annotations

import collections
import contextlib
import functools
import gc
import signal
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

import graphcopy
from graphcopy.copying import collecting

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Node:
    pass


def graph(size=300):
    nodes = [Node() for _ in range(size)]
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    for number, node in enumerate(nodes):
        node.number = number
        node.next = nodes[(number + 1) % size]
        node.pair = (node, [number, {number: nodes[number // 2]}])
        node.members = {number, nodes[number - 1]}
        node.weak = weakref.ref(nodes[number - 2])
        node.lock = threading.Lock()
        node.step = step
    return nodes


@pytest.fixture(autouse=True)
def switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_eight_threads_copy_one_graph():
    root = graph()
    with ThreadPoolExecutor(8) as pool:
        copies = list(pool.map(lambda _: graphcopy.copy(root), range(16)))
    for new in copies:
        assert graphcopy.compare(root, new).ok
    seen = {id(new[0]) for new in copies}
    assert len(seen) == 16
    assert gc.isenabled()


def test_plans_and_rules_in_threads():
    root = graph(100)

    @graphcopy.rule(Node)
    def look(node):
        assert str(node.path).startswith("obj")
        return NotImplemented

    with ThreadPoolExecutor(8) as pool:
        copies = list(pool.map(lambda _: graphcopy.copy(root, rules=[look]), range(8)))
    assert all(graphcopy.compare(root, new).ok for new in copies)


def test_the_collector_is_switched_on_by_the_last():
    root = graph(50)
    stop = threading.Event()

    def work():
        while not stop.is_set():
            graphcopy.copy(root)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    stop.set()
    for thread in threads:
        thread.join(30)
    assert gc.isenabled()
    gc.disable()
    try:
        graphcopy.copy(root)
        assert not gc.isenabled()
    finally:
        gc.enable()


class Changing:
    "Each change keeps the invariants: a value matches its key, both attributes are equal."

    def __init__(self):
        self.table = {n: [n] for n in range(50)}
        self.items = [[n] for n in range(50)]
        self.members = set(range(50)) | {("m", n) for n in range(20)}
        self.both = (0, [0])
        self.objects = {Node() for _ in range(20)}

    def change(self, n):
        self.table[n % 97] = [n % 97]
        self.table.pop((n * 7) % 97, None)
        self.items.append([n])
        if len(self.items) > 120:
            del self.items[:60]
        self.members.add(n % 131)
        self.members.discard((n * 5) % 131)
        self.both = (n, [n])
        setattr(self, f"extra{n % 13}", [n])
        self.__dict__.pop(f"extra{(n * 3) % 13}", None)
        self.objects.add(Node())
        if len(self.objects) > 60:
            self.objects.clear()


def check(new):
    assert all(value == [key] for key, value in new.table.items())
    assert all(type(item) is list and len(item) == 1 for item in new.items)
    assert new.both[1] == [new.both[0]]
    assert all(type(member) in (int, tuple) for member in new.members)
    assert all(type(member) is Node for member in new.objects)


@pytest.mark.parametrize("rules", [(), ("by the graph",)])
def test_while_another_thread_changes_the_original(rules):
    obj = Changing()
    stop = threading.Event()

    def work():
        n = 0
        while not stop.is_set():
            n += 1
            obj.change(n)

    @graphcopy.rule(tuple)
    def look(node):
        str(node.path)
        return NotImplemented

    given = [look] if rules else []
    thread = threading.Thread(target=work)
    thread.start()
    right = 0
    try:
        for _ in range(60):
            try:
                new = graphcopy.copy(obj, rules=given)
            except graphcopy.CopyError:
                continue  # a clear error
            check(new)
            right += 1
    finally:
        stop.set()
        thread.join(30)
    assert not thread.is_alive()
    if not rules:
        assert right == 60


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_a_signal_during_a_collection_is_not_lost():
    """What a handler raises in a callback of the collector is written to stderr and forgotten, so none of ours runs."""

    class Interrupt(BaseException):
        pass

    def interrupt(*_):
        raise Interrupt

    # It sends the signal once. In a callback written in Python it would be delivered: this one is C code, as ours is.
    once = collections.defaultdict(functools.partial(signal.setitimer, signal.ITIMER_REAL, 1e-6))
    raising = functools.partial("{0[once].__class__.__name__}".format, once)
    root = graph(3000)
    gc.collect()
    before = signal.signal(signal.SIGALRM, interrupt)
    others, gc.callbacks[:] = gc.callbacks[:], [raising]  # other packages' may be Python
    try:
        with pytest.raises(Interrupt):
            graphcopy.copy(root)
        assert once and gc.callbacks == [raising]
    finally:
        gc.callbacks[:] = others
        signal.signal(signal.SIGALRM, before)
    assert gc.isenabled() and collecting._at_collection not in gc.callbacks


def test_a_signal_right_after_the_switch(monkeypatch):
    """It comes when the call of C code returns, before Python can note that the collector is on again."""
    arrived = []

    class Switches:
        def __getattr__(self, name):
            return getattr(gc, name)

        def enable(self):
            gc.enable()
            if not arrived:
                arrived.append(1)
                raise KeyboardInterrupt

    monkeypatch.setattr(collecting, "gc", Switches())
    for work in (lambda: graphcopy.copy(graph(3000)), lambda: graphcopy.loads(graphcopy.dumps(graph(3000)))):
        arrived.clear()
        with contextlib.suppress(KeyboardInterrupt):
            work()
        assert arrived and gc.isenabled()
        assert collecting._at_collection not in gc.callbacks and not collecting._switched_off
