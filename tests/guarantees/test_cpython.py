"""CPython's own tests of copy.deepcopy, with graphcopy.copy in its place."""

from __future__ import annotations

import copy
import importlib
import unittest

import pytest

import graphcopy

DEVIATIONS = {
    "test_deepcopy_cant": "hooks are looked up on the type, as Python does for special methods, never through "
    "__getattribute__: so this class has a reduce method",
    "test_deepcopy_registry": "a __new__ that wants arguments is no obstacle: the object is made by object.__new__ "
    "and gets its attributes",
    "test_reduce_6tuple_none": "a reduce value may have a state setter, as in pickle; here it is None",
}
"""What deepcopy refuses and graphcopy copies. docs/guarantees.md lists the same."""


def cases() -> list[unittest.TestCase]:
    try:
        module = importlib.import_module("test.test_copy")
    except ImportError:  # some distributions ship Python without its tests
        return []
    found: list[unittest.TestCase] = []
    pending: list = [unittest.defaultTestLoader.loadTestsFromModule(module)]
    while pending:
        each = pending.pop()
        if isinstance(each, unittest.TestSuite):
            pending.extend(each)
        else:
            found.append(each)
    # What is not about copying (the list of public names) is left out.
    return sorted((each for each in found if type(each).__name__ != "MiscTestCase"), key=str)


CASES = cases()


def outcome(case: unittest.TestCase, monkeypatch: pytest.MonkeyPatch) -> unittest.TestResult:
    monkeypatch.setattr(copy, "deepcopy", lambda x, memo=None: graphcopy.copy(x, memo=memo))
    result = unittest.TestResult()
    case.run(result)
    return result


@pytest.mark.skipif(not CASES, reason="this Python ships without its own tests")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id().rpartition(".")[2])
def test_as_deepcopy(case, monkeypatch):
    result = outcome(case, monkeypatch)
    troubles = [text for _, text in result.failures + result.errors]
    if case.id().rpartition(".")[2] in DEVIATIONS:
        assert troubles, "no deviation any more: take it off the list"
    else:
        assert not troubles, troubles[0]
