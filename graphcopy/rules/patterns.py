"""Path patterns: ``obj.layers[*].hook``, read once, then run over the accessors of a walk.

A pattern is a row of steps. Running several over a graph, the walk carries for each node the set of steps that some
way to it has come to, as the bits of one integer: so it costs time linear in the graph, however many ways there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from ..graph.accessors import Accessor, is_literal

__all__ = ["Automaton", "Step", "attribute_of", "parse"]

_STAR, _DEEP = "__graphcopy_any__", "__graphcopy_deep__"
_PIECE = re.compile(r"\.([A-Za-z_]\w*)|\[('[^']*'|\"[^\"]*\"|-?\d+)\]")
_FORMS = (
    "a pattern is written like a path: obj.layers[*].hook; [*] is any item, .* any attribute, .name* by its beginning, "
    ".** any number of steps"
)


class Step(NamedTuple):
    """One step of a pattern: of ``kind`` attribute, item, member, key, value, any, or deep (any number of any steps).

    ``name`` is what the step has to be called; None is any, and of an attribute it may hold ``*``.
    """

    kind: str
    name: Any = None


_ANY_DEPTH = Step("deep")


def parse(text: str) -> tuple[Step, ...]:
    """Read a path pattern.

    Raises ValueError for what can never match: what is no path, does not begin at ``obj``, or has no step.

    >>> parse("obj.layers[*].hook")
    (Step(kind='attribute', name='layers'), Step(kind='item', name=None), Step(kind='attribute', name='hook'))
    >>> parse("**.cache") == parse("obj.**.cache")
    True
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no path pattern: {_FORMS}")
    source = re.sub(r"^\s*\*\*", "obj.**", text.strip())
    source = re.sub(r"(?<=[\w\])])\[\*\*\]|(?<=[\w\])])\*\*(?=$|[.\[])", ".**", source)
    source = source.replace(".**", "." + _DEEP).replace("[*]", f"[{_STAR}]").replace("*", _STAR)
    try:
        tree = ast.parse(source, mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{text!r} cannot be read as a path pattern ({error.msg}): {_FORMS}") from None
    steps: list[Step] = []
    while not isinstance(tree, ast.Name):
        step, tree = _outermost(tree, text)
        steps.append(step)
    if tree.id != "obj":
        raise ValueError(f"{text!r} can never match: a path begins with obj (or ** for any depth), not {tree.id!r}")
    if not steps:
        raise ValueError(f"{text!r} can never match: obj alone is the root, to which no reference leads")
    if steps[0] == _ANY_DEPTH:  # everything below
        steps.insert(0, Step("any"))
    steps.reverse()
    return _through_dicts(steps)


def _outermost(tree: ast.expr, text: str) -> tuple[Step, ast.expr]:
    """Take the last step off."""
    if isinstance(tree, ast.Attribute):
        if tree.attr == _DEEP:
            return _ANY_DEPTH, tree.value
        name = tree.attr.replace(_STAR, "*")
        return Step("attribute", None if name == "*" else name), tree.value
    if isinstance(tree, ast.Subscript):
        inner, key = tree.value, _constant(tree.slice)
        if isinstance(inner, ast.Call) and _called(inner) == "list" and len(inner.args) == 1:
            below = inner.args[0]
            if isinstance(below, ast.Call) and _called(below) in ("dict.keys", "dict.values") and len(below.args) == 1:
                return Step(_called(below)[5:-1], key), below.args[0]
            return Step("member", key), below
        return Step("item", key), inner
    if isinstance(tree, ast.Call) and len(tree.args) == 2 and not tree.keywords:
        name = _called(tree)
        if name == "object.__getattribute__":
            return Step("attribute", _constant(tree.args[1])), tree.args[0]
        if name.endswith(".__getitem__"):
            return Step("item", _constant(tree.args[1])), tree.args[0]
    raise ValueError(f"{text!r} cannot be read as a path pattern: {_FORMS}")


def _called(call: ast.Call) -> str:
    try:
        return ast.unparse(call.func)
    except RecursionError:
        return ""


def _constant(tree: ast.expr) -> Any:
    if isinstance(tree, ast.Name) and tree.id == _STAR:
        return None
    try:
        value = ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError):
        value = _constant  # no literal
    if value is None or not is_literal(value):
        raise ValueError(f"[{ast.unparse(tree)}] can never match: a key in a path is a str, a number or [*]")
    return value.replace(_STAR, "*") if isinstance(value, str) else value


