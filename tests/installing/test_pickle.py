"""pickle, cloudpickle, dill and multiprocessing under installed rules."""

from __future__ import annotations

import copy
import copyreg
import io
import multiprocessing
import pickle
import subprocess
import sys
import threading

import pytest
from installed_samples import Base, Handle, Late, Node, Other, by_handle, opened_handle, plain

import graphcopy


def python_pickle(obj):
    file = io.BytesIO()
    pickle._Pickler(file, 4).dump(obj)
    return file.getvalue()


def cloudpickled(obj):
    return pytest.importorskip("cloudpickle").dumps(obj)


def dilled(obj):
    return pytest.importorskip("dill").dumps(obj)


WAYS = {
    **{f"protocol {number}": lambda obj, number=number: pickle.dumps(obj, number) for number in range(6)},
    "python": python_pickle,
    "cloudpickle": cloudpickled,
    "dill": dilled,
}


@pytest.fixture(params=WAYS)
def dumps(request):
    if request.param == "cloudpickle":
        pytest.importorskip("cloudpickle")
    if request.param == "dill":
        pytest.importorskip("dill")
    return WAYS[request.param]


def test_what_pickle_cannot_write(dumps):
    handle = Handle("a")
    root = {"handle": handle, "again": [handle], "lock": threading.Lock()}
    with graphcopy.install([by_handle]):
        new = pickle.loads(dumps(root))
    assert new["handle"] is new["again"][0]
    assert new["handle"].name == "a"
    assert new["lock"].acquire(False)
    with pytest.raises(TypeError):
        pickle.dumps(root)


def test_cycles_and_aliases(dumps):
    handle, node = Handle("a"), Node()
    node.handle, node.items, handle.items = handle, [1, handle], node
    node.pair = (handle, node.items)
    with graphcopy.install([by_handle]):
        new = pickle.loads(dumps([node, node.items]))
    node = new[0]
    assert node.handle.items is node
    assert node.pair[1] is node.items is new[1]
    assert node.items[1] is node.handle is node.pair[0]


def test_functions_below_a_match(dumps):
    """pickle never asks about a function; where a rule takes an object apart into one, it travels all the same."""
    items, handle = [1], Handle("a")
    counter = lambda: items
    handle.items = [counter, items, {"again": counter, "self": handle}]
    with graphcopy.install([by_handle]):
        new = pickle.loads(dumps([items, handle, items]))
    one, again = new[1].items[0], new[1].items[2]["again"]
    assert one is again
    assert one() is new[1].items[1] is new[0] is new[2]
    assert new[1].items[2]["self"] is new[1]


def test_two_functions_of_one_scope():
    count = [0]

    def make():
        total = 0

        def add():
            nonlocal total
            total += 1
            count[0] = total

        def get():
            return total, count

        return add, get

    add, get = make()
    first, second = Handle("a"), Handle("b")
    first.items, second.items = add, get
    with graphcopy.install([by_handle]):
        new = pickle.loads(pickle.dumps([first, second, count]))
    new[0].items()
    assert new[1].items() == (1, [1])
    assert new[1].items()[1] is new[2]
    assert get() == (0, [0])


def test_local_classes_below_a_match():
    class Local:
        def __init__(self):
            self.me = self

    handle = Handle("a")
    handle.items = Local()
    with graphcopy.install([by_handle]):
        new = pickle.loads(pickle.dumps(handle))
    assert type(new.items).__name__ == "Local"
    assert new.items.me is new.items


