"""numpy arrays: one copy of the memory, views stay views, object cells are walked."""

import pickle
import weakref

import pytest

np = pytest.importorskip("numpy")

import graphcopy
from graphcopy.anatomy.arrays import ArrayCopy


def apart(one, other):
    return not np.shares_memory(one, other)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0),
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1),
        np.arange(10)[::-2],
        np.broadcast_to(np.arange(3.0), (4, 3)),
        np.lib.stride_tricks.sliding_window_view(np.arange(9), 3),
        np.array(5.0),
        np.empty((0, 3)),
        np.array(["a", "bcd"]),
        np.array(["2020-01-01"], "M8[D]"),
        np.array([(1, 2.5)], dtype=[("a", "i2"), ("b", "f8")]),
        np.array([(1, 2.5)], dtype=[("a", "i2"), ("b", "f8")])["b"],
        np.arange(6, dtype=">i4"),
        np.frombuffer(b"0123456789abcdef", "u4"),
        np.frombuffer(bytearray(b"0123456789abcdef"), "u4"),
    ],
    ids=lambda a: f"{a.dtype}-{a.shape}-{a.strides}",
)
def test_values_layout_and_flags_are_kept(array):
    copied = graphcopy.copy([array])[0]
    assert type(copied) is type(array) and copied.dtype == array.dtype and copied.shape == array.shape
    assert np.array_equal(copied, array) and apart(copied, array)
    assert copied.flags.writeable == array.flags.writeable
    if array.size > 1 and abs(array.strides[0]) <= array.itemsize * array.size:
        packed = array.copy(order="K").strides
        assert copied.strides in (array.strides, packed)
    assert copied.flags.c_contiguous == array.flags.c_contiguous or copied.flags.c_contiguous


def test_read_only_stays_read_only():
    array = np.arange(3)
    array.flags.writeable = False
    copied = graphcopy.copy(array)
    assert not copied.flags.writeable and apart(copied, array)
    over_bytes = graphcopy.copy(np.frombuffer(b"abcd", "u1"))
    with pytest.raises(ValueError, match="WRITEABLE"):
        over_bytes.flags.writeable = True


@pytest.mark.parametrize("order", ["base first", "view first"])
def test_views_of_a_base_in_the_graph_stay_views_of_its_copy(order):
    base = np.arange(12.0)
    views = {
        "rev": base[::-1], "step": base[1::3], "square": base.reshape(3, 4).T, "window": base[2:7],
        "wide": np.broadcast_to(base[3:4], (5,)), "bytes": base.view(np.uint8), "zero": base[5:5],
    }  # fmt: skip
    original = [base, views] if order == "base first" else [views, base]
    copied = graphcopy.copy(original)
    new, its = (copied[0], copied[1]) if order == "base first" else (copied[1], copied[0])
    for name, view in views.items():
        assert np.array_equal(its[name], view) and its[name].strides == view.strides
        assert apart(its[name], base) and (name == "zero" or np.shares_memory(its[name], new))
    new += 100
    assert its["rev"][0] == 111 and its["square"][0, 2] == 108 and its["wide"][4] == 103 and its["window"][0] == 102
    assert not its["wide"].flags.writeable
    its["step"][0] = -1
    assert new[1] == -1 and base.tolist() == list(range(12))


def test_a_view_over_a_fortran_base():
    base = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    copied = graphcopy.copy({"row": base[1], "base": base})
    copied["base"][1, 2] = 50
    assert copied["row"].tolist() == [3, 4, 50] and copied["base"].flags.f_contiguous and base[1, 2] == 5


def test_a_view_over_a_locked_base():
    base = np.arange(4)
    view = base[1:]
    base.flags.writeable = False
    copied = graphcopy.copy([view, base])
    copied[0][0] = 9
    assert copied[1].tolist() == [0, 9, 2, 3] and not copied[1].flags.writeable


