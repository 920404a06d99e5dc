"""A traced tf.function is copied wherever it hangs, and module globals stay the module's."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

X = 3.0


class Slotted:
    __slots__ = ("call", "lock")


class Holder(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(2.0)
        weight = self.weight

        @tf.function
        def call(x):
            return weight * x

        self.call = call
        slotted = Slotted()
        slotted.call, slotted.lock = call, threading.Lock()
        self.deep = {"parts": [slotted]}
        self.guard = threading.RLock()
        self.lock = self.same_lock = slotted.lock
        self.me = {"root": self}


def test_inside_everything():
    holder = Holder()
    holder.call(tf.constant(X))
    with holder.guard:
        new = graphcopy.copy(holder)
        free = []
        thread = threading.Thread(target=lambda: free.append(new.guard.acquire(timeout=5)))
        thread.start()
        thread.join()
        assert free == [True]
    assert new.me["root"] is new
    assert new.deep["parts"][0].call is new.call and new.call is not holder.call
    assert new.lock is new.same_lock is new.deep["parts"][0].lock and new.lock is not holder.lock
    new.weight.assign(5.0)
    assert (float(new.call(tf.constant(X))), float(holder.call(tf.constant(X)))) == (15.0, 6.0)
    assert [v.ref() for v in new.trainable_variables] == [new.weight.ref()]


def test_all_culprits_at_once_and_the_original_untouched():
    holder = Holder()
    holder.call(tf.constant(X))
    holder.generators = [(i for i in "ab"), (i for i in "cd")]
    state = dict(vars(holder))
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(holder)
    found = caught.value.culprits
    assert len(found) == 2
    for culprit in found:
        assert eval(str(culprit.path), {"obj": holder}) is culprit.obj
        assert culprit.reason and culprit.advice
    assert dict(vars(holder)) == state
    assert float(holder.call(tf.constant(X))) == 6.0 and holder.call.experimental_get_tracing_count() == 1


def test_the_plan_is_the_dry_run():
    holder = Holder()
    holder.call(tf.constant(X))
    plan = graphcopy.plan(holder, [graphcopy.tf_rules])
    assert plan.culprits == []
    graph = plan.graph
    places = [node for node, data in graph.nodes(data=True) if data["obj"] is holder.call]
    assert graph.nodes[places[0]]["mark"] == "rebuilt"
    new = plan.copy()
    new.weight.assign(7.0)
    assert float(new.call(tf.constant(X))) == 21.0
    again = plan.copy()
    assert float(again.call(tf.constant(X))) == 6.0


def test_the_receipt_says_what_became_of_the_traces_and_of_handles():
    holder = Holder()
    holder.call(tf.constant(X))
    holder.leaked, holder.handle = [], holder.weight.handle
    _, receipt = graphcopy.copy(holder, receipt=True)
    said = {str(entry.path): entry for entry in receipt}
    assert "traces again" in said["obj.call"].lost
    assert "handle" in said["obj.handle"].lost and said["obj.handle"].treatment == "shared"
    assert not any("TensorShape" in entry.type or "DType" in entry.type for entry in receipt), "constants are no news"


SCRIPT = """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf
import graphcopy

w = tf.Variable(2.0)

@tf.function
def over_global(x):
    return w * x

def make():
    own = tf.Variable(2.0)

    @tf.function
    def over_own(x):
        return own * x
    over_own.own = own
    return over_own

x = tf.constant(3.0)
over_own = make()
over_global(x), over_own(x)
a, b = graphcopy.copy(over_global), graphcopy.copy(over_own)
assert a is not over_global, "a tf.function is copied wherever it stands"
assert float(a(x)) == 6.0 and a.experimental_get_tracing_count() == 1
w.assign(10.0)
assert float(a(x)) == 30.0, "a global of __main__ belongs to the process"
b.own.assign(5.0)
assert (float(b(x)), float(over_own(x))) == (15.0, 6.0)
assert over_global.experimental_get_tracing_count() == over_own.experimental_get_tracing_count() == 1
print("right")
"""


def test_globals_of_main_stay_shared(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=200)
    assert done.stdout.strip().endswith("right"), done.stderr[-2000:]
