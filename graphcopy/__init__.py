"""Surgery on Python object graphs: deep copies that can be trusted.

    copied = graphcopy.copy(model)

copies what ``copy.deepcopy``, pickle and dill cannot, or copy wrongly: traced tf.functions,
locks, closures, weak references. What cannot be copied is named, with its path and what to do.
Nothing is imported until it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparing.comparison import Comparison
    from .culprits import Culprit
    from .drawing.displaying import draw
    from .drawing.layout import DrawError
    from .errors import CopyError, LoadError, SignatureError, UntrustedError
    from .explaining.explanation import explain
    from .explaining.report import Report
    from .files.inspecting import FileInfo, inspect_file
    from .files.storing import dump, load
    from .installing.installation import Installation, install, installed, uninstall
    from .installing.methods import deepcopy_method, reduce_method
    from .planning import Plan
    from .public import compare, copy, plan, reference_graph
    from .receipts import Receipt
    from .rules.gpflow import gpflow_rules
    from .rules.keras import keras_rules
    from .rules.making import plain, prune, rebuild, refuse, replace, rule, share
    from .rules.own_globals import own_globals
    from .rules.python import python_rules
    from .rules.resources import resource_rules
    from .rules.ruleset import RuleSet
    from .rules.selecting import select
    from .rules.tensorflow import tf_rules
    from .rules.tf_keras import tf_keras_rules
    from .rules.tfp import tfp_rules
    from .rules.torch import torch_rules
    from .rules.traps import by_attributes, rekey_ids, weak_key_state
    from .rules.trieste import trieste_rules
    from .shipping.shipment import Shipment
    from .shipping.streams import dumps, loads

__version__ = "0.1.0"

_HOMES = {
    "compare": ".public",
    "copy": ".public",
    "plan": ".public",
    "reference_graph": ".public",
    "Plan": ".planning",
    "Culprit": ".culprits",
    "Receipt": ".receipts",
    "Comparison": ".comparing.comparison",
    "CopyError": ".errors",
    "Report": ".explaining.report",
    "explain": ".explaining.explanation",
    "RuleSet": ".rules.ruleset",
    "rule": ".rules.making",
    "plain": ".rules.making",
    "select": ".rules.selecting",
    "share": ".rules.making",
    "prune": ".rules.making",
    "replace": ".rules.making",
    "rebuild": ".rules.making",
    "refuse": ".rules.making",
    "python_rules": ".rules.python",
    "resource_rules": ".rules.resources",
    "Installation": ".installing.installation",
    "install": ".installing.installation",
    "installed": ".installing.installation",
    "uninstall": ".installing.installation",
    "deepcopy_method": ".installing.methods",
    "reduce_method": ".installing.methods",
    "DrawError": ".drawing.layout",
    "draw": ".drawing.displaying",
    "Shipment": ".shipping.shipment",
    "dump": ".files.storing",
    "inspect_file": ".files.inspecting",
    "load": ".files.storing",
    "FileInfo": ".files.inspecting",
    "LoadError": ".errors",
    "SignatureError": ".errors",
    "UntrustedError": ".errors",
    "dumps": ".shipping.streams",
    "loads": ".shipping.streams",
    "by_attributes": ".rules.traps",
    "own_globals": ".rules.own_globals",
    "rekey_ids": ".rules.traps",
    "weak_key_state": ".rules.traps",
    "torch_rules": ".rules.torch",
    "tf_rules": ".rules.tensorflow",
    "keras_rules": ".rules.keras",
    "tf_keras_rules": ".rules.tf_keras",
    "tfp_rules": ".rules.tfp",
    "gpflow_rules": ".rules.gpflow",
    "trieste_rules": ".rules.trieste",
}

__all__ = [
    "Comparison",
    "CopyError",
    "Culprit",
    "DrawError",
    "FileInfo",
    "Installation",
    "LoadError",
    "Plan",
    "Receipt",
    "Report",
    "RuleSet",
    "Shipment",
    "SignatureError",
    "UntrustedError",
    "by_attributes",
    "compare",
    "copy",
    "deepcopy_method",
    "draw",
    "dump",
    "dumps",
    "explain",
    "gpflow_rules",
    "inspect_file",
    "install",
    "installed",
    "keras_rules",
    "load",
    "loads",
    "own_globals",
    "plain",
    "plan",
    "prune",
    "python_rules",
    "rebuild",
    "reduce_method",
    "reference_graph",
    "refuse",
    "rekey_ids",
    "replace",
    "resource_rules",
    "rule",
    "select",
    "share",
    "tf_keras_rules",
    "tf_rules",
    "tfp_rules",
    "torch_rules",
    "trieste_rules",
    "uninstall",
    "weak_key_state",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
