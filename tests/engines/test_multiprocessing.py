"""multiprocessing with fresh processes: spawn and forkserver."""

from __future__ import annotations

import pytest
from programs import CHECKS, KINDS, guarded, run

METHODS = pytest.mark.parametrize("method", ["spawn", "forkserver"])

POOL = """
import multiprocessing
obj = make()
with multiprocessing.get_context("{method}").Pool(1) as pool:
    back = pool.apply(use, (Shipment(obj), 5))
    check(obj, back)
    closure = Shipment(lambda by, obj=make(): obj.step(by))  # of __main__, with state of its own
    assert pool.map(closure, [5], chunksize=1) == [FIRST]
    assert pool.apply(Shipment(make().step), (5,)) == FIRST
    pool.close()
    pool.join()
print("right")
"""

PROCESS = """
import multiprocessing

context = multiprocessing.get_context("{method}")
results = context.Queue()
obj = make()
worker = context.Process(target=put, args=(results, Shipment(obj)))
worker.start()
back = results.get(timeout=100)
worker.join()
check(obj, back)
print("right")
"""

PUT = """
def put(results, shipment):
    results.put(use(shipment, 5))
"""


@METHODS
@KINDS
def test_arguments_functions_and_results_of_a_pool(method, kind, tmp_path):
    assert run(kind + CHECKS + guarded(POOL.format(method=method)), tmp_path) == "right"


@METHODS
@KINDS
def test_a_process_and_a_queue(method, kind, tmp_path):
    assert run(kind + CHECKS + PUT + guarded(PROCESS.format(method=method)), tmp_path) == "right"
