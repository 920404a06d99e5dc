"""Where the installed rules match nothing, copy.deepcopy is as it was."""

from __future__ import annotations

import copy
import copyreg
import importlib
import os
import sys
import unittest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

sys.path.append(str(Path(__file__).parent.parent / "guarantees"))
from random_graphs import ALL_KINDS, build, recipes

import graphcopy

COUNT = int(os.environ.get("GRAPHCOPY_EXAMPLES", "60"))


class Never:
    pass


def outcome(root):
    try:
        return copy.deepcopy(root), None
    except Exception as error:
        return None, error


@settings(max_examples=COUNT, deadline=None, suppress_health_check=list(HealthCheck))
@given(recipes([kind for kind in ALL_KINDS if kind != "lock"]))
def test_random_graphs(recipe):
    root = build(recipe)
    without, failed = outcome(root)
    with graphcopy.install([graphcopy.share(Never)]):
        new, failed_too = outcome(root)
    assert type(failed) is type(failed_too), (failed, failed_too)
    if failed is None:
        before, after = graphcopy.compare(root, without), graphcopy.compare(root, new)
        assert [str(each) for each in before.shared] == [str(each) for each in after.shared]
        assert [str(each) for each in before.differences] == [str(each) for each in after.differences]


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
    return sorted(found, key=str)


CASES = cases()


@pytest.mark.skipif(not CASES, reason="this Python ships without its own tests")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id().rpartition(".")[2])
def test_pythons_own_tests(case):
    result = unittest.TestResult()
    reducers = dict(copyreg.dispatch_table)
    with graphcopy.install():
        case.run(result)
    for cls in copyreg.dispatch_table.keys() - reducers.keys():  # two of the tests leave theirs behind
        del copyreg.dispatch_table[cls]
    troubles = [text for _, text in result.failures + result.errors]
    assert not troubles, troubles[0]
