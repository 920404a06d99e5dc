"""The plan: the graph with a treatment for every node. A dry run that can be looked at and carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from .anatomy.parts import Outcome, Parts, Refused, Shared
from .copying.hooked import LiveMemo
from .copying.run import Run
from .copying.unwinding import unless_it_fails
from .culprits import Culprit, culprits_of
from .errors import CopyError, NeedsGraph, NeedsRules, Obstacle, add_note
from .graph.compact import CompactGraph
from .receipts import Receipt, receipt_of
from .rules.ruleset import flatten
from .walk import Walk

__all__ = ["Plan", "copy_into", "deep_copy", "make_plan", "raise_explained", "under_all_rules"]


class Plan:
    """What a copy of one object would do.

    It holds references and treatments, not values: ``copy()`` may be called repeatedly. ``culprits`` lists what cannot
    be copied.

    >>> import graphcopy
    >>> plan = graphcopy.plan([[1], {2}], rules=[graphcopy.share(set)])
    >>> plan, plan.treatments, plan.culprits
    (<plan: 3 nodes, 0 culprits>, {2: 'shared'}, [])
    >>> plan.copy()
    [[1], {2}]
    """

    def __init__(
        self, root: Any, policy: Any, known: dict[int, Outcome] | None = None, given: Sequence[Any] = ()
    ) -> None:
        self._root = root
        self._given = given
        self._walk = Walk(policy, known)
        self.compact: CompactGraph = self._walk.run(root)
        self._policy = self._walk.policy  # a class may have brought rules of its own
        self.culprits: list[Culprit] = culprits_of(self.compact)
        self._fresh = True
        self._notes: list[tuple[Any, Any]] = []  # of the last copy

    def __repr__(self) -> str:
        unused = len(self.unused_rules)
        more = f", {unused} rule{'s' * (unused != 1)} not used" if unused else ""
        return f"<plan: {len(self.compact)} nodes, {len(self.culprits)} culprits{more}>"

    @property
    def graph(self) -> Any:
        """The reference graph as a networkx.MultiDiGraph."""
        from .graph.networks import as_networkx

        return as_networkx(self.compact)

    @property
    def treatments(self) -> dict[int, str]:
        """The treatment of each node that is not plainly copied, by node number."""
        return dict(self.compact.marks)

    @property
    def unused_rules(self) -> list[Any]:
        """The rules given, and the rule sets given as a whole, that have no part in the plan.

        A rule has a part when it answered for an object or cut a reference; one that a rule before it forestalls has
        none. A typo in a path shows here.

        >>> import graphcopy
        >>> plan = graphcopy.plan({"name": [1]}, rules=[graphcopy.prune(path="obj['nmae']")])
        >>> plan.unused_rules
        [<rule prune(path="obj['nmae']")>]
        """
        graph = self.compact
        used = set(graph.rules.values())
        for outcome in graph.outcomes.values():
            if isinstance(outcome, Parts) and outcome.cut_by:
                used.update(outcome.cut_by.values())
        return [each for each in self._given if used.isdisjoint(flatten([each]))]

    @property
    def receipt(self) -> Receipt:
        """What a copy by this plan does, or the last one did, other than copy."""
        return receipt_of(self.compact, [*self._walk.notes, *self._notes])

    def copy(
        self,
        *,
        memo: dict[int, Any] | None = None,
        careful: bool | None = None,
        beyond: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Carry the plan out; *memo* is as in copy.deepcopy, *careful* and *beyond* are for hooks of graphcopy's own.

        Raises CopyError when there are culprits, or when the graph has changed its shape since an earlier copy.

        >>> import graphcopy
        >>> rows = [[1]]
        >>> plan = graphcopy.plan(rows)
        >>> plan.copy()
        [[1]]
        >>> rows.append([2])
        >>> plan.copy()
        Traceback (most recent call last):
        ...
        graphcopy.errors.CopyError: the graph has changed since the plan was made, first at obj
        """
        if self.culprits:
            raise CopyError.about(self.culprits, self)
        known = self._outcomes()
        run = Run(self._policy, memo, known, careful)
        run.beyond = beyond
        self._notes = run.notes
        try:
            copied = run.copy(self._root)
            self._learn(run.only_ones)
            return copied
        except NeedsGraph:
            failed = None
        except NeedsRules:  # of a class that only a hook leads to
            raise
        except Obstacle as obstacle:
            failed = obstacle
        if failed is None:
            raise CopyError(
                "a rule asks for the path of an object that is not in the graph: the graph has changed since it was "
                "walked, or a __deepcopy__ made the object",
                plan=self,
            )
        raise_explained(self._root, self._policy, run.known, failed)

    def _learn(self, found: dict[int, Shared]) -> None:
        """Note what only the copy could find out: that making an object anew gave the same one."""
        graph = self.compact
        for key, outcome in found.items():
            place = graph.index.get(key)
            if place is not None:  # else only a hook led there
                graph.outcomes[place] = outcome
                graph.marks[place] = "shared"

    def dumps(self, *, by_value: Iterable[Any] = (), buffers: Any = None) -> bytes:
        """Write the object as bytes for another process, under the same rules; see ``graphcopy.dumps``.

        Raises CopyError, which names everything that cannot travel.
        """
        from .shipping.naming import names_of_modules
        from .shipping.sending import policy_of_rules, stream_of

        return stream_of(self._root, policy_of_rules(self._policy.rules, names_of_modules(by_value)), buffers)

    def _outcomes(self) -> dict[int, Outcome]:
        graph = self.compact
        if not self._fresh:
            self._walk = Walk(self._policy)
            again = self._walk.run(self._root)
            place = first_difference(graph, again)
            if place is not None:
                raise CopyError(
                    f"the graph has changed since the plan was made, first at {graph.path(place)}", plan=self
                )
            graph = self.compact = again
        self._fresh = False
        return {**self._walk.passed(), **{id(graph.objs[place]): outcome for place, outcome in graph.outcomes.items()}}


