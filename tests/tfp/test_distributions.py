"""Distributions and bijectors: own variables, same values, the classes that ``__new__`` chose."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")
tfp = pytest.importorskip("tensorflow_probability")

import numpy as np

import graphcopy

tfd, tfb, tfk = tfp.distributions, tfp.bijectors, tfp.math.psd_kernels
pytestmark = [pytest.mark.tensorflow]


def shifted(variable, rate=1.0):
    return tfd.TransformedDistribution(tfd.Normal(variable, rate), tfb.Exp(), name="shifted")


DISTRIBUTIONS = {
    "normal": lambda v: tfd.Normal(v, 1.0),
    "transformed": shifted,
    "sample": lambda v: tfd.Sample(tfd.Normal(v, 1.0), 3),
    "independent": lambda v: tfd.Independent(tfd.Normal(v * tf.ones(3), 1.0), 1),
    "mvn": lambda v: tfd.MultivariateNormalDiag(
        loc=tfp.util.DeferredTensor(v, lambda x: tf.stack([x, x]), shape=[2]), scale_diag=[1.0, 2.0]
    ),
    "mixture": lambda v: tfd.MixtureSameFamily(tfd.Categorical([0.0, 0.0]), tfd.Normal(v + [0.0, 2.0], 1.0)),
    "masked": lambda v: tfd.Masked(tfd.Normal(v, 1.0), True),
    "quantized": lambda v: tfd.QuantizedDistribution(tfd.Normal(v, 4.0), low=-3.0),
    "batched": lambda v: tfd.BatchBroadcast(tfd.Normal(v, 1.0), 2),
    "block": lambda v: tfd.Blockwise([tfd.Normal(v, 1.0), tfd.Gamma(2.0, 1.0)]),
    "gp": lambda v: tfd.GaussianProcess(tfk.ExponentiatedQuadratic(v), [[0.0], [1.0]]),
    "inflated": lambda v: tfd.Inflated(tfd.Poisson(v), 0.2),
    "truncated": lambda v: tfd.TruncatedNormal(v, 1.0, -5.0, 5.0),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_kinds(name):
    variable = tf.Variable(0.7)
    made = DISTRIBUTIONS[name](variable)
    state = {"variable": variable, "made": made, "again": [made]}
    value = made.sample(seed=[1, 2])
    state["logp"] = tf.function(lambda x: made.log_prob(x))
    state["logp"](value)
    copied = graphcopy.copy(state)
    assert type(copied["made"]) is type(made)
    assert copied["again"][0] is copied["made"]
    assert copied["made"].name == made.name
    assert copied["made"].parameters.keys() == made.parameters.keys()
    want = np.array(made.log_prob(value))
    assert np.allclose(copied["made"].log_prob(value), want)
    assert np.allclose(copied["logp"](value), want)
    assert np.allclose(copied["made"].sample(seed=[3, 4]), made.sample(seed=[3, 4]))
    assert all(v is copied["variable"] for v in copied["made"].trainable_variables)
    copied["variable"].assign(1.4)
    if made.trainable_variables:
        assert not np.allclose(copied["made"].log_prob(value), want)
        assert not np.allclose(copied["logp"](value), want)
    assert np.allclose(made.log_prob(value), want)
    assert np.allclose(state["logp"](value), want)


BIJECTORS = {
    "chain": lambda v: tfb.Chain([tfb.Shift(v), tfb.Scale(2.0), tfb.Softplus()]),
    "invert": lambda v: tfb.Invert(tfb.Shift(v)),
    "block": lambda v: tfb.Blockwise([tfb.Shift(v), tfb.Exp()], [1, 1]),
    "scale": lambda v: tfb.ScaleMatvecDiag(tfp.util.DeferredTensor(v, lambda x: tf.stack([x, 1.0]), shape=[2])),
    "spline": lambda v: tfb.Shift(v)(tfb.RationalQuadraticSpline([1.0, 1.0], [1.0, 1.0], [1.0])),
    "flow": lambda v: tfb.MaskedAutoregressiveFlow(lambda x: (x * 0.0 + v, x * 0.0)),
    "inline": lambda v: tfb.Inline(
        lambda x: x + v, lambda y: y - v, forward_log_det_jacobian_fn=lambda x: 0.0, forward_min_event_ndims=0
    ),
}


@pytest.mark.parametrize("name", BIJECTORS)
def test_bijectors(name):
    variable, x = tf.Variable(0.5), tf.constant([0.2, 0.8])
    made = BIJECTORS[name](variable)
    state = {"variable": variable, "made": made, "forward": tf.function(lambda x: made.forward(x))}
    want = made.forward(x).numpy()
    made.inverse(made.forward(x))
    state["forward"](x)
    copied = graphcopy.copy(state)
    assert type(copied["made"]) is type(made)
    assert np.array_equal(copied["made"].forward(x), want)
    copied["variable"].assign(1.5)
    assert not np.allclose(copied["made"].forward(x), want)
    assert not np.allclose(copied["forward"](x), want)
    y = copied["made"].forward(x)
    assert np.allclose(copied["made"].inverse(y), x, atol=1e-5)
    assert np.array_equal(made.forward(x), want)
    assert np.array_equal(state["forward"](x), want)


def model_parts(slope):
    return {
        "named": tfd.JointDistributionNamed({"a": tfd.Normal(0.0, 1.0), "b": lambda a: tfd.Normal(slope * a, 1.0)}),
        "sequential": tfd.JointDistributionSequential([tfd.Normal(0.0, 1.0), lambda a: tfd.Normal(slope * a, 1.0)]),
        "batched": tfd.JointDistributionSequentialAutoBatched(
            [tfd.Normal(0.0, 1.0), lambda a: tfd.Normal(slope * a, 1.0)]
        ),
    }


@pytest.mark.parametrize("name", ["named", "sequential", "batched", "coroutine"])
def test_joint_distributions(name):
    slope = tf.Variable(2.0)
    if name == "coroutine":

        @tfd.JointDistributionCoroutineAutoBatched
        def joint():
            a = yield tfd.Normal(0.0, 1.0, name="a")
            yield tfd.Normal(slope * a, 1.0, name="b")

    else:
        joint = model_parts(slope)[name]
    point = {"a": 1.0, "b": 1.0} if name == "named" else (1.0, 1.0)
    logp = tf.function(lambda scale: joint.log_prob(point) * scale)
    logp(tf.constant(1.0))
    joint.sample()
    copied = graphcopy.copy({"joint": joint, "slope": slope, "logp": logp})
    one = tf.constant(1.0)
    both = lambda each: (float(each["joint"].log_prob(point)), float(each["logp"](one)))
    original = {"joint": joint, "logp": logp}
    want = both(original)
    assert np.allclose(both(copied), want)
    copied["slope"].assign(1.0)
    assert np.allclose(both(copied), [w + 0.5 for w in want])
    assert np.allclose(both(original), want)
    copied["joint"].sample()
    copied["joint"].event_shape_tensor()


def test_constants_stay_the_same_objects():
    copied = graphcopy.copy([tfd.Normal(0.0, 1.0), tfd.Categorical([0.0, 1.0])])
    assert copied[0].reparameterization_type == tfd.FULLY_REPARAMETERIZED
    assert copied[1].reparameterization_type == tfd.NOT_REPARAMETERIZED


def test_transformed_variables():
    scale = tfp.util.TransformedVariable(2.0, tfb.Exp())
    copied = graphcopy.copy({"scale": scale, "normal": tfd.Normal(0.0, scale)})
    copied["scale"].assign(5.0)
    assert float(copied["normal"].stddev()) == pytest.approx(5.0)
    assert float(tf.convert_to_tensor(scale)) == pytest.approx(2.0)
    assert copied["normal"].scale is copied["scale"]


def test_variational_training_goes_on():
    def make():
        loc, scale = tf.Variable(0.0), tfp.util.TransformedVariable(1.0, tfb.Softplus())
        return {"loc": loc, "scale": scale, "q": tfd.Normal(loc, scale), "target": tfd.Normal(3.0, 0.5)}

    def step(state):
        with tf.GradientTape() as tape:
            x = state["q"].sample(8, seed=[1, 2])
            loss = tf.reduce_mean(state["q"].log_prob(x) - state["target"].log_prob(x))
        for variable, gradient in zip(
            state["q"].trainable_variables, tape.gradient(loss, state["q"].trainable_variables)
        ):
            variable.assign_sub(0.05 * gradient)
        return float(loss)

    state = make()
    step(state)
    copied = graphcopy.copy(state)
    assert step(copied) == step(state)
    assert step(copied) == step(state)
    assert float(copied["loc"]) == float(state["loc"])


def test_a_keras_model_with_probabilistic_layers():
    keras = pytest.importorskip("tf_keras")
    x = np.linspace(0, 1, 12, dtype="float32")[:, None]
    model = keras.Sequential([
        keras.Input((1,)),
        tfp.layers.DenseVariational(
            2, lambda *a: tfk_posterior(*a), lambda *a: tfk_posterior(*a), kl_weight=0.1, kl_use_exact=True
        ),
        tfp.layers.DistributionLambda(lambda t: tfd.Normal(t[..., :1], 1.0)),
    ])  # fmt: skip
    model.compile(
        keras.optimizers.Adam(0.01), loss=lambda y, p: -p.log_prob(y), run_eagerly=True
    )  # one stream of noise
    model.fit(x, x, verbose=0, shuffle=False)
    copied = graphcopy.copy(model)

    def train(each):
        tf.random.set_seed(1)
        return each.fit(x, x, verbose=0, shuffle=False).history["loss"]

    before = model.get_weights()
    losses = train(copied)
    assert all(np.array_equal(a, b) for a, b in zip(before, model.get_weights()))
    assert np.allclose(losses, train(model), atol=1e-5)
    assert isinstance(copied(x), tfd.Distribution)
    assert np.allclose([w.sum() for w in copied.get_weights()], [w.sum() for w in model.get_weights()], atol=1e-5)


def tfk_posterior(kernel_size, bias_size=0, dtype=None):
    keras = pytest.importorskip("tf_keras")
    size = kernel_size + bias_size
    return keras.Sequential([
        tfp.layers.VariableLayer(size, dtype=dtype),
        tfp.layers.DistributionLambda(lambda t: tfd.Independent(tfd.Normal(t, 1.0), 1)),
    ])  # fmt: skip
