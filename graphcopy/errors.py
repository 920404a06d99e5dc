"""What is raised: CopyError for users, Obstacle inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .culprits import Culprit

__all__ = ["CopyError", "NeedsGraph", "Obstacle"]

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
        """Make the error that names all *culprits*."""
        count = len(culprits)
        head = "1 object cannot be copied" if count == 1 else f"{count} objects cannot be copied"
        lines = [head + ":"]
        lines.extend(culprit.describe() for culprit in culprits[:_SHOWN])
        if count > _SHOWN:
            lines.append(f"... and {count - _SHOWN} more, in .culprits")
        return cls("\n".join(lines), culprits, plan)


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
