"""Install rules in the process, and take them out again: whatever stood there before is put back.

Installations nest in any order. What is in force is worked out anew from all that there are, the latest first, and
handed to the libraries as a whole: so none of them has to know what another has changed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from ..policies import policy_for
from ..rules.rule import Rule
from ..shipping.sending import shipping_policy
from . import dilling, stdlib_copy, stdlib_pickle
from .copiers import CopierAsBefore, RuledCopier
from .dilling import DillSaver
from .matching import classes_of, never_asked
from .refusing import LIBRARIES, checked_libraries, checked_types, installable, not_for_pickle
from .tables import Ours

__all__ = ["Installation", "install", "installed", "uninstall"]

_lock = threading.RLock()
_installations: tuple[Installation, ...] = ()


class Installation:
    """Rules that are installed, until ``uninstall()`` or the end of a ``with`` block.

    rules, defaults, libraries, types
        What ``graphcopy.install`` was given.
    left_out
        Rules that hold for copy.deepcopy alone: by name, the reason why pickle cannot obey them.

    >>> import graphcopy
    >>> with graphcopy.install([graphcopy.share(set)]) as installation:
    ...     print(installation)
    <1 rule and the rules in force, installed>
    >>> installation
    <1 rule and the rules in force, taken out>
    """

    __slots__ = ("defaults", "left_out", "libraries", "rules", "types")

    def __init__(
        self, rules: tuple[Rule, ...], defaults: bool, libraries: tuple[str, ...], types: tuple[type, ...],
        left_out: dict[str, str],
    ) -> None:  # fmt: skip
        self.rules = rules
        self.defaults = defaults
        self.libraries = libraries
        self.types = types
        self.left_out = left_out

    def __repr__(self) -> str:
        state = "installed" if self in _installations else "taken out"
        count = len(self.rules)
        said = [f"{count} rule" + "s" * (count != 1)] if count or not self.defaults else []
        said += ["the rules in force"] if self.defaults else []
        return f"<{' and '.join(said)}, {state}>"

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


def install(
    rules: Any = (), *, defaults: bool = True, libraries: Any = None, types: Iterable[type] = ()
) -> Installation:
    """Let ``copy.deepcopy``, pickle and dill obey *rules*, everywhere in the process, until they are taken out again.

    Also a ``deepcopy`` that was imported earlier obeys; cloudpickle and multiprocessing go by pickle. After *rules*
    come those that ``graphcopy.copy`` applies by itself: of the libraries that are imported, now or later, and plain
    Python's (``defaults=False`` leaves both out). What is installed later comes first. Only rules that speak for types
    can be installed. *libraries* names some of "copy", "pickle" and "dill"; without it, rules that pickle cannot obey
    hold for copy.deepcopy, and are listed in ``left_out`` of the result.

    pickle asks about exact types: known are all classes that the rules match and that exist by now, those that
    copy.deepcopy meets later, and *types*. For a library that is imported later, install again.

    Returns an Installation, to be used in a ``with`` statement or handed to ``uninstall``.

    Raises TypeError for what is no rule, ValueError for rules that cannot be installed, RuntimeError where
    ``copy.deepcopy`` has been replaced by a function that cannot be told; nothing is installed then.

    >>> import copy, pickle, threading, graphcopy
    >>> with graphcopy.install():
    ...     copied = copy.deepcopy({"lock": threading.Lock()})
    ...     arrived = pickle.loads(pickle.dumps({"lock": threading.Lock()}))
    >>> copied["lock"].locked(), arrived["lock"].locked()
    (False, False)
    """
    chosen = checked_libraries(libraries)
    strict = libraries is not None and "pickle" in chosen
    found = installable(rules, strictly_for_pickle=strict)
    made = Installation(found, defaults, chosen, checked_types(types), not_for_pickle(rules))
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
def installed(
    rules: Any = (), *, defaults: bool = True, libraries: Any = None, types: Iterable[type] = ()
) -> Iterator[Installation]:
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
    with install(rules, defaults=defaults, libraries=libraries, types=types) as made:
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
    stdlib_pickle.forget()
    if not installations:
        stdlib_copy.obey(None)
        dilling.obey(None)
        return
    copying, pickling, dill = (_InForce(installations, library) for library in LIBRARIES)
    if pickling:
        pickling.register(classes_of(pickling.shipping_policy().rules))
        pickling.register(cls for each in installations for cls in each.types)
    stdlib_copy.obey(lambda cls: _copier(cls, copying, pickling))
    dilling.obey((lambda cls: DillSaver(cls, dill.shipping_policy) if dill.matches(cls) else None) if dill else None)


def _copier(cls: type, copying: _InForce, pickling: _InForce) -> Ours | None:
    if pickling and not never_asked(cls) and pickling.matches(cls):
        pickling.register([cls])  # met for the first time
    if copying and copying.matches(cls):
        return RuledCopier(cls, copying.policy)
    return CopierAsBefore() if stdlib_pickle.is_ruled(cls) else None


class _InForce:
    """The rules of all installations for one library, the latest first."""

    __slots__ = ("_defaults", "_installed", "_rules")

    def __init__(self, installations: tuple[Installation, ...], library: str) -> None:
        chosen = [each for each in reversed(installations) if library in each.libraries]
        self._installed = bool(chosen)
        out = () if library == "copy" else tuple(name for each in chosen for name in each.left_out)
        self._rules = tuple(rule for each in chosen for rule in each.rules if rule.name not in out)
        self._defaults = any(each.defaults for each in chosen)

    def __bool__(self) -> bool:
        return self._installed

    def policy(self) -> Any:
        """The policy of a copy under these rules; a library may have been imported meanwhile."""
        return policy_for(self._rules, self._defaults)

    def shipping_policy(self) -> Any:
        """The policy for another process."""
        return shipping_policy(self._rules, self._defaults, ())

    def matches(self, cls: type) -> bool:
        """Tell whether a rule may speak for objects of *cls*."""
        return bool(self.policy().candidates(cls))

    def register(self, classes: Iterable[type]) -> None:
        """Let pickle ask about *classes*."""
        stdlib_pickle.register(classes, self.shipping_policy)
