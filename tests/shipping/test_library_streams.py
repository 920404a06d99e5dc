"""What other libraries' objects are in a fresh process."""

from __future__ import annotations

import sqlite3
import sys
import threading

import pytest
from fresh_process import arrive

import graphcopy


def works(obj, tmp_path, code):
    data = graphcopy.dumps(obj, by_value=[sys.modules[__name__]])  # the other process has no such module
    return arrive(data, tmp_path / "stream", code + '\nprint("right")', warnings="default")


def test_a_database_in_memory_brings_its_data_and_one_on_a_file_is_opened(tmp_path):
    memory = sqlite3.connect(":memory:")
    memory.executescript("create table t(a, b); insert into t values (5, x'00ff'), (null, 'text')")
    memory.row_factory = sqlite3.Row
    file = sqlite3.connect(str(tmp_path / "file.db"))
    file.execute("create table t(a)")
    file.commit()
    code = """
memory, file = obj
assert [tuple(row) for row in memory.execute("select * from t")] == [(5, b"\\x00\\xff"), (None, "text")]
assert memory.execute("select a from t").fetchone()["a"] == 5
memory.execute("insert into t values (1, 1)")
assert file.execute("select count(*) from t").fetchone() == (0,)
"""
    assert works([memory, file], tmp_path, code) == "right"
    assert memory.execute("select count(*) from t").fetchone()[0] == 2


def test_a_pydantic_model_of_a_local_scope(tmp_path):
    pydantic = pytest.importorskip("pydantic")

    class Order(pydantic.BaseModel):
        number: int
        lines: list[int] = []
        _lock: threading.Lock = pydantic.PrivateAttr(default_factory=threading.Lock)

        @pydantic.field_validator("number")
        @classmethod
        def positive(cls, value):
            if value < 0:
                raise ValueError("negative")
            return value

        @property
        def size(self):
            return len(self.lines)

    code = """
order, cls = obj
assert type(order) is cls and order.number == 1 and order.size == 2 and order._lock.acquire(False)
assert cls.model_validate({"number": "3"}).number == 3 and order.model_copy(update={"number": 5}).lines is order.lines
assert order.model_dump_json() == '{"number":1,"lines":[1,2]}'
for wrong in ("x", -1):
    try:
        cls(number=wrong)
    except ValueError as error:
        assert "number" in str(error)
    else:
        raise AssertionError(wrong)
"""
    assert works([Order(number=1, lines=[1, 2]), Order], tmp_path, code) == "right"


def test_attrs_classes_of_a_local_scope(tmp_path):
    attrs = pytest.importorskip("attrs")

    @attrs.frozen
    class Point:
        x: int
        tags: list = attrs.field(factory=list, validator=attrs.validators.instance_of(list))

    @attrs.define
    class Line:
        start: Point
        width: int = attrs.field(converter=int)

    code = """
import attrs
line, cls = obj
assert type(line.start) is cls and line.width == 3 and attrs.evolve(line.start, x=4) == cls(4)
try:
    cls(1, "no list")
except TypeError:
    pass
else:
    raise AssertionError
"""
    assert works([Line(Point(1), "3"), Point], tmp_path, code) == "right"


def test_clients_keep_their_settings(tmp_path):
    httpx = pytest.importorskip("httpx")
    requests = pytest.importorskip("requests")
    client = httpx.Client(headers={"a": "b"}, cookies={"k": "v"}, timeout=3, base_url="http://there")
    session = requests.Session()
    session.headers["q"] = "r"
    session.cookies["k"] = "v"
    code = """
client, session = obj
assert client.headers["a"] == "b" and client.cookies["k"] == "v" and client.timeout.read == 3
assert str(client.base_url).startswith("http://there") and not client.is_closed
assert session.headers["q"] == "r" and session.cookies["k"] == "v" and list(session.adapters) == ["https://", "http://"]
"""
    assert works([client, session], tmp_path, code) == "right"


def test_a_data_frame_keeps_its_types_and_the_aliases_of_its_cells(tmp_path):
    pandas = pytest.importorskip("pandas")
    shared = [1]
    frame = pandas.DataFrame({"a": range(3), "b": ["x", "y", None], "c": [shared] * 3})
    frame["d"] = pandas.Categorical(["u", "v", "u"])
    frame["t"] = pandas.date_range("2020", periods=3, tz="UTC")
    code = """
frame, shared = obj
assert frame["c"][0] is frame["c"][2] is shared and frame["a"].tolist() == [0, 1, 2]
assert list(frame["d"].cat.categories) == ["u", "v"] and str(frame["t"].dt.tz) == "UTC"
frame.loc[0, "a"] = 9
assert frame["a"].sum() == 12
"""
    assert works([frame, shared], tmp_path, code) == "right"


def test_a_torch_model_trains_on(tmp_path):
    torch = pytest.importorskip("torch")
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    x = torch.ones(2, 3)

    def step():
        optimizer.zero_grad()
        loss = (model(x) - 7).square().sum()
        loss.backward()
        optimizer.step()
        return loss.item()

    step()
    sent = {"model": model, "optimizer": optimizer, "step": step, "state": model.state_dict(), "out": model(x)}
    data_code = """
model, optimizer = obj["model"], obj["optimizer"]
assert model[0].weight is optimizer.param_groups[0]["params"][0] and model[0].weight.grad is not None
assert obj["state"]["0.weight"].data_ptr() == model[0].weight.data_ptr() and not obj["out"].requires_grad
losses = [obj["step"]() for _ in range(3)]
assert losses == sorted(losses, reverse=True) and losses == obj["expected"], (losses, obj["expected"])
"""
    copied = graphcopy.copy(sent)
    sent["expected"] = [copied["step"]() for _ in range(3)]
    assert works(sent, tmp_path, data_code) == "right"


def test_tensors_of_all_kinds(tmp_path):
    torch = pytest.importorskip("torch")
    base = torch.arange(100_000.0)
    parameter = torch.nn.Parameter(torch.ones(3))
    generator = torch.Generator().manual_seed(3)
    sent = {
        "base": base, "view": base.view(10, -1), "sparse": torch.eye(2).to_sparse(), "empty": torch.zeros(0),
        "parameter": parameter, "list": [parameter], "conjugated": torch.tensor([1 + 2j]).conj(),
        "half": torch.ones(3, dtype=torch.bfloat16), "type": torch.float16, "meta": torch.empty(2, device="meta"),
        "generator": generator, "random": torch.rand(3, generator=torch.Generator().manual_seed(3)),
    }  # fmt: skip
    code = """
import torch
obj["base"][0] = 7
assert obj["view"][0, 0] == 7 and obj["parameter"] is obj["list"][0] and obj["parameter"].requires_grad
assert obj["sparse"].to_dense().tolist() == [[1, 0], [0, 1]] and obj["empty"].numel() == 0
assert obj["conjugated"].tolist() == [1 - 2j] and obj["half"].dtype is torch.bfloat16 and obj["type"] is torch.float16
assert obj["meta"].device.type == "meta" and torch.equal(torch.rand(3, generator=obj["generator"]), obj["random"])
"""
    assert works(sent, tmp_path, code) == "right"
    buffers: list = []
    assert len(graphcopy.dumps([base, base[5:]], buffers=buffers)) < 2000 and len(buffers) == 1
    new, tail = graphcopy.loads(graphcopy.dumps([base, base[5:]]))
    new[5] = -1
    assert tail[0] == -1 and base[5] == 5
