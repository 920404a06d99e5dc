"""What has no name on the other side travels by value: functions, classes, enums of local scopes and ``__main__``."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import textwrap
import types
import typing
from pathlib import Path

import pytest
import shipped_samples as samples
from fresh_process import ROOT, arrive

import graphcopy
from graphcopy.shipping.journey import Journey
from graphcopy.shipping.sending import shipping_policy
from graphcopy.shipping.writing import written


def by_writer(obj):
    """The stream as the writer without depth limit writes it."""
    return written(Journey(shipping_policy((), True, [samples.__name__]), obj))


def by_pickler(obj):
    """The stream as dumps writes it, with the module of the samples by value."""
    return graphcopy.dumps(obj, by_value=[samples])


WAYS = pytest.mark.parametrize("write", [by_pickler, by_writer])


@WAYS
def test_a_closure_brings_its_state_and_a_fresh_lock(write, tmp_path):
    bump = samples.closure()
    bump(2)
    answer = arrive(write(bump), tmp_path / "s", "print(obj(3), obj(1, twice=True), obj(50), obj.label)")
    assert answer == "5 7 58 ['bump']"
    assert bump(1) == 3


@WAYS
def test_a_local_dataclass_works(write, tmp_path):
    code = """
import dataclasses
print(obj, obj.moved(4).x, [field.name for field in dataclasses.fields(obj)], hash(type(obj)(1, ())) is not None)
"""
    answer = arrive(write(samples.local_dataclass()), tmp_path / "s", code)
    assert answer == "local_dataclass.<locals>.Point(x=1, y=[2]) 5 ['x', 'y'] True"


@WAYS
def test_local_enums_work(write, tmp_path):
    code = """
colours, planet = obj["colours"], obj["planet"]
assert colours[0] is colours[1] is type(colours[0])["CRIMSON"] and colours[0].lower() == "red"
assert list(type(colours[0])) == [colours[0], colours[2]] and type(colours[0])("b") is colours[2]
assert obj["level"].twice() == 4 and isinstance(obj["level"], int) and obj["level"] > 1
assert (planet.mass, planet.radius, planet.value) == (5, 6, (5, 6))
assert obj["right"] in obj["rights"] and obj["rights"] == type(obj["right"])(3)
print("right")
"""
    assert arrive(write(samples.local_enum()), tmp_path / "s", code) == "right"


@WAYS
def test_named_tuples_work(write, tmp_path):
    code = "pair, row, cls = obj; print(pair.b, row.text(), cls(5)._replace(b=1), type(pair) is cls)"
    assert arrive(write(samples.local_tuples()), tmp_path / "s", code) == "7 3=v Pair(a=5, b=1) True"


@WAYS
def test_classes_work(write, tmp_path):
    code = """
square, shape = obj["square"], obj["shape"]
assert square.name() == "square shape" and square.area() == 4 and square.double == 4 and square.twice(4) == 8
assert isinstance(square.make(), type(square)) and isinstance(square, shape) and issubclass(int, shape)
try:
    shape()
except TypeError as error:
    assert "abstract" in str(error)
slotted = obj["slotted"]
assert slotted.secret() == 5 and slotted.other is slotted and not hasattr(slotted, "__dict__")
assert obj["box"].content == [1] and type(obj["box"]) is obj["box class"] and obj["box class"][int]
made = obj["made"]
assert made.shout() == "MADE" and type(obj["instance"]) is made and type(made).made == ["Made"]
print("right")
"""
    assert arrive(write(samples.local_classes()), tmp_path / "s", code) == "right"


@WAYS
def test_a_base_whose_init_subclass_wants_arguments(write, tmp_path):
    code = "print(obj.hello(), type(obj).__mro__[1].known['t'] is type(obj), type(obj).__bases__[0].__name__)"
    assert arrive(write(samples.tagged()), tmp_path / "s", code) == "hello True Registered"


@WAYS
def test_weak_references_point_into_what_arrived(write, tmp_path):
    code = """
