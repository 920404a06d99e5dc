"""Weak references from what graphcopy copies to what copy.deepcopy has not come to yet.

deepcopy goes through a structure in its own order. A bound tf.function, say, may be met before the model to which it
refers weakly: that one is in the structure, so the copy's reference has to lead to its copy. So deepcopy is asked for
that copy at once; when it comes to the model it finds it in its memo.
"""

from __future__ import annotations

import types
import weakref
from typing import Any

from ..errors import Obstacle
from ..rules.rule import Rule
from ..rules.treatments import shared
from ..walk import Walk
from .stdlib_copy import deepcopied, deepcopied_root

__all__ = ["Beyond"]

_PASSED_BY = Rule(
    (types.FunctionType, types.BuiltinFunctionType, weakref.ref), lambda node: shared(), name="as deepcopy does"
)
"""What deepcopy shares: nothing is reached through it."""


class Beyond:
    """Finds the copy of what is not below *obj*, for a weak reference; *memo* is deepcopy's."""

    __slots__ = ("_memo", "_obj", "_policy", "_walked")

    def __init__(self, obj: Any, memo: Any, policy: Any) -> None:
        self._obj = obj
        self._memo = memo
        self._policy = policy
        self._walked: tuple[Any, Any] | None = None  # the root, and the ids of all that is in its graph

    def __call__(self, target: Any) -> Any:
        """The copy of *target* when it is in the structure that deepcopy copies, else *target* itself."""
        root = deepcopied_root(self._memo)
        if root is None or root is self._obj:
            return target
        if self._walked is None or self._walked[0] is not root:
            self._walked = (root, self._ids(root))
        return deepcopied(target, self._memo) if id(target) in self._walked[1] else target

    def _ids(self, root: Any) -> Any:
        try:
            return Walk(self._policy.widened((_PASSED_BY,))).run(root).index
        except Obstacle:
            return ()