def first_difference(one: CompactGraph, other: CompactGraph) -> int | None:
    """The first node at which two walks of one root differ."""
    for place, (a, b) in enumerate(zip(one.objs, other.objs)):
        if type(a) is not type(b) or one.successors(place) != other.successors(place):
            return place
    return None if len(one) == len(other) else min(len(one), len(other)) - 1


def make_plan(obj: Any, policy: Any, given: Sequence[Any] = ()) -> Plan:
    """Walk *obj* and decide on every node; *given* are the rules and rule sets that the user gave."""
    return Plan(obj, policy, given=given)


def deep_copy(obj: Any, policy: Any, memo: dict[int, Any] | None = None) -> Any:
    """Copy in one pass; come back to the plan when something goes wrong or a rule asks for paths."""
    if memo is not None:
        return under_all_rules(policy, lambda policy: copy_into(memo, obj, policy))
    try:
        return _deep_copy(obj, policy)
    except NeedsRules as needed:
        return under_all_rules(policy.widened(needed.rules), lambda policy: _deep_copy(obj, policy))


def under_all_rules(policy: Any, attempt: Callable[[Any], Any]) -> Any:
    """Return what ``attempt(policy)`` does; where a class brings rules of its own, try again under these too."""
    while True:
        try:
            return attempt(policy)
        except NeedsRules as needed:
            policy = policy.widened(needed.rules)


def _deep_copy(obj: Any, policy: Any) -> Any:
    if policy.needs_graph:
        return Plan(obj, policy).copy()
    run = Run(policy)
    try:
        return run.copy(obj)
    except NeedsGraph:
        failed = None
    except NeedsRules:
        raise
    except Obstacle as obstacle:
        failed = obstacle
    if failed is None:
        return Plan(obj, policy, run.known).copy()
    raise_explained(obj, policy, run.known, failed)


def copy_into(
    memo: dict[int, Any],
    obj: Any,
    policy: Any,
    known: dict[int, Outcome] | None = None,
    careful: bool | None = None,
    begin: Any = None,
    beyond: Callable[[Any], Any] | None = None,
) -> Any:
    """Copy with a memo that the user gave: when that fails, the memo is left as it was.

    *known* is what is known of objects already; *careful* tells whether a copy in the memo may be None;
    ``begin(run)`` makes the first object, whose own hook is running; ``beyond(target)`` returns what a weak
    reference to something that is not below *obj* shall be aimed at.

    Raises NeedsRules where a class brings rules of its own: the caller adds them and tries again.
    """
    if isinstance(memo, LiveMemo):  # called by a __deepcopy__ in the midst of a copy
        return memo.copied(obj)
    known = {} if known is None else known
    with unless_it_fails(memo):
        if not policy.needs_graph:
            try:
                with unless_it_fails(memo):
                    run = Run(policy, memo, known, careful)
                    run.beyond = beyond
                    return run.copy(obj, begin)
            except NeedsGraph:
                failed = None
            except NeedsRules:
                raise
            except Obstacle as obstacle:
                failed = obstacle
            if failed is not None:
                raise_explained(obj, policy, known, failed)
        return Plan(obj, policy, known).copy(memo=memo, careful=careful, beyond=beyond)


def raise_explained(root: Any, policy: Any, known: dict[int, Outcome], obstacle: Obstacle) -> NoReturn:
    """Raise what the user gets: CopyError with all culprits and their paths, or the error itself.

    KeyboardInterrupt, MemoryError and their like stay what they are; a note says at which path.
    """
    error = explained(root, policy, known, obstacle)
    if error is obstacle.cause:
        raise error
    raise error from obstacle.cause


def explained(root: Any, policy: Any, known: dict[int, Outcome], obstacle: Obstacle) -> BaseException:
    """Turn an Obstacle into the error that is raised; hooks that were asked are not asked again."""
    known = dict(known)
    known[id(obstacle.obj)] = Refused(obstacle.reason, obstacle.advice, obstacle.cause)
    special = obstacle.special
    try:
        plan = Plan(root, policy, known)
    except Obstacle as second:
        if special or not second.special:
            return special or CopyError(f"{type(obstacle.obj).__qualname__}: {obstacle.reason}")
        return second.special
    except BaseException:
        if special is None:
            raise
        return special
    if special is not None:
        for culprit in plan.culprits:
            if culprit.obj is obstacle.obj:
                add_note(special, f"while copying {culprit.path}")
        return special
    if not plan.culprits:
        return CopyError(f"an object of type {type(obstacle.obj).__qualname__} cannot be copied: {obstacle.reason}")
    return CopyError.about(plan.culprits, plan)