child = obj.children[0]
assert child.parent() is obj and set(obj.all) == {obj, child} and obj.names["child"] is child
assert dict(obj.weights) == {child: 3} and not obj.lock._is_owned() and obj.lock is not child.lock
print("right")
"""
    assert arrive(write(samples.tree()), tmp_path / "s", code) == "right"


@WAYS
def test_a_weak_reference_to_what_stays_behind_is_dead(write, tmp_path):
    parent = samples.Node()
    assert arrive(write([samples.Node(parent).parent]), tmp_path / "s", "print(obj[0]())") == "None"


@WAYS
def test_caches_partials_and_bound_methods(write, tmp_path):
    code = """
assert obj["square"](5) == 25 and obj["square"].cache_parameters()["maxsize"] == 7 and obj["partial"]() == 16
assert obj["square"].cache_info().currsize == 2
obj["append"](1)
assert obj["items"] == [1] and obj["method"].__self__.children == []
print("right")
"""
    assert arrive(write(samples.cached()), tmp_path / "s", code) == "right"


@WAYS
def test_exceptions_arrive_whatever_their_arguments(write, tmp_path):
    code = "print(obj, obj.code, repr(obj.__cause__), obj.__traceback__)"
    assert arrive(write(samples.failure()), tmp_path / "s", code) == "code 3 3 KeyError('k') None"


def test_what_can_be_imported_goes_by_reference():
    from collections import OrderedDict
    from json import JSONEncoder, dumps

    data = graphcopy.dumps([JSONEncoder, dumps, OrderedDict, len, str.upper, JSONEncoder.encode])
    assert len(data) < 250
    assert graphcopy.loads(data) == [JSONEncoder, dumps, OrderedDict, len, str.upper, JSONEncoder.encode]


def test_by_value_forces_a_module(tmp_path):
    assert b"LIMIT" not in graphcopy.dumps(samples.closure)
    assert arrive(by_pickler(samples.closure), tmp_path / "s", "print(obj()(1))") == "1"


def test_by_value_wants_modules():
    with pytest.raises(TypeError, match="by_value="):
        graphcopy.dumps(1, by_value=[3])


@pytest.mark.parametrize(
    "write",
    [
        lambda name: graphcopy.dumps(1, by_value=name),
        lambda name: graphcopy.dump(1, os.devnull, by_value=name),
        lambda name: graphcopy.Shipment(1, by_value=name),
        lambda name: graphcopy.plan(1).dumps(by_value=name),
    ],
    ids=["dumps", "dump", "Shipment", "plan"],
)
def test_a_slip_in_a_name_is_told(write):
    for name in ("json.decodr", ["json.decodr"]):
        with pytest.raises(ValueError, match=r"'json.decodr'.*did you mean 'json.decoder'"):
            write(name)
    assert write("json.decoder") != 0 and write([json]) != 0


def test_a_worker_need_not_have_the_module():
    """What travels by value arrives where its module is not, and goes on from there."""
    name = "only_here"
    sys.modules[name] = types.ModuleType(name)
    try:
        shipment = graphcopy.Shipment([1], by_value=name)
    finally:
        del sys.modules[name]
    arrived = pickle.loads(pickle.dumps(shipment))
    assert pickle.loads(pickle.dumps(arrived)).get() == [1]


def test_a_class_sent_there_and_back_is_the_same_class():
    point = samples.local_dataclass()
    arrived = graphcopy.loads(graphcopy.dumps(point))
    assert type(arrived) is type(point) and arrived == point and arrived is not point


MAIN = """
import sys
sys.path.insert(0, {root!r})
import collections, enum, threading
import graphcopy

scale = [3]
lock = threading.Lock()

class Colour(enum.Enum):
    RED = 1

class Model:
    factor = 2
    def run(self, x):
        with lock:
            return x * scale[0] * self.factor

Pair = collections.namedtuple("Pair", "a b")

def work(x):
    return Pair(Colour.RED, Model().run(x) + helper(x))

