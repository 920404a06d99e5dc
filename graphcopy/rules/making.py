"""The words in which rules are written: rule, share, prune, replace, plain, rebuild, refuse.

With something selected (types, ``attr=``, ``path=``, ``where=``, a selector) ``share``, ``prune``, ``replace`` and
``plain`` make a rule; without, they are the treatment that a rule of one's own returns.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, overload

from ..anatomy.parts import NOTHING, Parts
from .answers import Made, Plain, Put, Sharing
from .rule import Rule, caller, check_decide
from .selecting import selection
from .selectors import Selector
from .treatments import copied, pruned, rebuilt, refused, replaced, shared

__all__ = ["because", "immutable", "plain", "prune", "rebuild", "refuse", "replace", "rule", "share"]


@overload
def rule(function: FunctionType, /) -> Rule: ...
@overload
def rule(
    *types: Any, exact: bool = False, name: str = "", attr: Any = None, path: Any = None, where: Any = None
) -> Callable[[Callable[[Any], Any]], Rule]: ...
def rule(
    *types: Any, exact: bool = False, name: str = "", attr: Any = None, path: Any = None, where: Any = None
) -> Any:
    """Make the decorated function a rule for what is selected; with nothing selected, for every object.

    The function takes the node and returns a treatment, or NotImplemented to pass. The first line of its docstring
    describes the rule. A rule by ``attr`` or ``path`` speaks for the objects to which such a reference leads.

    Raises TypeError or ValueError at once for what can never match and for a function that does not take one argument.

    >>> import graphcopy
    >>> class Token: pass
    >>> @graphcopy.rule(Token)
    ... def same_token(node):
    ...     "A token is shared."
    ...     return graphcopy.share()
    >>> token = Token()
    >>> graphcopy.copy([token], rules=[same_token])[0] is token
    True
    """
    if len(types) == 1 and isinstance(types[0], FunctionType) and types[0].__module__ != "threading":
        return rule(name=name)(types[0])
    chosen = selection(types, exact, attr, path, where)

    def make(function: Callable[[Any], Any]) -> Rule:
        check_decide(function, name or getattr(function, "__qualname__", repr(function)))
        return Rule((object,), function, name=name, selector=chosen)

    return make


def share(*types: Any, exact: bool = False, attr: Any = None, path: Any = None, where: Any = None) -> Any:
    """With a selection: a rule that shares these objects, wherever they are referred to. Without: the treatment.

    The selection is that of ``graphcopy.select``, and so are the errors.

    >>> import graphcopy
    >>> config = {"main": {"a": 1}, "more": [{"a": 2}]}
    >>> copied = graphcopy.copy(config, rules=[graphcopy.share(path="obj['main']")])
    >>> copied["main"] is config["main"], copied["more"] is config["more"]
    (True, False)
    >>> graphcopy.copy([config["main"]], rules=[graphcopy.share(dict)])[0] is config["main"]
    True
    """
    return _rule_or(shared, "share", "shared", Sharing(), selection(types, exact, attr, path, where))


def plain(*types: Any, exact: bool = False, attr: Any = None, path: Any = None, where: Any = None) -> Any:
    """With a selection: a rule that copies these objects as if no later rule spoke for them. Without: the treatment.

    It makes exceptions: from a rule that stands behind it, or from a default.

    The selection is that of ``graphcopy.select``, and so are the errors.

    >>> import graphcopy
    >>> class Base: pass
    >>> class Derived(Base): pass
    >>> obj = [Base(), Derived()]
    >>> new = graphcopy.copy(obj, rules=[graphcopy.plain(Derived), graphcopy.share(Base)])
    >>> new[0] is obj[0], new[1] is obj[1]
    (True, False)
    """
    return _rule_or(
        copied, "plain", "copied, whatever later rules say", Plain(), selection(types, exact, attr, path, where)
    )


def immutable(why: str, *types: Any) -> Rule:
    """A rule for a shipped set: *types* are values that cannot change, shared without a word on the receipt."""
    return Rule(types, Sharing("immutable", False), name="immutable values", description=why)


def because(why: str, made: Rule) -> Rule:
    """The rule *made*, of a shipped set, with a sentence that says why it is there."""
    return Rule((), made._decide, name=made.name, description=why, selector=made.selector, place=made.place)


def prune(
    *types: Any, value: Any = NOTHING, exact: bool = False, attr: Any = None, path: Any = None, where: Any = None
) -> Any:
    """With a selection: a rule that cuts references. Without: the treatment.

    By type or predicate all references to an object are cut; by ``attr`` or ``path`` only these references, and what
    else refers to the object keeps it. Where a reference is cut an attribute is unset, an entry of a dict and a member
    of a set are left out, and None stands in a list, tuple, array or argument; *value* stands there if it is given.

    The selection is that of ``graphcopy.select``, and so are the errors.

    >>> import graphcopy
    >>> class Layer:
    ...     def __init__(self, size): self.size, self.cache = size, {"big": [0] * size}
    >>> copied = graphcopy.copy([Layer(1), Layer(2)], rules=[graphcopy.prune(attr="cache")])
    >>> [vars(layer) for layer in copied]
    [{'size': 1}, {'size': 2}]
    """
    chosen = selection(types, exact, attr, path, where)
    if chosen is None:
        return pruned(value)
    with_value = "" if value is NOTHING else f", value={value!r}"[:60]
    return _named("prune", chosen, with_value, "the reference is cut" if value is NOTHING else "cut", Put(value))


def replace(
    *given: Any, value: Any = NOTHING, exact: bool = False, attr: Any = None, path: Any = None, where: Any = None
) -> Any:
    """``replace(T, factory)`` and ``replace(factory, attr=...)`` are rules; ``replace(value)`` is the treatment.

    A factory (anything callable, a class too) that has a parameter without a default is called with the object,
    else without arguments, once for each object. Anything else stands in the object's place as it is; so does whatever
    is given as ``value=``, even a class.

    The selection is that of ``graphcopy.select``, and so are the errors; TypeError also where it is not said what is
    replaced, or by what, and for a factory that needs more than one argument.

    >>> import graphcopy
    >>> rules = [graphcopy.replace(set, lambda obj: sorted(obj)), graphcopy.replace(frozenset, value=())]
    >>> graphcopy.copy([{3, 1}, frozenset([1])], rules=rules)
    [[1, 3], ()]
    """
    selected = attr is not None or path is not None or where is not None
    first = bool(given) and isinstance(given[0], (type, str, Selector))
    if value is NOTHING and len(given) == 1 and not selected:
        return replaced(given[0])
    if value is NOTHING:
        if not given or (len(given) == 1 and not selected) or (len(given) > 1 and not first):
            swapped = len(given) == 2 and isinstance(given[1], (type, str, Selector))
            hint = ": the type comes first" if swapped else ""
            raise TypeError(f"replace(T, factory) takes what it is for and what stands there instead{hint}")
        *types, made = given
        answer: Any = Made(made) if callable(made) else Put(made, whole=True)
    else:
        types, made = list(given), value
        answer = Put(value, whole=True)
    chosen = selection(tuple(types), exact, attr, path, where)
    if chosen is None:
        raise TypeError("replace(value=...) is no rule: say what it replaces; replace(value) is the treatment")
    by = f", {getattr(made, '__name__', None) or repr(made)}"[:60]
    return _named("replace", chosen, by, "replaced", answer)


def rebuild(func: Callable[..., Any], *args: Any, **pieces: Any) -> Any:
    """The treatment "make it anew": call *func* with the *args*, which are copied first.

    *pieces* are further contents, filled in after the call: ``attrs=``, a dict of attributes to set; ``items=``, a list
    to append; ``pairs=``, a list of (key, value) to enter. They are copied too, and may lead back to the object;
    ``lost=`` is a sentence for the receipt.

    Raises TypeError for what cannot be called, and for a piece that it does not know.

    >>> import graphcopy
    >>> class Client:
    ...     def __init__(self, url): self.url, self.stream = url, (byte for byte in b"ab")
    >>> @graphcopy.rule(Client)
    ... def reconnect(node):
    ...     "A client connects anew."
    ...     return graphcopy.rebuild(Client, node.obj.url)
    >>> graphcopy.copy([Client("a:1")], rules=[reconnect])[0].url
    'a:1'
    """
    if not callable(func):
        raise TypeError(f"rebuild(function, *args): {func!r} cannot be called")
    unknown = sorted(pieces.keys() - _PIECES)
    if unknown:
        raise TypeError(
            f"rebuild() passes arguments by position, and knows no {unknown[0]}=: wrap what takes it by name in a "
            "function of your own. What it knows is attrs=, items=, pairs= and lost="
        )
    return rebuilt(func, args, **pieces)


_PIECES = frozenset(inspect.signature(Parts).parameters) - {"func", "args"}


def refuse(reason: str, advice: str = "") -> Any:
    """The treatment "this is a culprit": the copy raises CopyError, with *reason* and *advice* beside the path.

    An advice that is code, ``rules=[...]``, is the line that makes the culprit go away; words are shown as a hint.

    >>> import graphcopy
    >>> class Session: pass
    >>> @graphcopy.rule(Session)
    ... def not_twice(node):
    ...     "A session is one of a kind."
    ...     return graphcopy.refuse("the server allows one session", "log out first")
    >>> culprit = graphcopy.plan([Session()], rules=[not_twice]).culprits[0]
    >>> culprit.reason, culprit.hint
    ('the server allows one session', 'log out first')
    """
    return refused(reason, advice)


def _rule_or(treatment: Any, word: str, description: str, answer: Any, chosen: Selector | None) -> Any:
    return treatment() if chosen is None else _named(word, chosen, "", description, answer)


def _named(word: str, chosen: Selector, more: str, description: str, answer: Any) -> Rule:
    return Rule(
        (), answer, name=f"{word}({chosen}{more})", description=description, selector=chosen, place=caller()
    )  # fmt: skip
