"""Rules that cut single references: which ones, and what stands there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .anatomy.instances import layout_of, read_dict
from .anatomy.parts import NOTHING, Parts
from .copying.engine import PRUNED
from .rules.patterns import Automaton, attribute_of
from .rules.selectors import Attribute, Path, Way

__all__ = ["Cutting"]

_WITHOUT_ATTRIBUTES = (list, dict, tuple, set, frozenset)
_NOWHERE = Way()
_NO_PATTERNS: frozenset[Any] = frozenset()


class Cutting:
    """What the rules of one policy do by references.

    ``cutters`` are those that cut a reference; ``by_way`` those that treat the objects to which a reference leads. For
    both, ``automaton`` runs the path patterns.
    """

    __slots__ = ("_attributes", "_before", "_held_by_any", "automaton", "by_attribute", "by_way", "cutters", "patterns")

    def __init__(self, rules: Sequence[Any]) -> None:
        self.cutters = tuple(rule for rule in rules if rule.cuts)
        self.by_way = tuple(rule for rule in rules if rule.by_reference and not rule.cuts)
        parts = [each for rule in (*self.cutters, *self.by_way) for each in rule.selector.parts()]
        self.patterns = tuple(dict.fromkeys(each.pattern for each in parts if isinstance(each, Path)))
        self.automaton = Automaton(self.patterns)
        self._attributes = tuple(each for each in parts if isinstance(each, Attribute))
        # Rules by path alone speak only where the walk has found that a pattern leads.
        alone = [rule for rule in self.cutters if not _by_path_alone(rule)]
        self.by_attribute = bool(alone)
        self._held_by_any = any(rule.selector.guess(None, _NOWHERE) is not False for rule in alone)
        self._before: dict[int, tuple[Any, ...]] = {}
        for place, rule in enumerate(rules):
            if rule.cuts:
                self._before[id(rule)] = tuple(each for each in rules[:place] if not each.cuts)

    def __bool__(self) -> bool:
        return bool(self.cutters)

    @property
    def traces(self) -> bool:
        """Tell whether references have to be followed before the walk: for paths, and for what they lead to."""
        return bool(self.patterns or self.by_way)

    def relevant(self, attribute: str | None) -> str | None:
        """The attribute, where a rule goes by it: all others are alike."""
        return attribute if attribute and any(each.fits(attribute) for each in self._attributes) else None

    def may_touch(self, cls: type) -> bool:
        """Tell whether a reference that objects of *cls* hold may be cut."""
        return bool(self.patterns) or self._held_by_any or cls not in _WITHOUT_ATTRIBUTES

    def untouched(self, cls: type) -> Callable[[Any], bool] | None:
        """A quick test for objects of *cls* of which no reference is cut; None where there is none.

        What the walk has found by path is known by then, so only attributes are asked for.
        """
        if not self.by_attribute or (cls in _WITHOUT_ATTRIBUTES and not self._held_by_any):
            return _true
        layout = layout_of(cls)
        if self._held_by_any or layout is None:
            return None
        attributes = self._attributes
        if any(each.fits(name) for _, name, _ in layout.members for each in attributes):
            return None
        if not layout.has_dict:
            return _true
        names = frozenset(each.name for each in attributes)
        if any("*" in name for name in names):
            return lambda obj: (
                not any(type(name) is str and each.fits(name) for name in list(read_dict(obj)) for each in attributes)
            )
        return lambda obj: names.isdisjoint(read_dict(obj))

    def cut(self, obj: Any, parts: Parts, context: Any) -> None:
        """Ask the rules about every reference that *obj* holds, and note on *parts* which are cut."""
        if parts.cut_by is not None:
            return
        parts.cut_by = {}
        found = context.hits.get(id(obj), {})
        if not found and not self.by_attribute:
            return
        cuts: dict[int, Any] = {}
        for place, (child, accessor) in enumerate(zip(parts.children(), parts.accessors(obj))):
            attribute = attribute_of(accessor)
            patterns = found.get(place, _NO_PATTERNS)
            if attribute == "__class__" or (attribute is None and not patterns and not self._held_by_any):
                continue
            rule = self._cutter(obj, child, accessor, Way(attribute, patterns), context)
            if rule is not None:
                value = rule.decide_cut().value
                cuts[place] = PRUNED if value is NOTHING else value
                parts.cut_by[place] = rule
        if cuts:
            parts.cuts = {**(parts.cuts or {}), **cuts}

    def _cutter(self, obj: Any, child: Any, accessor: Any, way: Way, context: Any) -> Any:
        """The rule that cuts this reference, unless an earlier one has spoken for the object."""
        for rule in self.cutters:
            if not rule.matches_type(type(child)) or rule.selector.guess(type(child), way) is False:
                continue
            node = context.child_node(obj, child, accessor)
            if not context.selects(rule, node, way):
                continue
            for earlier in self._before[id(rule)]:
                if earlier.matches_type(type(child)) and context.ask(earlier, node) is not NotImplemented:
                    return None
            return rule
        return None


def _by_path_alone(rule: Any) -> bool:
    """Tell whether the rule never speaks where no pattern leads, whatever the attribute."""
    attributes = [each.name.replace("*", "_") for each in rule.selector.parts() if isinstance(each, Attribute)]
    ways = [_NOWHERE, *(Way(name) for name in attributes)]
    return all(rule.selector.guess(None, way) is False for way in ways)


def _true(obj: Any) -> bool:
    return True
