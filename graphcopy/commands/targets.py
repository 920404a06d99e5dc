"""TARGET on the command line: an object of a module or of a script, and rules to go with it."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import os
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

__all__ = ["WrongUse", "add_rules", "add_target", "rules_of", "target_of"]


class WrongUse(Exception):
    """What the user typed cannot be done; the message says why."""


def add_target(parser: argparse.ArgumentParser, *names: str) -> None:
    """Take the arguments *names*, each a TARGET."""
    for name in names:
        parser.add_argument(name, metavar=name.upper(), help="package.module:expression, or a script with --object")
    parser.add_argument("--object", metavar="NAME", help="the object in a script: a name or an expression")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Take rules as expressions."""
    parser.add_argument(
        "-r", "--rule", action="append", default=[], metavar="EXPR",
        help="a rule or rule set: mypackage.rules:my_rules, or as Python: graphcopy.resource_rules, "
        "'graphcopy.share(\"my.Type\")'; may be repeated",
    )  # fmt: skip


def rules_of(options: Any) -> list[Any]:
    """Evaluate the rules that were given."""
    import graphcopy

    return [_rule_of(text, {"graphcopy": graphcopy}) for text in options.rule]


def _rule_of(text: str, scope: dict[str, Any]) -> Any:
    """A rule or set: ``package.module:name``, or Python in which graphcopy is known."""
    module, colon, name = text.partition(":")
    if colon and name and all(piece.isidentifier() for piece in module.split(".")):
        return _object_of(text)
    return _evaluated(text, scope, "--rule")


def tell_unused(obj: Any, rules: list[Any]) -> None:
    """Say on stderr which of the rules that were given have no part: a typo in one shows nowhere else."""
    if not rules:
        return
    from ..public import plan
    from ..rules.names import missing_name
    from ..rules.ruleset import flatten

    for unused in plan(obj, rules).unused_rules:
        names = [each for rule in flatten([unused]) for each in rule.types if isinstance(each, str)]
        why = next(filter(None, map(missing_name, names)), "nothing matches it, or a rule before it speaks first")
        print(f"not used: {getattr(unused, 'name', unused)}: {why}", file=sys.stderr)


def target_of(text: str, name: str | None) -> Any:
    """Find the object that *text* names.

    Raises WrongUse for a module or script that is not there or does not import, and for a name that it has not.
    """
    if text.endswith(".py"):
        if name is None:
            raise WrongUse(f"{text} is a script: say which object with --object NAME")
        return _evaluated(name, vars(_script(Path(text))), text)
    found = _object_of(text)
    if isinstance(found, FunctionType) and _wants_nothing(found) and not text.endswith(")"):
        print(f"note: {text} is a function; what it returns is {text + '()'!r}", file=sys.stderr)
    return found


def _wants_nothing(function: Any) -> bool:
    try:
        inspect.signature(function).bind()
    except (TypeError, ValueError):
        return False
    return True


def _object_of(text: str) -> Any:
    module_name, colon, expression = text.partition(":")
    if not colon or not expression:
        raise WrongUse(f"{text!r} is no TARGET: write package.module:expression, or a script with --object NAME")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    return _evaluated(expression, vars(_module(module_name)), module_name)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        where = f" (looked in {os.getcwd()} and on sys.path)" if error.name == name.partition(".")[0] else ""
        raise WrongUse(f"there is no module {error.name!r}{where}") from error
    except Exception as error:
        raise WrongUse(f"importing {name} raised {type(error).__name__}: {error}") from error


def _script(path: Path) -> Any:
    if not path.is_file():
        raise WrongUse(f"there is no script {str(path)!r}")
    name = path.stem
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise WrongUse(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its classes are found under this name
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise WrongUse(f"running {path} raised {type(error).__name__}: {error}") from error
    return module


def _evaluated(text: str, scope: dict[str, Any], where: str) -> Any:
    try:
        return eval(text, dict(scope))
    except SyntaxError as error:
        raise WrongUse(f"{text!r} is no Python expression: {error.msg}") from error
    except NameError as error:
        known = sorted(
            name for name in scope if name.isidentifier() and not name.startswith("_") and name != "annotations"
        )
        shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
        raise WrongUse(f"{where} has no {error.name!r}; it has {shown or 'no public names'}") from error
    except Exception as error:
        raise WrongUse(f"evaluating {text!r} of {where} raised {type(error).__name__}: {error}") from error
