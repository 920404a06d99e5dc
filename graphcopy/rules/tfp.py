"""TensorFlow Probability: distributions, bijectors, kernels and deferred tensors.

Some 45 of these classes have a ``__new__`` that wants the constructor's arguments, and many of the rest
choose there which class to make: so nothing that calls ``__new__`` or goes by ``parameters`` keeps the
identity of the variables inside. They are copied by their attributes. What a joint distribution keeps
for a graph, under the graph's id, belongs to a trace that the copy does not have.

Facts from the sources of tensorflow_probability 0.25. The cache of the bijectors is global and weak
since 0.12, and compares variables by identity: nothing of it is in an object.
"""

from __future__ import annotations

from typing import Any

from .attributewise import attributewise, decides_for_itself
from .making import immutable, rule
from .ruleset import RuleSet

__all__ = ["tfp_rules"]

_PYTHON = "tensorflow_probability.python."
_PACKAGES = ("tensorflow_probability", "tensorflow", "tf_keras", "keras", "gpflow", "gpflux", "trieste")


@rule(_PYTHON + "distributions.joint_distribution.JointDistribution")
def joint_distribution(node: Any) -> Any:
    "A joint distribution keeps its model; what it found out by running it is found out again."
    if decides_for_itself(node.type, *_PACKAGES):
        return NotImplemented
    return attributewise(node.obj, instead={"_single_sample_distributions": {}}, without=["_cached_static_attributes"])


@rule(
    _PYTHON + "distributions.distribution.Distribution",
    _PYTHON + "bijectors.bijector.Bijector",
    _PYTHON + "math.psd_kernels.positive_semidefinite_kernel.PositiveSemidefiniteKernel",
    _PYTHON + "util.deferred_tensor.DeferredTensor",
    _PYTHON + "internal.auto_composite_tensor.AutoCompositeTensor",
)
def by_its_attributes(node: Any) -> Any:
    "A distribution, bijector or kernel is copied by its attributes: its __new__ wants arguments."
    if decides_for_itself(node.type, *_PACKAGES):
        return NotImplemented
    return attributewise(node.obj)


constants = immutable(
    "FULLY_REPARAMETERIZED and NOT_REPARAMETERIZED are compared by identity: they are shared.",
    _PYTHON + "internal.reparameterization.ReparameterizationType",
)

tfp_rules = RuleSet(
    "tfp",
    [joint_distribution, by_its_attributes, constants],
    library="tensorflow_probability",
    description="TensorFlow Probability distributions, bijectors, kernels",
)
