"""What users of TensorFlow Probability, GPflow and Keras 2 reported, each report as a test."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import numpy as np

import graphcopy

pytestmark = [pytest.mark.tensorflow]


class Warp(tf.Module):
    def __init__(self, tfb):
        super().__init__()
        self.shift = tf.Variable(1.0)
        self.chain = tfb.Chain([tfb.Shift(self.shift), tfb.Scale(tf.Variable(2.0)), tfb.Softplus()])
        self.inverse = tfb.Invert(self.chain)
        self.forward = tf.function(lambda x: self.chain.forward(x))


def test_bijectors_after_their_first_use():
    """tensorflow/probability#547: the caches of bijectors hold weak references."""
    tfp = pytest.importorskip("tensorflow_probability")
    x, warp = tf.constant([0.0, 1.0]), Warp(tfp.bijectors)
    warp.inverse.forward(warp.chain.forward(x))
    want = warp.forward(x).numpy()
    count = warp.forward.experimental_get_tracing_count()
    copied = graphcopy.copy(warp)
    assert copied.chain.bijectors[0].shift is copied.shift
    assert copied.inverse.bijector is copied.chain
    copied.shift.assign(5.0)
    assert np.allclose(copied.chain.forward(x), want + 4)
    assert np.allclose(copied.forward(x), want + 4)
    assert np.allclose(copied.inverse.forward(copied.chain.forward(x)), x, atol=1e-5)
    assert np.array_equal(warp.forward(x), want)
    assert np.array_equal(warp.chain.forward(x), want)
    assert len(copied.trainable_variables) == 2
    assert warp.forward.experimental_get_tracing_count() == count


def test_distributions_whose_new_wants_arguments():
    """tensorflow/probability#1609: "missing a required argument: 'distribution'"."""
    tfp = pytest.importorskip("tensorflow_probability")
    tfd = tfp.distributions
    loc, x = tf.Variable(0.5), tf.constant(2.0)
    flow = tfd.TransformedDistribution(tfd.Normal(loc, 1.0), tfp.bijectors.Exp(), name="lognormal")
    mvn = tfd.MultivariateNormalDiag(loc=[0.0, 0.0], scale_diag=[1.0, 2.0])
    state = {"loc": loc, "flow": flow, "mvn": mvn, "both": [flow, mvn]}
    state["logp"] = tf.function(lambda x: flow.log_prob(x))
    want = float(state["logp"](x))
    flow.sample(2)
    copied = graphcopy.copy(state)
    assert float(copied["logp"](x)) == pytest.approx(want)
    assert copied["flow"].distribution.loc is copied["loc"]
    assert copied["both"][0] is copied["flow"]
    assert copied["both"][1] is copied["mvn"]
    assert float(copied["mvn"].log_prob([0.0, 0.0])) == float(mvn.log_prob([0.0, 0.0]))
    assert copied["flow"].name == "lognormal"
    copied["loc"].assign(3.0)
    assert abs(float(copied["logp"](x)) - want) > 0.1
    assert float(state["logp"](x)) == pytest.approx(want)


def test_a_joint_distribution_made_of_lambdas():
    """christiaanjs/treeflow#15: a fitted joint distribution over local lambdas."""
    tfp = pytest.importorskip("tensorflow_probability")
    tfd, slope, one = tfp.distributions, tf.Variable(2.0), tf.constant(1.0)
    joint = tfd.JointDistributionNamed({"a": tfd.Normal(0.0, 1.0), "b": lambda a: tfd.Normal(slope * a, 1.0)})
    state = {"joint": joint, "slope": slope, "logp": tf.function(lambda a, b: joint.log_prob(a=a, b=b))}
    both = lambda s: [round(float(s["logp"](one, one)), 4), round(float(s["joint"].log_prob(a=1.0, b=1.0)), 4)]
    want = both(state)
    joint.sample()
    copied = graphcopy.copy(state)
    copied["slope"].assign(1.0)
    assert both(copied) == [round(want[0] + 0.5, 4)] * 2
    assert both(state) == want
    slope.assign(3.0)
    assert both(state)[0] < want[0]
    assert set(copied["joint"].sample()) == {"a", "b"}


