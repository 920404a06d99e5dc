"""From a type to what happens to its objects: rules first, then anatomy.

A Policy is made for a list of rules. What it works out for a type (which rules speak for it, how it
comes apart, the copier's way in) is kept in a table, checked at the first object of the type in
each run against the class's hooks, and dropped when one of them was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .anatomy import atoms, containers
from .anatomy.builtins import builtin_subclass, reduced_by_its_base
from .anatomy.dilled import NEVER, by_dill, knows
from .anatomy.instances import layout_of
from .anatomy.parts import SHARED, Outcome, Parts, Refused
from .anatomy.reducers import method_rules
from .anatomy.reducing import default_reduce, has_own_hooks, own_hook, reducing, type_hook, uses_default_reduce
from .anatomy.registry import Anatomy, dotted, registered
from .anatomy.signatures import signature_of
from .copying.callables import FAST_WAYS
from .copying.engine import Signal, clone_dict, clone_list
from .copying.entering import (
    enter_by_anatomy,
    enter_by_rules,
    enter_carefully,
    enter_cutting,
    enter_frozenset,
    enter_instance,
    enter_set,
    enter_tuple,
)
from .copying.hooked import DeepCopied, enter_by_deepcopy
from .cutting import Cutting
from .errors import NeedsRules, Obstacle
from .rules.treatments import Copy

__all__ = [
    "Policy",
    "Table",
    "attributes_anatomy",
    "plain_anatomy",
    "without_deepcopy",
    "without_reduce",
    "without_rules",
]

_CLASSES = 4096  # that a policy remembers


class Table(dict[type, Any]):
    """Type to way in, filled on demand: None for an atom, else ``enter(run, obj, key)``."""

    __slots__ = ("policy",)
    policy: Policy

    def __missing__(self, cls: type) -> Any:
        self[cls] = enter = self.policy._resolve(cls)[2]
        return enter


class CarefulTable(Table):
    """Its ways in look into the memo once more: None, which may stand there, means unknown to the hot loop."""

    __slots__ = ()

    def __missing__(self, cls: type) -> Any:
        enter = self.policy.ways(cls)
        self[cls] = careful = None if enter is None else enter_carefully(enter)
        return careful


_STATIC: dict[type, Anatomy | None] = {
    **dict.fromkeys(atoms.ATOMS),
    Signal: None,
    dict: Anatomy(
        "dict", containers.open_dict, enter=clone_dict,
        children=containers.dict_children, accessors=containers.dict_accessors,
    ),
    list: Anatomy(
        "list", containers.open_list, enter=clone_list, children=list.copy, accessors=containers.list_accessors
    ),
    tuple: Anatomy(
        "tuple", containers.open_tuple, enter=enter_tuple, children=iter, accessors=containers.list_accessors
    ),
    set: Anatomy("set", containers.open_set, enter=enter_set, children=list, accessors=containers.member_accessors),
    frozenset: Anatomy(
        "frozenset", containers.open_frozenset, enter=enter_frozenset,
        children=iter, accessors=containers.member_accessors,
    ),
}  # fmt: skip


def attributes_anatomy(cls: type) -> Anatomy | None:
    """The anatomy "slots and ``__dict__`` over the whole MRO", asking no hook; None when the layout is C's."""
    layout = layout_of(cls)
    if layout is None:
        return builtin_subclass(cls)
    return Anatomy(
        cls.__qualname__, lambda obj, context: layout.parts(obj), source="instance",
        enter=enter_instance(layout), children=layout.children, accessors=layout.accessors,
    )  # fmt: skip


def plain_anatomy(cls: type) -> Anatomy:
    """How objects of *cls* come apart when no rule, no registered anatomy and no ``__deepcopy__`` speaks."""
    name = cls.__qualname__
    if uses_default_reduce(cls) or reduced_by_its_base(cls):
        own_way = has_own_hooks(cls)
        plain = (default_reduce(cls) or builtin_subclass(cls)) if own_way else attributes_anatomy(cls)
        if plain is not None:
            return plain
    # A class in Python over the abstract base of all files holds what its attributes say; over a real one, a place.
    if dotted(cls) in NEVER or any(
        dotted(base) in NEVER and base.__name__ != "_IOBase" for base in cls.__mro__ if not base.__flags__ & 1 << 9
    ):
        return Anatomy(name, _refuse)

    take_apart = reducing(cls)

    def open(obj: Any, context: Any) -> Outcome:
        try:
            return take_apart(obj, context)
        except Obstacle as obstacle:
            if obstacle.special is not None:
                raise
            if type(obstacle.cause) is not TypeError or _is_python(cls):
                return Refused(obstacle.reason, obstacle.advice, obstacle.cause)
            if knows(cls):
                return by_dill(obj, context)
            return Refused(str(obstacle.cause), "", obstacle.cause)

    return Anatomy(name, open, source="dill" if knows(cls) and not _is_python(cls) else "reduce")


