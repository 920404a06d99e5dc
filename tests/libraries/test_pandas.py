"""pandas: object cells, attributes, copy-on-write, all kinds of columns and indexes."""

import pytest

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

import graphcopy


def every_kind():
    frame = pd.DataFrame(
        {
            "n": [1, 2], "x": [0.5, np.nan], "s": ["x", "y"], "o": [["a"], {"b": 1}],
            "when": pd.to_datetime(["2020-01-01", "2021-01-01"]).tz_localize("Europe/Berlin"),
            "c": pd.Categorical(["u", "v"], ordered=True), "i": pd.array([1, None], dtype="Int64"),
            "b": pd.array([True, None], dtype="boolean"), "p": pd.period_range("2020", periods=2, freq="M"),
            "d": pd.to_timedelta([1, 2], unit="s"), "v": pd.arrays.IntervalArray.from_breaks([0, 1, 2]),
            "z": pd.arrays.SparseArray([0, 1]),
        }
    )  # fmt: skip
    return frame


def test_every_kind_of_column():
    frame = every_kind()
    copied = graphcopy.copy(frame)
    pd.testing.assert_frame_equal(copied, frame)
    assert copied.dtypes.tolist() == frame.dtypes.tolist()
    copied.at[0, "n"] = 9
    copied.at[0, "o"].append("z")
    copied["new"] = 1
    assert frame.at[0, "n"] == 1 and frame.at[0, "o"] == ["a"] and "new" not in frame
    assert copied.groupby("s").n.sum()["x"] == 9 and copied.loc[1, "i"] is pd.NA


def test_cells_attributes_and_the_rest_of_the_graph_share_one_copy():
    shared = {"k": "v"}
    frame = pd.DataFrame({"o": [shared, shared]})
    frame.attrs["source"] = [shared]
    copied, new = graphcopy.copy([frame, shared])
    assert copied.at[0, "o"] is copied.at[1, "o"] is new is copied.attrs["source"][0] and new is not shared


def test_a_cell_that_holds_the_frame():
    frame = pd.DataFrame({"o": [None, 1]}, dtype=object)
    frame.at[0, "o"] = [frame]
    copied = graphcopy.copy(frame)
    assert copied.at[0, "o"][0] is copied is not frame


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(["a", "b"], name="n"), pd.Index([1, 2]), pd.RangeIndex(3, 9, 2, name="r"),
        pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["x", "y"]), pd.date_range("2020", periods=3, freq="D"),
        pd.CategoricalIndex(["u", "v"]), pd.IntervalIndex.from_breaks([0, 1, 2]),
        pd.Index([(1, "a"), None], dtype=object),
        pd.period_range("2020", periods=2, freq="M"), pd.TimedeltaIndex(["1s"]),
    ],
    ids=lambda index: type(index).__name__,
)  # fmt: skip
def test_every_kind_of_index(index):
    index.get_indexer(index[:1])  # makes its engine
    copied, again = graphcopy.copy([index, {"same": index}])
    assert copied is again["same"] is not index and copied.equals(index) and copied.names == index.names
    assert type(copied) is type(index) and copied.get_indexer(index[:1]).tolist() == [0]
    assert getattr(copied, "freq", None) == getattr(index, "freq", None)
    copied.names = ["other"] * copied.nlevels
    assert index.names != copied.names
    frame = graphcopy.copy(pd.DataFrame({"v": range(len(index))}, index=index))
    assert frame.index.equals(index) and frame.iloc[0].iloc[0] == 0


def test_series_and_its_index():
    series = pd.Series([[1], [2]], index=["a", "b"], name="s")
    copied, index = graphcopy.copy([series, series.index])
    assert copied.index is index and copied.name == "s"
    copied["a"].append(5)
    assert series["a"] == [1] and copied["a"] == [1, 5]


def test_copy_on_write_among_the_copies():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    original = {"frame": frame, "shallow": frame.copy(deep=False), "column": frame["a"]}
    copied = graphcopy.copy(original)
    assert np.shares_memory(copied["column"].array, copied["frame"]["a"].array)
    copied["shallow"].iloc[0, 0] = 100
    copied["column"].iloc[1] = 50
    assert copied["frame"]["a"].tolist() == [1, 2] and frame["a"].tolist() == [1, 2]
    assert copied["column"].tolist() == [1, 50] and copied["shallow"]["a"].tolist() == [100, 2]


def test_a_column_alone_does_not_bring_its_frame():
    frame = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000.0)})
    column = frame["a"]
    copied = graphcopy.copy(column)
    base = copied.to_numpy()
    while base.base is not None:
        base = base.base
    assert base.nbytes == 8000 and copied.equals(column)


class Measured(pd.DataFrame):
    _metadata = ["unit"]

    @property
    def _constructor(self):
        return Measured


def test_a_subclass_with_metadata_and_flags():
    frame = Measured({"a": [1]})
    frame.unit = ["m"]
    frame = frame.set_flags(allows_duplicate_labels=False)
    frame.unit = unit = ["m"]
    copied, new = graphcopy.copy([frame, unit])
    assert type(copied) is Measured and copied.unit is new is not unit
    assert copied.flags.allows_duplicate_labels is False and copied.flags._obj() is copied
    assert copied.head(1).unit == ["m"]


def test_groupby_rolling_and_resample():
    frame = pd.DataFrame({"k": ["a", "b", "a"], "v": [1.0, 2.0, 3.0]}, index=pd.date_range("2020", periods=3))
    groups, window, days = frame.groupby("k"), frame[["v"]].rolling(2), frame[["v"]].resample("2D")
    groups.sum()
    copied = graphcopy.copy({"groups": groups, "frame": frame, "window": window, "days": days})
    copied["frame"].loc["2020-01-01", "v"] = 10.0
    assert frame["v"].tolist() == [1, 2, 3]
    assert copied["groups"].obj is copied["frame"] and groups.sum()["v"].tolist() == [4, 2]
    assert copied["groups"].sum()["v"].tolist() in ([13, 2], [4, 2])
    assert copied["window"].sum()["v"].tolist()[1:] == [3, 5] and copied["days"].sum()["v"].tolist() == [3, 3]


def test_scalars_are_shared_and_values_compare():
    values = [pd.Timestamp("2020", tz="UTC"), pd.NaT, pd.NA, pd.Timedelta("1s"), pd.Period("2020"), pd.offsets.Day(2)]
    assert all(new is old for new, old in zip(graphcopy.copy(values), values))
    frame = every_kind()
    assert graphcopy.compare(frame, graphcopy.copy(frame)).ok


def test_paths():
    frame = pd.DataFrame({"o": [["cell"]]})
    graph = graphcopy.reference_graph([frame])
    paths = [str(path) for number, path in graph.nodes(data="path")]
    assert any(eval(path, {"obj": [frame]}) is frame.at[0, "o"] for path in paths)
