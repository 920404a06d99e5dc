"""Datasets and iterators of tf.data: a pipeline cannot change, but what its functions read can.

A dataset is shared, unless its functions read a variable or a table, or call Python: then it is made
anew, with its functions traced over the copies. An iterator goes on where it stands, by the state that
the runtime saves in checkpoints; where the runtime cannot save it, it is a culprit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..anatomy.parts import Parts
from .making import refuse, rule
from .tf_data_state import IteratorState, iterator_problem, reads_from_outside
from .tf_private import INSIDE, is_eager, private, seeds
from .treatments import shared

__all__ = [
    "Pipeline",
    "Position",
    "StoredPosition",
    "dataset",
    "dataset_function",
    "iterator",
    "live_iterator",
    "options",
]

_WRAPPER = INSIDE + "data.ops.structured_function.StructuredFunctionWrapper"
_HARMLESS = frozenset(["name", "use_legacy_function", "use_default_device", "slack_period"])
"""Parameters that a dataset does not remember, and that change nothing of what it yields."""
_REMEMBERED = {"options": ("_options_attr",), "dataset": ("_dataset", "_input_dataset")}
_TENSORS = frozenset(["_initial_state", "_element"])
"""What is given as a tensor; all other settings are plain numbers that a dataset keeps as tensors."""
_DETERMINISTIC = {"default": None, "true": True, "false": False}


def pipeline(dataset: Any) -> Iterator[Any]:
    """All datasets that *dataset* draws from, itself first."""
    seen: set[int] = set()
    waiting = [dataset]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting.extend(each._inputs())


def functions_of(dataset: Any) -> Iterator[Any]:
    """The traced functions of a whole pipeline."""
    for each in pipeline(dataset):
        for wrapped in each._functions():
            if hasattr(wrapped, "function"):
                yield wrapped


def parameters_of(cls: Any, own: dict[str, Any]) -> dict[str, str] | None:
    """The parameters of a dataset's class, and the attributes that remember them; None where some are forgotten."""
    import inspect

    found: dict[str, str] = {}
    for name, parameter in list(inspect.signature(cls.__init__).parameters.items())[1:]:
        attribute = next((each for each in _REMEMBERED.get(name, (f"_{name}",)) if each in own), None)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            return None
        if attribute is not None:
            found[name] = attribute
        elif parameter.default is parameter.empty or name not in (*_HARMLESS, "deterministic"):
            return None
    return found


class Pipeline:
    """Makes one step of a pipeline anew, once all that its functions read has been copied."""

    __slots__ = ()

    def __call__(self, new: Any, targets: object) -> None:
        make_step(new)


_WAITING = "_graphcopy_waits_for"
"""Stands in a dataset that has its settings only; the functions can be traced when all objects are filled."""


def make_step(dataset: Any) -> None:
    """Make *dataset* of the settings that it was given, after what it draws from."""
    waiting = [dataset]
    while waiting:
        each = waiting[-1]
        if _WAITING not in vars(each):
            waiting.pop()
            continue
        before = [other for other in _datasets_in(vars(each).values()) if _WAITING in vars(other)]
        if before:
            waiting.extend(before)
            continue
        waiting.pop()
        _make_step(each)


def _datasets_in(values: Any) -> Iterator[Any]:
    kind = private(INSIDE + "data.ops.dataset_ops.DatasetV2")
    for value in values:
        if isinstance(value, kind):
            yield value
        elif type(value) in (list, tuple):
            yield from _datasets_in(value)
        elif type(value) is dict:
            yield from _datasets_in(value.values())


def _make_step(new: Any) -> None:
    wrapper = private(_WRAPPER)
    settings = dict(vars(new))
    pair = settings.pop(_WAITING)
    arguments = {
        name: _argument(attribute, settings[attribute], wrapper)
        for name, attribute in (parameters_of(type(new), settings) or {}).items()
    }
    vars(new).clear()
    if pair and any(pair):
        with seeds(pair[0]):
            type(new).__init__(new, **{**arguments, "seed": pair[1]})
    else:
        type(new).__init__(new, **({**arguments, "seed": None} if pair else arguments))
    for attribute, value in settings.items():
        if isinstance(value, wrapper):  # the copied function becomes the one that was traced
            put_settings(value, {**vars(getattr(new, attribute)), **vars(value)})
        if not isinstance(value, (bool, str)):
            vars(new)[attribute] = value


