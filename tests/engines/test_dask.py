"""Dask distributed: a LocalCluster of processes, and one of threads."""

from __future__ import annotations

import pytest
from programs import CHECKS, KINDS, guarded, run

pytest.importorskip("distributed")

CLUSTER = """
import logging
from dask.distributed import Client, LocalCluster

with LocalCluster(n_workers=2, threads_per_worker=1, processes={processes}, dashboard_address=None) as cluster:
    with Client(cluster) as client:
        obj = make()
        back = client.submit(use, Shipment(obj), 5).result()
        check(obj, back)
        closure = Shipment(make())
        assert client.submit(lambda: closure.get().step(5)).result() == FIRST
        assert client.submit(Shipment(make().step), 5).result() == FIRST
        (there,) = client.scatter([Shipment(make())])
        kept = client.submit(use, there, 5)  # the result stays on a worker, and is the argument of another task
        assert client.submit(lambda shipment: shipment.get().step(2), kept).result() == SECOND
print("right")
"""

BUFFERS = """
import threading
import numpy
from dask.distributed import Client, LocalCluster
from distributed.protocol import serialize
from graphcopy import Shipment

def work(shipment):
    model = shipment.get()
    with model["lock"]:
        model["weights"] += 1
    return Shipment(model)

if __name__ == "__main__":
    model = {"lock": threading.Lock(), "weights": numpy.zeros(1_000_000)}
    header, frames = serialize(Shipment(model))
    assert any(memoryview(each).nbytes == 8_000_000 for each in frames), [memoryview(each).nbytes for each in frames]
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        back = client.submit(work, Shipment(model)).result().get()
        back["weights"] += 1
        assert back["weights"].sum() == 2_000_000 and model["weights"].sum() == 0
    print("right")
"""


@pytest.mark.parametrize("processes", [True, False], ids=["processes", "threads"])
@KINDS
def test_arguments_closures_and_results(processes, kind, tmp_path):
    assert run(kind + CHECKS + guarded(CLUSTER.format(processes=processes)), tmp_path) == "right"


def test_arrays_go_out_of_band_and_can_be_written_to(tmp_path):
    pytest.importorskip("numpy")
    assert run(BUFFERS, tmp_path) == "right"
