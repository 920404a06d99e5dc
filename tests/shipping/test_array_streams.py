"""Arrays that look into one memory do so on the other side, in whatever order they are met."""

from __future__ import annotations

import pickle

import pytest

import graphcopy
from graphcopy.shipping.journey import Journey
from graphcopy.shipping.sending import shipping_policy
from graphcopy.shipping.writing import written

np = pytest.importorskip("numpy")


def in_band(obj):
    return graphcopy.loads(graphcopy.dumps(obj))


def out_of_band(obj):
    buffers: list = []
    data = graphcopy.dumps(obj, buffers=buffers)
    return graphcopy.loads(data, buffers=[bytes(each) for each in buffers])


def by_the_writer(obj):
    return graphcopy.loads(written(Journey(shipping_policy((), True, ()), obj)))


def shipped(obj):
    return pickle.loads(pickle.dumps(graphcopy.Shipment(obj))).get()


WAYS = pytest.mark.parametrize("way", [in_band, out_of_band, by_the_writer, shipped])


class Tagged(np.ndarray):
    pass


def table():
    return np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])


@WAYS
@pytest.mark.parametrize("turned", [False, True], ids=["base first", "view first"])
@pytest.mark.parametrize(
    ("make", "views"),
    [
        pytest.param(lambda: np.arange(20.0), [np.s_[::2], np.s_[::-1], np.s_[3:9]], id="slices"),
        pytest.param(lambda: np.asfortranarray(np.arange(12.0).reshape(3, 4)), [np.s_[1:], np.s_[:, ::2]], id="F"),
        pytest.param(lambda: np.arange(24).reshape(2, 3, 4), [np.s_[0], np.s_[:, 1], np.s_[..., 2]], id="axes"),
        pytest.param(table, [np.s_["a"], np.s_["b"]], id="fields"),
        pytest.param(lambda: np.array([[1], "x", None, {}], dtype=object), [np.s_[1:], np.s_[::-1]], id="objects"),
        pytest.param(lambda: np.zeros((3, 0)), [np.s_[1:]], id="empty"),
        pytest.param(lambda: np.arange(6).view("m8[s]"), [np.s_[2:]], id="times"),
    ],
)
def test_views_of_an_array(way, turned, make, views):
    base = make()
    sent = [base, *(base[view] for view in views)]
    before = base.tolist()
    arrived = way(sent[::-1] if turned else sent)
    new, *new_views = arrived[::-1] if turned else arrived
    assert new.tolist() == before and new.flags.f_contiguous == base.flags.f_contiguous
    for view, found in zip(views, new_views):
        expected = new[view]
        assert found.dtype == base[view].dtype and found.shape == expected.shape
        assert not found.size or np.shares_memory(found, new)
        assert found.__array_interface__["data"][0] == expected.__array_interface__["data"][0] or not found.size
        assert found.strides == expected.strides or not found.size
    assert base.tolist() == before


@WAYS
def test_views_that_overlap_without_their_base(way):
    base = np.arange(20.0)
    one, other, apart, even, odd = way([base[2:8], base[4:10], base[15:], base[10:15:2], base[11:15:2]])
    one[2] = 9
    assert other.tolist() == [9, 5, 6, 7, 8, 9] and apart.tolist() == [15, 16, 17, 18, 19]
    even[0] = 0
    assert odd.tolist() == [11, 13] and not np.shares_memory(even, odd)
    objects = np.array(["a", [1], None, "d"], dtype=object)
    left, right = way([objects[:3], objects[1:]])
    assert left[1] is right[0] and left.tolist() == ["a", [1], None]
    left[2] = "new"
    assert right.tolist() == [[1], "new", "d"]


@WAYS
def test_classes_and_flags_of_views(way):
    base = np.arange(6.0)
    fixed = base[:]
    fixed.flags.writeable = False
    new, tagged, new_fixed = way([base, base.view(Tagged), fixed])
    new[0] = 5
    assert type(tagged) is Tagged and tagged[0] == 5 == new_fixed[0]
    assert tagged.flags.writeable and not new_fixed.flags.writeable


@WAYS
def test_a_view_can_be_written_to_though_its_base_cannot(way):
    base = np.arange(6.0)
    view = base[1:]
    base.flags.writeable = False
    new, new_view = way([base, view])
    new_view[0] = 9
    assert new[1] == 9 and not new.flags.writeable and base[1] == 1


@WAYS
@pytest.mark.parametrize("dtype", ["f8", "U3", "O", "m8[s]"])
def test_an_array_that_cannot_be_written_to_arrives_so(way, dtype):
    fixed = np.asfortranarray(np.arange(6).reshape(2, 3).astype(dtype))
    fixed.flags.writeable = False
    (new,) = way([fixed])
    assert not new.flags.writeable and new.tolist() == fixed.tolist() and new.flags.f_contiguous


@WAYS
def test_views_of_a_bytearray(way):
    under = bytearray(b"abcd")
    new, array = way([under, np.frombuffer(under, "u1")[1:]])
    new[1] = 90
    assert array.tolist() == [90, 99, 100] and under == b"abcd"


def test_a_memory_is_sent_once_however_many_look_into_it():
    base, buffers = np.zeros(1_000_000), []
    data = graphcopy.dumps([base[10:500_000], base[400_000:]], buffers=buffers)
    assert len(data) < 1000 and [each.raw().nbytes for each in buffers] == [7_999_920]
    arrived = graphcopy.loads(data, buffers=[bytes(each) for each in buffers])
    again: list = []
    graphcopy.dumps(arrived, buffers=again)
    assert [each.raw().nbytes for each in again] == [7_999_920]


def test_a_lone_view_is_sent_at_its_own_size():
    base, buffers = np.zeros(1_000_000), []
    data = graphcopy.dumps([base[:10_000]], buffers=buffers)
    assert [each.raw().nbytes for each in buffers] == [80_000]
    assert graphcopy.loads(data, buffers=buffers)[0].shape == (10_000,)
