"""Install rules in the process, and take them out again: whatever stood there before is put back.

Installations nest in any order. What is in force is worked out anew from all that there are, the latest first, and
handed to the libraries as a whole: so none of them has to know what another has changed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from ..policies import policy_for
from ..rules.rule import Rule
from . import stdlib_copy
from .copiers import RuledCopier
from .refusing import installable

__all__ = ["Installation", "install", "installed", "uninstall"]

_lock = threading.RLock()
_installations: tuple[Installation, ...] = ()


class Installation:
    """Rules that are installed, until ``uninstall()`` or the end of a ``with`` block."""

    __slots__ = ("defaults", "rules")

    def __init__(self, rules: tuple[Rule, ...], defaults: bool) -> None:
        self.rules = rules
        self.defaults = defaults

    def __repr__(self) -> str:
        state = "installed" if self in _installations else "taken out"
        return f"<{len(self.rules)} rules, {state}>"

    def uninstall(self) -> None:
        """Take these rules out; others that are installed stay. Does nothing when they are out already."""
        with _lock:
            _put(tuple(each for each in _installations if each is not self))

    def __enter__(self) -> Installation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.uninstall()


def install(rules: Any = (), *, defaults: bool = True) -> Installation:
    """Let ``copy.deepcopy`` obey *rules*, everywhere in the process, until they are taken out again.

    Also a ``deepcopy`` that was imported earlier obeys. After *rules* come those that ``graphcopy.copy`` applies by
    itself: of the libraries that are imported, now or later, and plain Python's (``defaults=False`` leaves both out).
    What is installed later comes first. Only rules that speak for types can be installed.

    Returns an Installation, to be used in a ``with`` statement or handed to ``uninstall``.

    Raises TypeError for what is no rule, ValueError for rules that cannot be installed, RuntimeError where
    ``copy.deepcopy`` has been replaced by a function that cannot be told; nothing is installed then.

    >>> import copy, threading, graphcopy
    >>> with graphcopy.install():
    ...     copied = copy.deepcopy({"lock": threading.Lock()})
    >>> copied["lock"].locked()
    False
    """
    global _installations
    made = Installation(installable(rules), defaults)
    policy_for(made.rules, defaults)  # import what it needs now, not in the midst of somebody's copy
    with _lock:
        _put((*_installations, made))
    return made


def uninstall(installation: Installation | None = None) -> None:
    """Take out *installation*, or what was installed last; does nothing when nothing is installed.

    >>> import copy, threading, graphcopy
    >>> _ = graphcopy.install()
    >>> graphcopy.uninstall()
    >>> copy.deepcopy(threading.Lock())
    Traceback (most recent call last):
        ...
    TypeError: cannot pickle '_thread.lock' object
    """
    with _lock:
        if installation is None and _installations:
            installation = _installations[-1]
        if installation is not None:
            installation.uninstall()


@contextmanager
def installed(rules: Any = (), *, defaults: bool = True) -> Iterator[Installation]:
    """Install *rules* for the length of a ``with`` block; the arguments and errors are those of ``install``.

    >>> import copy, graphcopy
    >>> class Token: pass
    >>> token = Token()
    >>> with graphcopy.installed([graphcopy.share(Token)]):
    ...     copy.deepcopy([token])[0] is token
    True
    >>> copy.deepcopy([token])[0] is token
    False
    """
    with install(rules, defaults=defaults) as made:
        yield made


def _put(installations: tuple[Installation, ...]) -> None:
    """Put these in force in the place of those that were; when that fails, put those back."""
    global _installations
    before = _installations
    try:
        _apply(installations)
        _installations = installations
    except BaseException:
        _installations = before
        _apply(before)
        raise


def _apply(installations: tuple[Installation, ...]) -> None:
    if not installations:
        stdlib_copy.obey(None)
        return
    rules = tuple(rule for each in reversed(installations) for rule in each.rules)
    defaults = any(each.defaults for each in installations)

    def policy_now() -> Any:
        return policy_for(rules, defaults)

    def resolve(cls: type) -> RuledCopier | None:
        return RuledCopier(cls, policy_now) if policy_now().candidates(cls) else None

    stdlib_copy.obey(resolve)