def test_a_fresh_process_reads_it(tmp_path):
    handle = Handle("a")
    handle.items = lambda x: x + handle.number
    handle.number = 5
    with graphcopy.install([by_handle]):
        (tmp_path / "data").write_bytes(pickle.dumps({"h": handle, "lock": threading.RLock()}))
    code = (
        "import pickle, sys; sys.path.insert(0, sys.argv[1])\n"
        "data = pickle.load(open(sys.argv[2], 'rb'))\n"
        "data['lock'].acquire(); print(data['h'].items(3))"
    )
    from pathlib import Path

    words = [sys.executable, "-c", code, str(Path(__file__).parent), str(tmp_path / "data")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "8", done.stderr


@pytest.mark.engine
def test_multiprocessing_spawn():
    handle = Handle("b")
    with graphcopy.install([by_handle]):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.apply(opened_handle, (handle,)) == "b is open: True"


def test_subclasses():
    with graphcopy.install([graphcopy.rule(Base)(by_handle.decide)], defaults=False):
        assert pickle.loads(pickle.dumps(Handle("x"))).name == "x"
        made = type("Later", (Handle,), {"__module__": __name__})
        globals()["Later"] = made
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(made("x"))
        copy.deepcopy(made("x"))  # met: now pickle is told
        assert pickle.loads(pickle.dumps(made("x"))).name == "x"
    unrelated = graphcopy.rule(f"{__name__}.NotThere")(by_handle.decide)
    with graphcopy.install([unrelated], types=[made], defaults=False):
        with pytest.raises(TypeError, match="cannot pickle"):  # named, but no rule answers
            pickle.dumps(made("x"))
    with graphcopy.install([by_handle], types=[made], defaults=False):
        assert type(pickle.loads(pickle.dumps(made("x")))) is made
    del globals()["Later"]


def test_a_rule_that_passes(dumps):
    passing = graphcopy.rule(Node)(lambda node: NotImplemented)
    node = Node()
    node.items = [node]
    with graphcopy.install([passing]):
        new = pickle.loads(dumps(node))
    assert new.items[0] is new


def test_what_was_registered_before(dumps):
    copyreg.pickle(Other, lambda obj: (plain, ("registered",)))
    try:
        passing = graphcopy.rule(Other)(lambda node: NotImplemented)
        with graphcopy.install([passing]):
            assert pickle.loads(dumps(Other())) == "registered"
            assert graphcopy.copy(Other()) == "registered"
            assert copy.copy(Other()) == "registered"
            assert copy.deepcopy(Other()) == "registered"
        with graphcopy.install([graphcopy.replace(Other, 5)]):
            assert pickle.loads(dumps(Other())) == 5
            assert copy.deepcopy(Other()) == 5
            assert copy.copy(Other()) == "registered"
            assert graphcopy.copy(Other()) == "registered"
        assert pickle.loads(dumps(Other())) == "registered"
    finally:
        del copyreg.dispatch_table[Other]


def test_what_others_register_meanwhile():
    with graphcopy.install([graphcopy.replace(Other, 5)]):
        ours = copyreg.dispatch_table[Other]
        copyreg.pickle(Other, lambda obj: (plain, ("later",)))
        assert pickle.loads(pickle.dumps(Other())) == "later"
    assert pickle.loads(pickle.dumps(Other())) == "later"
    copyreg.dispatch_table[Other] = ours  # they put back what they had found
    assert type(pickle.loads(pickle.dumps(Other()))) is Other
    del copyreg.dispatch_table[Other]


def test_shallow_copies_are_as_before():
    """copy.copy asks copyreg, too: it is served as if no rule were there."""
    node, handle = Node(), Handle("a")
    node.items = []
    with graphcopy.install([by_handle, graphcopy.replace(Node, 5)]):
        new = copy.copy(node)
        assert type(new) is Node
        assert new.items is node.items
        with pytest.raises(TypeError):
            copy.copy(threading.Lock())
        assert copy.copy(handle).lock is handle.lock
        late = Late()
        late.items = []
        assert copy.copy(late).items is late.items


def test_the_libraries_that_are_named():
    handle = Handle("a")
    with graphcopy.install([by_handle], libraries="pickle"):
        assert pickle.loads(pickle.dumps(handle)).name == "a"
        with pytest.raises(TypeError):
            copy.deepcopy(handle)
        with graphcopy.install([graphcopy.share(Handle)], libraries=["copy"]):
            assert copy.deepcopy(handle) is handle
            assert pickle.loads(pickle.dumps(handle)).name == "a"
    with pytest.raises(ValueError, match="choose of copy, pickle, dill"):
        graphcopy.install(libraries="joblib")


def test_what_pickle_cannot_obey():
    share, functions = graphcopy.share(Node), graphcopy.rule(type(plain), name="functions")(lambda node: None)
    with pytest.raises(ValueError, match="Shipment") as caught:
        graphcopy.install([by_handle, share, functions], libraries=["pickle"])
    assert "share(Node)" in str(caught.value)
    assert "functions" in str(caught.value)
    assert Handle not in copyreg.dispatch_table
    with graphcopy.install([by_handle, share]) as installation:
        assert "share(Node)" in installation.left_out
        assert type(pickle.loads(pickle.dumps(Node()))) is Node
    with pytest.raises(TypeError, match="wants classes"):
        graphcopy.install(types=["a.b"])
    with pytest.raises(ValueError, match="Shipment"):
        graphcopy.install(types=[dict])


def test_what_cannot_travel_is_named(dumps):
    refusing = graphcopy.rule(Handle)(lambda node: graphcopy.refuse("it is ours", "rules=[graphcopy.prune(Handle)]"))
    with graphcopy.install([refusing]), pytest.raises(TypeError, match=r"it is ours.*graphcopy\.prune"):
        dumps([Handle("a")])


def test_prune_leaves_none(dumps):
    with graphcopy.install([graphcopy.prune(Handle)]):
        assert pickle.loads(dumps({"a": Handle("a"), "b": [Handle("b")]})) == {"a": None, "b": [None]}


def test_a_pickler_that_goes_on():
    handle = Handle("a")
    counter = lambda: handle
    handle.items = counter
    file = io.BytesIO()
    with graphcopy.install([by_handle]):
        pickler = pickle.Pickler(file)
        pickler.dump(handle)
        pickler.dump([handle, handle])
        other = pickle.loads(pickle.dumps([handle]))  # while the first is alive
    file.seek(0)
    unpickler = pickle.Unpickler(file)
    first = unpickler.load()
    assert first.items() is first
    assert unpickler.load()[1] is first
    assert other[0].items() is other[0]


def test_nothing_is_kept_alive():
    import gc
    import weakref

    handle = Handle("a")
    handle.items = [lambda: None, handle]
    gone = weakref.ref(handle)
    with graphcopy.install([by_handle]):
        pickle.dumps(handle)
        del handle
        gc.collect()
        assert gone() is None