def _is_python(cls: type) -> bool:
    """Tell whether the class itself says how it is reduced, in Python."""
    return hasattr(type_hook(cls, "__reduce_ex__") or type_hook(cls, "__reduce__"), "__globals__")


def _refuse(obj: Any, context: Any) -> Outcome:
    return Refused(f"a {type(obj).__qualname__} is a live resource of this process")


class Policy:
    """Rules and anatomies, resolved by type."""

    def __init__(self, rules: Sequence[Any] = (), given: int = 0) -> None:
        self.rules = tuple(rules)
        self._given = given  # how many of them come before those that a class brings
        self._wider: dict[tuple[Any, ...], Policy] = {}
        self._uncut: Policy | None = None
        self.needs_graph = any(rule.needs_graph for rule in self.rules)
        self.cutting = Cutting(self.rules)
        self.finishers = tuple(dict.fromkeys(rule.finish for rule in self.rules if rule.finish is not None))
        self._known: dict[type, tuple[tuple[Any, ...], Anatomy | None, Any]] = {}
        self._static: dict[type, Any] = {}
        for cls, plain in _STATIC.items():
            ruled = self._with_rules(cls, plain)
            self._static[cls] = None if ruled is None else ruled.enter or enter_by_anatomy(ruled)
        self._static_anatomies = {cls: self._with_rules(cls, plain) for cls, plain in _STATIC.items()}

    def widened(self, rules: tuple[Any, ...]) -> Policy:
        """This policy with *rules* that a class brings: after those that were given, before all others."""
        wider = self._wider.get(rules)
        if wider is None:
            given = self._given + len(rules)
            wider = self._like((*self.rules[: self._given], *rules, *self.rules[self._given :]), given)
            self._wider[rules] = wider
        return wider

    def _like(self, rules: Sequence[Any], given: int) -> Policy:
        return Policy(rules, given)

    def new_table(self, *, careful: bool = False) -> Table:
        """A table for one run; a *careful* one serves a memo in which a copy may be None."""
        table = CarefulTable() if careful else Table(self._static)
        table.policy = self
        return table

    def anatomy(self, cls: type) -> Anatomy | None:
        """How objects of *cls* come apart under the rules; None for atoms."""
        if cls in self._static_anatomies:
            return self._static_anatomies[cls]
        return self._resolve(cls)[1]

    def ways(self, cls: type) -> Callable[[Any, Any, int], Any] | None:
        """The copier's ``enter`` for objects of *cls*, also of the types that every table knows."""
        enter: Callable[[Any, Any, int], Any] | None = self._static[cls] if cls in self._static else self.way_in(cls)
        return enter

    def way_in(self, cls: type) -> Callable[[Any, Any, int], Any] | None:
        """The copier's ``enter`` for objects of *cls*; None for atoms."""
        enter: Callable[[Any, Any, int], Any] | None = self._resolve(cls)[2]
        return enter

    def candidates(self, cls: type) -> list[Any]:
        """The rules that may speak for objects of *cls*, in order."""
        return [rule for rule in self.rules if not rule.cuts and rule.matches_type(cls)]

    def _resolve(self, cls: type) -> tuple[tuple[Any, ...], Anatomy | None, Any]:
        signature = signature_of(cls)
        known = self._known.get(cls)
        if known is None or known[0] != signature:
            brought = tuple(rule for rule in method_rules(cls) if not any(rule is each for each in self.rules))
            if brought:
                raise NeedsRules(brought)
            found = self._with_rules(cls, self._plain(cls))
            enter = None if found is None else found.enter or enter_by_anatomy(found)
            if len(self._known) >= _CLASSES:  # classes made at run time must be free to die
                self._known.clear()
            self._known[cls] = known = (signature, found, enter)
        return known

    def _plain(self, cls: type) -> Anatomy | None:
        """How objects of *cls* come apart where no rule speaks."""
        return without_rules(cls)

    @property
    def uncut(self) -> Policy:
        """This policy without the rules that go by references: under it their paths are followed."""
        if self._uncut is None:
            self._uncut = self._like([rule for rule in self.rules if not rule.by_reference], 0)
        return self._uncut

    def _with_cuts(self, cls: type, plain: Anatomy | None) -> Anatomy | None:
        """Wrap *plain* where rules may cut references that objects of *cls* hold."""
        if plain is None or not self.cutting.may_touch(cls):
            return plain
        cut, untouched, inner = self.cutting.cut, self.cutting.untouched(cls), plain

        def open(obj: Any, context: Any) -> Outcome:
            outcome = inner.open(obj, context)
            if isinstance(outcome, Parts):
                cut(obj, outcome, context)
            return outcome

        by_path_only = not self.cutting.by_attribute
        return Anatomy(
            plain.name, open, source="deepcopy" if plain.source == "deepcopy" else "cut",
            enter=enter_cutting(plain, cut, untouched),
            children=plain.children if by_path_only else None,
            accessors=plain.accessors if by_path_only else None,
        )  # fmt: skip

    def _with_rules(self, cls: type, plain: Anatomy | None) -> Anatomy | None:
        if self.cutting:
            plain = self._with_cuts(cls, plain)
        cut = self.cutting.cut if self.cutting else None
        rules = self.candidates(cls)
        if plain is None:  # an atom is no node: only a rule that names its type speaks for it
            rules = [rule for rule in rules if object not in rule.types]
        if not rules:
            return plain

        def decide(obj: Any, context: Any) -> Outcome | None:
            if ~id(obj) in context.known:
                return None
            node = context.node_of(obj)
            for rule in rules:
                treatment = context.ask(rule, node)
                if treatment is NotImplemented:
                    continue
                context.matched(rule, obj, treatment)
                if isinstance(treatment, Copy):
                    break
                if cut is not None and isinstance(treatment, Parts):
                    cut(obj, treatment, context)
                return treatment  # type: ignore[no-any-return]
            context.known[~id(obj)] = obj
            return None

        def open(obj: Any, context: Any) -> Outcome:
            outcome = decide(obj, context)
            if outcome is not None:
                return outcome
            return SHARED if plain is None else plain.open(obj, context)

        return Anatomy(cls.__qualname__, open, source="rule", enter=enter_by_rules(decide, plain))


