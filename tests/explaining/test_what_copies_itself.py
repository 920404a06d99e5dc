"""In the picture of what copy.deepcopy does, what copies itself is copied; only what is the same object is shared."""

from __future__ import annotations

import copy
import decimal
import enum

import numpy as np
import pytest

import graphcopy


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    "obj", [np.arange(3), decimal.Decimal("1.5"), Colour.RED, len, [1].append], ids=lambda obj: type(obj).__name__
)
def test_marks_say_what_deepcopy_does(obj):
    graph = graphcopy.explain([obj], backend="deepcopy").graph
    marks = {data["mark"] for _, data in graph.nodes(data=True) if data["obj"] is obj}
    shared = copy.deepcopy([obj])[0] is obj
    assert marks <= {"shared" if shared else "copied"}, marks


def test_a_tensor_of_torch_copies_itself():
    torch = pytest.importorskip("torch")
    tensor = torch.ones(2)
    graph = graphcopy.explain([tensor], backend="deepcopy").graph
    assert [data["mark"] for _, data in graph.nodes(data=True)] == ["copied", "copied"]
