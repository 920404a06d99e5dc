"""What is raised: CopyError and LoadError for users, Obstacle inside."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .culprits import Culprit

__all__ = [
    "CopyError",
    "LoadError",
    "NeedsGraph",
    "NeedsRules",
    "Obstacle",
    "SignatureError",
    "UntrustedError",
    "add_note",
]

_SHOWN = 20


class CopyError(TypeError):
    """Something in the graph cannot be copied.

    ``culprits`` lists every one of them with path, type, reason and advice; ``plan`` is the plan that
    failed, to look at or to draw. Raised in another process it comes back with the message alone, which
    tells the same: culprits are objects of the process where they stand.

    >>> import graphcopy
    >>> try:
    ...     graphcopy.copy([1, (i for i in "ab")])
    ... except graphcopy.CopyError as error:
    ...     print(error.culprits[0].path)
    obj[1]
    """

    def __init__(self, message: str, culprits: Sequence[Culprit] = (), plan: Any = None) -> None:
        super().__init__(message)
        self.culprits = list(culprits)
        self.plan = plan

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self),))

    @classmethod
    def about(cls, culprits: Sequence[Culprit], plan: Any = None) -> CopyError:
        """Make the error that names all *culprits*, for code that plans by itself.

        >>> import graphcopy
        >>> plan = graphcopy.plan([(n for n in [1])])
        >>> graphcopy.CopyError.about(plan.culprits, plan).culprits == plan.culprits
        True
        """
        count = len(culprits)
        head = "1 object cannot be copied" if count == 1 else f"{count} objects cannot be copied"
        lines = [head + ":"]
        lines.extend(culprit.describe() for culprit in culprits[:_SHOWN])
        if count > _SHOWN:
            lines.append(f"... and {count - _SHOWN} more, in .culprits")
        return cls("\n".join(lines), culprits, plan)


class LoadError(pickle.UnpicklingError, ValueError):
    """What arrived cannot be read: it is foreign or cut off, or something that it needs is missing here.

    ``missing`` is the module, class or function that is not here, or None; ``path`` says where in the object it
    stood, where that is known.

    >>> import graphcopy
    >>> graphcopy.loads(b"PK")
    Traceback (most recent call last):
    ...
    graphcopy.errors.LoadError: this is no stream of graphcopy.dumps: it looks like a zip archive
    """

    def __init__(self, message: str, *, missing: str | None = None, path: str | None = None) -> None:
        super().__init__(message)
        self.missing = missing
        self.path = path


class SignatureError(LoadError):
    """A file is not signed by the key that was given, or is signed and no key was given.

    >>> import graphcopy, io
    >>> file = io.BytesIO()
    >>> graphcopy.dump([1], file, key=b"secret")
    >>> _ = file.seek(0)
    >>> try:
    ...     graphcopy.load(file, key=b"another")
    ... except graphcopy.SignatureError:
    ...     print("somebody else's")
    somebody else's
    """


class UntrustedError(LoadError):
    """A file names what ``trusted=`` does not list, or does what no plain data does; nothing of it was built.

    ``refused`` lists the names.

    >>> import fractions, graphcopy, io
    >>> file = io.BytesIO()
    >>> graphcopy.dump(fractions.Fraction(1, 2), file)
    >>> _ = file.seek(0)
    >>> try:
    ...     graphcopy.load(file, trusted=["mypkg.*"])
    ... except graphcopy.UntrustedError as error:
    ...     print(error.refused)
    ['fractions.Fraction']
    """

    def __init__(self, message: str, refused: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.refused = list(refused)


class Obstacle(TypeError):
    """A copy or a walk met something that it cannot go past (internal; users see CopyError).

    A TypeError, as it passes through ``__deepcopy__`` hooks that expect what copy.deepcopy raises.
    """

    def __init__(self, obj: Any, reason: str, advice: str = "", cause: BaseException | None = None) -> None:
        super().__init__(reason)
        self.obj = obj
        self.reason = reason
        self.advice = advice
        self.cause = cause

    @property
    def special(self) -> BaseException | None:
        """The cause, where it is one that stays what it is: KeyboardInterrupt, MemoryError and their like."""
        cause = self.cause
        return cause if isinstance(cause, MemoryError) or not isinstance(cause, (Exception, type(None))) else None

    @classmethod
    def caused_by(cls, obj: Any, func: Any, error: BaseException) -> Obstacle:
        """Say that calling *func* for *obj* raised *error*."""
        name = getattr(func, "__qualname__", None) or repr(func)
        text = f"{name} raised {type(error).__name__}: {error}".rstrip(": ")
        return cls(obj, text, cause=error)


class NeedsGraph(Exception):
    """A rule asked where a node is, which only the graph knows (internal)."""


class NeedsRules(Obstacle):
    """A class was met whose own method brings rules that are not in force yet (internal): the copy starts anew.

    An Obstacle, since it passes wherever one passes.
    """

    def __init__(self, rules: tuple[Any, ...]) -> None:
        super().__init__(None, "a class brings rules of its own")
        self.rules = rules


def add_note(error: BaseException, note: str) -> None:
    """Add a line to what is printed of *error*; on Python 3.10 it is only kept."""
    if hasattr(error, "add_note"):
        error.add_note(note)
    else:
        error.__notes__ = [*getattr(error, "__notes__", ()), note]  # type: ignore[attr-defined]