def test_overlapping_views_without_their_base_are_copied_once():
    base = np.arange(1000.0)
    copied = graphcopy.copy([base[10:20], base[15:25], base[900:910]])
    copied[0][5:] = -1
    assert copied[1].tolist() == [-1] * 5 + [20, 21, 22, 23, 24]
    assert apart(copied[0], copied[2]) and apart(copied[0], base)
    under = copied[0]
    while under.base is not None:
        under = under.base
    assert under.nbytes < 1000, "the extent, not the base"


def test_columns_that_share_no_cell_are_copied_at_their_own_size():
    table = np.arange(3000.0).reshape(1000, 3)
    one, other = graphcopy.copy([table[:, 0], table[:, 1]])
    assert one.flags.owndata and other.flags.owndata and one[1] == 3 and other[1] == 4


def test_a_lone_view_is_copied_at_its_own_size():
    base = np.arange(1000.0)
    copied = graphcopy.copy(base[10:20])
    assert copied.flags.owndata and copied.nbytes == 80
    copied = graphcopy.copy([np.arange(1000.0)[10:20]])[0]
    assert copied.flags.owndata and copied.nbytes == 80


def test_structured_fields_are_views():
    table = np.zeros(3, dtype=[("a", "i4"), ("b", "f8", (2,))])
    table["a"] = [1, 2, 3]
    copied = graphcopy.copy({"a": table["a"], "b": table["b"], "table": table})
    copied["a"][0] = 7
    copied["table"]["b"][1] = 4
    assert copied["table"]["a"].tolist() == [7, 2, 3] and copied["b"][1].tolist() == [4, 4]
    assert table["a"].tolist() == [1, 2, 3] and not table["b"].any()


def test_arrays_over_a_bytearray_that_is_copied():
    buffer = bytearray(b"0123456789")
    copied = graphcopy.copy([np.frombuffer(buffer, "u1", offset=2), buffer])
    copied[1][2] = ord("x")
    assert copied[0].tobytes() == b"x3456789" and buffer == b"0123456789"


def test_object_cells_are_copied_through_the_memo():
    shared = {"k": [1]}
    array = np.array([shared, [shared], None, "text", np.array(3)], dtype=object)
    copied, new = graphcopy.copy([array, shared])
    assert copied[0] is new and copied[1][0] is new and copied[2] is None and copied[3] == "text"
    assert new is not shared and type(copied[4]) is np.ndarray and copied[4] is not array[4]


def test_object_array_on_a_cycle():
    array = np.empty((2, 2), dtype=object)
    array[0, 0], array[1, 1] = array, {"back": array}
    copied = graphcopy.copy(array)
    assert copied is not array and copied[0, 0] is copied and copied[1, 1]["back"] is copied and copied.shape == (2, 2)


def test_object_views():
    base = np.array([[1], [2], [3], [4]] * 2, dtype=object)[:, 0].copy()
    for place in range(8):
        base[place] = [place]
    copied = graphcopy.copy({"tail": base[4:], "even": base[::2], "base": base})
    assert copied["tail"][0] is copied["base"][4] is copied["even"][2] and copied["tail"][0] is not base[4]
    copied["base"][4] = "new"
    assert copied["tail"][0] == "new" == copied["even"][2] and base[4] == [4]
    one, other = graphcopy.copy([base[:5], base[3:6]])
    one[3] = "x"
    assert other[0] == "x" and other[1] is one[4] and other[2] == [5]


def test_structured_object_fields():
    inner = [1]
    table = np.array([(1, inner), (2, inner)], dtype=[("n", "i4"), ("o", object)])
    copied = graphcopy.copy([table, table["o"], table["n"], inner])
    assert copied[0]["o"][0] is copied[0]["o"][1] is copied[3] is copied[1][0] and copied[3] is not inner
    assert copied[0]["n"].tolist() == [1, 2] == copied[2].tolist()


def test_read_only_object_array():
    array = np.array([[1], None], dtype=object)
    array.flags.writeable = False
    copied = graphcopy.copy([array, array[:1]])
    assert not copied[0].flags.writeable and not copied[1].flags.writeable
    assert copied[0][0] == [1] and copied[0][0] is not array[0] and copied[1][0] is copied[0][0]


