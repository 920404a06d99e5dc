"""``Shipment``: an object that any engine's pickle can carry, whatever hangs in it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from ..errors import CopyError
from ..rules.rule import Rule
from ..rules.ruleset import RuleSet, flatten
from ..rules.thread_bound import met
from .loading import unpickled
from .naming import names_of_modules
from .parcels import Parcel, packed
from .sending import shipping_policy, stream_of

__all__ = ["Shipment", "arrived"]

T = TypeVar("T")

_NOTHING: Any = object()
_writing = threading.local()


class Shipment(Generic[T]):
    """Wraps *obj* so that plain pickle, and every engine that uses it, sends it by graphcopy's rules.

    It can be an argument, a closure variable or a return value; ``get()`` gives the object on the other side, and
    where it was made the object itself. The other side opens it at the first ``get()``, and only then: a process
    that passes it on does not need the libraries in it. A Shipment of a function can be called.

    Arguments are those of ``graphcopy.dumps``. The object is written whenever the Shipment is pickled, with the
    state that it has then. It is also written once, for a try, when the Shipment is made: what cannot travel is
    told there. The rules travel along, so that the other side can send the object back in the same way.

    What holds something that only the thread which made it can read (a connection of ``sqlite3``), and is pickled by
    another thread, as loky does, travels with the state that it had when the Shipment was made.

    Raises CopyError, when it is made, for what cannot travel in the object or in the rules; TypeError for what is
    no rule.

    >>> import pickle, threading, graphcopy
    >>> state = {"lock": threading.Lock(), "count": 1}
    >>> arrived = pickle.loads(pickle.dumps(graphcopy.Shipment(state)))
    >>> arrived.get()["count"], arrived.get() is arrived.get(), arrived.get() is state
    (1, True, False)
    """

    __slots__ = (
        "__weakref__", "_by_value", "_defaults", "_lock", "_maker", "_obj", "_parcel", "_rules", "_rules_stream",
        "_snapshot",
    )  # fmt: skip

    def __init__(self, obj: T, rules: Any = (), *, defaults: bool = True, by_value: Iterable[Any] = ()) -> None:
        self._lock = threading.RLock()
        self._obj: Any = obj
        self._parcel: Parcel | None = None
        self._snapshot: Parcel | None
        self._rules: Any = (rules,) if isinstance(rules, (Rule, RuleSet)) else tuple(rules)
        self._defaults = bool(defaults)
        policy = shipping_policy(self._rules, self._defaults, names_of_modules(by_value))
        self._by_value = tuple(sorted(policy.naming.by_value))
        self._rules_stream = _rules_written(self._rules, self._by_value)
        before = met()
        parcel = packed(obj, policy)
        self._maker = threading.get_ident()
        self._snapshot = None if met() == before else parcel

    def get(self) -> T:
        """Give the object; raises LoadError when what arrived cannot be opened here."""
        with self._lock:
            if self._parcel is not None:
                self._obj = self._parcel.opened()
                self._parcel = None
        obj: T = self._obj
        return obj

    def __call__(self, /, *args: Any, **keywords: Any) -> Any:
        return self.get()(*args, **keywords)  # type: ignore[operator]

    def __repr__(self) -> str:
        parcel = self._parcel
        if parcel is not None:
            return f"<Shipment, not opened yet: {parcel.size:,} bytes>"
        return f"<Shipment of {type(self._obj).__qualname__}>"

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        with self._lock:
            parcel = self._parcel or self._pack()
        settings = (self._rules_stream, self._defaults, self._by_value)
        return (arrived, (settings, *parcel.pieces(protocol)))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__reduce_ex__(4)

    def __deepcopy__(self, memo: dict[int, Any]) -> Shipment[T]:
        from ..planning import deep_copy
        from ..policies import policy_for

        new = object.__new__(type(self))
        memo[id(self)] = new
        rules = self._given_rules()
        obj = deep_copy(self.get(), policy_for(rules, self._defaults), memo)
        new._fill(obj, None, rules, (self._rules_stream, self._defaults, self._by_value))
        return new

    def _pack(self) -> Parcel:
        if self._snapshot is not None and threading.get_ident() != self._maker:
            return self._snapshot
        being = _writing.__dict__.setdefault("shipments", set())
        if id(self) in being:
            raise CopyError(
                "a Shipment stands within the object that it wraps, so it would have to be written before it can be "
                "written: wrap the object only where it is handed to the engine"
            )
        being.add(id(self))
        try:
            return packed(self._obj, shipping_policy(self._given_rules(), self._defaults, self._by_value))
        finally:
            being.discard(id(self))

    def _given_rules(self) -> Any:
        if self._rules is _NOTHING:
            self._rules = unpickled(self._rules_stream)
        return self._rules

    def _fill(self, obj: Any, parcel: Parcel | None, rules: Any, settings: tuple[bytes, bool, tuple[str, ...]]) -> None:
        self._lock = threading.RLock()
        self._obj, self._parcel, self._rules = obj, parcel, rules
        self._rules_stream, self._defaults, self._by_value = settings
        self._maker, self._snapshot = 0, None


def arrived(settings: tuple[bytes, bool, tuple[str, ...]], *pieces: Any) -> Shipment[Any]:
    """Make a Shipment on the other side; it is not opened yet."""
    new: Shipment[Any] = object.__new__(Shipment)
    new._fill(None, Parcel(*pieces), _NOTHING, settings)
    return new


def _rules_written(rules: tuple[Any, ...], by_value: tuple[str, ...]) -> bytes:
    """Write the rules; one that cannot travel is named."""
    policy = shipping_policy((), True, by_value)
    try:
        return stream_of(rules, policy)
    except CopyError as error:
        for each in flatten(rules):
            _try_rule(each, policy)
        raise error


def _try_rule(each: Rule, policy: Any) -> None:
    try:
        stream_of(each, policy)
    except CopyError as error:
        raise CopyError(
            f"the rule {each.name!r} cannot travel to the other side, where the object is sent back by it: {error}\n"
            "Let its function be one of a module, or hold nothing that belongs to this process.",
            error.culprits,
        ) from error
