"""Mirrored variables, variables that are summed when read, and a model under a strategy, on two logical CPUs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tensorflow")


def test_under_a_mirrored_strategy():
    program = Path(__file__).with_name("mirrored_program.py")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=280, check=False)
    assert done.stdout.endswith("right\n"), done.stderr[-3000:]
