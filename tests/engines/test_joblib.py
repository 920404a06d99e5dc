"""joblib with its loky backend, and loky by itself."""

from __future__ import annotations

import pytest
from programs import CHECKS, KINDS, guarded, run

pytest.importorskip("joblib")

PARALLEL = """
import joblib

obj = make()
(back,) = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(use)(each, 5) for each in [Shipment(obj)])
check(obj, back)
other = Shipment(make())
assert joblib.Parallel(n_jobs=2)(joblib.delayed(lambda by: other.get().step(by))(by) for by in [5]) == [FIRST]
assert joblib.Parallel(n_jobs=2)(joblib.delayed(Shipment(make().step))(by) for by in [5]) == [FIRST]
print("right")
"""

LOKY = """
import loky

obj = make()
with loky.ProcessPoolExecutor(1) as executor:
    check(obj, executor.submit(use, Shipment(obj), 5).result())
    other = Shipment(make())
    assert executor.submit(lambda: other.get().step(5)).result() == FIRST
print("right")
"""

ARRAYS = """
import joblib
import numpy

def work(shipment):
    model = shipment.get()
    with model["lock"]:
        model["weights"] += 1  # can be written to
    return Shipment(model)

model = {"lock": threading.Lock(), "weights": numpy.zeros(1_000_000)}  # joblib writes such arrays to a file
shipments = [Shipment(model) for _ in range(3)]
for back in joblib.Parallel(n_jobs=2)(joblib.delayed(work)(each) for each in shipments):
    assert back.get()["weights"].sum() == 1_000_000 and back.get()["weights"].flags.writeable
assert model["weights"].sum() == 0
print("right")
"""


@KINDS
def test_arguments_closures_and_results(kind, tmp_path):
    assert run(kind + CHECKS + guarded(PARALLEL), tmp_path) == "right"


@KINDS
def test_loky(kind, tmp_path):
    pytest.importorskip("loky")
    assert run(kind + CHECKS + guarded(LOKY), tmp_path) == "right"


def test_every_worker_has_arrays_of_its_own(tmp_path):
    pytest.importorskip("numpy")
    assert run("import threading\nfrom graphcopy import Shipment\n" + ARRAYS, tmp_path) == "right"