def _through_dicts(steps: list[Step]) -> tuple[Step, ...]:
    """``.__dict__['x']`` is the attribute x; two ``**`` in a row are one."""
    found: list[Step] = []
    for step in steps:
        if step == _ANY_DEPTH and found and found[-1] == _ANY_DEPTH:
            continue
        if step.kind == "item" and isinstance(step.name, str) and found and found[-1] == Step("attribute", "__dict__"):
            found[-1] = Step("attribute", step.name)
            continue
        found.append(step)
    return tuple(found)


def attribute_of(accessor: Accessor) -> str | None:
    """The attribute that a reference is held by; None where it is none.

    >>> from graphcopy.graph.accessors import attribute, item
    >>> attribute_of(attribute("x")), attribute_of(item("x"))
    ('x', None)
    """
    kind, name = accessor.kind, accessor.name
    if kind == "attribute" or (kind == "reduce" and ".__reduce_ex__(4)[2][" in accessor.after):
        return name if type(name) is str else None
    return None


def _tokens(accessor: Accessor) -> tuple[Step, ...]:
    """An accessor in the terms of patterns; a few (``.__closure__[0]``, ``.args[1]``) are two steps."""
    name = attribute_of(accessor)
    if name is not None:
        return (Step("attribute", name),)
    kind = accessor.kind
    if kind in ("item", "cell", "weak", "hidden") and not accessor.before:
        pieces = _PIECE.findall(accessor.after)
        if len(pieces) > 1:
            return tuple(
                Step("attribute", word) if word else Step("item", ast.literal_eval(key)) for word, key in pieces
            )
    return (Step(kind, accessor.name),)


_ITEMS = ("item", "value", "member")


def _fits(step: Step, token: Step) -> bool:
    if step.kind == "any":
        return True
    if step.kind == "attribute":
        if token.kind != "attribute":
            return False
        return step.name is None or token.name == step.name or ("*" in step.name and fnmatchcase(token.name, step.name))
    if step.kind == "item" and step.name is None:
        return token.kind in _ITEMS
    return step.kind == token.kind and (step.name is None or step.name == token.name)


class Automaton:
    """Patterns that run side by side.

    A *mask* holds a bit for each step that is waited for. ``start`` is that of the root; ``advance`` gives the mask
    behind a reference, and the numbers of the patterns that it completes.
    """

    __slots__ = ("_ends", "_keys", "_known", "_steps", "start")

    def __init__(self, patterns: Iterable[tuple[Step, ...]]) -> None:
        self._steps: list[Step | None] = []  # None behind the last step of a pattern
        self._ends: dict[int, int] = {}
        self.start = 0
        for number, pattern in enumerate(patterns):
            self.start |= self._waiting(len(self._steps), pattern, 0)
            self._steps += [*pattern, None]
            self._ends[len(self._steps) - 1] = number
        self._keys = {step.name for step in self._steps if step is not None and step.kind != "attribute"}
        self._known: dict[tuple[int, str, Any], tuple[int, tuple[int, ...]]] = {}

    @staticmethod
    def _waiting(offset: int, steps: Any, place: int) -> int:
        """The bits of a step, and of the next one where it stands for no step at all."""
        mask = 1 << offset
        while place < len(steps) and steps[place] == _ANY_DEPTH:
            place, offset = place + 1, offset + 1
            mask |= 1 << offset
        return mask

    def advance(self, mask: int, accessor: Accessor) -> tuple[int, tuple[int, ...]]:
        """Take one reference: the mask behind it, and the patterns that end with it."""
        done: tuple[int, ...] = ()
        for token in _tokens(accessor):
            kind, name = token
            key = (mask, kind, name if kind == "attribute" or self._is_named(name) else _OTHER)
            known = self._known.get(key)
            if known is None:
                known = self._known[key] = self._step(mask, token)
            mask, done = known
        return mask, done

    def _is_named(self, name: Any) -> bool:
        try:
            return name in self._keys
        except TypeError:
            return False

    def _step(self, mask: int, token: Step) -> tuple[int, tuple[int, ...]]:
        after, done = 0, []
        for place, step in enumerate(self._steps):
            if not mask >> place & 1 or step is None:
                continue
            if step == _ANY_DEPTH:
                after |= self._from(place)
            elif _fits(step, token):
                after |= self._from(place + 1)
        for end, number in self._ends.items():
            if after >> end & 1:
                done.append(number)
                after &= ~(1 << end)
        return after, tuple(done)

    def _from(self, place: int) -> int:
        mask = 1 << place
        while self._steps[place] == _ANY_DEPTH:
            place += 1
            mask |= 1 << place
        return mask


_OTHER: Any = object()
