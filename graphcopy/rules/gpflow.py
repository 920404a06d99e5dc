"""GPflow: models are plain modules; only what its optimizers compiled is left behind.

The parameters are deferred tensors of TensorFlow Probability, the layers of GPflux are Keras 2 layers:
their rules are in ``tfp`` and ``tf_keras``. Neither ``gpflow.utilities.deepcopy``, which empties the
caches of the original's bijectors, nor ``freeze`` is needed.

Facts from the sources of GPflow 2.11 and GPflux 0.4.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from .attributewise import attributewise, decides_for_itself
from .making import because, rule, share
from .ruleset import RuleSet

__all__ = ["gpflow_rules"]


@rule("gpflow.optimizers.scipy.Scipy")
def scipy_optimizer(node: Any) -> Any:
    "The Scipy optimizer's cache holds functions compiled over the original's variables: the copy starts with none."
    if decides_for_itself(node.type, "gpflow"):
        return NotImplemented
    return attributewise(node.obj, instead={"compile_cache": OrderedDict()})


dispatchers = because(
    "A dispatcher is a table of functions by type and belongs to the program: it is shared.",
    share("multipledispatch.dispatcher.Dispatcher"),
)

gpflow_rules = RuleSet(
    "gpflow", [scipy_optimizer, dispatchers], library="gpflow", description="GPflow optimizers and dispatchers"
)
