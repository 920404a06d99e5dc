"""compare proves the copy of a Keras model in training right: tables of ids name the copies, types stay."""

from __future__ import annotations

import numpy as np
import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy
from graphcopy.testing import assert_copyable

pytestmark = pytest.mark.tensorflow


@pytest.fixture(params=["keras", "tf_keras"])
def keras(request):
    return pytest.importorskip(request.param)


def sequential(keras):
    return keras.Sequential(
        [keras.layers.Input((3,)), keras.layers.Dense(4), keras.layers.Dropout(0.1), keras.layers.Dense(1)]
    )


def functional(keras):
    inputs = keras.layers.Input((3,))
    return keras.Model(inputs, keras.layers.Dense(1)(keras.layers.Dense(4)(inputs)))


def subclassed(keras):
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.first, self.last = keras.layers.Dense(4), keras.layers.Dense(1)

        def call(self, x):
            return self.last(self.first(x))

    return Net()


def trained(keras, make):
    model = make(keras)
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
    return model


@pytest.mark.parametrize("make", [sequential, functional, subclassed])
def test_a_copy_is_proved_right(keras, make):
    model = trained(keras, make)
    copied, receipt = graphcopy.copy(model, receipt=True)
    found = graphcopy.compare(model, copied, receipt=receipt)
    assert found.ok, str(found)
    assert_copyable(model)


@pytest.mark.parametrize("make", [sequential, functional])
def test_the_optimizers_tables_keep_their_types(keras, make):
    model = trained(keras, make)
    copied = graphcopy.copy(model)
    for name, value in vars(model.optimizer).items():
        assert type(vars(copied.optimizer)[name]) is type(value), name


def test_a_table_that_names_another_variable_is_told(keras):
    model = trained(keras, sequential)
    copied, receipt = graphcopy.copy(model, receipt=True)
    name = next(name for name in ("_trainable_variables_indices", "_index_dict") if hasattr(model.optimizer, name))
    table = getattr(copied.optimizer, name)
    table = getattr(table, "__wrapped__", table)
    first, second = list(table)[:2]
    table[first], table[second] = table[second], table[first]
    assert not graphcopy.compare(model, copied, receipt=receipt).ok
