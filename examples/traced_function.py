"""Copy a tf.function that has been called: the case graphcopy was born from.

Prints what it shows: traces before and after, values, and that each side has its own variable.
"""

from __future__ import annotations

import copy
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf

import graphcopy


def make() -> tf.types.experimental.PolymorphicFunction:
    """Make a tf.function over a variable of its own."""
    weight = tf.Variable(2.0)

    @tf.function(reduce_retracing=True)
    def scale(x: tf.Tensor) -> tf.Tensor:
        return weight * x

    scale.weight = weight
    return scale


three = tf.constant(3.0)
scale = make()
print("before its first call copy.deepcopy gives:", type(copy.deepcopy(scale)).__name__)
print("scale(3) =", float(scale(three)))
print("traces of the original:", scale.experimental_get_tracing_count())
try:
    copy.deepcopy(scale)
except Exception as error:
    print("after it copy.deepcopy raises:", type(error).__name__, "-", str(error).splitlines()[0])

copied = graphcopy.copy(scale)
print()
print("graphcopy.copy(scale) gives:", type(copied).__name__)
print("traces of the copy before its first call:", copied.experimental_get_tracing_count())
print("copied(3) =", float(copied(three)))
print("traces of the copy:", copied.experimental_get_tracing_count())
print("traces of the original, untouched:", scale.experimental_get_tracing_count())

copied.weight.assign(10.0)
print()
print("after copied.weight.assign(10):")
print("copied(3) =", float(copied(three)))
print("scale(3) =", float(scale(three)))
assert float(copied(three)) == 30.0
assert float(scale(three)) == 6.0
assert scale.experimental_get_tracing_count() == 1
