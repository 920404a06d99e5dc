"""The public names: a change of them is deliberate, each is typed, and each says what it does."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import graphcopy

SOURCE = Path(graphcopy.__file__)


def names_for_type_checkers() -> set[str]:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {name.asname or name.name for node in block.body if isinstance(node, ast.ImportFrom) for name in node.names}


def test_every_public_name_is_known_to_type_checkers():
    assert names_for_type_checkers() == set(graphcopy.__all__)
    assert set(graphcopy._HOMES) == set(graphcopy.__all__)


def test_no_submodule_bears_the_name_of_a_public_function():
    folders = {path.stem for path in SOURCE.parent.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not {name for name in folders & set(graphcopy.__all__) if callable(getattr(graphcopy, name))}


@pytest.mark.parametrize("name", graphcopy.__all__)
def test_every_public_name_says_what_it_does(name):
    value = getattr(graphcopy, name)
    if not callable(value) or not (inspect.isclass(value) or inspect.isfunction(value)):
        return
    assert value.__doc__
    first = value.__doc__.strip().splitlines()[0]
    assert first.endswith((".", ":")), f"{name}: {first!r}"
    for attribute, member in vars(value).items() if inspect.isclass(value) else ():
        if not attribute.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
            assert member.__doc__, f"{name}.{attribute} has no docstring"
