"""What explain says of a Keras model for tools that copy it by saving and loading it, and whether that is true."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

keras = pytest.importorskip("keras")

import graphcopy

pytestmark = pytest.mark.tensorflow


def trained():
    if int(keras.__version__.split(".")[0]) < 3:
        pytest.skip("needs Keras 3")
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
    return model


@pytest.mark.parametrize(("backend", "tool"), [("deepcopy", copy.deepcopy), ("pickle", pickle.dumps)])
def test_what_an_archive_leaves_behind_is_no_hazard(backend, tool):
    """The functions that hold the model are made again by loading: none of them is shared."""
    model = trained()
    report = graphcopy.explain([model], backend=backend)
    assert report.ok and report.hazards == [], str(report)
    tool([model])


def test_trackers_know_the_copies():
    """Their tables are keyed by ids, and the rules key them anew."""
    report = graphcopy.explain(trained())
    assert report.ok and report.hazards == [], str(report)
