"""The object to which a user would give a rule: the executor above its locks, the client above its pool."""

from __future__ import annotations

from typing import Any

from ..anatomy.registry import dotted
from ..graph.compact import CompactGraph

__all__ = ["is_owner", "owner_of"]

_OWNERS = frozenset(
    [
        "concurrent.futures._base.Executor", "threading.Thread", "multiprocessing.process.BaseProcess",
        "multiprocessing.pool.Pool", "multiprocessing.managers.BaseManager", "subprocess.Popen",
        "asyncio.events.AbstractEventLoop", "socketserver.BaseServer", "selectors.BaseSelector",
        "http.client.HTTPConnection", "http.cookiejar.CookieJar", "urllib.request.OpenerDirector", "smtplib.SMTP",
        "ftplib.FTP", "imaplib.IMAP4", "logging.Handler", "queue.Queue", "queue.SimpleQueue",
        "httpx._client.BaseClient", "requests.sessions.Session", "openai._base_client.BaseClient",
        "botocore.client.BaseClient", "boto3.resources.base.ServiceResource", "sqlalchemy.engine.base.Engine",
        "sqlalchemy.orm.session.Session", "tqdm.std.tqdm", "rich.console.Console", "rich.progress.Progress",
        "zipfile.ZipFile", "tarfile.TarFile", "tempfile._TemporaryFileWrapper", "shelve.Shelf",
        "tensorflow_probability.python.distributions.distribution.Distribution",
        "tensorflow_probability.python.bijectors.bijector.Bijector", "tf_keras.src.engine.base_layer.Layer",
        "keras.src.engine.base_layer.Layer", "keras.src.layers.layer.Layer",
        "tensorflow.python.eager.polymorphic_function.polymorphic_function.Function",
    ]
)  # fmt: skip
"""Classes, by dotted name, whose objects consist of what fails; subclasses too."""


def owner_of(graph: CompactGraph, place: int) -> int | None:
    """The nearest node above *place*, along its path, that is one resource to its user; never the root."""
    place = graph.parents[place]
    while place > 0:
        if is_owner(type(graph.objs[place])):
            return place
        place = graph.parents[place]
    return None


def is_owner(cls: Any) -> bool:
    """Tell whether objects of *cls* are one resource to their user."""
    return any(dotted(base) in _OWNERS for base in cls.__mro__)