class Info(np.ndarray):
    def __new__(cls, data, info):
        self = np.asarray(data).view(cls)
        self.info = info
        return self

    def __array_finalize__(self, obj):
        if obj is not None:
            self.info = getattr(obj, "info", None)


def test_subclass_with_attributes():
    notes = ["a"]
    array = Info(np.arange(3), notes)
    array.extra = array
    copied, new = graphcopy.copy([array, notes])
    assert type(copied) is Info and copied.info is new and copied.extra is copied and copied.tolist() == [0, 1, 2]
    part = array[1:]
    copied = graphcopy.copy([array, part])
    assert type(copied[1]) is Info and np.shares_memory(*copied) and copied[1].info is copied[0].info


class OwnReduce(np.ndarray):
    def __reduce__(self):
        return (own_reduce, (self.tolist(),))


def own_reduce(values):
    return np.array(values).view(OwnReduce) + 0


def test_a_subclass_that_reduces_itself_is_asked():
    copied = graphcopy.copy(np.arange(3).view(OwnReduce))
    assert type(copied) is OwnReduce and copied.tolist() == [0, 1, 2] and not hasattr(copied, "extra")


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_masked_matrix_and_record_arrays():
    masked = np.ma.masked_array([1, 2, 3], [0, 1, 0], fill_value=9)
    copied, mask = graphcopy.copy([masked, masked._mask])
    assert copied.filled().tolist() == [1, 9, 3] and copied.fill_value == 9 and copied._mask is mask
    copied[0] = np.ma.masked
    assert masked.mask.tolist() == [False, True, False]
    assert graphcopy.copy([np.ma.masked])[0] is np.ma.masked
    objects = np.ma.masked_array([[1], [2]], [0, 1], dtype=object)
    assert graphcopy.copy(objects).data[1] == objects.data[1]
    matrix = graphcopy.copy(np.array([[1, 2], [3, 4]]).view(np.matrix))
    assert type(matrix) is np.matrix and (matrix * matrix).tolist() == [[7, 10], [15, 22]]
    records = np.rec.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])
    copied = graphcopy.copy(records)
    assert type(copied) is np.recarray and copied.a[0] == 1 and type(copied[0]) is np.record
    record = graphcopy.copy([records[0]])[0]
    record.a = 5
    assert records.a[0] == 1 and type(record) is np.record


@pytest.mark.parametrize("mode", ["r", "r+", "c", "w+"])
def test_memmap_is_mapped_again(tmp_path, mode):
    path = tmp_path / "data.bin"
    np.arange(10, dtype="i4").tofile(path)
    array = np.memmap(path, dtype="i4", mode=mode, offset=8, shape=(8,))
    if mode != "r":
        array[:] = np.arange(2, 10)
        array[0] = 77
    part = array[2:4]
    copied, piece = graphcopy.copy([array, part])
    assert type(copied) is np.memmap and copied.mode == array.mode and copied.offset == 8
    assert copied.filename == array.filename and copied._mmap is not array._mmap and copied.tolist() == array.tolist()
    assert copied.flags.writeable == (mode != "r") and type(piece) is np.memmap and np.shares_memory(piece, copied)
    if mode == "c":
        copied[1] = 5
        assert array[1] == 3 and copied[0] == 77
    if mode in ("r+", "w+"):
        copied[1] = 5
        copied.flush()
        assert np.fromfile(path, "i4")[3] == 5, "it is the same file"


def test_random_generators_have_a_state_of_their_own():
    generator, legacy = np.random.default_rng(3), np.random.RandomState(3)
    original = {"generator": generator, "bits": generator.bit_generator, "legacy": legacy, "draw": legacy.normal}
    legacy.normal()
    copied = graphcopy.copy(original)
    assert copied["generator"].bit_generator is copied["bits"] and copied["bits"] is not original["bits"]
    assert copied["generator"].random(3).tolist() == generator.random(3).tolist()
    assert copied["draw"].__self__ is copied["legacy"]
    assert [copied["draw"]() for _ in range(3)] == [legacy.normal() for _ in range(3)]
    kept = np.random.normal
    assert graphcopy.copy([kept])[0].__self__ is kept.__self__


