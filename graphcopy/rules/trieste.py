"""Trieste: models, optimizers and acquisition states by their attributes.

Trieste's own hooks work around what copy.deepcopy and dill cannot do with Keras: the architecture goes
through JSON, the optimizer through dill, apart from the model whose variables it trains, so that a copy
cannot be trained on; on the way they change the original for a moment. None of it is needed here.

Facts from the sources of Trieste 4.6.
"""

from __future__ import annotations

from typing import Any

from .attributewise import attributewise, decides_for_itself
from .making import rule
from .ruleset import RuleSet

__all__ = ["trieste_rules"]


@rule(
    "trieste.models.optimizer.BatchOptimizer",
    "trieste.models.optimizer.KerasOptimizer",
    "trieste.models.gpflow.interface.GPflowPredictor",
    "trieste.models.gpflow.optimizer._TrainingLossClosureBuilder",
    "trieste.models.keras.architectures.KerasEnsemble",
    "trieste.models.keras.models.DeepEnsemble",
    "trieste.models.gpflux.models.DeepGaussianProcess",
    "trieste.models.interfaces.TrajectoryFunctionClass",
    "trieste.acquisition.rule.BatchTrustRegionState",
)
def by_its_attributes(node: Any) -> Any:
    "A model, its optimizer or a state of an acquisition rule is copied by its attributes, weights and slots included."
    if decides_for_itself(node.type, "trieste", state=True):
        return NotImplemented
    return attributewise(node.obj)


trieste_rules = RuleSet("trieste", [by_its_attributes], library="trieste", description="Trieste models and optimizers")
