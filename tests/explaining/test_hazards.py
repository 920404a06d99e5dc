"""What a tool would copy wrongly is told, and only for that tool."""

from __future__ import annotations

import copy
import copyreg
import threading
import weakref

import pytest

import graphcopy


class Plain:
    pass


def hazards(obj, backend):
    return {str(hazard.path): hazard.reason for hazard in graphcopy.explain(obj, backend=backend).hazards}


def test_a_closure_under_deepcopy():
    counts = []
    obj = {"counts": counts, "hit": lambda: counts.append(1)}
    assert "'counts'" in hazards(obj, "deepcopy")["obj['hit']"]
    assert hazards(obj, "graphcopy") == {}


def test_a_function_that_holds_only_constants_is_none():
    limit = 3
    assert hazards({"f": lambda: limit}, "deepcopy") == {}


def test_a_method_of_a_builtin_under_deepcopy():
    obj = Plain()
    obj.items = []
    obj.add = obj.items.append
    assert "list" in hazards(obj, "deepcopy")["obj.add"]


def test_weak_references_under_deepcopy():
    obj = Plain()
    obj.me = weakref.ref(obj)
    obj.table = weakref.WeakKeyDictionary({obj: 1})
    found = hazards(obj, "deepcopy")
    assert "points at the original" in found["obj.me"]
    assert "original's keys" in found["obj.table"]


def test_a_held_lock_under_dill():
    lock, free = threading.Lock(), threading.Lock()
    with lock:
        assert list(hazards({"lock": lock, "free": free}, "dill")) == ["obj['lock']"]


def test_a_file_opened_for_writing_under_dill(tmp_path):
    with (tmp_path / "out.txt").open("w") as out:
        out.write("kept")
        assert "truncates" in hazards({"out": out}, "dill")["obj['out']"]
    assert (tmp_path / "out.txt").read_text() == "kept"


@pytest.mark.parametrize("backend", ["deepcopy", "pickle", "cloudpickle", "dill"])
def test_views_of_one_array(backend):
    np = pytest.importorskip("numpy")
    base = np.zeros(4)
    found = hazards({"base": base, "view": base[1:]}, backend)
    assert list(found) == ["obj['view']"]
    assert hazards({"base": base, "other": np.zeros(4)}, backend) == {}


@pytest.mark.parametrize("backend", ["deepcopy", "pickle", "cloudpickle", "dill"])
def test_the_cause_of_an_exception(backend):
    error = ValueError("x")
    error.__cause__ = KeyError("y")
    assert "__cause__" in hazards({"error": error}, backend)["obj['error']"]


settings = {"depth": [3]}


def test_a_function_that_reads_a_mutable_global():
    kept = []
    obj = {"run": lambda: kept.append(settings["depth"])}
    assert "global 'settings': shared" in hazards(obj, "graphcopy")["obj['run']"]


class Counting:
    def __init__(self):
        counts = []
        self.hit = lambda: counts.append(1)
        self.counts = counts


class MadeAgain(Counting):
    def __reduce__(self):
        return MadeAgain, ()


class WithItsAttributes(Counting):
    def __reduce__(self):
        return WithItsAttributes, (), self.__dict__


def test_functions_that_the_tool_leaves_behind_are_none():
    """An object that is made again from its arguments has functions of its own; others share the original's."""
    assert list(hazards([Counting()], "deepcopy")) == ["obj[0].hit"]
    assert list(hazards([WithItsAttributes()], "deepcopy")) == ["obj[0].hit"]
    assert hazards([MadeAgain()], "deepcopy") == {}


def test_registered_with_copyreg(monkeypatch):
    monkeypatch.setitem(copyreg.dispatch_table, Counting, lambda obj: (Counting, ()))
    assert hazards([Counting()], "deepcopy") == {}


class OnlyOne:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.entries = []
        return cls._instance


def test_a_singleton_is_overwritten_by_deepcopy():
    one = OnlyOne()
    assert "written into the original" in hazards([one], "deepcopy")["obj[0]"]
    assert hazards([one], "graphcopy") == {}
    before = one.entries
    copy.deepcopy([one])
    assert one.entries is not before, "that is what deepcopy does"


@pytest.mark.parametrize("backend", ["graphcopy", "deepcopy", "pickle"])
def test_tables_keyed_by_ids(backend):
    one, other = [1], [2]
    obj = {
        "parts": [one, other],
        "wear": {id(one): 1, id(other): 2},
        "seen": {id(one)},
        "years": {2020: [3], 1 << 40: 4},
    }
    found = hazards(obj, backend)
    assert set(found) == {"obj['wear']", "obj['seen']"}
    assert "2 of its keys are ids" in found["obj['wear']"] and "rekey_ids" in found["obj['seen']"]


def test_tables_that_are_keyed_anew_are_none():
    one = [1]
    obj = {"parts": [one], "wear": {id(one): 1}}
    assert graphcopy.explain(obj, rules=[graphcopy.rekey_ids]).hazards == []
    assert graphcopy.explain(obj, rules=[graphcopy.share(path="obj['parts'][0]")]).hazards == []
