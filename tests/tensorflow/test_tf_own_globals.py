"""A tf.function of a module, over a Variable that is a global there: shared, or the copy's own under own_globals."""

from __future__ import annotations

import sys
import types

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

MODULE = """
import tensorflow as tf

w = tf.Variable(2.0)
table = {"scale": 1.0}
log = []

def helper(x):
    return x * w

@tf.function
def step(x):
    log.append("traced")
    w.assign_add(1.0)
    return x * w * table["scale"]

@tf.function
def nested(x):
    return helper(x) + step(x)

class Model:
    def __init__(self):
        self.seen = []

    @tf.function
    def run(self, x):
        self.seen.append("traced")
        return x * w

def reader():
    return w
"""
ONE = tf.constant(1.0)


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A module of a user, in a file, imported."""
    (tmp_path / "over_globals.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "over_globals", raising=False)
    import over_globals

    assert isinstance(over_globals, types.ModuleType)
    yield over_globals
    sys.modules.pop("over_globals", None)


@pytest.fixture(params=["drop", "keep"])
def rules(request):
    """Traces dropped, and kept."""
    return [graphcopy.tf_rules(traces="keep")] if request.param == "keep" else []


def test_without_the_rule_the_variable_is_the_modules(there, rules):
    there.step(ONE)
    copied = graphcopy.copy(there.step, rules=rules)
    assert float(copied(ONE)) == 4.0 == float(there.w)
    assert float(there.step(ONE)) == 5.0


@pytest.mark.parametrize("traced", [True, False])
def test_a_function_of_the_module_has_its_own(there, rules, traced):
    if traced:
        there.step(ONE)
    before = float(there.w)
    own = [graphcopy.own_globals("w"), *rules]
    copied, receipt = graphcopy.copy({"step": there.step, "reader": there.reader}, rules=own, receipt=True)
    assert "w" in str(receipt)
    assert float(copied["step"](ONE)) == before + 1.0
    assert float(there.w) == before, "the copy wrote to the module's variable"
    assert float(copied["reader"]()) == before + 1.0, "functions of one copy share it"
    assert float(copied["step"](tf.constant(2.0))) == 2 * (before + 2.0)
    assert float(there.step(ONE)) == before + 1.0
    assert float(copied["reader"]()) == before + 2.0, "the original wrote to the copy's variable"


def test_a_kept_trace_over_it_needs_no_new_one(there):
    there.step(ONE)
    rules = [graphcopy.own_globals("w", "log"), graphcopy.tf_rules(traces="keep")]
    copied = graphcopy.copy({"step": there.step, "reader": there.reader}, rules=rules)
    assert float(copied["step"](ONE)) == 4.0
    assert copied["step"].experimental_get_tracing_count() == 1
    assert (float(copied["reader"]()), float(there.w)) == (4.0, 3.0)


def test_a_method_of_a_class_of_the_module(there, rules):
    model = there.Model()
    bound = model.run
    assert float(bound(ONE)) == 2.0
    copied = graphcopy.copy({"run": bound, "reader": there.reader}, rules=[graphcopy.own_globals("w"), *rules])
    copied["reader"]().assign(7.0)
    assert float(copied["run"](ONE)) == 7.0
    assert float(bound(ONE)) == 2.0 == float(there.w)


def test_what_it_calls_by_a_name_has_its_own_when_it_is_named_too(there, rules):
    there.nested(ONE)
    before = float(there.w)
    own = [graphcopy.own_globals("w", "helper", "step"), *rules]
    copied = graphcopy.copy({"nested": there.nested, "reader": there.reader}, rules=own)
    assert float(copied["nested"](ONE)) == before + before + 1.0
    assert (float(copied["reader"]()), float(there.w)) == (before + 1.0, before)