def without_deepcopy(cls: type) -> Anatomy:
    """How objects of *cls* come apart when no rule and no ``__deepcopy__`` speaks."""
    known = registered(cls)
    return plain_anatomy(cls) if known is None else known


def without_reduce(cls: type) -> Anatomy:
    """How objects of *cls* come apart when no rule, no ``__deepcopy__`` and no reduce method speaks."""
    found = registered(cls) or default_reduce(cls) or builtin_subclass(cls)
    return plain_anatomy(cls) if found is None else found


def without_rules(cls: type) -> Anatomy | None:
    """How objects of *cls* come apart when no rule speaks."""
    if cls in _STATIC:
        return _STATIC[cls]
    if atoms.is_atomic_type(cls):
        return None
    known = registered(cls)
    if known is not None:
        fast = FAST_WAYS.get(cls)
        if fast is None:
            return known
        return Anatomy(known.name, known.open, source=known.source, enter=fast(enter_by_anatomy(known)))
    hook = type_hook(cls, "__deepcopy__")
    if hook is not None and own_hook(cls, "__deepcopy__") is not None:
        plain = attributes_anatomy(cls) or plain_anatomy(cls)

        def by_attributes() -> Anatomy:
            return plain

        def open(obj: Any, context: Any) -> Outcome:
            # The graph shows the attributes, since what a hook asks for is not known before it runs. Where nothing else
            # takes the object apart (re.Match), its hook is all there is.
            outcome = plain.open(obj, context)
            return (
                Parts(DeepCopied(obj), where=()) if isinstance(outcome, Refused) and not context.shipping else outcome
            )

        return Anatomy(
            cls.__qualname__, open, source="deepcopy", enter=enter_by_deepcopy(cls, by_attributes),
            children=plain.children, accessors=plain.accessors,
        )  # fmt: skip
    return plain_anatomy(cls)
