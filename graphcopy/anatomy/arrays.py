"""numpy arrays: memory is copied exactly once, object cells are walked, flags and strides are kept.

An array that owns its memory, or is alone on it, is copied at once. Where somebody else may look into the
same memory, the copier has to know who does so within the graph (``copying.memories``).

Facts from the sources of numpy 2.4.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ..graph.accessors import Accessor
from .instances import WHOLE, Layout
from .memory import extent, lone_copy, owner_of
from .parts import NOTHING, SHARED, Outcome, Parts, Shared
from .registry import Anatomy, anatomy, register

__all__ = ["ArrayCopy", "ArrayState", "Made", "cells_of"]

_ALONE = 2  # references to a base that only its view holds: the view, and the argument of getrefcount


class ArrayCopy:
    """Makes the copy of one array on its own memory; as a pickle it carries the array's bytes."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __call__(self) -> Any:
        return lone_copy(self.array)

    def __reduce_ex__(self, protocol: Any) -> Any:
        import numpy

        plain = numpy.asarray(self.array)
        if plain.dtype.hasobject:
            writeable = plain.flags.writeable or plain.size > 0  # cells are put in before it is locked
            return (EmptyArray, (type(self.array), plain.dtype, plain.shape, _order(plain), writeable))
        order = _order(plain)
        data: Any = numpy.asarray(plain, order=order)
        if protocol >= 5 and plain.dtype.kind not in "Mm" and plain.size:
            import pickle

            data = pickle.PickleBuffer(data.reshape(-1, order="A").view(numpy.uint8))
        else:
            data = data.tobytes(order="A")
        return (BufferArray, (type(self.array), plain.dtype, plain.shape, order, plain.flags.writeable, data))


def _order(plain: Any) -> Any:
    return "F" if plain.flags.f_contiguous and not plain.flags.c_contiguous else "C"


class Made:
    """Gives the array that is made already: a view of some copied memory."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __call__(self) -> Any:
        return self.array


class EmptyArray:
    """Makes an array of a class, dtype and shape whose object cells are put in later."""

    __slots__ = ("cls", "dtype", "order", "shape", "writeable")

    def __init__(self, cls: Any, dtype: Any, shape: Any, order: Any, writeable: bool) -> None:
        self.cls = cls
        self.dtype = dtype
        self.shape = shape
        self.order = order
        self.writeable = writeable

    def __call__(self) -> Any:
        import numpy

        new = numpy.empty(self.shape, self.dtype, order=self.order)
        return self.finish(numpy, new)

    def finish(self, numpy: Any, new: Any) -> Any:
        """Give *new* its class and its flag."""
        if self.cls is not numpy.ndarray:
            new = numpy.ndarray.view(new, self.cls)
        if not self.writeable:
            new.flags.writeable = False
        return new


class BufferArray(EmptyArray):
    """Makes an array over the bytes that were sent for it."""

    __slots__ = ("data",)

    def __init__(self, cls: Any, dtype: Any, shape: Any, order: Any, writeable: bool, data: Any) -> None:
        super().__init__(cls, dtype, shape, order, writeable)
        self.data = data

    def __call__(self) -> Any:
        import numpy

        with memoryview(self.data) as view:
            size = view.nbytes
        new = numpy.frombuffer(self.data, numpy.uint8).view(self.dtype) if size else numpy.empty(0, self.dtype)
        new = new.reshape(self.shape, order=self.order)
        if self.writeable and not new.flags.writeable:
            new = new.copy(order="K")
        return self.finish(numpy, new)


class ArrayState:
    """Puts attributes and object cells into a new array, past the class's own ``__setattr__``."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __call__(self, new: Any, state: dict[Any, Any]) -> None:
        layout = layout_of_array(self.cls)
        if layout.has_dict and WHOLE not in state:
            own = object.__getattribute__(new, "__dict__")
            mapped = own.get("_mmap", NOTHING)
            own.clear()  # what __array_finalize__ took from the original
            if mapped is not NOTHING:
                own["_mmap"] = mapped
        layout.put(new, state)