def test_a_compiled_training_closure_of_gpflow():
    """GPflow/GPflow#1493: a trained SVGP could be pickled only through freeze()."""
    gpflow = pytest.importorskip("gpflow")
    x = np.linspace(0, 1, 12)[:, None]
    data = (x, np.cos(5 * x))
    model = gpflow.models.SVGP(gpflow.kernels.Matern32(), gpflow.likelihoods.Gaussian(0.1), x[::4].copy(), num_data=12)
    gpflow.set_trainable(model.inducing_variable, False)
    state = {"model": model}
    state["loss"] = model.training_loss_closure(data, compile=True)
    state["plain"] = model.training_loss_closure(data, compile=False)
    run = lambda each: gpflow.optimizers.Scipy().minimize(
        each["loss"], each["model"].trainable_variables, compile=False, options={"maxiter": 2}
    )
    run(state)
    before, count = float(state["loss"]()), state["loss"].experimental_get_tracing_count()
    copied = graphcopy.copy(state)
    assert float(copied["loss"]()) == pytest.approx(before)
    copied["model"].likelihood.variance.assign(2.0)
    now = float(copied["model"].training_loss(data))
    assert abs(now - before) > 1e-3
    assert float(copied["loss"]()) == pytest.approx(now)
    assert float(copied["plain"]()) == pytest.approx(now)
    run(copied)
    assert float(copied["loss"]()) < now
    assert float(state["loss"]()) == pytest.approx(before)
    assert state["loss"].experimental_get_tracing_count() == count


def test_a_compiled_method_of_a_gpflow_model():
    """A bound method that check_shapes wraps, compiled; dill recurses without end there."""
    gpflow = pytest.importorskip("gpflow")
    x = np.linspace(0, 1, 6)[:, None]
    model = gpflow.models.GPR((x, np.sin(x)), gpflow.kernels.RBF())
    state = {"model": model, "predict": tf.function(model.predict_y)}
    want = state["predict"](x)[0].numpy()
    copied = graphcopy.copy(state)
    copied["model"].kernel.lengthscales.assign(0.05)
    assert not np.allclose(copied["predict"](x)[0], want)
    assert np.allclose(copied["predict"](x)[0], copied["model"].predict_y(x)[0])
    assert np.allclose(state["predict"](x)[0], want)


def test_data_of_unknown_length_and_a_posterior():
    """GPflow/GPflow#1765: deepcopy freezes the shape of the data variables."""
    gpflow = pytest.importorskip("gpflow")
    points, at = np.linspace(0, 1, 5)[:, None], np.array([[0.3], [0.9]])
    x, y = (tf.Variable(v, shape=[None, 1], trainable=False) for v in (points, np.sin(points)))
    model = gpflow.models.GPR((x, y), gpflow.kernels.RBF(), noise_variance=1e-3)
    posterior = model.posterior(gpflow.posteriors.PrecomputeCacheType.VARIABLE)
    state = {"x": x, "y": y, "model": model, "post": posterior, "predict": tf.function(posterior.predict_f)}
    want = state["predict"](at)[0].numpy()
    copied = graphcopy.copy(state)
    assert copied["model"].data[0] is copied["x"] is copied["post"].X_data
    assert copied["x"].shape.as_list() == [None, 1] == copied["y"].shape.as_list()
    more = np.array([[2.0], [3.0]])
    copied["x"].assign(np.r_[points, more])
    copied["y"].assign(np.r_[np.sin(points), np.sin(more)])
    copied["post"].update_cache()
    assert x.numpy().shape == (5, 1)
    assert np.allclose(copied["predict"](at)[0], copied["model"].predict_f(at)[0], atol=1e-5)
    assert np.allclose(state["predict"](at)[0], want)


