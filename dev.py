#!/usr/bin/env python3
"""Set up what a task needs in .venv, and run it.

    python dev.py example    the main job: copy a traced tf.function (examples: the others that need no large library)
    python dev.py test       the tests (test-slow: the long ones; test-tensorflow, test-libraries: those that need them)
    python dev.py test-oldest-tensorflow  the oldest TensorFlow that is served, in an environment of its own
    python dev.py test-engines            worker pools: multiprocessing, concurrent.futures, joblib, Dask
    python dev.py test-all-engines        the same, with Ray and Spark (needs Java), and with TensorFlow
    python dev.py wheel      build, and test what was built in fresh environments (--extras all: with every extra)
    python dev.py lint | types | docs | bench

Needs Python (3.10 or newer) and pip, nothing else. Further words go to the tool that is run:
``python dev.py test -k locks``. Set GRAPHCOPY_VENV to keep the environment elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENV = Path(os.environ.get("GRAPHCOPY_VENV", HERE / ".venv"))
INTERPRETER = "Scripts/python.exe" if os.name == "nt" else "bin/python"

OLDEST_TENSORFLOW = "tensorflow-cpu==2.15.*" if sys.platform == "linux" else "tensorflow==2.15.*"
OWN_PYTHON = {"test-oldest-tensorflow": ("3.11", "3.10")}
"""Tasks that have an environment of their own, and the versions of Python that will do for it."""

NOTEBOOK = ["-m", "nbconvert", "--to", "markdown", "--execute", "--stdout", "--log-level", "ERROR"]

# task: (what pip installs, the commands to run)
TASKS: dict[str, tuple[list[str], list[list[str]]]] = {
    "example": (["-e", ".[tensorflow]"], [["examples/traced_function.py"]]),
    "examples": (
        ["-e", ".[draw]", "--group", "examples"],
        [["examples/service_with_locks.py"], [*NOTEBOOK, "examples/first_look.ipynb"]],
    ),
    "test": (["-e", ".", "--group", "test"], [["-m", "pytest", "-m", "not slow"]]),
    "test-slow": (["-e", ".", "--group", "test"], [["-m", "pytest", "-m", "slow"]]),
    "test-tensorflow": (
        ["-e", ".[tensorflow]", "--group", "test"],
        [
            ["examples/keras_in_training.py"],
            ["-m", "pytest", "tests/tensorflow", "tests/keras", "tests/core", "tests/shipping", "docs"],
        ],
    ),
    "test-oldest-tensorflow": (
        ["-e", ".", "--group", "test", OLDEST_TENSORFLOW],
        [["-m", "pytest", "tests/tensorflow", "tests/keras"]],
    ),
    "test-engines": (["-e", ".[joblib,dask]", "--group", "test"], [["-m", "pytest", "tests/engines"]]),
    "test-all-engines": (
        ["-e", ".[joblib,dask,ray,spark,tensorflow]", "--group", "test"],
        [["examples/dask_traced_functions.py"], ["-m", "pytest", "tests/engines"]],
    ),
    "lint": (["--group", "lint"], [["-m", "ruff", "check", "."], ["-m", "ruff", "format", "--check", "."]]),
    "types": (
        ["-e", ".", "--group", "lint", "--group", "test"],
        [["-m", "mypy"], ["-m", "mypy", "tests/typing/api.py"], ["-m", "pyright", "tests/typing/api.py"]],
    ),
    "docs": (
        ["-e", ".", "--group", "docs"],
        [["-m", "sphinx", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html"]],
    ),
    "bench": (["-e", ".", "--group", "bench"], [["-m", "benchmarks.shipping"], ["-m", "benchmarks"]]),
    "test-libraries": (
        ["-e", ".[draw,rich,joblib]", "--group", "test", "--group", "libraries"],
        [["-m", "pytest", "tests/libraries", "tests/cases", "tests/drawing"]],
    ),
    "wheel": (
        ["build", "twine"],
        [
            ["-m", "build"],
            ["-m", "twine", "check", "--strict", "dist/*"],
            ["tests/packaging/contents.py", "dist/*"],
            ["tests/packaging/fresh_install.py", "dist/*.whl", "--lowest"],
            ["tests/packaging/fresh_install.py", "dist/*.whl", "--suite", "-q"],
            ["tests/packaging/fresh_install.py", "dist/*.whl"],
        ],
    ),
}


def run(python: str | Path, *words: str) -> None:
    """Run a Python; stop with its exit status when it fails."""
    done = subprocess.run([str(python), *words], cwd=HERE)
    if done.returncode:
        sys.exit(done.returncode)


def environment(task: str) -> tuple[Path, str]:
    """Where a task has its environment, and the Python to make it with."""
    versions = OWN_PYTHON.get(task)
    if versions is None:
        return ENV, sys.executable
    if f"{sys.version_info[0]}.{sys.version_info[1]}" in versions:
        found: str | None = sys.executable
    else:
        found = next(filter(None, (shutil.which(f"python{version}") for version in versions)), None)
    if found is None:
        sys.exit(f"{task} needs Python {' or '.join(versions)}, and finds no python{versions[0]}: install one")
    return ENV.with_name(f"{ENV.name}-{task}"), found


def main(words: list[str]) -> None:
    """Set up, then run the task."""
    if not words or words[0] not in TASKS:
        sys.exit(f"{(__doc__ or '').strip()}\n\ntasks: {', '.join(TASKS)}")
    install, commands = TASKS[words[0]]
    home, maker = environment(words[0])
    python = home / INTERPRETER
    if not python.exists():
        run(maker, "-m", "venv", str(home))
        run(python, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")  # the first that knows --group
    run(python, "-m", "pip", "install", "--quiet", *install)
    for command in commands:
        extra = words[1:] if command is commands[-1] else []
        given = [str(path) for word in command for path in (sorted(HERE.glob(word)) if "*" in word else [word])]
        run(python, *given, *extra)


if __name__ == "__main__":
    main(sys.argv[1:])
