"""Everything that is checked, on every Python that is installed: ``nox``, or ``nox -s tests-3.12``.

Sessions: ``tests`` (one for each Python), ``tensorflow`` (one for each pair of TensorFlow and Python), ``lint``,
``types``, ``docs``; ``slow`` runs what takes minutes (a million deep, ten thousand copies, two thousand random
graphs for each law).
"""

from __future__ import annotations

import nox

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
# The groups of pyproject.toml; older pip does not know --group.
TEST = [
    "pytest>=8",
    "hypothesis>=6.100",
    "pytest-timeout>=2.3",
    "numpy>=1.26",
    "cloudpickle>=3",
]
DOCS = ["sphinx>=7.3", "furo>=2024.1.29", "myst-parser>=3", "igraph>=0.11"]

nox.options.sessions = ["tests", "lint", "types"]
nox.options.error_on_missing_interpreters = False  # one command: those that are there
nox.options.reuse_existing_virtualenvs = True


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests that need no other library than numpy."""
    session.install("-e", ".", *TEST)
    session.run("python", "-m", "pytest", "-m", "not slow and not tensorflow and not engine", *session.posargs)


@nox.session(python=PYTHONS)
def slow(session: nox.Session) -> None:
    """Run the slow tests of the guarantees, and the property tests on many more examples."""
    session.install("-e", ".", *TEST)
    session.run("python", "-m", "pytest", "-m", "slow", "--timeout", "1800", "tests/guarantees", *session.posargs)
    properties = ["python", "-m", "pytest", "--timeout", "1800", "tests/guarantees/test_properties.py"]
    session.run(*properties, env={"GRAPHCOPY_EXAMPLES": "2000"})


# TensorFlow, and the Python that it is tested with; nox -s "tensorflow(2.15-3.10)" runs one pair.
TENSORFLOW = [
    ("2.15", "3.10"),
    ("2.16", "3.12"),
    ("2.18", "3.11"),
    ("2.20", "3.13"),
    ("2.21", "3.11"),
    ("2.21", "3.13"),
]


@nox.session
@nox.parametrize(
    "python,version", [nox.param(python, version, id=f"{version}-{python}") for version, python in TENSORFLOW]
)
def tensorflow(session: nox.Session, version: str) -> None:
    """Run the tests of the TensorFlow rules, and write the record that the table in docs/tensorflow.md is made of."""
    session.install("-e", ".", *TEST, f"tensorflow-cpu=={version}.*")
    paths = ["tests/tensorflow", "tests/keras"]
    if version == "2.18":
        session.install("trieste", "gpflux", "tf-keras~=2.18.0", f"tensorflow-cpu=={version}.*")
        paths += ["tests/tfp", "tests/gpflow", "tests/trieste"]
    record = {"GRAPHCOPY_TF_RECORD": "docs/tensorflow_versions"}
    session.run("python", "-m", "pytest", *paths, *session.posargs, env=record)


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Check style and formatting."""
    session.install("ruff>=0.6")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(python="3.11")
def types(session: nox.Session) -> None:
    """Check the types."""
    session.install("-e", ".", "mypy>=1.11", *TEST)
    session.run("python", "-m", "mypy")


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """Build the documentation; warnings are errors."""
    session.install("-e", ".", *DOCS)
    session.run("python", "-m", "sphinx", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")
