"""A copy that keeps the traces of its tf.functions: ``tf_rules(traces="keep")``."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy
from graphcopy.rules.python import python_rules

pytestmark = [pytest.mark.tensorflow]

KEEP = graphcopy.tf_rules(traces="keep")
X = tf.constant(3.0)


class Parts(dict):
    """A tf.function and what it reads, by name."""

    __getattr__ = dict.__getitem__


def kept(obj, **options):
    return graphcopy.copy(obj, rules=[KEEP], **options)


def make(body=None, **settings):
    """A tf.function ``w * x``, its variable, and a list that grows while Python code runs."""
    w, log = tf.Variable(2.0), []

    @tf.function(**settings)
    def f(x):
        log.append("traced")
        return w * x if body is None else body(x, w)

    return Parts(f=f, w=w, log=log)


def gradient(parts, x=X, order=1):
    """The derivative of f by w, of first or second order."""
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = parts.f(x)
        first = inner.gradient(y, parts.w)
    return float(first if order == 1 else outer.gradient(first, parts.w))


# -- the option ------------------------------------------------------------------------------------------------------


def test_the_option_makes_a_new_set():
    assert KEEP is not graphcopy.tf_rules
    assert KEEP.name == graphcopy.tf_rules.name
    assert len(KEEP) == len(graphcopy.tf_rules(traces="drop")) == len(graphcopy.tf_rules)
    assert graphcopy.tf_rules(traces="keep")(traces="drop").options == {"traces": "drop"}


def test_an_option_or_value_that_is_not_known_is_an_error_at_once():
    with pytest.raises(TypeError, match=r"'trace'.*traces"):
        graphcopy.tf_rules(trace="keep")
    with pytest.raises(ValueError, match=r"'kept'.*'drop', 'keep'"):
        graphcopy.tf_rules(traces="kept")
    with pytest.raises(TypeError, match=r"python.*'traces'.*none"):
        python_rules(traces="keep")


# -- values ----------------------------------------------------------------------------------------------------------


def test_a_seen_signature_is_not_traced_again_and_a_new_one_is():
    parts = make()
    parts.f(X)
    new = kept(parts)
    assert new.f.experimental_get_tracing_count() == 1
    assert float(new.f(X)) == 6.0
    assert new.log == ["traced"] and new.log is not parts.log
    assert new.f(tf.constant([3.0])).numpy().tolist() == [6.0]
    assert new.f.experimental_get_tracing_count() == 2
    assert new.log == ["traced"] * 2
    assert parts.log == ["traced"] and parts.f.experimental_get_tracing_count() == 1


def test_without_the_option_the_copy_traces_again():
    parts = make()
    parts.f(X)
    new = graphcopy.copy(parts)
    assert float(new.f(X)) == 6.0
    assert new.log == ["traced"] * 2


def test_an_untraced_function_stays_untraced():
    new = kept(make())
    assert new.f.experimental_get_tracing_count() == 0
    assert float(new.f(X)) == 6.0


def test_each_side_reads_and_writes_its_own_variable():
    total = tf.Variable(0.0)

    @tf.function
    def add(x):
        total.assign_add(x)
        return total.read_value()

    add(X)
    new = kept({"add": add, "total": total})
    assert float(new["add"](X)) == 6.0
    assert (float(new["total"]), float(total)) == (6.0, 3.0)
    assert float(add(tf.constant(1.0))) == 4.0
    new["total"].assign(10.0)
    assert float(new["add"](X)) == 13.0
    assert float(total) == 4.0
    assert new["add"].experimental_get_tracing_count() == 1


def test_a_variable_outside_of_the_graph_is_the_one_that_a_new_trace_would_read():
    parts = make()
    parts.f(X)
    new = graphcopy.copy(parts, rules=[graphcopy.share(tf.Variable), KEEP])
    parts.w.assign(5.0)
    assert float(new.f(X)) == 15.0
    assert new.log == ["traced"]


def test_captured_tensors_tables_and_functions():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, default_value=0.0)
    table.insert("a", 1.0)
    large = tf.range(1000.0)
    inner = make()

    @tf.function
    def f(key):
        return table.lookup(key) + tf.reduce_sum(large) * 0.0 + inner.f(X)

    key = tf.constant("a")
    f(key)
    new = kept({"f": f, "table": table, "inner": inner})
    new["table"].insert("a", 100.0)
    new["inner"].w.assign(10.0)
    assert (float(new["f"](key)), float(f(key))) == (130.0, 7.0)
    assert new["inner"].log == ["traced"]
    table = f = inner = None
    gc.collect()
    assert float(new["f"](key)) == 130.0
    with tf.GradientTape() as tape:
        y = new["f"](key)
    assert float(tape.gradient(y, new["inner"].w)) == 3.0


def test_several_signatures_and_python_arguments():
    parts = make(lambda x, w: w * tf.cast(x, tf.float32))
    for each in (X, tf.constant([1, 2]), 5, 6, tf.RaggedTensor.from_row_lengths([1, 2], [2, 0])):
        if not isinstance(each, tf.RaggedTensor):
            parts.f(each)
    new = kept(parts)
    new.w.assign(10.0)
    assert float(new.f(5)) == 50.0 and float(new.f(6)) == 60.0
    assert new.f(tf.constant([3, 4])).numpy().tolist() == [30.0, 40.0]
    assert len(new.log) == 4
    new.f(7)
    assert len(new.log) == 5


def test_structures_in_and_out():
    w = tf.Variable(2.0)
    log = []

    @tf.function
    def f(batch, *, scale=1.0):
        log.append(1)
        ragged = tf.RaggedTensor.from_row_lengths(batch["x"] * w * scale, [1, 1])
        return {"y": (batch["x"] * w, None), "ragged": ragged}

    batch = {"x": tf.constant([1.0, 2.0])}
    f(batch)
    f(batch, scale=2.0)
    new = kept({"f": f, "log": log, "w": w})
    new["w"].assign(3.0)
    out = new["f"](batch, scale=2.0)
    assert out["y"][0].numpy().tolist() == [3.0, 6.0] and out["y"][1] is None
    assert out["ragged"].to_list() == [[6.0], [12.0]]
    assert new["log"] == [1, 1]


@pytest.mark.parametrize(
    "settings",
    [
        {"input_signature": [tf.TensorSpec([None], tf.float32)]},
        {"jit_compile": True},
        {"autograph": False},
        {"reduce_retracing": True},
        {"experimental_attributes": {"runtime_constant_optimization": True}},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_settings(settings):
    parts = make(**settings)
    parts.f(tf.constant([1.0]))
    new = kept(parts)
    new.w.assign(5.0)
    assert new.f(tf.constant([1.0])).numpy().tolist() == [5.0]
    assert parts.f(tf.constant([1.0])).numpy().tolist() == [2.0]
    assert new.log == ["traced"]
    with tf.GradientTape() as tape:
        y = new.f(tf.constant([1.0]))
    assert float(tape.gradient(y, new.w)) == 1.0
    assert new.f.input_signature == parts.f.input_signature


def test_shapes_are_relaxed_from_those_seen():
    parts = make(reduce_retracing=True)
    parts.f(tf.constant([1.0]))
    new = kept(parts)
    new.f(tf.constant([1.0, 2.0]))  # relaxed to an unknown length
    new.f(tf.constant([1.0, 2.0, 3.0]))
    assert new.log == ["traced"] * 2
    again = kept(new)
    assert again.f(tf.zeros([7])).shape == (7,)
    assert again.log == ["traced"] * 2


def test_a_function_that_made_its_variable_at_the_first_call():
    class Lazy:
        def __init__(self):
            self.variable = None
            self.log = []
            self.call = tf.function(self._call)

        def _call(self, x):
            self.log.append("traced")
            if self.variable is None:
                self.variable = tf.Variable(2.0)
            return self.variable * x

    lazy = Lazy()
    lazy.call(X)
    count = lazy.call.experimental_get_tracing_count()
    new = kept(lazy)
    assert new.call.experimental_get_tracing_count() == count
    new.variable.assign(7.0)
    assert (float(new.call(X)), float(lazy.call(X))) == (21.0, 6.0)
    assert new.log == lazy.log
    assert new.call(tf.constant([1.0])).numpy().tolist() == [7.0]
    assert len(new.log) == len(lazy.log) + 1


def test_a_variable_made_at_a_later_call_is_still_an_error():
    made = []

    @tf.function
    def f(x):
        if x.shape.rank:
            made.append(tf.Variable(1.0))
        return x

    f(X)
    new = kept([f, made])
    with pytest.raises(ValueError, match=r"(?i)variable"):
        new[0](tf.constant([1.0]))


class Scaled:
    def __init__(self):
        self.w = tf.Variable(2.0)


def test_python_objects_as_arguments():
    log = []

    @tf.function
    def f(obj, x):
        log.append("traced")
        return obj["inner"][0].w * x

    scaled, other = Scaled(), Scaled()
    f({"inner": [scaled]}, X)
    f({"inner": [other]}, X)
    new = kept({"f": f, "scaled": scaled, "log": log})
    new["scaled"].w.assign(5.0)
    assert float(new["f"]({"inner": [new["scaled"]]}, X)) == 15.0
    assert float(new["f"]({"inner": [other]}, X)) == 6.0  # not part of the copy: the very same
    assert new["log"] == ["traced"] * 2
    assert float(f({"inner": [scaled]}, X)) == 6.0
    assert log == ["traced"] * 2
    assert float(new["f"]({"inner": [scaled]}, X)) == 6.0  # a new object for the copy's function
    assert len(new["log"]) == 3


def test_variables_and_functions_as_arguments():
    log = []

    @tf.function
    def f(variable, call, x):
        log.append("traced")
        return variable * call(x)

    variable, obj = tf.Variable(2.0), Decorated()
    f(variable, obj.call, X)
    new = kept({"f": f, "variable": variable, "obj": obj, "log": log})
    new["variable"].assign(5.0)
    new["obj"].w.assign(10.0)
    assert float(new["f"](new["variable"], new["obj"].call, X)) == 150.0
    assert float(f(variable, obj.call, X)) == 12.0
    assert new["log"] == log == ["traced"]
    assert len(new["obj"].log) == len(obj.log) == 1


def test_saved_and_frozen(tmp_path):
    obj = Decorated()
    obj.call(X)
    new = kept(obj)
    new.w.assign(5.0)
    trace = new.call.get_concrete_function(X)
    assert len(new.log) == 1
    assert [v.ref() for v in trace.variables] == [new.w.ref()]
    assert isinstance(trace.graph, tf.Graph) and trace.graph.captures[0][0] is new.w.handle
    tf.saved_model.save(new, str(tmp_path), signatures=trace)
    loaded = tf.saved_model.load(str(tmp_path))
    assert float(loaded.call(X)) == 15.0
    assert float(next(iter(loaded.signatures["serving_default"](X).values()))) == 15.0


def test_the_end_of_the_program_is_quiet(tmp_path):
    script = tmp_path / "ends.py"
    script.write_text(
        "import tensorflow as tf, graphcopy\n"
        "w = tf.Variable(2.0)\n"
        "def body(w): return tf.function(lambda x: x * w)\n"
        "f = body(w)\n"
        "f(1.0)\n"
        "g = graphcopy.copy(f, rules=[graphcopy.tf_rules(traces='keep')])\n"
        "h = graphcopy.copy(g, rules=[graphcopy.tf_rules(traces='keep')])\n"
        "print(float(h(1.0)))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "2.0\n"
    assert "Exception" not in done.stderr and "Traceback" not in done.stderr


# -- lives -----------------------------------------------------------------------------------------------------------


def test_either_side_survives_the_other():
    parts = make()
    gradient(parts)
    new = kept(parts)
    del parts
    gc.collect()
    new.w.assign(5.0)
    assert float(new.f(X)) == 15.0 and gradient(new) == 3.0
    again = kept(new)
    del new
    gc.collect()
    assert float(again.f(X)) == 15.0 and gradient(again) == 3.0
    for _ in range(3):
        kept(again).f(X)
        gc.collect()
    assert float(again.f(X)) == 15.0 and gradient(again) == 3.0
    assert again.log == ["traced"]


def test_the_variables_of_a_dead_original_are_freed():
    parts = make()
    gradient(parts)
    handle = weakref.ref(parts.w.handle)
    new = kept(parts)
    del parts
    gc.collect()
    assert handle() is None
    assert float(new.f(X)) == 6.0 and gradient(new) == 3.0 and gradient(new, order=1) == 3.0


def test_copies_of_copies():
    parts = make()
    parts.f(X)
    line = [parts]
    for value in (4.0, 5.0, 6.0):
        line.append(kept(line[-1]))
        line[-1].w.assign(value)
    assert [float(each.f(X)) for each in line] == [6.0, 12.0, 15.0, 18.0]
    assert [gradient(each) for each in line] == [3.0] * 4
    assert all(each.log == ["traced"] for each in line)


def test_the_original_is_not_disturbed():
    parts = make()
    parts.f(X)
    before = dict(vars(parts.f))
    trace = parts.f.get_concrete_function(X)
    attributes = dict(vars(trace))
    kept(parts).f(X)
    assert dict(vars(parts.f)) == before
    assert dict(vars(trace)) == attributes


# -- gradients -------------------------------------------------------------------------------------------------------


def cubed(x, w):
    return w**3 * x


@pytest.mark.parametrize("before", [0, 1, 2], ids=["fresh", "after first order", "after second order"])
@pytest.mark.parametrize("order", [1, 2])
def test_gradients_of_both_orders(before, order):
    parts = make(cubed)
    parts.f(X)
    for each in range(before):
        gradient(parts, order=each + 1)
    new = kept(parts)
    new.w.assign(1.0)
    assert gradient(new, order=order) == {1: 9.0, 2: 18.0}[order]
    assert gradient(parts, order=order) == {1: 36.0, 2: 36.0}[order]
    assert gradient(new, order=3 - order) == {1: 9.0, 2: 18.0}[3 - order]
    with tf.GradientTape() as tape:
        y = new.f(X)
    assert tape.gradient(y, parts.w) is None
    assert [v.ref() for v in tape.watched_variables()] == [new.w.ref()]
    assert new.log == ["traced"]


def test_gradients_by_arguments_persistent_tapes_and_jacobians():
    parts = make(cubed)
    parts.f(X)
    new = kept(parts)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(X)
        y = new.f(X)
    assert float(tape.gradient(y, X)) == 8.0 and float(tape.gradient(y, new.w)) == 36.0
    with tf.autodiff.ForwardAccumulator(new.w, tf.constant(1.0)) as forward:
        y = new.f(X)
    assert float(forward.jvp(y)) == 36.0
    new.f(tf.constant([1.0, 2.0]))
    again = kept(new)
    with tf.GradientTape() as tape:
        y = again.f(tf.constant([1.0, 2.0]))
    assert tape.jacobian(y, again.w).numpy().tolist() == [12.0, 24.0]


def test_inside_another_function_and_under_a_tape_inside_one():
    parts = make(cubed)
    parts.f(X)
    new = kept(parts)
    new.w.assign(1.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = new.f(x)
        return tape.gradient(y, new.w)

    assert float(step(X)) == 9.0
    assert new.log == ["traced"]
    new.w.assign(2.0)
    assert float(step(X)) == 36.0


@tf.custom_gradient
def clipped(x):
    y = x * 1.0
    return y, lambda upstream: upstream * 10.0 * tf.sign(y)


def test_custom_gradients():
    parts = make(lambda x, w: clipped(w * x))
    parts.f(X)
    new = kept(parts)
    assert gradient(new) == 30.0
    assert gradient(parts) == 30.0


def test_custom_gradients_that_read_a_variable_read_the_copys():
    scale = tf.Variable(10.0)

    @tf.custom_gradient
    def scaled(x):
        return x * 1.0, lambda upstream: upstream * scale

    parts = make(lambda x, w: scaled(w * x))
    parts["scale"] = scale
    parts.f(X)
    for _ in range(2):
        new = kept(parts)
        new.scale.assign(100.0)
        assert gradient(new) == 300.0
        assert gradient(parts) == 30.0
        again = kept(new)
        again.scale.assign(1000.0)
        assert gradient(again) == 3000.0
        assert gradient(new) == 300.0


def test_recomputed_gradients():
    parts = make(lambda x, w: tf.recompute_grad(lambda x: w**2 * x)(x))
    parts.f(X)
    new = kept(parts)
    new.w.assign(5.0)
    for each, expected in ((new, 30.0), (parts, 12.0)):
        with tf.GradientTape() as tape:
            y = each.f(X)
        assert float(tape.gradient(y, each.w)) == expected


# -- nested functions and control flow -------------------------------------------------------------------------------


def doubled_until(x, w):
    y = x * w
    while tf.reduce_sum(y) < 100.0:
        y = y * w
    return y


def either(x, w):
    if tf.reduce_sum(x) > 0.0:
        return x * w**2
    return x - w


def mapped(x, w):
    return tf.reduce_sum(tf.map_fn(lambda each: each * w**2, tf.stack([x, x])))


def scanned(x, w):
    return tf.scan(lambda total, each: total * w + each, tf.stack([x, x, x]))[-1]


def switched(x, w):
    return tf.switch_case(tf.cast(x, tf.int32) % 2, [lambda: x - w, lambda: x * w**2])


def collected(x, w):
    cells = tf.TensorArray(tf.float32, size=3)
    for place in tf.range(3):
        cells = cells.write(place, x * w)
    return tf.reduce_sum(cells.stack())


@pytest.mark.parametrize("body", [doubled_until, either, mapped, scanned, switched, collected])
def test_control_flow(body):
    parts = make(body)
    parts.f(X)
    new = kept(parts)
    fresh = make(body)
    for each in (new, fresh):
        each.w.assign(1.5)
    assert float(new.f(X)) == float(fresh.f(X))
    assert gradient(new) == pytest.approx(gradient(fresh))
    assert gradient(new, order=2) == pytest.approx(gradient(fresh, order=2))
    assert new.log == ["traced"]
    assert float(parts.f(X)) == float(make(body).f(X))
    assert gradient(parts) == pytest.approx(gradient(make(body)))


def test_nested_functions():
    inner = make(cubed)
    middle = tf.function(lambda x: inner.f(x) + 1.0, jit_compile=True)

    @tf.function
    def outer(x):
        return middle(x) * inner.w

    outer(X)
    new = kept(Parts(f=outer, w=inner.w, inner=inner))
    new.w.assign(1.0)
    assert (float(new.f(X)), float(outer(X))) == (4.0, 50.0)
    assert gradient(new) == 4.0 * 3.0 + 1.0
    assert float(new.inner.f(X)) == 3.0
    assert new.inner.log == ["traced"]


# -- methods ---------------------------------------------------------------------------------------------------------


class Decorated(tf.Module):
    """A method decorated in the class."""

    def __init__(self):
        super().__init__()
        self.w = tf.Variable(2.0)
        self.log = []

    @tf.function
    def call(self, x):
        self.log.append("traced")
        return self.w * x


class Stored(Decorated):
    """A bound tf.function stored in the object."""

    def __init__(self):
        super().__init__()
        self.step = self.call


@pytest.mark.parametrize("cls", [Decorated, Stored])
def test_methods(cls):
    obj = cls()
    obj.call(X)
    new = kept(obj)
    new.w.assign(5.0)
    assert (float(new.call(X)), float(obj.call(X))) == (15.0, 6.0)
    assert len(new.log) == 1 and len(obj.log) == 1
    if cls is Stored:
        assert new.step is new.call
    assert new.call(tf.constant([1.0])).numpy().tolist() == [5.0]
    assert len(new.log) == 2
    assert new.call is not obj.call
    del obj
    gc.collect()
    assert float(new.call(X)) == 15.0


# -- random numbers --------------------------------------------------------------------------------------------------


def draw(parts, times=3):
    return [float(parts.f(X)) for _ in range(times)]


def test_random_operations_draw_on_their_own():
    tf.random.set_seed(1)
    expected = draw(make(lambda x, w: tf.random.uniform([], seed=2) * w), 6)
    tf.random.set_seed(1)
    parts = make(lambda x, w: tf.random.uniform([], seed=2) * w)
    assert draw(parts) == expected[:3]
    new = kept(parts)
    assert draw(new) == expected[:3]  # from the start, as a new trace does
    assert draw(parts) == expected[3:]
    again = kept(new)
    assert draw(again, 6) == expected
    assert draw(new) == expected[3:]
    assert new.log == again.log == ["traced"]
    assert isinstance(gradient(new), float)


def test_a_generator_goes_on_where_it_stood():
    generator = tf.random.Generator.from_seed(3)

    @tf.function
    def f():
        return generator.uniform([])

    f()
    new = kept({"f": f, "generator": generator})
    ahead = [float(new["f"]()) for _ in range(3)]
    assert [float(f()) for _ in range(3)] == ahead


# -- what cannot be kept ---------------------------------------------------------------------------------------------


def lost(receipt):
    return [entry.lost for entry in receipt if "trace" in entry.lost]


def test_nothing_on_the_receipt_when_all_is_kept():
    parts = make()
    parts.f(X)
    _, receipt = kept(parts, receipt=True)
    assert lost(receipt) == []


def test_python_code_inside_is_traced_again():
    calls = []

    def count(x):
        calls.append(1)
        return x

    @tf.function
    def f(x):
        return tf.py_function(count, [x], tf.float32)

    f(X)
    (new, mine), receipt = kept([f, calls], receipt=True)
    assert "1 of 1 traces" in lost(receipt)[0] and "py_function" in lost(receipt)[0]
    assert float(new(X)) == 3.0
    assert (len(mine), len(calls)) == (2, 1)


def test_an_iterator_in_the_closure_is_traced_again():
    data = iter(tf.data.Dataset.range(5))

    @tf.function
    def f():
        return next(data)

    f()
    _, receipt = graphcopy.copy(f, rules=[graphcopy.share(type(data)), KEEP], receipt=True)
    assert "resource whose owner" in lost(receipt)[0]


def test_what_is_known_only_at_the_call_is_traced_again():
    value = [1.0]

    @tf.function
    def f(x):
        graph = tf.compat.v1.get_default_graph()
        spec = tf.TensorSpec([], tf.float32)
        return x * graph.capture_call_time_value(lambda: tf.constant(value[0]), spec)

    f(X)
    new, receipt = kept([f, value], receipt=True)
    assert "1 of 1 traces" in lost(receipt)[0]
    new[1][0] = 5.0
    assert (float(new[0](X)), float(f(X))) == (15.0, 3.0)


def test_bytes_trace_again_and_say_so():
    parts = make()
    parts.f(X)
    new = graphcopy.loads(graphcopy.dumps(parts, rules=[KEEP]))
    new.w.assign(5.0)
    assert float(new.f(X)) == 15.0
    assert len(new.log) == 2


def test_a_version_that_lacks_something_is_told():
    parts = make()
    parts.f(X)
    trace = parts.f.get_concrete_function(X)
    functions = vars(trace).pop("_first_order_tape_functions")
    with pytest.raises(graphcopy.CopyError, match=f"TensorFlow {tf.__version__}.*_first_order_tape_functions"):
        kept(parts)
    vars(trace)["_first_order_tape_functions"] = functions
    assert float(kept(parts).f(X)) == 6.0


def test_the_writer_of_a_summary_is_traced_again(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))

    @tf.function
    def f(x):
        with writer.as_default():
            tf.summary.write("x", x, step=1)
        return x

    f(X)
    new, receipt = kept(f, receipt=True)
    assert "1 of 1 traces" in lost(receipt)[0]
    assert float(new(X)) == 3.0
