"""pytest imports test files by their bare names: two of one name stop the whole run, wherever they stand."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_no_two_test_files_share_a_name():
    places = defaultdict(list)
    for path in TESTS.rglob("test_*.py"):
        places[path.name].append(str(path.relative_to(TESTS)))
    assert len(places) > 100
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
