"""Every public name stands in the API reference once, and its docstring tells types, errors and an example."""

from __future__ import annotations

import doctest
import importlib
import inspect
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphcopy
import graphcopy.testing

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
RULES = (DOCS / "rules-reference.md").read_text(encoding="utf-8")
SETS = [name for name in graphcopy.__all__ if isinstance(getattr(graphcopy, name), graphcopy.RuleSet)]
OTHERS = [name for name in graphcopy.__all__ if name not in SETS]
TESTING = [f"graphcopy.testing.{name}" for name in graphcopy.testing.__all__]
DIRECTIVE = re.compile(r"^\.\. auto(?:function|class|exception):: ([\w.]+)", re.MULTILINE)
SUMMARY = re.compile(r"^   ([\w.]+)$", re.MULTILINE)


def test_every_public_name_is_described_once():
    described = Counter(DIRECTIVE.findall(PAGE))
    assert {name: described[name] for name in [*OTHERS, *TESTING]} == dict.fromkeys([*OTHERS, *TESTING], 1)
    of_results = {name for name in described if name not in OTHERS and name not in TESTING}
    assert all(name.startswith("graphcopy.") for name in of_results), of_results
    for name in of_results:  # the classes of what results hold
        module, _, attribute = name.rpartition(".")
        assert inspect.isclass(getattr(importlib.import_module(module), attribute))


def test_every_public_name_stands_in_the_table_of_its_group_once():
    listed = Counter(SUMMARY.findall(PAGE))
    assert listed == Counter([*OTHERS, *(name.removeprefix("graphcopy.") for name in TESTING)])


def test_every_public_rule_set_is_linked_once_and_described_with_its_rules():
    for name in SETS:
        assert PAGE.count(f"~graphcopy.{name}`") == 1, name
        assert RULES.count(f".. py:data:: graphcopy.{name}\n") == 1, name


def members(name: str) -> Iterator[tuple[str, Any]]:
    """A public function or class, and the public methods of a class."""
    value = getattr(graphcopy, name, None) or getattr(graphcopy.testing, name)
    yield name, value
    for attribute, member in vars(value).items() if inspect.isclass(value) else ():
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if not attribute.startswith("_") and inspect.isfunction(function):
            yield f"{name}.{attribute}", function


MEMBERS = dict(pair for name in [*OTHERS, *graphcopy.testing.__all__] for pair in members(name))
FUNCTIONS = {name: value for name, value in MEMBERS.items() if inspect.isfunction(value)}
ERRORS = re.compile(r"\b[A-Z]\w*Error\b")


@pytest.mark.parametrize("name", [name for name in MEMBERS if "." not in name])
def test_every_public_function_and_class_has_an_example(name):
    assert doctest.DocTestParser().get_examples(inspect.getdoc(MEMBERS[name]) or ""), name


@pytest.mark.parametrize("name", MEMBERS)
def test_every_public_docstring_begins_with_one_sentence(name):
    first = (inspect.getdoc(MEMBERS[name]) or "").partition("\n")[0]
    assert first.endswith((".", ":")) and len(first) > 10, f"{name}: {first!r}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_says_its_types(name):
    signature = inspect.signature(FUNCTIONS[name])
    untyped = [each.name for each in signature.parameters.values() if each.annotation is each.empty]
    assert set(untyped) <= {"self", "cls"} and signature.return_annotation is not signature.empty, (name, untyped)


RULED = [name for name, function in FUNCTIONS.items() if "rules" in inspect.signature(function).parameters]
SAME = {"installed": "install", "assert_copyable": "explain", "assert_independent": "compare"}
"""Functions whose docstring says that arguments and errors are those of another."""


@pytest.mark.parametrize("name", [name for name in RULED if name not in SAME])
def test_a_function_that_takes_rules_says_that_what_is_no_rule_is_a_type_error(name):
    with pytest.raises(TypeError, match="no rule"):
        call_with_no_rule(FUNCTIONS[name])
    told = inspect.getdoc(FUNCTIONS[name]) or ""
    assert "TypeError" in told or "arguments are those of ``graphcopy." in told, name


def call_with_no_rule(function: Any) -> Any:
    needed = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
    given: list[Any] = [
        io.BytesIO() if each.name == "path_or_file" else []
        for each in needed
        if each.name != "rules" and each.kind is not each.VAR_POSITIONAL
    ]
    return function(*given, rules=[3])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_errors_that_a_docstring_names_are_public_or_builtin(name):
    import builtins

    for error in set(ERRORS.findall((inspect.getdoc(FUNCTIONS[name]) or "").partition(">>>")[0])):
        assert error in graphcopy.__all__ or hasattr(builtins, error), f"{name}: {error}"
