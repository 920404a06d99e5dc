"""Rules may give the name under which a package offers a class, and misspelt ones are told."""

from __future__ import annotations

import sys
import types

import pytest

import graphcopy


@pytest.fixture
def offered(monkeypatch):
    "A package that offers a class which is defined in a private module of it."
    package, private = types.ModuleType("offering"), types.ModuleType("offering._private.core")
    Layer = type("Layer", (), {"__module__": "offering._private.core", "__init__": lambda self: setattr(self, "x", [])})
    package.Layer = package.Base = private.Layer = Layer
    layers = types.ModuleType("offering.layers")
    layers.Layer = Layer
    package.layers = layers
    for module in (package, private, layers):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return package


@pytest.mark.parametrize("name", ["offering._private.core.Layer", "offering.Layer", "offering.layers.Layer"])
def test_any_name_that_leads_to_the_class_will_do(offered, name):
    Sub = type("Sub", (offered.Layer,), {})
    layer, sub = offered.Layer(), Sub()
    copied = graphcopy.copy([layer, sub], rules=[graphcopy.share(name)])
    assert copied[0] is layer and copied[1] is sub
    assert graphcopy.copy([sub], rules=[graphcopy.share(name, exact=True)])[0] is not sub


def test_another_class_of_that_name_is_not_meant(offered):
    Layer = type("Layer", (), {})
    layer = Layer()
    assert graphcopy.copy([layer], rules=[graphcopy.share("offering.Layer")])[0] is not layer


def test_nothing_is_imported_for_a_name():
    assert "wave" not in sys.modules
    graphcopy.copy([types.SimpleNamespace()], rules=[graphcopy.share("wave.SimpleNamespace")])
    assert "wave" not in sys.modules


def test_a_plan_counts_rules_without_a_part():
    plan = graphcopy.plan([1], rules=[graphcopy.share("sqlite3.Conection")])
    assert repr(plan) == "<plan: 1 nodes, 0 culprits, 1 rule not used>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sqlite3.Conection", "sqlite3 has no class Conection: did you mean 'sqlite3.Connection'?"),
        ("tf.Variable", "'tf' is no module: write tensorflow.Variable"),
        ("absent.Thing", "nothing matches it, or a rule before it speaks first"),
    ],
)
@pytest.mark.parametrize("command", [["copy"], ["explain"]])
def test_the_command_line_tells_of_rules_that_are_not_used(name, text, command, capsys):
    import sqlite3  # noqa: F401

    from graphcopy.commands.running import main

    assert main([*command, "collections:OrderedDict(a=[])", "-r", f"graphcopy.prune({name!r})"]) == 0
    assert f"not used: prune({name}): {text}" in capsys.readouterr().err


def test_rules_that_have_a_part_are_not_told(capsys):
    from graphcopy.commands.running import main

    assert main(["copy", "collections:OrderedDict(a=[])", "-r", "graphcopy.prune(list)"]) == 0
    assert "not used" not in capsys.readouterr().err
