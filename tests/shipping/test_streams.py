"""A stream for another process: rules applied, aliases kept, culprits named before a byte is written."""

from __future__ import annotations

import pickle
import sys
import threading
import weakref

import pytest
from fresh_process import arrive

import graphcopy


def holder():
    class Holder:
        def __init__(self):
            self.lock = threading.RLock()
            self.items = [1]
            self.me = self
            self.weak = weakref.ref(self)
            self.see = lambda: self.items

    return Holder()


CHECK = """
assert obj.me is obj and obj.see() is obj.items and obj.weak() is obj
assert obj.lock.acquire(False)
print("right")
"""


@pytest.mark.parametrize("plain", [True, False], ids=["pickle.loads", "graphcopy.loads"])
def test_an_object_full_of_locks_and_closures_arrives(tmp_path, plain):
    obj = holder()
    with obj.lock:
        data = graphcopy.dumps(obj, by_value=[sys.modules[__name__]])  # the other process has no such module
    assert arrive(data, tmp_path / "stream", CHECK, plain=plain) == "right"


def test_all_culprits_are_named_before_a_byte_is_written():
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.dumps([(i for i in "a"), {"k": (i for i in "b")}])
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj[0]", "obj[1]['k']"]


def test_rules_decide_what_travels():
    data = graphcopy.dumps({"keep": [1], "cut": (i for i in "a")}, rules=[graphcopy.prune("builtins.generator")])
    assert pickle.loads(data) == {"keep": [1]}


def test_depth_is_no_limit():
    deep: list = []
    for _ in range(50_000):
        deep = [deep]
    new = graphcopy.loads(graphcopy.dumps(deep))
    depth = 0
    while new:
        new, depth = new[0], depth + 1
    assert depth == 50_000


def test_an_exception_whose_arguments_do_not_fit_arrives():
    class OnlyKeywords(Exception):
        def __init__(self, *, code):
            super().__init__()
            self.code = code

    assert graphcopy.loads(graphcopy.dumps(OnlyKeywords(code=5))).code == 5


def test_arrays_go_out_of_band():
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(1000.0)
    buffers: list = []
    data = graphcopy.dumps({"array": array, "same": array}, buffers=buffers)
    assert len(data) < 1000 and len(buffers) == 1
    new = graphcopy.loads(data, buffers=buffers)
    assert new["array"] is new["same"] and new["array"].tolist() == array.tolist()


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview], ids=lambda kind: kind.__name__)
def test_arrays_over_buffers_can_be_written_to_as_before(kind):
    numpy = pytest.importorskip("numpy")
    array, fixed, buffers = numpy.arange(1000.0), numpy.arange(10), []
    fixed.flags.writeable = False
    data = graphcopy.dumps([array, fixed, array[::2]], buffers=buffers)
    new, still_fixed, view = graphcopy.loads(data, buffers=[kind(each) for each in buffers])
    assert not still_fixed.flags.writeable
    new[0] = view[1] = 7
    assert new[0] == view[1] == 7


def test_an_error_leaves_the_list_of_buffers_as_it_was():
    numpy = pytest.importorskip("numpy")
    buffers: list = []
    with pytest.raises(graphcopy.CopyError):
        graphcopy.dumps([numpy.arange(1000), (i for i in "a")], buffers=buffers)
    assert buffers == []


def test_the_advice_helps_on_the_way_to_another_process():
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.dumps([(i for i in "a")])
    (culprit,) = caught.value.culprits
    assert "graphcopy.share(" not in str(caught.value)
    rules = eval(culprit.advice.removeprefix("rules="), {"graphcopy": graphcopy})
    assert graphcopy.loads(graphcopy.dumps([(i for i in "a")], rules=rules)) == [None]


def test_the_advice_for_a_root_is_to_replace_it():
    class Stays:
        def __reduce__(self):
            raise TypeError("it stays here")

    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.dumps(Stays())
    advice = caught.value.culprits[0].advice
    assert advice.startswith("rules=[graphcopy.replace(") and "share(" not in str(caught.value)
    rules = eval(advice.removeprefix("rules="), {"graphcopy": graphcopy, "factory": lambda old: "another"})
    assert graphcopy.loads(graphcopy.dumps(Stays(), rules=rules)) == "another"