def helper(x):
    return 1 if x < 1 else helper(x - 1)

with open({path!r}, "wb") as file:
    file.write(graphcopy.dumps([work, Model(), Colour.RED, Pair(1, 2), helper]))
"""


def test_the_main_module_travels_by_value(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(MAIN.format(root=ROOT, path=str(tmp_path / "data"))))
    subprocess.run([sys.executable, "-W", "error", str(program)], check=True, cwd=tmp_path)
    code = """
work, model, red, pair, helper = obj
assert work(2) == (red, 13) and model.run(1) == 6 and pair.b == 2 and type(work(1)) is type(pair)
assert work.__globals__ is helper.__globals__ and work.__globals__["helper"] is helper
work.__globals__["scale"][0] = 1
assert model.run(1) == 2
import sys
assert not hasattr(sys.modules["__main__"], "Model") and helper.__module__ == "__main__"
import inspect
print(inspect.getsource(helper).splitlines()[0])
"""
    assert arrive((tmp_path / "data").read_bytes(), tmp_path / "s", code) == "def helper(x):"
    program.unlink()  # another machine: the source came along
    assert arrive((tmp_path / "data").read_bytes(), tmp_path / "s", code) == "def helper(x):"


def test_another_python_is_told_so():
    from graphcopy.shipping.functions import make_code

    with pytest.raises(ValueError, match=r"bytecode of Python 3\.2"):
        make_code("3.2", b"xxxx", b"")


def test_a_module_made_at_run_time_comes_with_its_content():
    import types

    plugin = types.ModuleType("plugin")
    exec("import json\nvalue = [1]\ndef get():\n    return value", plugin.__dict__)
    arrived = graphcopy.loads(graphcopy.dumps({"module": plugin, "get": plugin.get}))
    assert arrived["module"].value == [1] and arrived["module"].value is not plugin.value
    assert arrived["module"].json is __import__("json") and arrived["get"]() == [1]


def test_samples_are_not_needed_there():
    assert Path(samples.__file__).parent != Path(ROOT)


def test_what_generic_code_is_made_of(tmp_path):
    number = typing.NewType("number", int)
    spec = typing.ParamSpec("spec")
    item = typing.TypeVar("item", bound=int)

    class Job(typing.Generic[spec, item]):
        def __init__(self, run: typing.Callable[spec, item]):
            self.run = run

    @typing.runtime_checkable
    class Runs(typing.Protocol):
        def run(self): ...

    obj = {"number": number, "spec": [spec, spec, spec.args], "item": item, "job": Job(len), "runs": Runs}
    code = """
assert obj["number"](3) == 3 and obj["number"].__supertype__ is int and obj["number"].__name__ == "number"
spec, again, args = obj["spec"]
assert spec is again and args.__origin__ is spec and spec.__name__ == "spec"
assert type(obj["job"]).__parameters__ == (spec, obj["item"]) and obj["item"].__bound__ is int
assert isinstance(obj["job"], obj["runs"]) and not isinstance(5, obj["runs"])
print("right")
"""
    data = graphcopy.dumps(obj, by_value=[sys.modules[__name__]])  # the other process has no such module
    assert arrive(data, tmp_path / "s", code) == "right"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement came with Python 3.12")
def test_type_parameters_and_aliases(tmp_path):
    scope: dict = {}
    text = "def make():\n    type Rows = list[int]\n    class Box[T]:\n        rows: Rows = [1]\n"
    text += "        def get[U](self, other: U) -> U: return other\n    return [Box, Rows]\n"
    exec(text, scope)
    code = "Box, Rows = obj; print(Box().get(5), Box[int].__origin__ is Box, Rows.__value__, Box.__type_params__)"
    assert arrive(by_pickler(scope["make"]()), tmp_path / "s", code) == "5 True list[int] (T,)"


def test_make_named_makes_nothing_else():
    from graphcopy.shipping.typings import make_named

    with pytest.raises(TypeError, match="not known"):
        make_named("get_type_hints", "x", "y")
