"""What the copy does with distributions and bijectors, and what that costs: a row of the table in the docs."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
tfp = pytest.importorskip("tensorflow_probability")

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def test_distributions_and_bijectors(kind):
    kind("TensorFlow Probability distribution, bijector", copied="of the same class, over the copied variables")
    location = tf.Variable(0.5)
    made = tfp.distributions.TransformedDistribution(tfp.distributions.Normal(location, 1.0), tfp.bijectors.Exp())
    value = made.sample(seed=[1, 2])
    want = float(made.log_prob(value))  # fills the bijector's cache
    with kind.counting() as spent:
        copied, own = graphcopy.copy((made, location))
    assert type(copied) is type(made) and len(copied.trainable_variables) == 1
    assert copied.trainable_variables[0] is own is not location
    own.assign(3.0)
    assert float(copied.log_prob(value)) != want == float(made.log_prob(value))
    assert spent.traces == 0
    kind.costs("its variables, once each", "no trace")
