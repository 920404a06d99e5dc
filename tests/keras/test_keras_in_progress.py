"""Copies taken in the midst of an epoch, a sequence, averages, callbacks, a step of one's own: Keras 3 and 2."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import numpy as np
from keras_twins import X, Y, fit, same, small, state, values

import graphcopy

pytestmark = [pytest.mark.tensorflow]
KEEP = graphcopy.tf_rules(traces="keep")


@pytest.fixture(params=["drop", "keep"])
def rules(request):
    """Traces dropped, and kept."""
    return [KEEP] if request.param == "keep" else []


# -- sequences -------------------------------------------------------------------------------------------------------

SEQUENCE = np.random.default_rng(3).normal(size=(4, 5, 2)).astype("float32")


def states_of(layer):
    found = layer.states
    return values(tf.nest.flatten(found))


@pytest.mark.parametrize("name", ["LSTM", "GRU", "SimpleRNN"])
def test_a_stateful_layer_goes_on_where_its_sequence_stands(lib, rules, name):
    layers = lib.layers
    first = {"batch_shape": (4, 5, 2)} if lib.__version__[0] == "3" else {"batch_input_shape": (4, 5, 2)}
    model = lib.Sequential([layers.InputLayer(**first), getattr(layers, name)(3, stateful=True), layers.Dense(1)])
    model.compile(lib.optimizers.SGD(0.05), "mse")
    ask = lambda each: each.predict(SEQUENCE, batch_size=4, verbose=0)
    fresh = ask(model)
    copied = graphcopy.copy(model, rules=rules)
    ours, theirs = model.layers[0], copied.layers[0]
    before = states_of(ours)
    assert all(value.any() for value in before) and same(states_of(theirs), before)
    assert not {id(v) for v in tf.nest.flatten(ours.states)} & {id(v) for v in tf.nest.flatten(theirs.states)}
    second = ask(copied)
    assert not np.allclose(second, fresh)
    assert same(states_of(ours), before), "a prediction of the copy moved the original's sequence"
    assert np.allclose(ask(model), second, atol=1e-6)
    assert same(states_of(ours), states_of(theirs), 1e-6)
    (theirs.reset_state if hasattr(theirs, "reset_state") else theirs.reset_states)()
    assert not any(value.any() for value in states_of(theirs)) and all(value.any() for value in states_of(ours))
    assert np.allclose(ask(copied), fresh, atol=1e-6)
    train = lambda each: each.fit(SEQUENCE, np.ones((4, 1)), batch_size=4, verbose=0, shuffle=False).history["loss"]
    (ours.reset_state if hasattr(ours, "reset_state") else ours.reset_states)(), ask(model)
    assert train(copied) == pytest.approx(train(model), rel=1e-5)


# -- optimizers ------------------------------------------------------------------------------------------------------


def test_averaged_weights_are_the_copys_own(lib, rules):
    model = small(lib, lib.optimizers.Adam(0.05, use_ema=True, ema_momentum=0.7, ema_overwrite_frequency=None))
    step = lambda each: [each.train_on_batch(X[at : at + 8], Y[at : at + 8]) for at in (0, 8)]
    step(model)  # the end of a fit would put the averages in the place of the weights
    copied = graphcopy.copy(model, rules=rules)
    averages = lambda each: values(each.optimizer._model_variables_moving_average)
    before = averages(model)
    assert len(before) == 4 and same(averages(copied), before)
    assert not same(before, values(model.trainable_variables)), "an average lags behind"
    step(copied)
    assert same(averages(model), before) and not same(averages(copied), before)
    step(model)
    assert same(averages(copied), averages(model), 1e-6)
    kept = values(model.trainable_variables)
    copied.optimizer.finalize_variable_values(copied.trainable_variables)
    assert same(values(copied.trainable_variables), averages(model), 1e-6)
    assert same(values(model.trainable_variables), kept)


def test_a_loss_scale_that_has_been_lowered_goes_on_from_there(lib, rules):
    if lib.__version__[0] == "3":
        home, scale = lib.optimizers, lambda each: float(np.array(each.optimizer.dynamic_scale))
    else:
        home, scale = lib.mixed_precision, lambda each: float(each.optimizer.loss_scale)
    inner = lib.optimizers.SGD(0.05)
    model = small(lib, home.LossScaleOptimizer(inner, initial_scale=64.0, dynamic_growth_steps=4))
    fit(model)
    model.train_on_batch(X[:8] * np.float32(np.inf), Y[:8])  # not finite: no step, and the scale is halved
    assert scale(model) == 32.0
    model.train_on_batch(X[:8], Y[:8])
    copied = graphcopy.copy(model, rules=rules)
    assert scale(copied) == 32.0
    before = state(model)
    scales = []
    for _ in range(3):
        fit(copied)
        scales.append(scale(copied))
    assert same(state(model), before), "training the copy changed the original"
    assert max(scales) == 64.0, "the scale grows again after four steps"
    ours = [(fit(model), scale(model))[1] for _ in range(3)]
    assert ours == scales
    assert same(state(copied), state(model), 1e-6)


def test_mixed_precision_as_the_global_policy(lib, rules):
    mixed = lib.mixed_precision
    choose = getattr(mixed, "set_global_policy", None) or mixed.set_dtype_policy
    choose("mixed_bfloat16")
    try:
        model = lib.Sequential([lib.Input((3,)), lib.layers.Dense(4), lib.layers.Dense(1, dtype="float32")])
        model.compile(lib.optimizers.Adam(0.05), "mse")
        fit(model)
        copied = graphcopy.copy(model, rules=rules)
    finally:
        choose("float32")
    assert copied.layers[0].compute_dtype == "bfloat16" and copied.layers[0].variable_dtype == "float32"
    before = state(model)
    theirs = fit(copied)
    assert same(state(model), before)
    assert fit(model)["loss"] == pytest.approx(theirs["loss"], rel=1e-2)
    assert same(values(copied.weights), values(model.weights), 1e-2)


def test_gradients_that_are_being_accumulated(lib, rules):
    if lib.__version__[0] == "2":
        pytest.skip("Keras 2 accumulates no gradients")
    model = small(lib, lib.optimizers.SGD(0.05, gradient_accumulation_steps=3))
    fit(model, epochs=2)  # four steps: one update, and one gradient that waits
    copied = graphcopy.copy(model, rules=rules)
    waiting = lambda each: values(each.optimizer._accumulated_gradients)
    before = waiting(model)
    assert any(value.any() for value in before) and same(waiting(copied), before)
    weights = values(model.weights)
    copied.train_on_batch(X[:8], Y[:8])
    assert same(values(copied.weights), weights), "the second of three only waits"
    assert same(waiting(model), before) and not same(waiting(copied), before)
    copied.train_on_batch(X[8:], Y[8:])
    assert not same(values(copied.weights), weights)
    model.train_on_batch(X[:8], Y[:8]), model.train_on_batch(X[8:], Y[8:])
    assert same(state(copied), state(model), 1e-6)


# -- callbacks -------------------------------------------------------------------------------------------------------


def callbacks_for(lib, folder):
    names = lib.callbacks
    return [
        names.EarlyStopping("loss", patience=2, min_delta=100.0),
        names.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=100.0),
        names.ModelCheckpoint(str(folder / "best.keras"), monitor="loss", save_best_only=True),
        names.LearningRateScheduler(lambda epoch, rate: rate * 0.9),
        names.TerminateOnNaN(),
        names.CSVLogger(str(folder / "log.csv"), append=True),
    ]


def test_callbacks_held_on_a_model_are_used_in_a_fit_that_goes_on(lib, rules, tmp_path):
    model = small(lib)
    model.hooks = callbacks_for(lib, tmp_path)
    train = lambda each, **more: fit(each, epochs=4, callbacks=list(each.hooks), **more)
    train(model)
    copied = graphcopy.copy(model, rules=rules)
    stop, slow, save, schedule, _, log = copied.hooks
    assert all(hook.__dict__.get("_model", hook.__dict__.get("model")) is copied for hook in copied.hooks)
    assert (stop.stopped_epoch, slow.wait, save.best) == tuple(
        getattr(hook, name) for hook, name in zip(model.hooks, ("stopped_epoch", "wait", "best"))
    )
    assert schedule.schedule(0, 1.0) == 0.9
    (tmp_path / "copy").mkdir()
    save.filepath, log.filename = str(tmp_path / "copy" / "best.keras"), str(tmp_path / "copy" / "log.csv")
    before, best = state(model), (tmp_path / "best.keras").read_bytes()
    theirs = train(copied)
    assert len(theirs["loss"]) == 3, "stopped early, with patience for two"
    assert same(state(model), before)
    assert (tmp_path / "best.keras").read_bytes() == best, "the copy saved to its own place"
    ours = train(model)
    assert ours.keys() == theirs.keys()
    assert all(np.allclose(ours[name], theirs[name], rtol=1e-5) for name in ours)
    assert same(state(copied), state(model), 1e-6)
    ask = lambda each: each.predict(X, verbose=0)
    loaded = [lib.models.load_model(path / "best.keras") for path in (tmp_path, tmp_path / "copy")]
    assert np.allclose(ask(loaded[0]), ask(loaded[1]), atol=1e-6)


class CopyAt:
    """Makes callbacks that copy the model, with its callbacks, in the midst of its training."""

    def __init__(self, lib, rules, **at):
        self.at, self.found, self.seen = at, {}, 0
        outer = self

        class Copying(lib.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                outer.seen += 1
                if outer.seen == outer.at.get("batches"):
                    outer.found["model"] = graphcopy.copy(self.model, rules=rules)

            def on_epoch_end(self, epoch, logs=None):
                if epoch == outer.at.get("epoch"):
                    outer.found["model"] = graphcopy.copy(self.model, rules=rules)

        self.callback = Copying()


def test_a_copy_taken_within_an_epoch_has_the_metrics_of_that_moment(lib, rules):
    model = small(lib, metrics=["mae"])
    at = CopyAt(lib, rules, batches=3)
    model.fit(X, Y, batch_size=4, epochs=1, verbose=0, shuffle=False, callbacks=[at.callback])
    copied = at.found["model"]
    count = lambda each: [float(v) for m in each.metrics for v in m.variables if "count" in v.name]
    assert max(count(copied)) in (3.0, 12.0) and max(count(model)) in (4.0, 16.0)
    seen = state(copied)
    assert not same(values(copied.weights), values(model.weights)), "the original has taken a step since"
    ours = model.test_on_batch(X[12:], Y[12:])
    assert same(state(copied), seen)
    copied.train_on_batch(X[12:], Y[12:])
    assert same(values(copied.weights), values(model.weights), 1e-6), "the copy took the step that was left"
    assert copied.test_on_batch(X[12:], Y[12:]) is not None and ours is not None


def test_a_copy_taken_between_epochs_goes_on_with_the_next(lib, rules):
    model = small(lib)
    model.hooks = [lib.callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=100.0)]
    at = CopyAt(lib, rules, epoch=1)
    whole = fit(model, epochs=4, callbacks=[*model.hooks, at.callback])
    copied = at.found["model"]
    (hook,) = copied.hooks
    assert hook.wait + hook.best > 0 and hook is not model.hooks[0]
    rate = float(np.array(copied.optimizer.learning_rate))
    assert rate == pytest.approx(0.025), "lowered once when it was copied"
    assert float(np.array(model.optimizer.learning_rate)) == pytest.approx(0.00625)
    rest = fit(copied, epochs=2, initial_epoch=1)
    assert rest["loss"][0] == pytest.approx(whole["loss"][2], rel=1e-5)


# -- steps of one's own ----------------------------------------------------------------------------------------------


def rivals(lib):
    """Two networks with an optimizer each, trained against one another, in a class without get_config."""

    class Rivals(lib.Model):
        def __init__(self, build):
            super().__init__()
            self.maker, self.judge = build(3), build(1)
            self.traced = []
            self.tracker = lib.metrics.Mean(name="judged")

        def compile(self, first, second):
            super().compile()
            self.first, self.second = first, second

        @property
        def metrics(self):
            return [self.tracker]

        def call(self, x):
            return self.judge(self.maker(x))

        def train_step(self, data):
            self.traced.append(1)
            x, y = data
            for optimizer, trained, sign in ((self.first, self.maker, -1.0), (self.second, self.judge, 1.0)):
                with tf.GradientTape() as tape:
                    loss = sign * tf.reduce_mean((self(x) - y) ** 2)
                slopes = tape.gradient(loss, trained.trainable_variables)
                optimizer.apply_gradients(zip(slopes, trained.trainable_variables))
            self.tracker.update_state(loss)
            return {"judged": self.tracker.result()}

    model = Rivals(lambda units: lib.Sequential([lib.layers.Dense(4, activation="tanh"), lib.layers.Dense(units)]))
    model.compile(lib.optimizers.Adam(0.02), lib.optimizers.SGD(0.02, momentum=0.9))
    return model


def test_a_step_of_ones_own_with_two_optimizers(lib, rules):
    model = rivals(lib)
    fit(model)
    optimizers = lambda each: [*values(each.first.variables), *values(each.second.variables)]
    traced = len(model.traced)
    copied = graphcopy.copy(model, rules=rules)
    before = [*values(model.weights), *optimizers(model)]
    assert same([*values(copied.weights), *optimizers(copied)], before)
    theirs = fit(copied)
    assert same([*values(model.weights), *optimizers(model)], before)
    assert fit(model)["judged"] == pytest.approx(theirs["judged"], rel=1e-5)
    assert same([*values(copied.weights), *optimizers(copied)], [*values(model.weights), *optimizers(model)], 1e-6)
    assert len(model.traced) == traced
    assert len(copied.traced) == traced or not rules
