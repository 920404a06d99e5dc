"""Keras models of every build, compiled and trained."""

from __future__ import annotations

import pytest

pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras", minversion="3.0")

import numpy as np
import tensorflow as tf
from keras import layers
from keras_twins import X, Y, check_pair, check_twins, fit, same, weights

import graphcopy

pytestmark = [pytest.mark.tensorflow]


def small(*more, **compile_options):
    model = keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="relu"), *more, layers.Dense(1)])
    model.compile(**{"optimizer": keras.optimizers.Adam(0.01), "loss": "mse", **compile_options})
    return model


def test_sequential():
    model = small(metrics=["mae", keras.metrics.RootMeanSquaredError()])
    model.layers[0].trainable = False
    model.tag = {"run": 17}
    fit(model)
    copied = check_twins(model)
    assert copied.tag == {"run": 17}
    assert copied.tag is not model.tag
    assert copied.layers[0].trainable is False
    assert copied.name == model.name


def test_sequential_that_is_not_built_yet():
    model = keras.Sequential([layers.Dense(2), layers.Dense(1)])
    model.compile("sgd", "mse")
    copied = graphcopy.copy(model)
    assert not copied.built
    fit(copied)
    assert copied.built
    assert not model.built


def test_functional_with_two_inputs_and_two_outputs():
    a, b = keras.Input((3,), name="a"), keras.Input((3,), name="b")
    shared = layers.Dense(4, name="shared")
    both = layers.Concatenate()([shared(a), shared(b)])
    one, two = layers.Dense(1, name="one")(both), layers.Dense(1, name="two")(both + 1.0)
    model = keras.Model({"a": a, "b": b}, {"one": one, "two": two})
    model.compile("rmsprop", {"one": "mse", "two": "mae"}, metrics={"one": ["mae"]}, loss_weights={"one": 1, "two": 2})
    data = {"a": X, "b": 2 * X}
    train = lambda each: fit(each, data, {"one": Y, "two": -Y})
    train(model)
    copied = check_twins(model, train, data)
    assert copied.get_layer("shared") is not model.get_layer("shared")
    assert copied.get_config() == model.get_config()


def test_functional_model_saves_and_loads(tmp_path):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Dense(1)(layers.BatchNormalization()(layers.Dense(4)(inputs))))
    model.compile("adam", "mse")
    fit(model)
    copied = graphcopy.copy(model)
    copied.save(tmp_path / "copied.keras")
    loaded = keras.models.load_model(tmp_path / "copied.keras")
    assert np.allclose(loaded.predict(X, verbose=0), model.predict(X, verbose=0), atol=1e-6)
    assert same(weights(loaded), weights(model), 1e-6)
    copied.save_weights(tmp_path / "copied.weights.h5")
    fit(model)
    model.load_weights(tmp_path / "copied.weights.h5")
    assert same([np.array(w) for w in model.weights], [np.array(w) for w in copied.weights])
    copied.export(tmp_path / "exported", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "exported")
    served = loaded.serve(X)
    assert np.allclose(served, copied.predict(X, verbose=0), atol=1e-5)


def test_clone_and_reuse_of_a_copied_functional_model():
    inputs = keras.Input((3,))
    hidden = layers.Dense(4, name="hidden")(inputs)
    model = keras.Model(inputs, layers.Dense(1)(hidden))
    copied = graphcopy.copy(model)
    part = keras.Model(copied.inputs, copied.get_layer("hidden").output)
    assert part.layers[-1] is copied.get_layer("hidden")
    assert part(X).shape == (16, 4)
    clone = keras.models.clone_model(copied)
    assert len(clone.layers) == 3


class Plain(keras.Model):
    """Subclassed, without get_config, with a constructor that takes what cannot be serialised."""

    def __init__(self, build_layer):
        super().__init__()
        self.blocks = [build_layer(4), build_layer(4)]
        self.heads = {"out": layers.Dense(1)}
        self.scale = tf.Variable(2.0, trainable=False)
        self.gain = self.add_weight(name="gain", shape=(), initializer="ones")

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.heads["out"](x) * self.scale * self.gain


def test_subclassed_without_get_config():
    model = Plain(lambda units: layers.Dense(units, activation="tanh"))
    model.compile(keras.optimizers.Adam(0.01), "mse")
    fit(model)
    copied = check_twins(model)
    assert copied.blocks[0] is copied.layers[0]
    copied.scale.assign(0.0)
    assert not copied.predict(X, verbose=0).any()
    assert model.predict(X, verbose=0).any()


