"""``select``: a selector from what a user gives: types, names of attributes, path patterns, a predicate."""

from __future__ import annotations

from typing import Any

from .selectors import And, Attribute, Or, Path, Selector, Types, Where

__all__ = ["select", "selection"]


def selection(
    given: tuple[Any, ...], exact: bool = False, attr: Any = None, path: Any = None, where: Any = None
) -> Selector | None:
    """Make one selector of what a rule was given, all of which must match; None when that is nothing."""
    found: list[Selector] = [each for each in given if isinstance(each, Selector)]
    types = tuple(each for each in given if not isinstance(each, Selector))
    if types and found:
        raise TypeError(
            "give types or selectors, not both: combine them with & and |, as in select(T) & select(attr='x')"
        )
    if len(found) > 1:
        raise TypeError("give one selector: several are combined with & and |")
    if types:
        found.append(Types(types, exact))
    elif exact:
        raise TypeError("exact=True narrows types, and none are given")
    found += [_any_of(Attribute, attr, "attr")] if attr is not None else []
    found += [_any_of(Path, path, "path")] if path is not None else []
    found += [Where(where)] if where is not None else []
    if not found:
        return None
    chosen = found[0]
    for each in found[1:]:
        chosen = And(chosen, each)
    return chosen


def _any_of(kind: Any, given: Any, word: str) -> Selector:
    """One name or pattern, or several of which any will do."""
    names = list(given) if isinstance(given, (list, tuple, set, frozenset)) else [given]
    if not names:
        raise ValueError(f"{word}={given!r} can never match: it is empty")
    chosen: Selector = kind(names[0])
    for each in names[1:]:
        chosen = Or(chosen, kind(each))
    return chosen


def select(*types: Any, exact: bool = False, attr: Any = None, path: Any = None, where: Any = None) -> Selector:
    """Select what a rule speaks for; selectors are combined with ``&``, ``|`` and ``~``.

    *types* are classes or dotted names, of which one must match (``exact`` leaves subclasses out); ``attr`` is the name
    of the attribute that refers to the object, ``path`` a pattern over the way to it, ``where`` a function of the
    node; lists of names and patterns match when one does. All that is given must match.

    Raises TypeError or ValueError for what can never match.

    >>> import graphcopy
    >>> class Part:
    ...     def __init__(self, name): self.name, self.owner, self.twin = name, {}, {}
    >>> keep = graphcopy.select(attr="owner") & ~graphcopy.select(where=lambda node: "x" in node.obj)
    >>> vars(graphcopy.copy(Part("a"), rules=[graphcopy.prune(keep)]))
    {'name': 'a', 'twin': {}}
    """
    chosen = selection(types, exact, attr, path, where)
    if chosen is None:
        raise ValueError("nothing is selected: give types, attr=, path= or where=")
    return chosen
