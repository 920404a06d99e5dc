"""What users of Keras 3 reported of copied or pickled models, each report as a test.

The reports are named in the docstrings; the tests say what a right copy does.
"""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras", minversion="3.0")

import numpy as np

import graphcopy

pytestmark = [pytest.mark.tensorflow]
X = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
Y = X.sum(1, keepdims=True)
layers = keras.layers


def same(one, other):
    return len(one) == len(other) and all(np.array_equal(np.array(a), np.array(b)) for a, b in zip(one, other))


def fit(model, epochs=1):
    return model.fit(X, Y, epochs=epochs, batch_size=8, verbose=0, shuffle=False)


def test_a_compiled_trained_model_with_attributes_of_its_own():
    """tensorflow/tensorflow#34697: "can't pickle _thread.RLock objects" for a Sequential model."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    model.layers[0].trainable = False
    model.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
    fit(model, 2)
    model.tag = {"run": 17}
    copied = graphcopy.copy(model)
    assert np.array_equal(model.predict(X, verbose=0), copied.predict(X, verbose=0))
    assert same(model.optimizer.variables, copied.optimizer.variables)
    assert copied.layers[0].trainable is False
    function = model.train_function
    fit(copied)
    assert (int(model.optimizer.iterations), int(copied.optimizer.iterations)) == (4, 6)
    fit(model)
    assert model.train_function is function
    assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(model.get_weights(), copied.get_weights()))
    assert copied.tag == {"run": 17}
    assert copied.tag is not model.tag


class Net(keras.Model):
    """Not registered, without get_config, with a train step and state of its own."""

    def __init__(self, units):
        super().__init__()
        self.hidden, self.out = layers.Dense(units, activation="relu"), layers.Dense(1)
        self.tracker = keras.metrics.Mean(name="loss")
        self.temperature = tf.Variable(2.0, trainable=False)
        self.traces, self.stats = 0, {"seen": 0}

    def call(self, x):
        return self.out(self.hidden(x)) / self.temperature

    def train_step(self, data):
        x, y = data
        self.traces += 1
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}

    @tf.function
    def infer(self, x):
        return self(x)


def test_a_subclassed_model_that_nobody_registered():
    """tensorflow/tensorflow#33283: a subclassed model cannot be pickled."""
    keras.utils.set_random_seed(2)
    model = Net(4)
    model.compile(keras.optimizers.Adam(0.01))
    fit(model, 2)
    model.infer(X)
    model.temperature.assign(4.0)
    model.stats["seen"] = 16
    copied = graphcopy.copy(model)
    want = model.infer(X).numpy()
    assert np.allclose(copied.infer(X), want)
    assert float(copied.temperature) == 4.0
    assert copied.stats == {"seen": 16}
    count = model.traces
    fit(copied)
    copied.temperature.assign(1.0)
    assert np.allclose(model.infer(X), want)
    assert not np.allclose(copied.infer(X), want)
    copied.temperature.assign(4.0)
    fit(model)
    assert model.traces == count, "the original was traced again"
    assert np.allclose(model.infer(X), copied.infer(X), atol=1e-5)
    assert copied.hidden is copied.layers[0]
    assert copied.tracker is not model.tracker


def test_aliases_between_objects_that_can_be_saved():
    """Model, optimizer and list of variables refer to the same things in the copy."""
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((3,)), layers.Dense(1)])
    optimizer = keras.optimizers.Adam(0.1)
    model.compile(optimizer, "mse")
    state = {"model": model, "optimizer": optimizer, "params": model.trainable_variables, "dense": model.layers[0]}
    state["history"] = fit(model)
    copied = graphcopy.copy(state)
    assert copied["model"].optimizer is copied["optimizer"]
    assert copied["model"].layers[0] is copied["dense"]
    assert all(a is b for a, b in zip(copied["params"], copied["model"].trainable_variables))
    assert copied["history"].model is copied["model"]


def test_metrics_and_optimizers_that_stand_alone():
    """Their state is not lost, as it is in an archive of the object."""
    mean, weight, optimizer = keras.metrics.Mean(), keras.Variable([1.0, 2.0]), keras.optimizers.Adam(0.1)
    mean.update_state([1.0, 5.0])
    step = lambda opt, var: opt.apply([tf.constant([1.0, 1.0])], [var])
    step(optimizer, weight)
    copied = graphcopy.copy({"mean": mean, "weight": weight, "optimizer": optimizer})
    assert float(copied["mean"].result()) == 3.0
    copied["mean"].reset_state()
    assert float(mean.result()) == 3.0
    step(copied["optimizer"], copied["weight"])
    step(optimizer, weight)
    assert same([weight, *optimizer.variables], [copied["weight"], *copied["optimizer"].variables])


class Sampler:
    def __init__(self):
        self.seeds, self.drop = keras.random.SeedGenerator(5), layers.Dropout(0.5, seed=11)
        self.scale = tf.Variable(1.0)
        self.draw = tf.function(self._draw)

    def _draw(self):
        return self.scale * keras.random.normal((3,), seed=self.seeds)


def test_seed_generators_hold_a_module_and_a_stream():
    sampler, ones = Sampler(), np.ones((1, 64), "float32")
    sampler.draw(), sampler.draw(), sampler.drop(ones, training=True)
    copied = graphcopy.copy(sampler)
    count = sampler.draw.experimental_get_tracing_count()
    assert copied.seeds.backend is sampler.seeds.backend
    one, two = copied.draw().numpy(), copied.draw().numpy()
    assert np.allclose(one, sampler.draw())
    assert np.allclose(two, sampler.draw())
    assert not np.allclose(one, two)
    assert np.array_equal(copied.drop(ones, training=True), sampler.drop(ones, training=True))
    copied.scale.assign(0.0)
    assert not copied.draw().numpy().any()
    assert sampler.draw().numpy().any()
    assert sampler.draw.experimental_get_tracing_count() == count


