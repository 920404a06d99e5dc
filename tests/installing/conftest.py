"""Every test leaves the tables of the process as it found them."""

from __future__ import annotations

import copy
import copyreg
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    deep, deep_entries = copy._deepcopy_dispatch, dict(copy._deepcopy_dispatch)
    shallow, shallow_entries = copy._copy_dispatch, dict(copy._copy_dispatch)
    reducers, reducer_entries = copyreg.dispatch_table, dict(copyreg.dispatch_table)
    yield
    assert copy._deepcopy_dispatch is deep
    assert list(deep.items()) == list(deep_entries.items())
    assert copy._copy_dispatch is shallow
    assert list(shallow.items()) == list(shallow_entries.items())
    assert copyreg.dispatch_table is reducers
    assert list(reducers.items()) == list(reducer_entries.items())
