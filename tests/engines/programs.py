"""Programs that use an engine as people do: scripts of their own, with functions and classes of ``__main__``."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest

import graphcopy

ROOT = str(Path(graphcopy.__file__).parent.parent)

SERVICE = """
import logging, queue, threading, weakref
import graphcopy
from graphcopy import Shipment

class Service:
    "Full of what plain pickle refuses."

    def __init__(self):
        self.lock, self.ready, self.jobs = threading.RLock(), threading.Condition(), queue.Queue()
        self.jobs.put("job")
        self.log = logging.getLogger("service")
        self.items = [1, 2]
        self.total = lambda: sum(self.items)
        self.me = weakref.ref(self)

    def step(self, item):
        with self.lock, self.ready:
            assert self.me() is self and self.jobs.qsize() == 1
            self.items.append(item)
        return self.total()

def make():
    service = Service()
    service.step(0)
    return service

FIRST, SECOND = 8, 10
"""

TRACED = """
import threading
import graphcopy
from graphcopy import Shipment

class Model:
    "A traced tf.function with a variable, a lock and a count of its traces."

    def __init__(self):
        import tensorflow as tf
        self.weight = tf.Variable([3.0])
        self.traces, self.lock = [], threading.Lock()
        self.graph = tf.function(self.grow, input_signature=[tf.TensorSpec([], tf.float32)])

    def grow(self, by):
        self.traces.append(1)
        return self.weight.assign_add([by])

    def step(self, by):
        import tensorflow as tf
        with self.lock:
            return float(self.graph(tf.constant(by, tf.float32))[0])

def make():
    model = Model()
    assert model.step(0) == 3 and model.graph.experimental_get_tracing_count() == 1
    return model

FIRST, SECOND = 8, 10
"""

CHECKS = """
def use(shipment, item):
    "As argument and as return value."
    obj = shipment.get()
    obj.seen = obj.step(item)
    return Shipment(obj)

def check(old, back):
    "What came back went on from the state that was sent; what was sent is as it was."
    new = back.get()
    assert type(new) is type(old), (type(new), type(old))
    assert new is not old and new.seen == FIRST and new.step(2) == SECOND
    assert old.step(5) == FIRST and not hasattr(old, "seen")
"""

KINDS = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(SERVICE, id="locks"),
        pytest.param(
            TRACED, id="traced",
            marks=[pytest.mark.tensorflow,
                   pytest.mark.skipif(find_spec("tensorflow") is None, reason="needs TensorFlow")],
        ),
    ],
)  # fmt: skip


def run(program: str, folder: Path, *, seconds: int = 240, **variables: str) -> str:
    """Run *program* as a script in a process group of its own, and return what it prints."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(program))
    environment = {
        **os.environ, "PYTHONPATH": ROOT, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1",
        "TF_ENABLE_ONEDNN_OPTS": "0", **variables,
    }  # fmt: skip
    child = subprocess.Popen(
        [sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        out, err = child.communicate(timeout=seconds)
    finally:
        try:
            os.killpg(child.pid, 9)  # workers that outlived the program
        except ProcessLookupError:
            pass
    assert child.returncode == 0, f"{out[-2000:]}\n{err[-5000:]}"
    return out.strip()


def guarded(text: str) -> str:
    """Put the text behind ``if __name__ == "__main__"``, as engines that start processes want it."""
    return 'if __name__ == "__main__":\n' + textwrap.indent(textwrap.dedent(text), "    ")