def test_scalars_dtypes_and_ufuncs_are_atoms():
    atoms = [np.float64(1.5), np.int8(3), np.True_, np.str_("a"), np.datetime64("2020"), np.dtype("f8"), np.add,
             np.dtype([("a", "i4")]), np.bytes_(b"x"), np.timedelta64(3, "s")]  # fmt: skip
    assert all(new is old for new, old in zip(graphcopy.copy([atoms])[0], atoms))
    assert len(graphcopy.reference_graph(atoms)) == 1


def test_vectorize_follows_its_closure():
    factor = [2]
    times = np.vectorize(lambda x: x * factor[0])
    copied, new = graphcopy.copy([times, factor])
    new[0] = 10
    assert copied([1, 2]).tolist() == [10, 20] and times([1, 2]).tolist() == [2, 4]


def test_nditer_is_a_culprit():
    with pytest.raises(graphcopy.CopyError, match="nditer"):
        graphcopy.copy({"it": np.nditer(np.arange(3))})


def test_weak_references_find_views_that_are_made_late():
    class Own(np.ndarray):
        pass

    base = np.arange(5).view(Own)
    view = base[1:]
    copied = graphcopy.copy([weakref.ref(view), view, base])
    assert copied[0]() is copied[1]


def test_late_views_as_arguments_of_reduce_and_members_of_tuples():
    class Made:
        def __init__(self, part):
            self.part = part

        def __reduce__(self):
            return (Made, (self.part,))

    base = np.arange(5)
    made = Made(base[1:])
    copied = graphcopy.copy(([made, (base[2:], made.part)], base))
    copied[1][2] = 50
    assert copied[0][0].part.tolist() == [1, 50, 3, 4] and copied[0][1][0][0] == 50
    assert copied[0][1][1] is copied[0][0].part


def test_a_hook_that_asks_for_a_late_view():
    import copy

    class Hooked:
        def __init__(self, part):
            self.part = part

        def __deepcopy__(self, memo):
            return Hooked(copy.deepcopy(self.part, memo))

    base = np.arange(5)
    copied = graphcopy.copy([base, Hooked(base[1:])])
    copied[0][1] = 9
    assert copied[1].part[0] == 9


def test_paths_lead_to_the_cells():
    array = np.empty((2, 1), dtype=[("o", object), ("n", int)])
    array["o"][1, 0] = here = [5]
    graph = graphcopy.reference_graph({"a": array})
    paths = [str(path) for _, path in graph.nodes(data="path")]
    assert any(eval(path, {"obj": {"a": array}}) is here for path in paths)


def test_plans_and_comparison():
    base = np.arange(6.0)
    original = {"base": base, "view": base[1:], "cells": np.array([base, [1]], dtype=object)}
    plan = graphcopy.plan(original)
    copied = plan.copy()
    copied["base"][1] = 5
    assert copied["view"][0] == 5 and copied["cells"][0] is copied["base"]
    assert graphcopy.compare(original, graphcopy.copy(original)).ok


def test_an_array_as_a_pickle():
    for array in (
        np.arange(6.0).reshape(2, 3).T,
        np.array(["2020"], "M8[D]"),
        np.frombuffer(b"abcd", "u1"),
        np.array(3),
    ):
        for protocol in (4, 5):
            made = pickle.loads(pickle.dumps(ArrayCopy(array), protocol))()
            assert np.array_equal(made, array) and made.flags.writeable == array.flags.writeable


def test_memory_is_copied_once():
    import tracemalloc

    arrays = [np.ones(1_000_000) for _ in range(5)]
    graphcopy.copy(arrays[:1])
    tracemalloc.start()
    try:
        copied = graphcopy.copy(arrays)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(copied) == 5 and peak < 1.05 * 40_000_000
