"""Drawings as they have been looked at and found good: text, Mermaid and DOT.

After a wanted change: ``GRAPHCOPY_GOLDEN=write pytest tests/drawing/test_golden_pictures.py``; look at what differs.
"""

from __future__ import annotations

import copy
import os
import threading
from pathlib import Path

import pytest

import graphcopy

GOLDEN = Path(__file__).parent / "golden"


class Session:
    def __init__(self):
        self.lock = threading.RLock()
        self.headers = {"agent": "graphcopy", "accept": ["text", "json"]}
        self.rows = [[n] for n in range(20)]
        self.owner = self


class Client:
    def __init__(self):
        self.session = Session()
        self.guard = self.session.lock
        self.pending = (n for n in [1])
        hits = 0

        def count():
            nonlocal hits
            hits += 1
            return self

        self.count = count


class Model:
    def __init__(self):
        shared = [0.1, 0.2]
        self.weights = {"first": shared, "best": shared}
        self.history = {"loss": [1.0]}

    def __deepcopy__(self, memo):
        made = object.__new__(Model)
        made.weights = {name: list(value) for name, value in self.weights.items()}
        made.history = self.history
        return made


def wrong_copy():
    model = Model()
    return graphcopy.compare(model, copy.deepcopy(model))


DRAWN = {
    "client": (Client, {}),
    "client_plumbing": (Client, {"plumbing": True, "fold": False, "depth": 2}),
    "client_culprits": (Client, {"only": "culprits", "values": False}),
    "client_rules": (lambda: graphcopy.plan(Client(), rules=[graphcopy.resource_rules]), {"hide": ["Session"]}),
    "session_pickle": (lambda: graphcopy.explain([Session(), threading.Lock()], backend="pickle"), {}),
    "client_limit": (Client, {"max_nodes": 5}),
    "wrong_copy": (wrong_copy, {}),
}


@pytest.mark.parametrize("suffix", ["txt", "mmd", "dot"])
@pytest.mark.parametrize("name", list(DRAWN))
def test_it_is_drawn_as_it_was(name, suffix, tmp_path):
    make, options = DRAWN[name]
    path = tmp_path / f"{name}.{suffix}"
    graphcopy.draw(make(), path, **options)
    drawn, golden = path.read_text(encoding="utf-8"), GOLDEN / path.name
    if os.environ.get("GRAPHCOPY_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(drawn, encoding="utf-8")
    assert drawn == golden.read_text(encoding="utf-8")
