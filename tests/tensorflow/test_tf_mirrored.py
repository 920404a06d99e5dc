"""Mirrored variables, variables that are summed when read, and a model under a strategy, on two logical CPUs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tensorflow")


def test_under_a_mirrored_strategy(kind):
    kind("Mirrored and SyncOnRead variables", copied="own resources, on the same devices; the strategy is shared")
    program = Path(__file__).with_name("mirrored_program.py")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=280, check=False)
    assert done.stdout.endswith("right\n"), done.stderr[-3000:]
    own, of = map(int, done.stdout.splitlines()[0].split())
    assert own == of == 4
    kind.costs("as its variables, one on each device")