def test_the_scipy_optimizer_and_its_compiled_losses():
    """GPflow/GPflow#2102: a copy that kept the cache would optimise the original."""
    gpflow = pytest.importorskip("gpflow")
    x = np.linspace(0, 1, 8)[:, None]
    model, optimizer = gpflow.models.GPR((x, np.sin(3 * x)), gpflow.kernels.RBF()), gpflow.optimizers.Scipy()
    state = {"model": model, "optimizer": optimizer}

    def run(each):
        each["optimizer"].minimize(
            each["model"].training_loss, each["model"].trainable_variables, options={"maxiter": 2}
        )
        return float(each["model"].training_loss())

    before = run(state)
    copied = graphcopy.copy(state)
    after = run(copied)
    assert after < before
    assert float(model.training_loss()) == pytest.approx(before)
    assert run(state) == pytest.approx(after, abs=1e-6)
    assert copied["optimizer"].compile_cache_size == optimizer.compile_cache_size


def test_slots_of_legacy_optimizers():
    """tensorflow/tensorflow#56666: the copied slots stand under the ids of the original's variables."""
    keras = pytest.importorskip("tf_keras")
    net = tf.Module()
    net.v, net.opt = tf.Variable([1.0, -2.0]), keras.optimizers.legacy.Adam(0.1, clipnorm=1.0)
    step = lambda each: each.opt.minimize(lambda: tf.reduce_sum(each.v**2), [each.v])
    for _ in range(4):
        step(net)
    copied = graphcopy.copy(net)
    before, count = net.v.numpy().tolist(), len(net.opt.variables())
    assert copied.opt.get_slot(copied.v, "m").numpy().tolist() == net.opt.get_slot(net.v, "m").numpy().tolist()
    step(copied), step(copied)
    assert net.v.numpy().tolist() == before
    step(net), step(net)
    assert copied.v.numpy().tolist() == net.v.numpy().tolist()
    assert len(copied.opt.variables()) == len(net.opt.variables()) == count


def test_new_optimizers_hold_the_distribution_strategy():
    """tensorflow/tensorflow#58973: they cannot be deep-copied since 2.11."""
    keras = pytest.importorskip("tf_keras")
    net = tf.Module()
    net.v, net.opt = tf.Variable([1.0, -2.0]), keras.optimizers.Adam(0.1)
    step = lambda each: each.opt.apply_gradients([(tf.constant([1.0, 1.0]), each.v)])
    step(net)
    copied = graphcopy.copy(net)
    step(copied)
    assert int(net.opt.iterations) == 1
    step(net)
    assert np.array_equal(net.v, copied.v)
    assert len(net.opt.variables) == len(copied.opt.variables)


def test_a_model_with_a_closure_as_its_loss():
    """tensorflow/tensorflow#39609: the loss goes through marshalled bytecode and loses its globals."""
    keras = pytest.importorskip("tf_keras")
    x = np.linspace(-1, 1, 24, dtype="float32").reshape(8, 3)
    y = x.sum(1, keepdims=True)
    keras.utils.set_random_seed(1)
    weight, inputs = tf.Variable(2.0), keras.Input((3,))
    model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
    model.compile(keras.optimizers.Adam(0.05), loss=lambda a, b: weight * tf.reduce_mean((a - b) ** 2))
    model.fit(x, y, epochs=2, verbose=0, shuffle=False)
    fit = lambda each: each["model"].fit(x, y, verbose=0, shuffle=False).history["loss"][0]
    state = {"model": model, "weight": weight}
    copied = graphcopy.copy(state)
    before = model.get_weights()
    loss = fit(copied)
    assert all(np.array_equal(a, b) for a, b in zip(model.get_weights(), before))
    assert fit(state) == pytest.approx(loss)
    copied["weight"].assign(0.0)
    assert fit(copied) == 0.0
    assert fit(state) > 0.0
    assert copied["model"].history.model is copied["model"]
