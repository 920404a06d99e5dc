"""Libraries whose objects are plain instances: the general laws must do."""

import functools
import threading
import typing

import pytest

import graphcopy


def test_attrs():
    attrs = pytest.importorskip("attrs")

    @attrs.frozen
    class Frozen:
        items: list
        lock: object = attrs.field(factory=threading.Lock)

    original = Frozen([1])
    copied = graphcopy.copy([original, original.items])
    assert copied[0].items is copied[1] is not original.items and copied[0].lock is not original.lock
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        copied[0].items = 3


def test_pydantic():
    pydantic = pytest.importorskip("pydantic")
    kind = typing.TypeVar("kind")

    class Box(pydantic.BaseModel, typing.Generic[kind]):
        model_config = pydantic.ConfigDict(extra="allow")
        value: kind
        _private: typing.Any = pydantic.PrivateAttr(default=None)

        @functools.cached_property
        def view(self):
            return self.value

    box = Box[list](value=[1], more=[2])
    box._private = box.value
    assert box.view is box.value
    copied = graphcopy.copy(box)
    assert copied._private is copied.value is copied.view and copied.value is not box.value
    assert copied.more == [2] and copied.more is not box.more and copied.model_fields_set == box.model_fields_set


def test_sklearn_pipeline():
    pytest.importorskip("sklearn")
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, StandardScaler

    x = np.arange(20.0).reshape(10, 2)
    y = np.array([0, 1] * 5)
    factor = [2.0]
    pipe = make_pipeline(
        StandardScaler(), FunctionTransformer(lambda x: x * factor[0]), RandomForestClassifier(3, random_state=0)
    ).fit(x, y)
    copied, new = graphcopy.copy([pipe, factor])
    assert (copied.predict(x) == pipe.predict(x)).all()
    new[0] = 0.0
    assert not copied[:2].transform(x).any() and pipe[:2].transform(x).any()


def test_scipy_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    for form in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr"):
        matrix = sparse.eye_array(3).asformat(form)
        copied = graphcopy.copy(matrix)
        assert type(copied) is type(matrix) and (copied.toarray() == matrix.toarray()).all()
        copied *= 2
        assert matrix.toarray()[0, 0] == 1


def test_networkx_graphs_and_views():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_edge("a", "b", data=[1])
    assert graph.edges and graph.nodes and graph.adj
    copied = graphcopy.copy(graph)
    copied["a"]["b"]["data"].append(2)
    copied.add_edge("b", "c")
    assert graph["a"]["b"]["data"] == [1] and len(copied.edges) == 2 and len(graph.edges) == 1


def test_rich_consoles():
    console = pytest.importorskip("rich.console").Console()
    copied = graphcopy.copy({"console": console})["console"]
    assert copied.file is console.file


def test_joblib_memory(tmp_path):
    joblib = pytest.importorskip("joblib")
    memory = joblib.Memory(tmp_path, verbose=0)
    copied = graphcopy.copy(memory)
    assert copied is not memory and copied.location == memory.location


def test_a_validation_error_of_pydantic_is_shared_and_on_the_receipt():
    pydantic = pytest.importorskip("pydantic")
    with pytest.raises(pydantic.ValidationError) as caught:
        pydantic.TypeAdapter(int).validate_python("x")
    failed = {"error": caught.value, "job": [1]}
    copied, receipt = graphcopy.copy(failed, receipt=True)
    assert copied["error"] is caught.value
    assert copied["job"] is not failed["job"]
    assert "ValidationError" in str(receipt)
