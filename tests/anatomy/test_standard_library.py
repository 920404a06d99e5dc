"""Objects of the standard library, kind by kind: same, independent, and every path leads to its node."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import functools
import gc
import hashlib
import io
import logging
import multiprocessing
import os
import queue
import sqlite3
import ssl
import sys
import tempfile
import threading
import types
import weakref

import pytest

import graphcopy


class Plain:
    pass


def test_weak_collections_follow_the_copies():
    obj = Plain()
    obj.kids = [Plain(), Plain()]
    obj.members = weakref.WeakSet(obj.kids)
    obj.values = weakref.WeakValueDictionary({"x": obj.kids[0]})
    obj.keys = weakref.WeakKeyDictionary({obj.kids[1]: ["v"]})
    obj.proxy = weakref.proxy(obj)
    outside = Plain()
    obj.away = weakref.ref(outside)
    new = graphcopy.copy(obj)
    assert set(new.members) == set(new.kids)
    assert new.values["x"] is new.kids[0]
    assert new.keys[new.kids[1]] == ["v"] and new.keys[new.kids[1]] is not obj.keys[obj.kids[1]]
    assert new.proxy.kids is new.kids
    assert new.away() is outside


def test_exceptions_keep_arguments_attributes_and_links():
    class OnlyKeywords(Exception):
        def __init__(self, *, code):
            super().__init__()
            self.code = code

    def fail():
        try:
            raise OnlyKeywords(code=[5])
        except OnlyKeywords as first:
            raise OSError(2, "no", "file") from first

    with pytest.raises(OSError) as caught:
        fail()
    error = caught.value
    error.extra = [1]
    new = graphcopy.copy(error)
    assert (new.errno, new.filename, str(new)) == (2, "file", str(error))
    assert new.extra == [1] and new.extra is not error.extra
    assert new.__cause__ is not error.__cause__ and new.__cause__.code == [5]
    assert new.__cause__ is new.__context__ and new.__suppress_context__
    assert new.__traceback__ is error.__traceback__


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups came with Python 3.11")
def test_exception_groups():
    one = ValueError(1)
    new = graphcopy.copy([one, ExceptionGroup("many", [one, KeyError("k")])])  # noqa: F821
    assert new[1].exceptions[0] is new[0] and new[1].message == "many"


def test_caches_start_empty_over_the_copied_function():
    def make():
        seen: list = []

        @functools.lru_cache(maxsize=5)
        def square(x):
            seen.append(x)
            return x * x

        square.seen = seen
        return square

    square = make()
    square(2)
    new = graphcopy.copy(square)
    assert new(3) == 9 and new.seen == [2, 3] and square.seen == [2]
    assert new.cache_info().maxsize == 5 and new.cache_info().currsize == 1


def test_digests_contexts_and_files_in_memory_go_on_at_their_place():
    text, data = io.StringIO("abc"), io.BytesIO(b"abc")
    text.read(1), data.read(2)
    variable = contextvars.ContextVar("variable")
    context = contextvars.copy_context()
    context.run(variable.set, 1)
    obj = [hashlib.sha256(b"x"), text, data, context, variable]
    new = graphcopy.copy(obj)
    assert new[0].hexdigest() == obj[0].hexdigest()
    new[0].update(b"y")
    assert new[0].hexdigest() != obj[0].hexdigest()
    assert (new[1].read(), new[2].read()) == ("bc", b"c") == (obj[1].read(), obj[2].read())
    assert new[4] is variable and new[3][variable] == 1
    new[3].run(variable.set, 2)
    assert context[variable] == 1


def test_thread_locals_keep_the_values_of_this_thread():
    local = threading.local()
    local.items = [1]
    new = graphcopy.copy(local)
    assert new.items == [1] and new.items is not local.items


def test_locks_and_what_is_built_on_them():
    class Worker:
        def __init__(self):
            self.lock = threading.RLock()
            self.changed = threading.Condition(self.lock)
            self.event = threading.Event()
            self.slots = threading.BoundedSemaphore(3)
            self.barrier = threading.Barrier(2)
            self.todo = queue.PriorityQueue(5)
            self.thread = threading.Thread(target=self.run, name="worker")
            self.done = []

        def run(self):
            with self.changed:
                self.done.append("ran")
                self.changed.notify_all()

    worker = Worker()
    worker.event.set()
    worker.slots.acquire()
    worker.todo.put((1, "job"))
    with worker.lock:
        new = graphcopy.copy(worker)
        new.thread.start()
        new.thread.join(5)
    assert new.done == ["ran"] and worker.done == []
    assert new.thread.name == "worker" and not worker.thread.is_alive()
    assert new.event.is_set() and new.event is not worker.event
    assert new.slots._value == 2 and new.slots._initial_value == 3
    assert new.todo.get(timeout=1) == (1, "job") and worker.todo.qsize() == 1 and new.todo.maxsize == 5
    assert new.barrier.parties == 2 and new.barrier is not worker.barrier


def test_asyncio_primitives_belong_to_no_loop():
    async def fill():
        lock, items, event = asyncio.Lock(), asyncio.Queue(4), asyncio.Event()
        await lock.acquire()
        await items.put([1])
        event.set()
        return [lock, items, event, asyncio.Semaphore(2)]

    obj = asyncio.run(fill())
    new = graphcopy.copy(obj)

    async def use():
        async with new[0]:
            return await new[1].get(), new[2].is_set(), new[3]._value

    assert asyncio.run(use()) == ([1], True, 2)
    assert obj[0].locked() and obj[1].qsize() == 1


def test_idle_executors_are_made_anew_and_busy_ones_are_culprits():
    with concurrent.futures.ThreadPoolExecutor(2, "pool") as pool:
        pool.submit(abs, -1).result()
        new = graphcopy.copy({"pool": pool})["pool"]
        assert new is not pool and new._max_workers == 2 and new.submit(abs, -2).result() == 2
        new.shutdown()
        gate = threading.Event()
        pool.submit(gate.wait)
        with pytest.raises(graphcopy.CopyError, match="work pending or running"):
            graphcopy.copy(pool)
        gate.set()


def test_live_objects_are_shared():
    private = logging.Logger("private")
    obj = [logging.getLogger("x"), private, logging.StreamHandler(), sys.stdout, ssl.create_default_context()]
    assert all(a is b for a, b in zip(obj, graphcopy.copy(obj)))


def test_databases(tmp_path):
    with sqlite3.connect(":memory:") as memory, sqlite3.connect(tmp_path / "file.db") as file:
        memory.row_factory = sqlite3.Row
        memory.execute("create table t (x)")
        memory.execute("insert into t values (1)")
        memory.commit()
        new = graphcopy.copy([memory, file])
        new[0].execute("insert into t values (2)")
        assert [row["x"] for row in new[0].execute("select x from t")] == [1, 2]
        assert [row["x"] for row in memory.execute("select x from t")] == [1]
        file.execute("create table u (x)")
        file.commit()
        assert new[1].execute("select count(*) from u").fetchone() == (0,)
        for each in new:
            each.close()
    memory.close()
    file.close()


def test_views_show_the_copied_base():
    base = {"a": [1]}
    obj = [base, types.MappingProxyType(base), base.keys(), base.values(), base.items()]
    new = graphcopy.copy(obj)
    new[0]["b"] = [2]
    assert new[1]["b"] == [2] and "b" in new[2] and [2] in new[3] and ("b", [2]) in new[4]
    assert list(base) == ["a"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: (i for i in "ab"),
        lambda: open(__file__),  # noqa: SIM115
        lambda: __import__("socket").socket(),
        lambda: __import__("selectors").DefaultSelector(),
        lambda: sys._getframe(),
    ],
)
def test_resources_are_culprits_and_their_advice_makes_them_go_away(make):
    resource = make()
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy([resource])
    (culprit,) = caught.value.culprits
    assert eval(str(culprit.path), {"obj": [resource]}) is culprit.obj
    (new,) = graphcopy.copy([resource], rules=[graphcopy.resource_rules])
    for each in (resource, new):
        if hasattr(each, "close"):
            each.close()


def test_resource_rules_open_files_again_at_their_place_and_never_touch_what_is_written(tmp_path):
    path = tmp_path / "text"
    path.write_text("a\nç\nc\n", encoding="latin-1")
    with open(path, encoding="latin-1") as text, open(path, "rb") as data, open(tmp_path / "out", "w") as out:
        text.readline(), data.read(3)
        out.write("kept")
        out.flush()
        new = graphcopy.copy([text, data, out], rules=[graphcopy.resource_rules])
        assert new[0].readline() == "ç\n" == text.readline()
        assert new[1].read() == data.read()
        assert new[2] is None and (tmp_path / "out").read_text() == "kept"
        new[0].close(), new[1].close()


def test_a_closed_file_is_no_obstacle(tmp_path):
    for mode, buffering in (("w", -1), ("w+", -1), ("wb", -1), ("wb", 0), ("rb", -1), ("r+b", -1)):
        file = open(tmp_path / "file", mode, buffering)  # noqa: SIM115
        with pytest.raises(graphcopy.CopyError, match="an open file"):
            graphcopy.copy([file])
        file.close()
        copied, receipt = graphcopy.copy({"file": file, "rows": [1]}, receipt=True)
        assert copied["file"].closed and copied["file"].name == file.name
        assert not list(receipt), "nothing can come of it"
    with tempfile.TemporaryFile() as file:
        pass
    assert graphcopy.copy([file])[0].closed
    with pytest.raises(graphcopy.CopyError, match="a closed file"):
        graphcopy.dumps([file])


def test_every_path_leads_to_its_node():
    obj = Plain()
    obj.error = ValueError([1], "x")
    obj.error.__cause__ = KeyError([2])
    obj.local = threading.local()
    obj.local.items = [3]
    obj.values = weakref.WeakValueDictionary({(4, 5): obj})
    obj.proxy = types.MappingProxyType({"a": [6]})
    graph = graphcopy.reference_graph(obj)
    for _, data in graph.nodes(data=True):
        there = eval(str(data["path"]), {"obj": obj})
        assert there is data["obj"] or there == data["obj"], data["path"]


def test_values_of_a_context_are_copied_with_the_rest():
    variable = contextvars.ContextVar("variable")
    context = contextvars.Context()
    items = [1]
    context.run(variable.set, items)
    copied = graphcopy.copy({"context": context, "items": items, "variable": variable})
    assert copied["variable"] is variable
    assert copied["context"][variable] is copied["items"]
    assert copied["items"] == [1]
    assert copied["items"] is not items
    plan = graphcopy.plan(context)
    assert all(eval(str(data["path"]), {"obj": context}) is data["obj"] for _, data in plan.graph.nodes(data=True))


class Watched:
    pass


def watched(*args, **kwargs):
    obj = Watched()
    obj.finalizer = weakref.finalize(obj, *args, **kwargs)
    return obj


def test_a_finalizer_over_copied_things_works_for_the_copy():
    log = []
    original = {"obj": watched(log.append, 1), "log": log}
    copied = graphcopy.copy(original)
    assert copied["obj"].finalizer.alive
    del copied["obj"]
    gc.collect()
    assert copied["log"] == [1]
    assert log == []
    assert original["obj"].finalizer.alive
    original["obj"].finalizer.detach()


def test_a_finalizer_over_the_outside_world_stays_with_the_original(tmp_path):
    original = watched(os.rmdir, str(tmp_path))
    original.finalizer.atexit = False
    copied = graphcopy.copy(original)
    assert not copied.finalizer.alive
    del copied
    gc.collect()
    assert tmp_path.exists()
    assert original.finalizer.alive
    original.finalizer.detach()


def test_a_spooled_file_in_memory_is_copied():
    with tempfile.SpooledTemporaryFile() as original:
        original.write(b"ab")
        copied = graphcopy.copy(original)
        copied.write(b"c")
        original.seek(0)
        assert original.read() == b"ab"
        copied.seek(0)
        assert copied.read() == b"abc"
        copied.close()


def test_what_python_says_of_itself_is_shared():
    facts = [sys.flags, sys.version_info, sys.float_info, sys.hash_info]
    assert all(a is b for a, b in zip(graphcopy.copy(facts), facts))


def test_shared_memory_of_processes_is_fresh_with_its_content():
    number, row = multiprocessing.Value("i", 3), multiprocessing.Array("d", [1.0, 2.0])
    copied = graphcopy.copy({"n": number, "row": row, "lock": number.get_lock()}, rules=[graphcopy.resource_rules])
    copied["n"].value, copied["row"][0] = 5, 9.0
    assert (number.value, list(row)) == (3, [1.0, 2.0])
    assert (copied["n"].value, list(copied["row"])) == (5, [9.0, 2.0])
    assert copied["n"].get_lock() is copied["lock"]
    worker = multiprocessing.get_context("fork").Process(target=setattr, args=(copied["n"], "value", 7))
    worker.start()
    worker.join()
    assert copied["n"].value == 7


class Lines(io.RawIOBase):
    """A file-like class written in Python."""

    def __init__(self, lines):
        self.lines = list(lines)

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.lines:
            return 0
        line = self.lines.pop(0)
        buffer[: len(line)] = line
        return len(line)


def test_a_file_like_class_in_python_is_copied_by_its_attributes():
    original = Lines([b"a", b"b"])
    copied = graphcopy.copy(original)
    assert copied.read() == b"ab"
    assert original.lines == [b"a", b"b"]
