"""Shipment: whatever pickles it sends the object by graphcopy's rules."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fresh_process import ROOT, arrive

import graphcopy
from graphcopy import Shipment


class Service:
    def __init__(self):
        self.lock = threading.RLock()
        self.items = [1]
        self.same = self.items
        self.last = lambda: self.items[-1]


def cloudpickled(obj):
    cloudpickle = pytest.importorskip("cloudpickle")
    return cloudpickle.loads(cloudpickle.dumps(obj))


def dilled(obj):
    dill = pytest.importorskip("dill")
    return dill.loads(dill.dumps(obj))


def out_of_band(obj):
    buffers: list = []
    return pickle.loads(pickle.dumps(obj, 5, buffer_callback=buffers.append), buffers=buffers)


WAYS = {
    **{f"protocol {number}": lambda obj, number=number: pickle.loads(pickle.dumps(obj, number)) for number in range(6)},
    "pure Python": lambda obj: pickle._loads(pickle._dumps(obj, 5)),
    "out of band": out_of_band,
    "cloudpickle": cloudpickled,
    "dill": dilled,
    "graphcopy": lambda obj: graphcopy.loads(graphcopy.dumps(obj)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whatever_pickles_it_carries_the_object(way):
    service = Service()
    new = way(Shipment(service)).get()
    assert new is not service and new.items == [1] and new.same is new.items and new.lock is not service.lock
    new.items.append(2)
    assert new.last() == 2 and service.last() == 1


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_arrays_arrive_whole_and_can_be_written_to(way):
    numpy = pytest.importorskip("numpy")
    large, fixed = numpy.arange(100_000.0), numpy.arange(50_000)
    fixed.flags.writeable = False
    sent = {"large": large, "same": large, "fixed": fixed, "small": numpy.arange(3), "columns": large.reshape(2, -1).T}
    new = way(Shipment(sent)).get()
    assert new["large"] is new["same"] and (new["columns"].T.ravel() == new["large"]).all()
    assert new["large"].flags.writeable and new["small"].flags.writeable and not new["fixed"].flags.writeable
    new["large"][0] = new["small"][0] = 7
    assert large[0] == 0 and (new["fixed"] == fixed).all()


def test_where_it_was_made_it_gives_the_object_itself():
    service = Service()
    shipment = Shipment(service)
    assert shipment.get() is service and repr(shipment) == "<Shipment of Service>"


def test_what_arrived_is_opened_once_and_late():
    shipment = pickle.loads(pickle.dumps(Shipment(Service())))
    assert repr(shipment).startswith("<Shipment, not opened yet: ")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: shipment.get(), range(20)))
    assert all(each is found[0] for each in found) and repr(shipment) == "<Shipment of Service>"


def test_it_is_written_as_it_is_when_it_is_pickled():
    shipment = Shipment([1])
    shipment.get().append(2)
    there = pickle.loads(pickle.dumps(shipment))
    there.get().append(3)
    assert pickle.loads(pickle.dumps(there)).get() == [1, 2, 3] and shipment.get() == [1, 2]


def test_one_pickled_twice_arrives_twice_and_one_referred_to_twice_once():
    shipment = Shipment(Service())
    data = pickle.dumps([shipment, shipment])
    one, other = pickle.loads(data)
    assert one is other
    assert pickle.loads(data)[0].get() is not one.get()
    assert type(pickle.loads(data)[0].get()) is type(one.get()) is Service


def test_two_shipments_of_one_object_arrive_as_two():
    items = [1]
    one, other = pickle.loads(pickle.dumps([Shipment(items), Shipment(items)]))
    assert one.get() is not other.get()


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_shipments_within_shipments(way):
    inner = Shipment(Service())
    outer = way(Shipment({"inner": inner, "again": inner, "wrapped": Shipment(inner)}))
    new = outer.get()
    assert new["inner"] is new["again"] and new["inner"].get().last() == 1
    assert new["wrapped"].get().get().items == [1]


def test_a_shipment_within_its_own_object_is_told():
    service = Service()
    shipment = Shipment(service)
    service.shipment = shipment
    with pytest.raises(graphcopy.CopyError, match="within the object that it wraps"):
        pickle.dumps(shipment)
    other = Service()
    service.shipment = Shipment(other)
    other.shipment = shipment
    with pytest.raises(graphcopy.CopyError, match="within the object that it wraps"):
        pickle.dumps(shipment)
    del other.shipment
    assert pickle.loads(pickle.dumps(shipment)).get().shipment.get().items == [1]


def test_what_cannot_travel_is_told_where_it_is_made():
    with pytest.raises(graphcopy.CopyError) as caught:
        Shipment({"a": [(i for i in "a")], "b": (i for i in "b")})
    assert {str(culprit.path) for culprit in caught.value.culprits} == {"obj['a'][0]", "obj['b']"}


def test_what_cannot_travel_any_more_is_told_when_it_is_pickled():
    shipment = Shipment([1])
    shipment.get().append(i for i in "a")
    with pytest.raises(graphcopy.CopyError, match=r"obj\[1\]"):
        pickle.dumps(shipment)


def test_the_error_itself_can_come_back_from_a_worker():
    with pytest.raises(graphcopy.CopyError) as caught:
        Shipment([(i for i in "a")])
    new = pickle.loads(pickle.dumps(caught.value))
    assert type(new) is graphcopy.CopyError and str(new) == str(caught.value)


def test_a_function_can_be_called():
    service = Service()
    assert pickle.loads(pickle.dumps(Shipment(lambda by, *, more=0: service.last() + by + more)))(2, more=3) == 6


def test_rules_decide_and_go_along_for_the_way_back():
    cut = graphcopy.prune("builtins.generator", value=0)
    there = pickle.loads(pickle.dumps(Shipment({"a": (i for i in "a"), "b": 1}, rules=[cut])))
    there.get()["c"] = (i for i in "c")
    assert pickle.loads(pickle.dumps(there)).get() == {"a": 0, "b": 1, "c": 0}


RETURNS = """
import pickle
there = obj.get()
there["service"].items.append(2)
there["late"] = (i for i in "late")
there["token"] = there["make"]()
with open({path!r}, "wb") as file:
    file.write(pickle.dumps(obj))
