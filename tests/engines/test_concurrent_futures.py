"""concurrent.futures: a ProcessPoolExecutor of fresh processes."""

from __future__ import annotations

import pytest
from programs import CHECKS, KINDS, guarded, run

EXECUTOR = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

obj = make()
with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("{method}")) as executor:
    back = executor.submit(use, Shipment(obj), 5).result()
    check(obj, back)
    other = make()
    closure = Shipment(lambda by: other.step(by))
    assert list(executor.map(closure, [5])) == [FIRST]
print("right")
"""

FAILS = """
import threading
from concurrent.futures import ProcessPoolExecutor
import multiprocessing

with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
    try:
        executor.submit(open_file).result()
    except graphcopy.CopyError as error:
        print(str(error).splitlines()[1].split(": ")[0].strip())
"""

OPEN_FILE = """
import graphcopy
from graphcopy import Shipment

def open_file():
    return Shipment({"log": [open(__file__)]})
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
@KINDS
def test_arguments_closures_and_results(method, kind, tmp_path):
    assert run(kind + CHECKS + guarded(EXECUTOR.format(method=method)), tmp_path) == "right"


def test_what_cannot_travel_from_the_worker_is_told_here(tmp_path):
    assert run(OPEN_FILE + guarded(FAILS), tmp_path) == "obj['log'][0]"
