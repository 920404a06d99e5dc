"""What the copy does with each kind of object of Keras, and what that costs, counted: rows of the table in the docs."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import numpy as np
from keras_twins import X, Y, fit, same, small, state, values

import graphcopy

pytestmark = [pytest.mark.tensorflow]
KEEP = graphcopy.tf_rules(traces="keep")


def generation(lib):
    return f"Keras {lib.__version__[0]}"


def made_anew(ours, theirs):
    """How often the bytes of our variables stand in those of the copy: once, where none is shared and none doubled."""
    handle = lambda v: v.handle if hasattr(v, "handle") else v.value.handle
    handles = lambda variables: {id(handle(v)) for v in variables}
    assert not handles(ours) & handles(theirs)
    size = lambda variables: sum(np.array(v).nbytes for v in {id(v): v for v in variables}.values())
    return size(theirs) / size(ours)


@pytest.mark.parametrize("keep", [False, True], ids=["drop", "keep"])
def test_models(lib, kind, keep):
    option = ', with `tf_rules(traces="keep")`' if keep else ""
    what = "own weights, optimizer, metrics; goes on in step; saved and loaded like the original"
    kind(f"{generation(lib)} model, compiled and trained{option}", copied=what)
    model = small(lib, metrics=["mae"])
    with kind.counting() as new:
        fit(model)
    with kind.counting() as copying:
        copied = graphcopy.copy(model, rules=[KEEP] if keep else [])
    assert same(state(copied), state(model))
    with kind.counting() as first:
        theirs = fit(copied)
    with kind.counting() as ours:
        assert fit(model)["loss"] == pytest.approx(theirs["loss"], rel=1e-5)
    assert same(state(copied), state(model), 1e-6)
    assert made_anew(model.variables, copied.variables) == 1
    assert copying.traces == 0
    assert ours.traces < first.traces <= new.traces if not keep else first.traces == ours.traces  # that of its data
    again = "no trace" if keep else "no more traces than a new model makes"
    kind.costs("its variables, once each", "no trace when it is copied", f"{again} at its first fit")


def test_models_of_ones_own_class(lib, kind):
    kind(f"{generation(lib)} model of a class without get_config", copied="the same, without calling the constructor")
    calls = []

    class Own(lib.Model):
        def __init__(self, build):
            super().__init__()
            calls.append(1)
            self.inner, self.notes = build(1), {"seen": [1]}

        def call(self, x):
            return self.inner(x)

    model = Own(lambda units: lib.layers.Dense(units))
    model.compile(lib.optimizers.SGD(0.05), "mse")
    fit(model)
    copied = graphcopy.copy(model)
    assert len(calls) == 1 and copied.notes == {"seen": [1]} and copied.notes is not model.notes
    theirs = fit(copied)
    assert fit(model)["loss"] == pytest.approx(theirs["loss"], rel=1e-5)
    assert made_anew(model.variables, copied.variables) == 1
    kind.costs("its variables, once each")


def test_optimizers(lib, kind):
    kind(f"{generation(lib)} optimizer", copied="own slots and counts, filed under the copied variables")
    model = small(lib)
    fit(model)
    copied = graphcopy.copy(model)
    found = lambda each: each.optimizer.variables() if callable(each.optimizer.variables) else each.optimizer.variables
    assert made_anew(found(model), found(copied)) == 1
    fit(copied)
    assert int(np.array(model.optimizer.iterations)) == 2 and int(np.array(copied.optimizer.iterations)) == 4
    assert len(found(copied)) == len(found(model))
    kind.costs("its variables, once each")


def test_metrics(lib, kind):
    kind(f"{generation(lib)} metric", copied="own variables, in the midst of its count")
    metric = lib.metrics.Mean()
    metric.update_state([1.0, 2.0])
    copied = graphcopy.copy(metric)
    copied.update_state([9.0])
    assert (float(metric.result()), float(copied.result())) == (1.5, 4.0)
    assert made_anew(metric.variables, copied.variables) == 1
    kind.costs("its variables, once each")


def test_random_layers(lib, kind):
    layer = lib.layers.Dropout(0.5, seed=3)
    draw = tf.function(lambda x: layer(x, training=True))
    first = draw(X)
    copied = graphcopy.copy(draw)
    theirs = copied(X)
    if generation(lib) == "Keras 2":
        kind("Keras 2 layer that draws random numbers", copied="its stream starts anew, as in a new trace")
        assert same([theirs], [tf.function(lambda x: layer(x, training=True))(X)])
        assert not same([draw(X)], [first])
        kind.costs("nothing: it has no state in Python")
    else:
        kind("Keras 3 layer that draws random numbers", copied="own seed generator, at the same point")
        assert not same([theirs], [first])
        assert same([draw(X)], [theirs])
        assert tuple(layer.seed_generator.state.shape) == (2,)
        kind.costs("one variable of two numbers")


def test_vocabularies(lib, kind):
    kind(f"{generation(lib)} vocabulary (StringLookup, TextVectorization)", copied="own tables with the same content")
    lookup, text = lib.layers.StringLookup(vocabulary=["red"]), lib.layers.TextVectorization(output_sequence_length=2)
    text.adapt(tf.constant(["red car"]))
    words = tf.constant(["red", "blue"])
    copied = graphcopy.copy([lookup, text])
    assert same([each(words) for each in copied], [lookup(words), text(words)])
    copied[0].set_vocabulary(["blue", "red"])
    assert (copied[0](words).numpy().tolist(), lookup(words).numpy().tolist()) == ([2, 1], [1, 0])
    assert copied[1].get_vocabulary() == text.get_vocabulary()
    kind.costs("their content, once")


def test_callbacks(lib, kind, tmp_path):
    kind(f"{generation(lib)} callbacks and histories", copied="own counts and bests, over the copied model")
    model = small(lib)
    stop = lib.callbacks.EarlyStopping("loss", patience=3)
    save = lib.callbacks.ModelCheckpoint(str(tmp_path / "best.keras"), monitor="loss", save_best_only=True)
    model.fit(X, Y, verbose=0, callbacks=[stop, save])
    before = sorted(tmp_path.iterdir())
    copied, hooks = graphcopy.copy((model, [stop, save]))
    assert all(hook.model is copied for hook in hooks) and stop.model is model
    assert copied.history.model is copied and copied.history.history == model.history.history
    assert (hooks[0].best, hooks[1].best) == (stop.best, save.best)
    assert sorted(tmp_path.iterdir()) == before
    fit(copied, callbacks=hooks)
    kind.costs("no file when they are copied; a checkpoint is saved at the same path")


def test_losses_over_variables(lib, kind):
    kind(f"{generation(lib)} loss or metric that closes over a variable", copied="over the copied variable")
    factor = tf.Variable(2.0)
    model = small(lib)
    model.compile(lib.optimizers.SGD(0.0), lambda a, b: factor * tf.reduce_mean((a - b) ** 2))
    copied, own = graphcopy.copy((model, factor))
    own.assign(0.0)
    assert fit(copied)["loss"] == [0.0] and fit(model)["loss"][0] > 0.0
    assert values([factor]) == [2.0]
    kind.costs("nothing more")
