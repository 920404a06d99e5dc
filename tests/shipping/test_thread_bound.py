"""A connection of sqlite3 can be read only in its own thread; engines may pickle in another."""

from __future__ import annotations

import pickle
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import graphcopy


class Service:
    def __init__(self, connection):
        self.db = connection
        self.count = 1

    def total(self):
        return self.count + sum(row[0] for row in self.db.execute("select x from t"))


@pytest.fixture
def service():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (x int)")
    connection.execute("insert into t values (3)")
    connection.commit()
    yield Service(connection)
    connection.close()


def elsewhere(func, *args):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(func, *args).result()


@pytest.mark.parametrize("rules", [(), graphcopy.resource_rules], ids=["defaults", "resource_rules"])
def test_a_shipment_may_be_pickled_by_another_thread(service, rules):
    shipment = graphcopy.Shipment(service.total, rules)
    stream = elsewhere(pickle.dumps, shipment)
    total = pickle.loads(stream)
    try:
        assert total() == 4
    finally:
        total.get().__self__.db.close()


def test_in_its_own_thread_it_is_written_with_the_state_of_then(service):
    shipment = graphcopy.Shipment(service)
    service.count = 10
    arrived = pickle.loads(pickle.dumps(shipment)).get()
    assert arrived.total() == 13
    arrived.db.close()


def test_what_is_bound_to_no_thread_is_written_with_the_state_of_then():
    state = {"lock": threading.Lock(), "count": 1}
    shipment = graphcopy.Shipment(state)
    state["count"] = 2
    assert pickle.loads(elsewhere(pickle.dumps, shipment)).get()["count"] == 2


@pytest.mark.parametrize("job", [graphcopy.copy, graphcopy.dumps])
def test_elsewhere_it_is_a_culprit_with_path_and_advice(service, job):
    with pytest.raises(graphcopy.CopyError) as caught:
        elsewhere(job, {"service": service})
    text = str(caught.value)
    assert "obj['service'].db: sqlite3.Connection: sqlite3 says: SQLite objects created in a thread" in text
    assert "check_same_thread=False" in text
    assert caught.value.culprits[0].obj is service.db


@pytest.mark.parametrize(
    "job", [graphcopy.copy, lambda obj: graphcopy.loads(graphcopy.dumps(obj))], ids=["copy", "ship"]
)
def test_an_empty_database(job):
    connection = sqlite3.connect(":memory:")
    arrived = job({"db": connection})["db"]
    assert arrived.execute("select count(*) from sqlite_master").fetchone() == (0,)
    arrived.execute("create table t (x int)")
    assert connection.execute("select count(*) from sqlite_master").fetchone() == (0,)
    arrived.close()
    connection.close()