_LAYOUTS: dict[type, Layout] = {}


def layout_of_array(cls: Any) -> Layout:
    """Where instances of a subclass keep attributes and slots of their own."""
    known = _LAYOUTS.get(cls)
    if known is None:
        if len(_LAYOUTS) > 1000:  # classes made at run time
            _LAYOUTS.clear()
        known = _LAYOUTS[cls] = Layout(cls, cls.__new__)
    return known


def cells_of(plain: Any) -> list[Any]:
    """The references that an array with objects holds, field by field.

    >>> import numpy
    >>> cells_of(numpy.array([["a", None]], dtype=object))
    ['a', None]
    """
    found: list[Any] = []
    for leaf, _ in _leaves(plain):
        found += leaf.reshape(-1).tolist()
    return found


def _leaves(plain: Any, fields: tuple[str, ...] = ()) -> list[tuple[Any, tuple[str, ...]]]:
    """The object arrays in an array: itself, or those of its fields, each with the names that lead there."""
    dtype = plain.dtype
    if dtype.kind == "O":
        return [(plain, fields)]
    found = []
    for name in dtype.names or ():
        if dtype[name].hasobject:
            found += _leaves(plain[name], (*fields, name))
    return found


def put_cells(new: Any, items: Sequence[Any], pairs: object) -> None:
    """Put copied references into the cells of a new array."""
    import numpy

    plain: Any = numpy.ndarray.view(new, numpy.ndarray)
    place = 0
    for leaf, _ in _leaves(plain):
        cells = numpy.empty(leaf.size, dtype=object)
        for offset in range(leaf.size):  # one by one: a slice would take sequences apart
            cells[offset] = items[place + offset]
        leaf[...] = cells.reshape(leaf.shape)
        place += leaf.size


def put_cells_and_lock(new: Any, items: Sequence[Any], pairs: object) -> None:
    """The same for an array that cannot be written to."""
    put_cells(new, items, pairs)
    new.flags.writeable = False


def _accessors(obj: Any, parts: Parts) -> list[Accessor]:
    import numpy

    found = layout_of_array(type(obj)).accessors(obj) if parts.attrs is not None else []
    if not parts.items:
        return found
    hidden = ".data" if isinstance(obj, numpy.ma.MaskedArray) else ""
    for leaf, fields in _leaves(numpy.asarray(obj)):
        names = "".join(f"[{name!r}]" for name in fields)
        for index in numpy.ndindex(leaf.shape):
            place = "".join(f"{number}, " for number in index)
            step = f"{hidden}{names}[{place[:-2] or '()'}]"
            found.append(Accessor("item", step, "", step, index[0] if len(index) == 1 else index))
    return found


def _alone(obj: Any) -> bool:
    """Tell whether no one but *obj* can reach the memory under it.

    Memory of bytes counts as such: nobody writes to it, so nobody sees that it is no longer the same.
    """
    base = obj.base
    while base is not None:
        if type(base) is bytes:
            return True
        if not hasattr(base, "__array_finalize__") or sys.getrefcount(base) > _ALONE + 1:
            return False
        base = base.base
    return True


def _memmapped(obj: Any) -> bool:
    while obj is not None:
        if getattr(obj, "_mmap", None) is not None:
            return True
        obj = getattr(obj, "base", None)
    return False


def may_share(obj: Any) -> bool:
    """Tell whether it has to be seen first who else looks into the memory of *obj*."""
    if obj.base is None:
        flags = obj.flags
        # The memory of an owner with gaps in it (a strided ndarray made by hand) is copied by its extent.
        return not (flags.c_contiguous or flags.f_contiguous) and extent(obj)[2] != obj.nbytes
    if type(obj) is not type(obj.base) and not (obj.flags.c_contiguous or obj.flags.f_contiguous):
        return True  # others may be views of it without showing in its base's references
    return not _alone(obj) or _memmapped(obj)


