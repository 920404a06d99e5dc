"""``load(path, trusted=[...])``: what is listed arrives, all else is refused before anything is built."""

from __future__ import annotations

import contextlib
import datetime
import io
import pickle
import random
import subprocess
import sys
import threading
import time
from collections import Counter, OrderedDict
from importlib import import_module

import hostile
import pytest
import trusted_samples as samples
from hypothesis import given, settings
from hypothesis import strategies as st

import graphcopy
from graphcopy import LoadError, UntrustedError
from graphcopy.safety.guards import _GUARDS

MINE = ["trusted_samples.*"]
GENEROUS = [
    "trusted_samples.*", "trusted_samples.twice", "collections.OrderedDict", "datetime.datetime", "threading.RLock",
    "_thread.allocate_lock", "collections.deque", "numpy.ndarray",
]  # fmt: skip


def arrives(obj, trusted=(), **options):
    file = io.BytesIO()
    graphcopy.dump(obj, file, **options)
    file.seek(0)
    return graphcopy.load(file, trusted=trusted)


def refused(stream, trusted, buffers=()):
    with pytest.raises(UntrustedError) as caught:
        graphcopy.load(io.BytesIO(hostile.packed(stream, buffers)), trusted=trusted)
    return caught.value


# -- what is admitted ----------------------------------------------------------------------------------


def test_plain_data_needs_nothing():
    plain = {
        "a": [1, 2.5, None, True, "x", b"y", (1, (2,))],
        "b": {1, 2},
        "c": frozenset([3]),
        "d": bytearray(b"z"),
        5: 1 << 99,
    }
    assert arrives(plain) == plain and arrives(memoryview(b"ab")).tobytes() == b"ab"


def test_classes_of_a_package_arrive_with_locks_and_aliases():
    new = arrives(samples.Guarded(), [*MINE, "threading.RLock"])
    assert type(new) is samples.Guarded and new.first is new.points[0] and [p.x for p in new.points] == [1, 2]
    assert new.lock.acquire(False)


def many():
    many, table, word = samples.Many([1, samples.Point()]), samples.Table(a=1), samples.Word("w")
    many.label, table.label, word.note = "m", "t", ["n"]
    return [many, table, word]


@pytest.mark.parametrize("obj", [
    samples.Slotted(), many(), samples.Failure("why"), samples.Colour.RED,
    samples.Fixed(1, (2,)), samples.Pair(1, 2), samples.Setter(),
    [samples.Point, samples.Colour], {samples.Fixed(1, (2, 3)): 1}, {}.keys(),
], ids=lambda obj: type(obj).__name__)  # fmt: skip
def test_objects_of_many_kinds(obj):
    new = arrives(obj, MINE)
    assert type(new) is type(obj) and graphcopy.compare(obj, new).differences == []


def test_names_are_listed_exactly_or_given_as_they_are():
    when = datetime.datetime(2026, 12, 1)
    assert arrives(when, ["datetime.datetime"]) == when == arrives(when, [datetime.datetime])
    assert arrives(Counter("aab"), ["collections.Counter"]) == Counter("aab")
    assert arrives(samples.twice, ["trusted_samples.twice"]) is samples.twice is arrives(samples.twice, [samples.twice])
    assert type(arrives(samples.Outer.Inner(), [samples.Outer.Inner])) is samples.Outer.Inner


def test_arrays_of_numbers_times_and_texts():
    numpy = pytest.importorskip("numpy")
    arrays = [numpy.arange(6.0).reshape(2, 3), numpy.zeros((3, 4, 2)).transpose(1, 0, 2), numpy.array(["a", "bcd"]),
              numpy.array([b"x"]), numpy.array(["2026-12-01"], dtype="M8[D]"), numpy.arange(3, dtype=">i2"),
              numpy.zeros((4, 4))[:, 1],
              numpy.array([True, False]), numpy.arange(100_000)]  # fmt: skip
    for array, new in zip(arrays, arrives(arrays, ["numpy.ndarray"])):
        assert new.dtype == array.dtype and numpy.array_equal(new, array)
        new[...] = new[...]  # it can be written to
    assert arrives(numpy.float32(1.5), ["numpy.ndarray"]) == 1.5
    base = numpy.arange(10.0)
    first, second = arrives([base, base[:1:-2]], ["numpy.ndarray"])
    first[9] = -1
    assert second.tolist() == [-1, 7, 5, 3]
    one, other = arrives([base[2:6], base[4:8]], ["numpy.ndarray"])
    one[2] = -5
    assert other[0] == -5
    with pytest.raises(UntrustedError, match=r"numpy"):
        arrives(arrays[0], [])
    for holder in (numpy.array([None, []], dtype=object), numpy.zeros(2, dtype=[("a", "f4")])):
        with pytest.raises(UntrustedError):
            arrives(holder, ["numpy.ndarray"])


