"""Make the pictures of the gallery: ``python docs/pictures.py``, and at each build of the docs.

Pictures of libraries that are not installed stay as they are in the repository.
"""

from __future__ import annotations

import copy
import importlib.util
import logging
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import graphcopy
from graphcopy.drawing.painting import paint
from graphcopy.drawing.pairs import paint_pair
from graphcopy.drawing.picture import Picture
from graphcopy.drawing.svg import svg_of

IMAGES = Path(__file__).parent / "images"


class Session:
    """A session as clients have it: a lock, callbacks, and connections that know it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.headers = {"agent": "graphcopy"}
        self.hooks = [self.log]
        self.adapters = {"http": Adapter(self), "https": Adapter(self)}

    def log(self) -> None:
        """Be a callback."""


class Adapter:
    """A connection pool."""

    def __init__(self, session: Session) -> None:
        self.pool = threading.local()
        self.session = session


class Client:
    """A client with locks, a logger, and a stream that no copy can have."""

    def __init__(self) -> None:
        self.session = Session()
        self.changed = threading.Condition(self.session.lock)
        self.logger = logging.getLogger("client")
        self.lines = (line for line in ["one", "two"])


class Layer:
    """A layer of a network."""

    def __init__(self, weights: list[float]) -> None:
        self.weights = weights
        self.callbacks: list[Any] = []


class Network:
    """Its ``__deepcopy__`` was written by hand: tied weights come apart, and the history stays shared."""

    def __init__(self) -> None:
        weights = [0.1, 0.2]
        self.layers = [Layer(weights), Layer(weights)]
        self.history = {"loss": [1.0]}

    def __deepcopy__(self, memo: dict[int, Any]) -> Network:
        made = object.__new__(Network)
        made.layers = [Layer(list(layer.weights)) for layer in self.layers]
        made.history = self.history
        return made


def client() -> str:
    """What graphcopy does with a client."""
    return drawn(paint(Client(), title="A client with locks: graphcopy's plan"))


def wrong_deepcopy() -> str:
    """An original beside its wrong copy."""
    network = Network()
    comparison = graphcopy.compare(network, copy.deepcopy(network))
    return drawn(paint_pair(comparison, title="A network, and what its own __deepcopy__ made of it"))


def traced() -> Any:
    """A trained object with a traced tf.function."""
    import tensorflow as tf

    class Trainer:
        def __init__(self) -> None:
            self.weights = tf.Variable([1.0, 2.0])
            self.history = [0.5]

            @tf.function
            def step(x: Any) -> Any:
                return self.weights * x

            self.step = step

    trainer = Trainer()
    trainer.step(tf.constant(2.0))
    return trainer


def before_after() -> str:
    """What copy.deepcopy meets in a traced tf.function, and what graphcopy does with it."""
    trainer = traced()
    report = graphcopy.explain(trainer, backend="deepcopy")
    small = ["Signature", "TFDecorator", "FunctionType", "ScopeType", "FunctionCaptures", "dict", "tuple"]
    on_the_way = [*small, "TracingOptions", "OrderedDict", "FunctionContext", "TypeDispatchTable"]
    before = paint(report, title="Before: copy.deepcopy cannot", depth=3, hide=[*on_the_way, "list"])
    after = paint(trainer, title="After: graphcopy's plan", depth=3, hide=small)
    return beside(drawn(before), drawn(after))


def keras_model() -> str:
    """What graphcopy does with a small Keras model."""
    import keras

    dense = keras.layers.Dense
    model = keras.Sequential([keras.Input((3,), name="x"), dense(4, name="hidden"), dense(1, name="out")])
    model.compile("adam", "mse")
    hidden = [
        "Tracker",
        "DTypePolicy",
        "Signature",
        "TrackedList",
        "TrackedDict",
        "TrackedSet",
        "SerializableDict",
        "list",
    ]
    hidden += ["tuple", "set", "dict", "function", "Node"]
    picture = paint(model, title="The layers of a compiled Keras model", focus="obj._layers", depth=2, hide=hidden)
    return drawn(picture)


def drawn(picture: Picture) -> str:
    """SVG by the layout of the extra: the same wherever the docs are built."""
    return svg_of(picture, graphviz=False)


def beside(left: str, right: str) -> str:
    """Two drawings one under the other, in one."""
    sizes = [tuple(map(int, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])) for svg in (left, right)]
    width, height = max(size[0] for size in sizes), sum(size[1] for size in sizes)
    lower = right.replace("<svg ", f'<svg y="{sizes[0][1]}" ', 1)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return f'{head}\n<rect width="{width}" height="{height}" fill="#ffffff"/>\n{left}{lower}</svg>\n'


PICTURES: dict[str, tuple[str, Callable[[], str]]] = {
    "client": ("igraph", client),
    "wrong_deepcopy": ("igraph", wrong_deepcopy),
    "before_after": ("tensorflow", before_after),
    "keras_model": ("keras", keras_model),
}
"""Name to the library that is needed, and what makes the picture."""


def make() -> list[str]:
    """Write all pictures that can be made here; return their names."""
    IMAGES.mkdir(exist_ok=True)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    made = []
    for name, (library, function) in PICTURES.items():
        if all(importlib.util.find_spec(needed) is not None for needed in ("igraph", library)):
            text = function()
            target = IMAGES / f"{name}.svg"
            if not target.exists() or target.read_text(encoding="utf-8") != text:
                target.write_text(text, encoding="utf-8")
            made.append(name)
    return made


if __name__ == "__main__":
    print("made:", ", ".join(make()) or "nothing: install graphcopy[draw]")
