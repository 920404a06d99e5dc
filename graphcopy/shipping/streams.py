"""``dumps`` and ``loads``: an object as bytes for another process."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .loading import unpickled
from .naming import names_of_modules
from .parcels import in_own_memory
from .sending import Buffers, shipping_policy, stream_of

__all__ = ["dumps", "loads"]


def dumps(
    obj: Any, rules: Any = (), *, defaults: bool = True, by_value: Iterable[Any] = (), buffers: Buffers = None
) -> bytes:
    """Write *obj* as a pickle stream that plain ``pickle.loads`` reads where graphcopy is installed.

    The rules are those of ``graphcopy.copy``. Functions and classes of ``__main__``, of local scopes and of
    modules named in *by_value* travel by value, all others by reference. ``buffers`` is a list that takes large
    arrays out of band, or a function that is called for each (PEP 574): hand them to ``loads`` in the same order.

    Raises CopyError, which names everything that cannot travel; TypeError for what is no rule; ValueError for a name
    in *by_value* that no module has.

    >>> import graphcopy, threading
    >>> def counter(count):
    ...     lock = threading.Lock()
    ...     def step():
    ...         nonlocal count
    ...         with lock:
    ...             count += 1
    ...         return count
    ...     return step
    >>> step = counter(5)
    >>> arrived = graphcopy.loads(graphcopy.dumps(step))
    >>> step(), arrived(), arrived()
    (6, 6, 7)
    """
    return stream_of(obj, shipping_policy(rules, defaults, names_of_modules(by_value)), buffers)


def loads(data: Any, *, buffers: Iterable[Any] | None = None) -> Any:
    """Read what ``dumps`` has written; *buffers* are those that it took out of band.

    Arrays lie on the buffers, without a copy, where these can be written to: what the array is written to
    is the buffer. Over one that cannot (``bytes``, shared memory) the array gets memory of its own, as
    it could be written to before.

    Reading a pickle runs code: read only what you trust, or see ``graphcopy.load``.

    Raises LoadError: for what is no such stream or is cut off, and for a class or module that is missing here,
    with the path where it stood.

    >>> import graphcopy
    >>> graphcopy.loads(graphcopy.dumps({"a": [1, 2]}))
    {'a': [1, 2]}
    """
    return unpickled(data, None if buffers is None else in_own_memory(buffers))