@pytest.mark.parametrize(("shape", "strides", "offset"), [
    ((3,), (8,), 0), ((2,), (16,), 0), ((1,), (8,), 9), ((1,), (8,), -1), ((2,), (-8,), 0), ((1 << 40,), (0,), 15),
    ((-1,), (8,), 0), ((2, 2), (8,), 0),
])  # fmt: skip
def test_a_view_cannot_look_beyond_its_memory(shape, strides, offset):
    pytest.importorskip("numpy")
    h = hostile
    dtype = h.call(h.named("numpy", "dtype"), h.text("f8"), pickle.NEWFALSE, pickle.NEWTRUE)

    def numbers(values):
        return h.made(*(pickle.LONG1 + b"\x08" + each.to_bytes(8, "little", signed=True) for each in values))

    look = h.made(dtype, numbers(shape), numbers(strides), h.number(offset), pickle.NEWTRUE)
    memory = h.call(h.named("graphcopy.shipping.memories", "memory_of"), h.data(bytes(16)), pickle.NEWFALSE)
    over = h.call(h.named("graphcopy.shipping.memories", "array_over"), memory, h.named("numpy", "ndarray"), look)
    refused(h.stream(over), ["numpy.ndarray"])
    refused(h.stream(over), MINE)


def test_a_key_and_a_list_together(tmp_path):
    path = tmp_path / "file"
    graphcopy.dump(samples.Point(3), path, key=b"k")
    assert graphcopy.load(path, trusted=MINE, key=b"k").x == 3
    with pytest.raises(graphcopy.SignatureError):
        graphcopy.load(path, trusted=MINE)


# -- what is refused, and how that is said -------------------------------------------------------------


def test_every_refused_name_is_told_with_its_place():
    with pytest.raises(UntrustedError) as caught:
        arrives({"a": samples.Point(OrderedDict(x=1)), "d": datetime.date(2026, 1, 1)}, [])
    assert set(caught.value.refused) == {"trusted_samples.Point", "collections.OrderedDict", "datetime.date"}
    text = str(caught.value)
    assert "trusted_samples.Point, at obj['a']: it is not listed" in text and "nothing of it was built" in text
    assert "'collections.OrderedDict'" in text.splitlines()[-1]


def test_what_travels_by_value_is_always_refused_with_advice():
    def local():
        return 1

    class Local:
        pass

    for obj in (local, Local, Local()):
        with pytest.raises(UntrustedError, match="key="):
            arrives(
                obj,
                [
                    "graphcopy.shipping.functions.make_function",
                    "graphcopy.shipping.classes.make_class",
                    "builtins.type",
                ],
            )


@pytest.mark.parametrize(
    ("wrong", "error"),
    [("mypkg.*", TypeError), ([5], TypeError), (["*"], ValueError), (["os.*"], ValueError),
     (["collections.abc.*"], ValueError),
     (["numpy.*"], ValueError), (["graphcopy.*"], ValueError), (["dill.*"], ValueError), (["my*.Model"], ValueError),
     (["Model"], ValueError), (["mypkg.mod*"], ValueError), (["__main__.*"], ValueError)],
)  # fmt: skip
def test_what_cannot_be_listed(wrong, error):
    with pytest.raises(error):
        graphcopy.load(io.BytesIO(hostile.packed(hostile.stream(pickle.NONE))), trusted=wrong)


def test_refused_before_anything_is_imported(tmp_path):
    code = """
import sys
sys.path[:0] = {paths!r}
import graphcopy
try:
    graphcopy.load({path!r}, trusted=["datetime.date"])
except graphcopy.UntrustedError as error:
    print(sorted(error.refused), "trusted_samples" in sys.modules, "this" in sys.modules)
"""
    path = tmp_path / "file"
    path.write_bytes(hostile.packed(hostile.stream(hostile.listed(hostile.NEW_POINT, hostile.named("this", "s")))))
    text = code.format(paths=sys.path, path=str(path))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "['this.s', 'trusted_samples.Point'] False False\n"


# -- the corpus ----------------------------------------------------------------------------------------

LISTS = [[], MINE, GENEROUS]


@pytest.fixture
def canary(tmp_path):
    return tmp_path / "canary"


LIVE = list(hostile.live("true"))


@pytest.mark.parametrize("name", LIVE)
def test_live_pickles_are_refused_one_and_all(name, canary):
    stream = hostile.live(f"touch {canary}")[name]
    for trusted in LISTS:
        refused(stream, trusted)
        assert not canary.exists()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("name", LIVE)
def test_live_pickles_are_live(name, canary):
    """That the corpus means something: plain pickle runs the command."""
    stream = hostile.live(f"touch {canary}")[name]
    with contextlib.suppress(Exception):
        pickle.loads(stream)
    assert wait_for(canary)


def wait_for(path):
    for _ in range(50):
        if path.exists():
            return True
        time.sleep(0.1)
    return False


HARMLESS = hostile.harmless_looking()


@pytest.mark.parametrize("name", HARMLESS)
def test_hostile_streams_are_refused_one_and_all(name):
    for trusted in LISTS:
        refused(HARMLESS[name], trusted)
    assert samples.Point.kind == "point" and samples.Point.__init__.__qualname__ == "Point.__init__"


