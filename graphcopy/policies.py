"""Which rules are in force: those given, then the sets whose library is awake, then plain Python's."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from .plugins import awake_libraries, plugged_in
from .resolving import Policy
from .rules.rule import Rule
from .rules.ruleset import RuleSet, flatten

__all__ = ["SHIPPED", "awake", "policy_for", "rules_in_force"]

SHIPPED: dict[str, tuple[str, str]] = {
    "httpcore": ("graphcopy.rules.clients", "httpcore_rules"),
    "urllib3": ("graphcopy.rules.clients", "urllib3_rules"),
    "botocore": ("graphcopy.rules.clients", "botocore_rules"),
    "sqlalchemy": ("graphcopy.rules.sqlalchemy", "sqlalchemy_rules"),
    "pydantic_core": ("graphcopy.rules.pydantic", "pydantic_rules"),
    "rich": ("graphcopy.rules.rich", "rich_rules"),
    "torch": ("graphcopy.rules.torch", "torch_rules"),
    "tensorflow": ("graphcopy.rules.tensorflow", "tf_rules"),
    "keras": ("graphcopy.rules.keras", "keras_rules"),
    "tf_keras": ("graphcopy.rules.tf_keras", "tf_keras_rules"),
    "tensorflow_probability": ("graphcopy.rules.tfp", "tfp_rules"),
    "gpflow": ("graphcopy.rules.gpflow", "gpflow_rules"),
    "trieste": ("graphcopy.rules.trieste", "trieste_rules"),
}
"""Library to (module, name) of the rule set that serves it."""

_CACHED = 64
_policies: dict[tuple[Any, ...], Policy] = {}


def awake() -> tuple[RuleSet, ...]:
    """The rule sets whose library is imported: the shipped ones, then those of other packages."""
    shipped = [
        getattr(import_module(module), name) for library, (module, name) in SHIPPED.items() if library in sys.modules
    ]
    return (*shipped, *plugged_in())


def rules_in_force(rules: Any = (), defaults: bool = True) -> tuple[Rule, ...]:
    """All rules in order: those given, those of awake libraries, plain Python's."""
    everything = list(flatten(rules)) if rules else []
    if defaults:
        from .rules.python import python_rules

        everything += [each for rule_set in awake() for each in rule_set]
        everything += python_rules
    return tuple(everything)


def policy_for(rules: Any = (), defaults: bool = True) -> Policy:
    """The policy for *rules*; the same rules give the same policy."""
    given: tuple[Rule, ...] = tuple(flatten(rules)) if rules else ()
    libraries = tuple(filter(sys.modules.__contains__, SHIPPED)) if defaults else ()
    key = (given, libraries, awake_libraries() if defaults else (), defaults)
    policy = _policies.get(key)
    if policy is None:
        policy = Policy(rules_in_force(given, defaults), len(given))
        while len(_policies) >= _CACHED:
            _policies.pop(next(iter(_policies)), None)
        _policies[key] = policy
    return policy