class OwnStep(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = layers.Dense(1)
        self.tracker = keras.metrics.Mean(name="own")
        self.seen = []

    def call(self, x):
        return self.inner(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.tracker.update_state(loss)
        return {"own": self.tracker.result()}

    @property
    def metrics(self):
        return [self.tracker]

    @tf.function
    def infer(self, x):
        self.seen.append(1)
        return self(x)


def test_own_train_step_and_traced_method():
    model = OwnStep()
    model.compile(keras.optimizers.Adam(0.01))
    fit(model)
    model.infer(X)
    copied = check_twins(model)
    assert np.allclose(copied.infer(X), model.infer(X))
    for variable in copied.inner.variables:
        variable.assign(variable * 0)
    assert not copied.infer(X).numpy().any()
    assert model.infer(X).numpy().any()
    assert len(model.seen) == 1


def test_models_in_a_loop_with_their_own_functions():
    models = []
    for units in (2, 3):
        model = small(layers.Dense(units))
        model.infer = tf.function(lambda x, model=model: model(x, training=False))
        fit(model)
        model.infer(X)
        models.append(model)
    copied = graphcopy.copy(models)
    for one, two in zip(models, copied):
        assert np.allclose(one.infer(X), two.infer(X))
        check_pair(one, two)
        assert np.allclose(one.infer(X), two.infer(X), atol=1e-6)


def test_two_models_that_share_a_layer_and_an_optimizer():
    embed = layers.Dense(4, name="embed")
    nets = []
    for _ in range(2):
        inputs = keras.Input((3,))
        nets.append(keras.Model(inputs, layers.Dense(1)(embed(inputs))))
    agent = {"nets": nets, "embed": embed, "optimizer": keras.optimizers.RMSprop(0.01)}
    agent["optimizer"].build(nets[0].trainable_variables)
    nets[0].compile(agent["optimizer"], "mse")
    fit(nets[0])
    copied = graphcopy.copy(agent)
    assert copied["nets"][0].get_layer("embed") is copied["embed"] is copied["nets"][1].get_layer("embed")
    assert copied["nets"][0].optimizer is copied["optimizer"]
    check_pair(nets[0], copied["nets"][0])
    assert np.allclose(nets[1](X), copied["nets"][1](X))


class Tied(keras.layers.Layer):
    """Uses another layer's weight matrix."""

    def __init__(self, source):
        super().__init__()
        self.source = source

    def call(self, x):
        return x @ keras.ops.transpose(self.source.kernel)


def test_tied_weights():
    encoder = layers.Dense(2, use_bias=False)
    model = keras.Sequential([keras.Input((3,)), encoder, Tied(encoder)])
    model.compile("adam", "mse")
    train = lambda each: fit(each, X, X)
    train(model)
    copied = check_twins(model, train)
    assert copied.layers[1].source is copied.layers[0]
    assert len(copied.trainable_variables) == 1


def test_nested_models():
    inner = keras.Sequential([keras.Input((3,)), layers.Dense(3)])
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Dense(1)(inner(inner(inputs))))
    model.compile("adam", "mse")
    fit(model)
    copied = check_twins(model)
    assert copied.layers[1] is not inner
    assert isinstance(copied.layers[1], keras.Sequential)


@pytest.mark.parametrize("options", [{"run_eagerly": True}, {"steps_per_execution": 2}, {"jit_compile": True}])
def test_ways_of_running(options):
    model = small(**options)
    fit(model)
    check_twins(model, tolerance=1e-5)


@pytest.mark.parametrize(
    "make",
    [
        lambda: layers.Dropout(0.5),
        lambda: layers.GaussianNoise(0.1, seed=3),
        lambda: layers.BatchNormalization(),
        lambda: layers.Dense(4, kernel_regularizer="l2", kernel_constraint="max_norm", activity_regularizer="l1"),
        lambda: layers.LayerNormalization(),
        lambda: layers.UnitNormalization(),
        lambda: layers.Lambda(lambda t: t * 2),
        lambda: layers.SpectralNormalization(layers.Dense(4)),
    ],
    ids=["dropout", "noise", "batchnorm", "regularised", "layernorm", "unitnorm", "lambda", "spectral"],
)
def test_layers(make):
    model = small(make())
    fit(model)
    check_twins(model)


def test_recurrent_layers():
    data = np.random.default_rng(1).normal(size=(16, 5, 2)).astype("float32")
    model = keras.Sequential([
        keras.Input((5, 2)),
        layers.Bidirectional(layers.LSTM(3, return_sequences=True, dropout=0.2)),
        layers.GRU(2, return_sequences=True, stateful=False),
        layers.RNN([layers.LSTMCell(2), layers.SimpleRNNCell(2)]),
        layers.Dense(1),
    ])  # fmt: skip
    model.compile("adam", "mse")
    train = lambda each: fit(each, data, Y)
    train(model)
    check_twins(model, train, data)


def test_convolution_and_attention():
    data = np.random.default_rng(1).normal(size=(16, 8, 8, 2)).astype("float32")
    inputs = keras.Input((8, 8, 2))
    hidden = layers.MaxPooling2D()(layers.Conv2D(4, 3)(layers.RandomFlip(seed=1)(inputs)))
    flat = layers.Reshape((9, 4))(hidden)
    flat = layers.MultiHeadAttention(2, 2, dropout=0.1)(flat, flat)
    model = keras.Model(inputs, layers.Dense(1)(layers.GlobalAveragePooling1D()(flat)))
    model.compile("adam", "mse")
    train = lambda each: fit(each, data, Y)
    train(model)
    check_twins(model, train, data, 1e-5)


def test_embedding_with_mask():
    data = np.arange(32).reshape(16, 2) % 5
    model = keras.Sequential([layers.Embedding(5, 3, mask_zero=True), layers.LSTM(2), layers.Dense(1)])
    model.compile("adam", "mse")
    train = lambda each: fit(each, data, Y)
    train(model)
    check_twins(model, train, data)


def test_lora_and_int8():
    model = small()
    model.layers[0].enable_lora(2)
    model.compile("adam", "mse")
    fit(model)
    check_twins(model)
    quantized = small()
    quantized.quantize("int8")
    assert np.array_equal(graphcopy.copy(quantized).predict(X, verbose=0), quantized.predict(X, verbose=0))


def test_loss_added_in_call():
    class Penalty(keras.layers.Layer):
        def call(self, x):
            self.add_loss(keras.ops.mean(x**2))
            return x

    model = small(Penalty())
    fit(model)
    model(X)
    copied = check_twins(model)
    copied(X)
    assert len(copied.losses) == 1


def test_closure_loss_and_metric_read_the_copied_variable():
    weight = tf.Variable(2.0)
    model = small(loss=lambda a, b: weight * tf.reduce_mean((a - b) ** 2), metrics=[lambda a, b: weight])
    fit(model)
    copied = graphcopy.copy({"model": model, "weight": weight})
    check_pair(model, copied["model"])
    copied["weight"].assign(0.0)
    assert fit(copied["model"])["loss"][0] == 0.0
    assert fit(model)["loss"][0] > 0.0


def test_evaluation_goes_on_with_the_metrics_of_the_copy():
    model = small(metrics=[keras.metrics.MeanAbsoluteError(name="mae")])
    fit(model)
    model.evaluate(X, Y, verbose=0)
    copied = graphcopy.copy(model)
    fit(copied, epochs=2)
    before = model.evaluate(X, Y, verbose=0)
    assert before != copied.evaluate(X, Y, verbose=0)
    assert before == model.evaluate(X, Y, verbose=0)


def test_train_on_batch():
    model = small(metrics=["mae"])
    model.train_on_batch(X, Y)
    step = lambda each: each.train_on_batch(X, Y)
    check_twins(model, step)


def test_original_is_not_traced_again():
    model = small()
    fit(model)
    function = model.train_function
    graphcopy.copy(model)
    fit(model)
    assert model.train_function is function


def test_a_layer_alone_is_copied_with_its_state():
    layer = layers.Dropout(0.5, seed=1)
    layer(X, training=True)
    copied = graphcopy.copy(layer)
    assert np.array_equal(layer(X, training=True), copied(X, training=True))


def test_a_users_own_deepcopy_is_honoured():
    class Own(keras.layers.Layer):
        def __deepcopy__(self, memo):
            memo[id(self)] = "mine"
            return "mine"

    assert graphcopy.copy([Own()]) == ["mine"]