def _is_tensor(foreign: Any) -> bool:
    return any(base.__module__.partition(".")[0] == "torch" for base in type(foreign).__mro__)


def _numpy_array(obj: Any, context: Any) -> Outcome:
    """An array: its memory, its object cells, and what a subclass holds beside them."""
    cls = type(obj)
    parts = Parts(ArrayCopy(obj), where=_accessors)
    if obj.base is not None and _is_tensor(owner_of(obj)[1]):
        parts.lost = "the memory that it shared with a tensor, unless that very tensor is copied too"
    layout = layout_of_array(cls)
    if layout.has_dict or layout.members:
        attrs = layout.values(obj)
        if getattr(obj, "_mmap", None) is not None:
            attrs.pop("_mmap", None)
        parts.attrs, parts.setter = attrs, ArrayState(cls)
    if obj.dtype.hasobject:
        import numpy

        parts.items = cells_of(numpy.asarray(obj))
        parts.fill = put_cells if obj.flags.writeable else put_cells_and_lock
    return parts


def _enter_array(run: Any, obj: Any, key: int) -> Any:
    """The copier's way in: no frame for plain arrays of numbers."""
    from ..copying.entering import begun, carry_out
    from ..copying.memories import memories_of

    if type(obj).__name__ != "ndarray" or obj.dtype.hasobject:
        there = begun(run, key)
        if there is not NOTHING:
            return there
        outcome = run.known.get(key) or _numpy_array(obj, run)
        if isinstance(outcome, Parts) and type(outcome.func) is ArrayCopy and may_share(obj):
            new = memories_of(run).copy(run, obj)
            there = begun(run, key)  # made meanwhile, when its base leads back to it
            if there is not NOTHING:
                return there
            outcome = _over(outcome, new)
        return carry_out(run, obj, key, outcome)
    new = memories_of(run).copy(run, obj) if may_share(obj) else lone_copy(obj)
    run.memo[key] = new
    run.keep.append(obj)
    return new


def _over(parts: Parts, new: Any) -> Parts:
    """The same parts, for an array that exists: a plan may be carried out again, with another one."""
    over = Parts(
        Made(new), attrs=parts.attrs, items=parts.items, setter=parts.setter, fill=parts.fill, where=parts.where
    )
    over.cuts = parts.cuts
    return over


register(Anatomy("numpy array", _numpy_array, enter=_enter_array), ["numpy.ndarray"])
register(Anatomy("numpy array", _numpy_array, enter=_enter_array), ["numpy.ndarray"], subclasses=True)


@anatomy("numpy.ma.core.MaskedConstant", "numpy.ma.MaskedConstant")
def masked_constant(obj: Any, context: Any) -> Outcome:
    """``numpy.ma.masked`` is one object, known by its identity."""
    return SHARED


@anatomy("numpy.void", "numpy.record", "numpy.rec.record")
def structured_scalar(obj: Any, context: Any) -> Outcome:
    """A record taken out of an array can be written to, so the copy has its own."""
    return Parts(ScalarCopy(obj), where=())


class ScalarCopy:
    """Makes the copy of a structured scalar."""

    __slots__ = ("scalar",)

    def __init__(self, scalar: Any) -> None:
        self.scalar = scalar

    def __call__(self) -> Any:
        return self.scalar.copy()

    def __reduce__(self) -> Any:
        return (ScalarCopy, (self.scalar,))


@anatomy("numpy.random.mtrand.RandomState")
def random_state(obj: Any, context: Any) -> Outcome:
    """A RandomState has a state of its own in the copy; the one behind ``numpy.random.normal`` is the process's."""
    module = sys.modules.get("numpy.random.mtrand")
    if obj is getattr(module, "_rand", None):
        return Shared("the global random state of numpy", live=True)
    from .reducing import by_reduce

    return by_reduce(obj, context)
