"""Load a stream in a fresh process and evaluate an expression over what arrived."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import graphcopy

ROOT = str(Path(graphcopy.__file__).parent.parent)

CODE = """
import sys, pickle
sys.path.insert(0, {root!r})
with open({path!r}, "rb") as file:
    data = file.read()
{load}
{code}
"""


def arrive(data: bytes, path: Path, code: str, *, plain: bool = True, warnings: str = "error") -> str:
    """Run *code* over ``obj`` in a new process, and return what it prints."""
    path.write_bytes(data)
    load = "obj = pickle.loads(data)" if plain else "import graphcopy; obj = graphcopy.loads(data)"
    text = CODE.format(root=ROOT, path=str(path), load=load, code=code)
    done = subprocess.run([sys.executable, "-W", warnings, "-c", text], capture_output=True, text=True, cwd=path.parent)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()
