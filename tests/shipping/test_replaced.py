"""What a rule puts in the place of something travels as it is: rules are not asked about it again."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import graphcopy


class Handle:
    "Replaced by others of its kind."

    made = 0

    def __init__(self, number=0):
        self.number = number
        self.inner = None


class Wrapped:
    def __init__(self, beneath):
        self.beneath = beneath


@pytest.mark.parametrize(
    ("factory", "number"),
    [(Handle, 0), (lambda: Handle(1), 1), (lambda old: Handle(old.number + 1), 4)],
    ids=["class", "function", "function of the object"],
)
def test_a_factory_may_make_the_same_type(factory, number):
    handle = Handle(3)
    original = {"a": handle, "b": [handle]}
    rules = [graphcopy.replace(Handle, factory)]
    for arrived in (
        graphcopy.loads(graphcopy.dumps(original, rules=rules)),
        pickle.loads(pickle.dumps(graphcopy.Shipment(original, rules=rules))).get(),
        graphcopy.copy(original, rules=rules),
    ):
        assert type(arrived["a"]) is Handle and arrived["a"].number == number
        assert arrived["b"][0] is arrived["a"]


def test_what_it_holds_is_asked_about():
    class Other:
        pass

    def wrap(old):
        new = Handle(7)
        new.inner = Other()
        return new

    rules = [graphcopy.replace(Handle, wrap), graphcopy.replace(Other, lambda old: "other")]
    arrived = graphcopy.loads(graphcopy.dumps([Handle()], rules=rules))
    assert arrived[0].inner == "other"


def test_an_executor_is_made_on_arrival():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        service = {"pool": pool}
        rules = [graphcopy.replace("concurrent.futures.thread.ThreadPoolExecutor", lambda: ThreadPoolExecutor(1))]
        arrived = graphcopy.loads(graphcopy.dumps(service, rules=rules))
    with arrived["pool"] as fresh:
        assert fresh.submit(sum, [1, 2]).result() == 3


@pytest.mark.parametrize("rule", ["replace(value=)", "prune(value=)", "factory of the object"])
def test_what_cannot_travel_is_told_before_a_byte(rule):
    beneath = (number for number in ())
    rules = {
        "replace(value=)": graphcopy.replace(Handle, value=Wrapped(beneath)),
        "prune(value=)": graphcopy.prune(Handle, value=Wrapped(beneath)),
        "factory of the object": graphcopy.replace(Handle, lambda old: Wrapped(beneath)),
    }
    buffers: list = []
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.dumps({"h": Handle(), "lock": threading.Lock()}, rules=[rules[rule]], buffers=buffers.append)
    assert [culprit.obj for culprit in caught.value.culprits] == [beneath]
    assert "what_replaces(obj['h']).beneath: " in str(caught.value)


def test_numbers_and_strings_are_asked_about_where_they_stand():
    original = [5, 6, {"key": 5}, "text", (6,)]
    rules = [graphcopy.replace(int, lambda number: number + 1)]
    assert graphcopy.loads(graphcopy.dumps(original, rules=rules)) == [6, 7, {"key": 6}, "text", (7,)]
    rules = [graphcopy.replace(str, lambda text: text + "!", where=lambda node: len(node.obj) == 4), *rules]
    assert graphcopy.loads(graphcopy.dumps(original, rules=rules)) == [6, 7, {"key": 6}, "text!", (7,)]
    assert graphcopy.copy(original, rules=rules) == [6, 7, {"key": 6}, "text!", (7,)]


def test_a_secret_is_replaced_by_stars():
    rules = [graphcopy.replace(str, value="***", where=lambda node: node.obj.startswith("sk-"))]
    original = {"token": "sk-1", "tokens": ["sk-2", "***"], "name": "a"}
    assert graphcopy.loads(graphcopy.dumps(original, rules=rules)) == {
        "token": "***", "tokens": ["***", "***"], "name": "a",
    }  # fmt: skip
