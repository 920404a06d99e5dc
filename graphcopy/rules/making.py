"""The words in which rules are written: rule, share, prune, replace, rebuild, refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..anatomy.parts import NOTHING
from .rule import Rule
from .treatments import pruned, rebuilt, refused, replaced, shared

__all__ = ["prune", "rebuild", "refuse", "replace", "rule", "share"]


def rule(*types: Any, exact: bool = False, name: str = "") -> Callable[[Callable[[Any], Any]], Rule]:
    """Make the decorated function a rule for *types*.

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
    return lambda function: Rule(types, function, exact=exact, name=name)


def share(*types: Any) -> Any:
    """With types: a rule that shares their objects. Without: the treatment."""
    if not types:
        return shared()
    return Rule(types, lambda node: shared(), name=f"share({_names(types)})", description="shared")


def immutable(*types: Any) -> Rule:
    """A rule for a shipped set: *types* are values that cannot change, shared without a word on the receipt."""
    return Rule(types, _immutable, name="immutable values", description="immutable: shared")


def _immutable(node: Any) -> Any:
    return shared("immutable", live=False)


def prune(*types: Any, value: Any = NOTHING) -> Any:
    """With types: a rule that cuts all references to their objects. Without: the treatment."""
    if not types:
        return pruned(value)
    return Rule(types, lambda node: pruned(value), name=f"prune({_names(types)})", description="cut off")


def replace(first: Any, factory: Any = NOTHING) -> Any:
    """``replace(T, factory)`` is a rule; ``replace(value)`` the treatment."""
    if factory is NOTHING:
        return replaced(first)
    make = factory if callable(factory) else lambda: factory
    return Rule((first,), lambda node: replaced(make()), name=f"replace({_names((first,))})", description="replaced")


def rebuild(func: Callable[..., Any], *args: Any, **pieces: Any) -> Any:
    """The treatment "make it anew": call *func* with the (copied) *args*."""
    return rebuilt(func, args, **pieces)


def refuse(reason: str, advice: str = "") -> Any:
    """The treatment "this is a culprit"."""
    return refused(reason, advice)


def _names(types: Any) -> str:
    return ", ".join(getattr(each, "__name__", str(each)) for each in types)