def _argument(attribute: str, value: Any, wrapper: Any) -> Any:
    if isinstance(value, wrapper):
        return value._func
    if attribute == "_deterministic" and isinstance(value, str):
        return _DETERMINISTIC[value]
    if attribute not in _TENSORS and is_eager(value) and value.shape.rank == 0:
        return value.numpy().item() if hasattr(value.numpy(), "item") else value.numpy()
    return value


def put_settings(new: Any, state: dict[str, Any]) -> None:
    """Give an empty dataset, iterator or function its settings, past its own hooks."""
    new.__dict__.update(state)


@rule(INSIDE + "data.ops.dataset_ops.DatasetV2")
def dataset(node: Any) -> Any:
    "A dataset is immutable and shared; one that shuffles anew, or reads variables, tables or Python state, is its own."
    obj = node.obj
    counts = any(getattr(each, "_reshuffle_each_iteration", False) for each in pipeline(obj))
    if not counts and not any(reads_from_outside(wrapped) for wrapped in functions_of(obj)):
        return shared("immutable", live=False)
    own = vars(obj)
    names = parameters_of(node.type, own)
    if names is None:
        return shared("it reads or counts what belongs to the original, and it cannot be made anew", live=True)
    settings = {attribute: own[attribute] for attribute in names.values()}
    pair: tuple[int, ...] = ()
    lost = ""
    if "_seed" in settings and "_seed2" in own:
        pair = int(own["_seed"]), int(own["_seed2"])
        lost = "how often it has shuffled: it counts its passes anew" if own.get("_reshuffle_each_iteration") else ""
    return Parts(
        object.__new__,
        (node.type,),
        attrs={**settings, _WAITING: pair},
        setter=put_settings,
        bind=Pipeline(),
        lost=lost,
    )


@rule(INSIDE + "data.util.options.OptionsBase")
def options(node: Any) -> Any:
    "The options of a dataset are frozen and shared; reading one fills in what it defaults to."
    return NotImplemented if vars(node.obj).get("_mutable", True) else shared("immutable", live=False)


@rule(_WRAPPER)
def dataset_function(node: Any) -> Any:
    "The function of a dataset is copied as the Python function that it is; the new dataset traces it."
    return Parts(object.__new__, (node.type,), attrs={"_func": node.obj._func}, setter=put_settings)


class Position:
    """Puts an iterator over the (copied) dataset where *iterator* stands at that moment."""

    __slots__ = ("iterator",)

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator

    def __call__(self, new: Any, targets: object) -> None:
        StoredPosition(IteratorState.of(self.iterator))(new, targets)

    def __reduce__(self) -> tuple[Any, ...]:
        return (StoredPosition, (IteratorState.of(self.iterator),))


class StoredPosition:
    """The same in another process."""

    __slots__ = ("state",)

    def __init__(self, state: IteratorState) -> None:
        self.state = state

    def __call__(self, new: Any, targets: object) -> None:
        rest = dict(vars(new))
        make_step(rest["_dataset"])
        type(new).__init__(new, rest["_dataset"])
        self.state.put_into(new)
        vars(new).update(rest)


_MADE = frozenset(["_iterator_resource", "_element_spec", "_flat_output_types", "_flat_output_shapes", "_components"])


@rule(INSIDE + "data.ops.iterator_ops.OwnedIterator")
def iterator(node: Any) -> Any:
    "An iterator goes on at its place, with a position of its own; where TensorFlow cannot save that, it is a culprit."
    obj = node.obj
    own = vars(obj)
    if own.get("_dataset") is None:
        return refuse("it does not know its dataset", _advice(node))
    problem = iterator_problem(obj, functions_of(obj._dataset))
    if problem:
        return refuse(problem, _advice(node))
    rest = {name: value for name, value in own.items() if name not in _MADE}
    return Parts(object.__new__, (node.type,), attrs=rest, setter=put_settings, bind=Position(obj))


@rule(
    INSIDE + "distribute.input_lib.DistributedIteratorBase",
    INSIDE + "data.ops.multi_device_iterator_ops.OwnedMultiDeviceIterator",
    INSIDE + "data.ops.multi_device_iterator_ops.MultiDeviceIterator",
    INSIDE + "data.ops.iterator_ops.Iterator",
)
def live_iterator(node: Any) -> Any:
    "An iterator over several devices, or of a tf.Graph, has a position that TensorFlow cannot save: a culprit."
    return refuse("TensorFlow cannot save the position of such an iterator", _advice(node))


def _advice(node: Any) -> str:
    name = f"{node.type.__module__}.{node.type.__qualname__}"
    return (
        f'rules=[graphcopy.replace("{name}", lambda: iter(dataset))], or rules=[graphcopy.share("{name}")], '
        "or keep the dataset in place of the iterator"
    )
