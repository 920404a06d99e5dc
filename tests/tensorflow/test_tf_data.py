"""Datasets read the copies, and iterators go on at their place."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

import graphcopy

pytestmark = [pytest.mark.tensorflow]

numbers = tf.data.Dataset.range


def rest(iterator):
    return [each.numpy().tolist() if hasattr(each, "numpy") else each for each in iterator]


POSITIONS = {
    "plain": lambda: numbers(10),
    "batches": lambda: numbers(10).batch(2),
    "shuffled": lambda: numbers(20).shuffle(7),
    "shuffled with a seed, repeated": lambda: numbers(6).shuffle(4, seed=3).repeat(3),
    "in parallel": lambda: numbers(10).map(lambda x: x * 2, num_parallel_calls=2).prefetch(2),
    "interleaved": lambda: numbers(4).interleave(lambda x: numbers(3).map(lambda y: x * 10 + y), cycle_length=2),
    "cached": lambda: numbers(5).cache().repeat(2),
    "filtered": lambda: numbers(20).filter(lambda x: x % 3 == 0),
    "a running sum": lambda: numbers(9).scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x)),
    "random": lambda: tf.data.Dataset.random(seed=4).take(9),
    "joined": lambda: numbers(3).concatenate(numbers(7)),
}


@pytest.mark.parametrize("kind", POSITIONS)
def test_an_iterator_goes_on_at_its_place(kind):
    iterator = iter(POSITIONS[kind]())
    next(iterator), next(iterator)
    holder = {"data": iterator, "same": iterator}
    copied = graphcopy.copy(holder)
    assert copied["data"] is copied["same"] is not iterator
    theirs = rest(copied["data"])
    assert len(theirs) > 1
    assert rest(iterator) == theirs


@pytest.mark.parametrize("structure", ["dict", "tuple", "ragged"])
def test_elements_with_a_structure(structure):
    made = {
        "dict": numbers(5).map(lambda x: {"x": x, "y": x + 1}),
        "tuple": tf.data.Dataset.zip((numbers(5), numbers(5, 10))),
        "ragged": tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [4]])),
    }[structure]
    iterator = iter(made)
    next(iterator)
    copied = graphcopy.copy(iterator)
    assert copied.element_spec == iterator.element_spec
    ours, theirs = next(iterator), next(copied)
    tf.nest.map_structure(lambda a, b: tf.debugging.assert_equal(a, b), ours, theirs, expand_composites=True)


def test_an_iterator_that_is_used_up_and_one_of_arrays():
    used = iter(numbers(2))
    rest(used)
    assert rest(graphcopy.copy(used)) == []
    arrays = numbers(5).as_numpy_iterator()
    next(arrays)
    copied = graphcopy.copy([arrays])[0]
    assert list(copied) == list(arrays) == [1, 2, 3, 4]


def test_an_iterator_through_bytes():
    iterator = iter(numbers(9).shuffle(4, seed=1).batch(2))
    next(iterator)
    arrived = graphcopy.loads(graphcopy.dumps(iterator))
    assert rest(arrived) == rest(iterator) != []


def test_an_iterator_over_a_variable_reads_the_copied_one():
    factor = tf.Variable(1.0)
    iterator = iter(numbers(4).map(lambda x: tf.cast(x, tf.float32) * factor))
    next(iterator)
    copied = graphcopy.copy({"factor": factor, "data": iterator})
    copied["factor"].assign(10.0)
    assert rest(copied["data"])[1:] == [20.0, 30.0]  # the first may stand ready already, on both sides
    assert rest(iterator) == [1.0, 2.0, 3.0]


def test_an_iterator_that_draws_from_a_generator_goes_on_with_its_own():
    generator = tf.random.Generator.from_seed(5)
    iterator = iter(numbers(5).map(lambda x: generator.normal([])))
    next(iterator)
    copied = graphcopy.copy({"generator": generator, "data": iterator})
    assert rest(copied["data"]) == rest(iterator) != []


def counting():
    yield from (1, 2, 3)


def culprits_for(obj):
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy(obj)
    return caught.value.culprits


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: tf.data.Dataset.from_generator(counting, output_signature=tf.TensorSpec([], tf.int32)), "PyFunc"),
        (lambda: numbers(5).map(lambda x: tf.py_function(lambda y: y, [x], tf.int64)), "EagerPyFunc"),
        (lambda: numbers(5).map(lambda x: tf.random.uniform([])), "RandomUniform"),
    ],
)
def test_a_position_that_cannot_be_saved_is_a_culprit_with_advice(make, named):
    dataset = make()
    iterator = iter(dataset)
    next(iterator)
    holder = {"deep": [iterator]}
    (culprit,) = culprits_for(holder)
    assert str(culprit.path) == "obj['deep'][0]"
    assert named in culprit.reason
    given = eval(culprit.advice.partition("=")[2], {"graphcopy": graphcopy, "dataset": dataset})
    copied = graphcopy.copy(holder, rules=given)
    assert copied["deep"][0] is not iterator
    assert len(rest(copied["deep"][0])) in (3, 5)
    assert len(rest(iterator)) in (2, 4)


def test_datasets_without_outer_state_are_shared():
    dataset = numbers(5).map(lambda x: x + 1).batch(2)
    copied, receipt = graphcopy.copy({"data": dataset}, receipt=True)
    assert copied["data"] is dataset
    assert not list(receipt)


def test_a_dataset_that_shuffles_anew_at_each_pass_is_the_copys_own():
    dataset = numbers(20).shuffle(20, seed=3).batch(20)
    copied, receipt = graphcopy.copy({"data": dataset}, receipt=True)
    assert "counts its passes anew" in str(receipt)
    theirs = rest(copied["data"]), rest(copied["data"])
    assert theirs[0] != theirs[1]
    assert (rest(dataset), rest(dataset)) == theirs
    fixed = numbers(5).shuffle(3, seed=1, reshuffle_each_iteration=False)
    assert graphcopy.copy(fixed) is fixed


def scaled(factor):
    return lambda x: tf.cast(x, tf.float32) * factor


def is_small(limit):
    return lambda x: tf.cast(x, tf.float32) < limit


OVER_A_VARIABLE = {
    "map": lambda v: numbers(6).map(scaled(v)),
    "parallel map": lambda v: numbers(6).map(scaled(v), num_parallel_calls=2, deterministic=True),
    "filter": lambda v: numbers(6).filter(is_small(v)),
    "flat map": lambda v: numbers(3).flat_map(lambda x: numbers(2).map(lambda y: scaled(v)(x))),
    "interleave": lambda v: numbers(3).interleave(lambda x: numbers(2).map(lambda y: scaled(v)(x)), cycle_length=2),
    "parallel interleave": lambda v: numbers(3).interleave(
        lambda x: numbers(2).map(lambda y: scaled(v)(x)), cycle_length=2, num_parallel_calls=2, deterministic=True
    ),
    "scan": lambda v: numbers(4).scan(tf.constant(0.0), lambda s, x: (s + v, s + v)),
    "take while": lambda v: numbers(6).take_while(is_small(v)),
    "groups": lambda v: numbers(6).group_by_window(
        lambda x: x % 2, lambda key, group: group.batch(3).map(scaled(v)), window_size=3
    ),
    "below much": lambda v: (
        numbers(6).map(scaled(v)).shuffle(4, seed=2).repeat(2).batch(4, drop_remainder=True).prefetch(1).take(2).skip(1)
    ),
    "zipped": lambda v: tf.data.Dataset.zip((numbers(6).map(scaled(v)), numbers(6).map(scaled(v)))).map(
        lambda a, b: a + b
    ),
    "joined": lambda v: numbers(2).map(scaled(v)).concatenate(numbers(2).map(scaled(v))),
    "padded": lambda v: numbers(4).map(lambda x: tf.fill([x], v)).padded_batch(2),
    "unbatched": lambda v: numbers(4).batch(2).map(scaled(v)).unbatch().window(2).flat_map(lambda w: w.batch(2)),
    "with options": lambda v: numbers(4).map(scaled(v)).with_options(tf.data.Options()),
    "cached": lambda v: numbers(4).map(scaled(v)).cache().enumerate().map(lambda i, x: x),
}


@pytest.mark.parametrize("kind", OVER_A_VARIABLE)
def test_a_dataset_over_a_variable_reads_the_copied_one(kind):
    factor = tf.Variable(2.0)
    make = OVER_A_VARIABLE[kind]
    state = {"data": make(factor), "factor": factor}
    copied, receipt = graphcopy.copy(state, receipt=True)
    assert all("counts its passes" in entry.lost for entry in receipt)
    copied["factor"].assign(4.0)
    expected = rest(make(tf.Variable(4.0)))
    assert rest(copied["data"]) == expected
    assert rest(state["data"]) == rest(make(tf.Variable(2.0))) != expected
    again = graphcopy.copy(copied)
    again["factor"].assign(2.0)
    assert rest(again["data"]) == rest(make(tf.Variable(2.0)))
    compared = graphcopy.compare(state, graphcopy.copy(state))
    assert compared.ok, str(compared)


def test_a_dataset_over_a_table():
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, default_value=-1)
    state = {"table": table, "data": numbers(2).map(table.lookup)}
    copied = graphcopy.copy(state)
    copied["table"].insert(tf.constant([1], tf.int64), tf.constant([7], tf.int64))
    assert rest(copied["data"]) == [-1, 7]
    assert rest(state["data"]) == [-1, -1]


class Replay:
    """A buffer that feeds a dataset, as in reinforcement learning."""

    def __init__(self):
        self.steps = [1, 2]
        self.data = tf.data.Dataset.from_generator(self.draw, output_signature=tf.TensorSpec([], tf.int32)).batch(10)

    def draw(self):
        yield from self.steps


def test_a_dataset_of_a_generator_reads_the_copied_object():
    replay = Replay()
    copied = graphcopy.copy(replay)
    copied.steps.append(3)
    assert rest(copied.data) == [[1, 2, 3]]
    assert rest(replay.data) == [[1, 2]]


class Module(tf.Module):
    """Keeps its data and where it stands in them."""

    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(1.0)
        self.data = numbers(100).map(self.prepare).shuffle(10, seed=1).batch(2)
        self.feed = iter(self.data)

    def prepare(self, x):
        return tf.cast(x, tf.float32) * self.scale

    @tf.function
    def step(self):
        return tf.reduce_sum(next(self.feed))


def test_a_module_with_its_feed_goes_on():
    module = Module()
    module.step()
    copied = graphcopy.copy(module)
    assert [float(copied.step()) for _ in range(3)] == [float(module.step()) for _ in range(3)]
    copied.scale.assign(0.0)
    module.step()
    assert [float(copied.step()) for _ in range(20)][-1] == 0.0
    assert float(module.step()) > 0
