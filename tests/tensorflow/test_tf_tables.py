"""Lookup tables come with their content, and share nothing with the original."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def test_tables_in_a_traced_function():
    fixed = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int64)), -1)
    extra = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    extra.insert(["c"], tf.constant([2], tf.int64))
    find = tf.function(lambda words: tf.maximum(fixed.lookup(words), extra.lookup(words)))
    words = tf.constant(["a", "c", "z"])
    ids = lambda state: state["find"](words).numpy().tolist()
    state = {"fixed": fixed, "extra": extra, "find": find}
    assert ids(state) == [0, 2, -1]
    copied = graphcopy.copy(state)
    assert copied["fixed"] is not fixed
    copied["extra"].insert(["z"], tf.constant([9], tf.int64))
    assert ids(copied) == [0, 2, 9]
    assert ids(state) == [0, 2, -1]
    assert int(extra.size()) == 1
