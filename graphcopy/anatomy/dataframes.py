"""pandas: frames, series and indexes are copied cell by cell through the memo.

pandas' own ``__deepcopy__`` copies references only: a list in a cell stays the original's. Here a frame
comes apart into its manager, that into blocks and axes, a block into its array. Blocks that look into one
memory go on doing so, and they share one count of references, so that copy-on-write works among the copies
as among the originals.

Facts from the sources of pandas 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph.accessors import Accessor, attribute
from .instances import Layout
from .parts import SHARED, Outcome, Parts
from .registry import anatomy

__all__: list[str] = []

_CACHES = ("_cache", "_item_cache", "_engine")  # what is worked out again when it is asked for


class PutAttributes:
    """Puts the copied attributes into a frame or an index, with empty caches, past ``__setattr__``."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        _layout(self.cls).put(new, state)
        references = object.__getattribute__(new, "__dict__").get("_references")
        if hasattr(references, "add_index_reference"):
            references.add_index_reference(new)


class MakeEmpty:
    """Makes an instance without its ``__init__``."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __call__(self) -> Any:
        return object.__new__(self.cls)


_layouts: dict[type, Layout] = {}


def _layout(cls: type) -> Layout:
    known = _layouts.get(cls)
    if known is None:
        known = _layouts[cls] = Layout(cls, object.__new__)
    return known


class _Where:
    """The accessors of those attributes that are copied."""

    __slots__ = ("layout",)

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def __call__(self, obj: Any, parts: Parts) -> Sequence[Accessor]:
        return [self.layout._accessor(obj, key) for key in parts.attrs or ()]


@anatomy(
    "pandas.core.generic.NDFrame", "pandas.core.indexes.base.Index", "pandas.Index", subclasses=True
)  # fmt: skip
def frame_or_index(obj: Any, context: Any) -> Outcome:
    """A DataFrame, Series or Index: its attributes, those of a subclass as well, without what is cached."""
    layout = _layout(type(obj))
    attrs = layout.values(obj)
    for name in _CACHES:
        if isinstance(attrs.get(name), dict):
            attrs[name] = {}
    return Parts(MakeEmpty(type(obj)), attrs=attrs, setter=PutAttributes(type(obj)), where=_Where(layout))


def make_manager(cls: Any, blocks: Sequence[Any], axes: Sequence[Any]) -> Any:
    """Make a manager over finished blocks and axes."""
    if cls.__name__.startswith("Single"):
        return cls(blocks[0], axes[0], verify_integrity=False)
    return cls(tuple(blocks), list(axes), verify_integrity=False)


@anatomy(
    "pandas.core.internals.managers.BaseBlockManager", "pandas.core.internals.base.DataManager", subclasses=True
)  # fmt: skip
def block_manager(obj: Any, context: Any) -> Outcome:
    """What a frame keeps its columns in: blocks of one dtype, and the axes."""
    blocks, axes = list(obj.blocks), list(obj.axes)
    where = (attribute("__class__"), Accessor("attribute", ".blocks", "", ".blocks", "blocks"), attribute("axes"))
    return Parts(make_manager, (type(obj), blocks, axes), where=where)


def make_block(cls: Any, values: Any, places: Any, ndim: int, references: Any = None) -> Any:
    """Make a block over its array; *references* counts the blocks that look into the same memory."""
    from pandas._libs.internals import BlockPlacement  # type: ignore[import-not-found,unused-ignore]

    placement = BlockPlacement(places)
    if references is None:
        return cls(values, placement=placement, ndim=ndim)
    return cls(values, placement=placement, ndim=ndim, refs=references)


@anatomy("pandas._libs.internals.Block", "pandas._libs.internals.SharedBlock", subclasses=True)
def block(obj: Any, context: Any) -> Outcome:
    """A block: its array, and the columns for which it stands."""
    args = [type(obj), obj.values, obj.mgr_locs.indexer, obj.ndim]
    names = ["__class__", "values", "mgr_locs.indexer", "ndim"]
    references = getattr(obj, "refs", None)
    if references is not None:
        args.append(references)
        names.append("refs")
    return Parts(make_block, args, where=[Accessor("attribute", f".{name}", "", f".{name}", name) for name in names])


def make_references(cls: Any) -> Any:
    """Make an empty count; the blocks enter themselves."""
    return cls()


@anatomy("pandas._libs.internals.BlockValuesRefs")
def block_references(obj: Any, context: Any) -> Outcome:
    """The weak list of blocks over one memory: one for the copies, which enter themselves."""
    return Parts(make_references, (type(obj),), where=(attribute("__class__"),))


@anatomy(
    "pandas._libs.tslibs.timestamps._Timestamp", "pandas._libs.tslibs.timedeltas._Timedelta",
    "pandas._libs.tslibs.period._Period", "pandas._libs.tslibs.nattype._NaT",
    "pandas._libs.tslibs.offsets.BaseOffset", "pandas._libs.missing.C_NAType",
    "pandas.core.dtypes.base.ExtensionDtype", "pandas.api.extensions.ExtensionDtype", "pandas.ExtensionDtype",
    "pyarrow.lib._Weakrefable", subclasses=True,
)  # fmt: skip
def immutable(obj: Any, context: Any) -> Outcome:
    """Points in time, offsets, dtypes, what Arrow holds: nobody can change them."""
    return SHARED