print(sorted(there))
"""


class Token:
    "Stays where it is made."


def test_rules_are_obeyed_on_the_way_back_from_another_process(tmp_path):
    rules = [graphcopy.prune("builtins.generator"), graphcopy.prune(Token)]
    shipment = Shipment(
        {"service": Service(), "early": (i for i in "a"), "make": Token}, rules=rules, by_value=[sys.modules[__name__]]
    )
    path = tmp_path / "back"
    code = RETURNS.format(path=str(path))
    assert arrive(pickle.dumps(shipment), tmp_path / "stream", code) == "['late', 'make', 'service', 'token']"
    back = pickle.loads(path.read_bytes()).get()
    assert sorted(back) == ["make", "service"] and back["service"].items == [1, 2] and back["make"] is Token


def test_rule_sets_of_graphcopy_go_by_their_names():
    plain = len(pickle.dumps(Shipment([1])))
    assert len(pickle.dumps(Shipment([1], rules=graphcopy.torch_rules))) < plain + 1000


def test_what_is_not_opened_is_passed_on_as_it_is():
    numpy = pytest.importorskip("numpy")
    first = pickle.loads(pickle.dumps(Shipment([numpy.arange(100_000)])))
    second = out_of_band(first)
    assert repr(first).startswith("<Shipment, not opened yet")
    second.get()[0][0] = 5
    assert first.get()[0][0] == 0


def test_a_rule_that_cannot_travel_is_named():
    stays = open(__file__)  # noqa: SIM115
    with stays, pytest.raises(graphcopy.CopyError, match="the rule 'bound_to_here' cannot travel") as caught:

        @graphcopy.rule(Service)
        def bound_to_here(node):
            return graphcopy.replace(stays.name)

        Shipment([1], rules=[graphcopy.share(Service), bound_to_here])
    assert "file" in str(caught.value)


def test_what_is_no_rule_is_refused():
    with pytest.raises(TypeError, match="is no rule"):
        Shipment([1], rules=[Service])


def test_by_value_goes_along(tmp_path):
    data = pickle.dumps(Shipment(Service(), by_value=[sys.modules[__name__]]))
    code = "import pickle; back = pickle.loads(pickle.dumps(obj)); print(obj.get().last(), back.get().last())"
    assert arrive(data, tmp_path / "stream", code) == "1 1"


@pytest.mark.parametrize("copied", [graphcopy.copy, copy.deepcopy], ids=["graphcopy.copy", "copy.deepcopy"])
def test_a_copy_of_a_shipment_wraps_a_copy(copied):
    items = [1]
    new = copied({"shipment": Shipment(items), "items": items})
    assert new["shipment"].get() == [1] and new["shipment"].get() is new["items"] is not items
    assert pickle.loads(pickle.dumps(new["shipment"])).get() == [1]


PASSES_ON = """
import pickle, sys
with open({path!r}, "rb") as file:
    shipment = pickle.load(file)
data = pickle.dumps(shipment)
assert "xml.dom.minidom" not in sys.modules
with open({path!r}, "wb") as file:
    file.write(data)
"""


def test_a_process_that_passes_it_on_needs_nothing_of_what_is_in_it(tmp_path):
    from xml.dom import minidom

    path = tmp_path / "data"
    path.write_bytes(pickle.dumps(Shipment(minidom.parseString("<a><b/></a>"))))
    code = PASSES_ON.format(path=str(path))
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env={"PYTHONPATH": ROOT})
    assert pickle.loads(path.read_bytes()).get().toxml().endswith("<a><b/></a>")


@pytest.mark.slow
def test_depth_is_no_limit():
    class Link:
        def __init__(self, following):
            self.following = following

    deep = None
    for _ in range(1_000_000):
        deep = Link(deep)
    new, length = pickle.loads(pickle.dumps(Shipment(deep))).get(), 0
    while new is not None:
        new, length = new.following, length + 1
    assert length == 1_000_000