class Encoder:
    def __init__(self):
        self.lookup = layers.StringLookup(vocabulary=["red", "green"])
        self.text = layers.TextVectorization(output_sequence_length=3)
        self.text.adapt(tf.constant(["red car", "green car"]))
        self.table = tf.Variable(tf.reshape(tf.range(6.0), [3, 2]))
        self.layers = [self.lookup, self.text]
        self.encode = tf.function(self._encode)

    def _encode(self, words):
        return tf.gather(self.table, self.lookup(words)), self.text(words)


def test_lookup_layers_have_tables_of_their_own():
    """keras-team/keras#16503: a StringLookup layer cannot be pickled."""
    encoder, words = Encoder(), tf.constant(["red", "blue"])
    out = lambda each: [t.numpy().tolist() for t in each.encode(words)]
    want = out(encoder)
    count = encoder.encode.experimental_get_tracing_count()
    copied = graphcopy.copy(encoder)
    assert out(copied) == want
    assert copied.layers[0] is copied.lookup
    assert copied.layers[1] is copied.text
    copied.table.assign(tf.zeros([3, 2]))
    assert out(copied)[0] == [[0.0, 0.0], [0.0, 0.0]]
    copied.lookup.set_vocabulary(["blue", "red"])
    assert copied.lookup(words).numpy().tolist() == [2, 1]
    assert encoder.lookup(words).numpy().tolist() == [1, 0]
    assert out(encoder) == want
    assert encoder.encode.experimental_get_tracing_count() == count


class Estimator:
    """In the manner of scikit-learn: the model is made when it is fitted."""

    def __init__(self, build, callbacks=()):
        self.build, self.callbacks = build, callbacks

    def partial_fit(self):
        if not hasattr(self, "model_"):
            self.optimizer_ = keras.optimizers.Adam(0.05)
            self.model_ = self.build(self.optimizer_)
            self.predict_ = tf.function(lambda t: self.model_(t, training=False))
        self.history_ = self.model_.fit(X, Y, verbose=0, shuffle=False, callbacks=list(self.callbacks))
        return self


def build(optimizer):
    keras.utils.set_random_seed(4)
    model = keras.Sequential([keras.Input((3,)), layers.Dense(3, activation="tanh"), layers.Dense(1)])
    model.compile(optimizer, "mse")
    return model


def test_a_fitted_estimator_around_a_model():
    """sktime/sktime#10712: the deep copy of a fitted estimator loses its model."""
    estimator = Estimator(build, (keras.callbacks.TerminateOnNaN(),)).partial_fit()
    out = lambda each: each.predict_(tf.constant(X)).numpy()
    before = out(estimator)
    count = estimator.predict_.experimental_get_tracing_count()
    copied = graphcopy.copy(estimator)
    assert np.array_equal(out(copied), before)
    assert copied.history_.model is copied.model_
    assert copied.history_.history == estimator.history_.history
    assert copied.model_.optimizer is copied.optimizer_
    copied.partial_fit()
    assert np.array_equal(out(estimator), before)
    assert not np.array_equal(out(copied), before)
    estimator.partial_fit()
    assert np.allclose(out(estimator), out(copied), atol=1e-5)
    assert estimator.predict_.experimental_get_tracing_count() == count


class Agent:
    """Two networks over one embedding, an optimizer, a replay memory, traced functions."""

    def __init__(self):
        keras.utils.set_random_seed(6)
        self.embed = layers.Dense(4, activation="tanh", name="embed")
        self.online, self.target = self._net(), self._net()
        self.opt, self.replay = keras.optimizers.RMSprop(0.01), [X[:2], X[2:]]
        self.learn = tf.function(self._learn)
        self.act = tf.function(lambda s: tf.argmax(self.online(s), 1))

    def _net(self):
        inputs = keras.Input((3,))
        return keras.Model(inputs, layers.Dense(2)(self.embed(inputs)))

    def _learn(self, states):
        with tf.GradientTape() as tape:
            goal = tf.stop_gradient(self.target(states)) + 1.0
            loss = tf.reduce_mean((self.online(states) - goal) ** 2)
        variables = self.online.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


def test_an_agent_with_two_networks_that_share_a_layer():
    """keras-team/keras#1765: a deep copy of a network."""
    agent = Agent()
    for states in agent.replay:
        agent.learn(states), agent.act(states)
    out = lambda each: [each.online(X).numpy(), each.target(X).numpy()]
    before, count = out(agent), agent.learn.experimental_get_tracing_count()
    copied = graphcopy.copy(agent)
    assert same(out(copied), before)
    assert copied.online.get_layer("embed") is copied.embed is copied.target.get_layer("embed")
    copied.learn(X[:2]), copied.replay.pop()
    assert same(out(agent), before)
    assert len(agent.replay) == 2
    agent.learn(X[:2])
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(out(agent), out(copied)))
    for variable in copied.online.trainable_variables:
        variable.assign(tf.zeros_like(variable))
    copied.online.layers[-1].bias.assign([0.0, 1.0])
    assert copied.act(X[:4]).numpy().tolist() == [1] * 4
    assert agent.learn.experimental_get_tracing_count() == count