def test_the_wall_stands_without_the_symbolic_run(monkeypatch, canary):
    """An unpickler that is asked for a name which the run has not seen."""
    from graphcopy.safety import wall
    from graphcopy.safety.scanning import Scan

    monkeypatch.setattr(wall, "scanned", lambda stream: Scan())
    for name, stream in {**hostile.live(f"touch {canary}"), **HARMLESS}.items():
        if name in ("huge bytes", "huge text", "huge bytearray", "huge number") or "laughs" in name:
            continue
        with contextlib.suppress(LoadError, MemoryError):
            graphcopy.load(io.BytesIO(hostile.packed(stream)), trusted=GENEROUS)
        assert not canary.exists(), name
    assert samples.Point.kind == "point"


def test_every_guarded_helper_is_there():
    for name in _GUARDS:
        module, _, own = name.rpartition(".")
        assert hasattr(import_module(module), own), name


# -- fuzzing -------------------------------------------------------------------------------------------


def seeds():
    objs = [
        samples.Guarded(),
        many(),
        samples.Fixed(1, (2, "x")),
        {samples.Pair(1, 2): {3}},
        samples.Failure("w"),
        samples.Setter(),
    ]
    with contextlib.suppress(ImportError):
        import numpy

        numbers = numpy.arange(9.0)
        objs += [numbers, [numbers, numbers[2:], numbers[::-1]], [numbers[1:4], numbers[2:5]], numpy.float32(1)]
        objs += [numpy.array(["a", "bc"]), numpy.array(["2026"], "M8[D]")]
    streams = [graphcopy.dumps(obj) for obj in objs]
    return streams + [
        each for each in {**hostile.live("touch /nowhere/at/all"), **HARMLESS}.values() if len(each) < 3000
    ]


SEEDS = seeds()


def attempt(stream):
    """Load under a list; whatever happens, it is an error of ours, and nothing that is not listed was found."""
    found = []

    class Watch(dict):
        def __getitem__(self, key):
            found.append(super().__getitem__(key))
            return found[-1]

    from graphcopy.safety import wall

    original = wall.TrustedUnpickler.__init__

    def init(self, stream, buffers, places, table):
        original(self, stream, buffers, places, Watch(table))

    wall.TrustedUnpickler.__init__ = init
    try:
        graphcopy.load(io.BytesIO(hostile.packed(stream)), trusted=GENEROUS)
    except LoadError as error:
        said = str(error)
    else:
        said = ""
    finally:
        wall.TrustedUnpickler.__init__ = original
    assert "not seen before" not in said  # the run and the unpickler see the same
    for each in found:
        home, name = getattr(each, "__module__", "") or "", getattr(each, "__qualname__", "")
        allowed = home.startswith(("graphcopy.", "trusted_samples", "numpy")) or f"{home}.{name}" in GENEROUS
        assert allowed or (home == "builtins" and isinstance(each, type)) or each is threading.RLock, each


@pytest.mark.parametrize("seed", range(8))
def test_mutated_streams_do_no_harm(seed):
    chance = random.Random(seed)
    for _ in range(250):
        stream = bytearray(chance.choice(SEEDS))
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(2, len(stream))
            what = chance.random()
            if what < 0.4:
                stream[place] ^= 1 << chance.randrange(8)
            elif what < 0.6:
                stream[place] = chance.randrange(256)
            elif what < 0.75:
                other = chance.choice(SEEDS)
                cut = chance.randrange(len(other))
                stream[place:place] = other[cut : cut + chance.randint(1, 40)]
            elif what < 0.9:
                del stream[place : place + chance.randint(1, 8)]
            else:
                stream[place:place] = bytes(
                    [chance.choice(b"RbQ)]}(.NtuesacV\x85\x86\x87\x88\x89\x8a\x91\x94\x93\x81\x92\x8f\x90")]
                )
            if len(stream) < 3:
                break
        attempt(bytes(stream))


OPCODES = [bytes([each]) for each in b"(.012NQRbdaetlu)]}s\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x92\x93\x94\x97\x98"]
PIECES = st.one_of(
    st.sampled_from(OPCODES),
    st.builds(
        hostile.text, st.sampled_from(["os", "system", "builtins", "eval", "trusted_samples", "Point", "twice", "x"])
    ),
    st.builds(hostile.number, st.integers(-5, 300)),
    st.builds(hostile.get, st.integers(0, 5)),
    st.sampled_from([hostile.POINT, hostile.NEW_POINT, hostile.named("os", "system"), hostile.made(hostile.number(1))]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=25))
def test_made_up_streams_do_no_harm(pieces):
    attempt(hostile.stream(*pieces))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(SEEDS))
def test_any_bytes_do_no_harm(tail, seed):
    attempt(b"\x80\x05" + tail)
    attempt(seed[:-1] + tail)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_raise_errors_of_ours(seed):
    chance = random.Random(seed)
    file = io.BytesIO()
    graphcopy.dump([samples.Guarded(), "text", 1.5], file)
    data = file.getvalue()
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        for trusted in (None, GENEROUS):
            with contextlib.suppress(LoadError):
                graphcopy.load(io.BytesIO(bytes(changed)), trusted=trusted)
