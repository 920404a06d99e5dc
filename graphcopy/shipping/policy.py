"""The policy of a byte stream: the rules and anatomies of a copy, and forms for what copies share."""

from __future__ import annotations

import enum
import pickle
from collections.abc import Iterable, Sequence
from typing import Any

from ..anatomy import atoms
from ..anatomy.instances import MakeInstance
from ..anatomy.parts import ByName, Outcome, Parts, Refused, Shared
from ..anatomy.reducing import by_reduce
from ..anatomy.registry import Anatomy, dotted, registered
from ..errors import Obstacle
from ..graph.accessors import Accessor, attribute
from ..resolving import Policy, plain_anatomy, without_rules
from . import classes, functions, process, program, tensorflow, typings
from .enums import member_of
from .forms import form_of
from .naming import Naming

__all__ = ["ShippingPolicy", "new_instance"]

_FORMS = (classes, functions, process, program, tensorflow, typings)  # importing them registers the forms
_CONTAINERS = (list, dict, tuple, set, frozenset, bytearray)
_ATOMS = (str, int, bytes, float, bool, type(None))
_WRITTEN_WHOLE = (pickle.PickleBuffer,)
_CLASS = attribute("__class__")


def new_instance(cls: Any) -> Any:
    """Make an empty instance, without ``__new__`` and ``__init__`` of its class."""
    return object.__new__(cls)


class ShippingPolicy(Policy):
    """Rules and anatomies for byte streams.

    What a rule or an anatomy shares within a process gets a form here. Instances of classes that travel
    by value show their class as the first piece.
    """

    shipping = True

    def __init__(self, rules: Sequence[Any] = (), by_value: Iterable[Any] = (), given: int = 0) -> None:
        self.naming = Naming(by_value)
        super().__init__(rules, given)
        self._static_anatomies = {cls: self._with_rules(cls, self._plain(cls)) for cls in self._static_anatomies}
        atoms_asked = any(object not in rule.types for cls in _ATOMS for rule in self.candidates(cls))
        self.plain_containers = not atoms_asked and all(self.anatomy(cls) is without_rules(cls) for cls in _CONTAINERS)

    def _like(self, rules: Sequence[Any], given: int) -> Policy:
        return ShippingPolicy(rules, self.naming.by_value, given)

    def _plain(self, cls: type) -> Anatomy | None:
        made = form_of(cls)
        if made is not None:
            return Anatomy(cls.__qualname__, self._formed(made, cls), source="form")
        if issubclass(cls, enum.Enum):
            return None if self.naming.by_name(cls) else Anatomy(cls.__qualname__, _enum_member, source="form")
        if cls in _CONTAINERS:
            return without_rules(cls)
        if cls in _WRITTEN_WHOLE or atoms.is_atomic_type(cls):
            return None
        known = registered(cls)
        plain = plain_anatomy(cls) if known is None else known
        if plain.children is not None and plain.source == "instance":
            return plain if self.naming.by_name(cls) else _with_class_in_front(plain, cls)
        return Anatomy(plain.name, self._travelling(plain), source=plain.source)

    def _formed(self, made: Any, cls: type) -> Any:
        def open(obj: Any, context: Any) -> Outcome:
            outcome: Outcome = made(obj, context)
            if outcome is not NotImplemented:
                return outcome
            known = registered(cls)
            plain = plain_anatomy(cls) if known is None else known
            return self.travels(obj, plain.open(obj, context), context)

        return open

    def _travelling(self, plain: Anatomy) -> Any:
        def open(obj: Any, context: Any) -> Outcome:
            return self.travels(obj, plain.open(obj, context), context)

        return open

    def _with_rules(self, cls: type, plain: Anatomy | None) -> Anatomy | None:
        # Classes, modules and code are atoms of a copy: only a rule that names their type speaks for them.
        atom = plain is not None and atoms.is_atomic_type(cls)
        found = super()._with_rules(cls, None if atom else plain)
        if found is None or found is plain:
            return plain
        return Anatomy(found.name, self._travelling(found), source="rule")

    def travels(self, obj: Any, outcome: Outcome, context: Any) -> Outcome:
        """What becomes of *outcome* on the way to another process."""
        if isinstance(outcome, Parts):
            return self._with_class(obj, outcome)
        if not isinstance(outcome, Shared) or isinstance(outcome, ByName):
            return outcome
        cls: Any = type(obj)
        if cls in _ATOMS:  # a rule was asked and has passed on
            return outcome
        made = form_of(cls)
        if made is not None:
            formed: Outcome = made(obj, context)
            if formed is not NotImplemented:
                return formed
        if isinstance(obj, type) or self.naming.by_name(obj):
            return ByName()
        return self._as_it_pickles(obj, context)

    def _as_it_pickles(self, obj: Any, context: Any) -> Outcome:
        """A shared thing without a form goes by the way that its own class gives to pickle, if there is one."""
        try:
            outcome = by_reduce(obj, context)
        except Obstacle as obstacle:
            if obstacle.special is not None:
                raise
            known = registered(type(obj))
            outcome = plain_anatomy(type(obj)).open(obj, context) if known is None else Refused(obstacle.reason)
        if isinstance(outcome, Refused):
            name = dotted(type(obj))
            return Refused(
                f"it is shared within a process, and has no form in which it could travel ({outcome.reason})",
                f'rules=[graphcopy.replace("{name}", factory)], or graphcopy.prune("{name}")',
                outcome.cause,
            )
        return self._with_class(obj, outcome) if isinstance(outcome, Parts) else outcome

    def _with_class(self, obj: Any, parts: Parts) -> Parts:
        """Show the class of an instance that travels by value as a piece."""
        make = parts.func
        if type(make) is not MakeInstance or make.new is not object.__new__ or parts.args:
            return parts
        if self.naming.by_name(make.cls):
            return parts
        where = parts.accessors(obj)
        parts.func, parts.args = new_instance, (make.cls,)
        parts.where = _after_class(where)
        return parts


def _with_class_in_front(plain: Anatomy, cls: type) -> Anatomy:
    """The anatomy of plain instances that show their class: it travels by value."""
    children, accessors = plain.children, plain.accessors
    assert children is not None
    assert accessors is not None

    def open(obj: Any, context: Any) -> Outcome:
        parts = plain.open(obj, context)
        assert isinstance(parts, Parts)
        parts.func, parts.args, parts.where = new_instance, (cls,), _after_class(accessors(obj))
        return parts

    return Anatomy(
        plain.name, open, source="instance",
        children=lambda obj: [cls, *children(obj)], accessors=lambda obj: _after_class(accessors(obj)),
    )  # fmt: skip


def _after_class(where: Sequence[Accessor]) -> list[Accessor]:
    return [_CLASS, *where]


def _enum_member(obj: Any, context: Any) -> Outcome:
    """A member of an enum that travels by value."""
    names = ("__class__", "_name_", "_value_")
    return Parts(member_of, (type(obj), obj._name_, obj._value_), where=tuple(map(attribute, names)))
