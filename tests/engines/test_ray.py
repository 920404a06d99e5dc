"""Ray on this machine: tasks, actors, the object store."""

from __future__ import annotations

import pytest
from programs import CHECKS, KINDS, guarded, run

pytest.importorskip("ray")

RAY = """
import ray

ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error", _temp_dir={temp!r})
obj = make()
back = ray.get(ray.remote(use).remote(Shipment(obj), 5))
check(obj, back)
closure = Shipment(make())
assert ray.get(ray.remote(lambda: closure.get().step(5)).remote()) == FIRST
stored = ray.put(Shipment(make()))
assert ray.get(ray.remote(use).remote(stored, 5)).get().step(2) == SECOND

@ray.remote
class Keeper:
    def __init__(self, shipment):
        self.obj = shipment.get()
    def step(self, by):
        return self.obj.step(by)
    def give(self):
        return Shipment(self.obj)

keeper = Keeper.remote(Shipment(make()))
assert ray.get(keeper.step.remote(5)) == FIRST and ray.get(keeper.give.remote()).get().step(2) == SECOND
ray.shutdown()
print("right")
"""

BUFFERS = """
import threading
import numpy
import ray
from graphcopy import Shipment

ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error", _temp_dir={temp!r})

@ray.remote
def work(shipment):
    model = shipment.get()
    with model["lock"]:
        model["weights"] += 1  # the object store is read-only: get() made the memory the task's own
    return Shipment(model)

model = {{"lock": threading.Lock(), "weights": numpy.zeros(1_000_000)}}
stored = ray.put(Shipment(model))
for _ in range(2):
    back = ray.get(work.remote(stored)).get()
    assert back["weights"].sum() == 1_000_000
back["weights"] += 1
assert ray.get(stored).get()["weights"].sum() == 0 == model["weights"].sum()
ray.shutdown()
print("right")
"""


@pytest.fixture
def temp(tmp_path_factory):
    """A short path: Ray puts sockets into it, whose names have a limit."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield folder


@KINDS
def test_tasks_actors_and_stored_objects(kind, tmp_path, temp):
    assert run(kind + CHECKS + guarded(RAY.format(temp=temp)), tmp_path) == "right"


def test_arrays_of_the_object_store_can_be_written_to(tmp_path, temp):
    pytest.importorskip("numpy")
    assert run(BUFFERS.format(temp=temp), tmp_path) == "right"
