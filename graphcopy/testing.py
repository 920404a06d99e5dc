"""For other projects' tests: assert that an object can be copied, and that a copy is right.

from graphcopy.testing import assert_copyable, assert_independent
"""

from __future__ import annotations

from typing import Any

from .errors import CopyError
from .explaining.explanation import explain
from .public import compare, copy

__all__ = ["assert_copyable", "assert_independent"]


def assert_copyable(obj: Any, rules: Any = ()) -> Any:
    """Copy *obj* under *rules*, prove the copy right, and return it.

    Raises AssertionError with the report of ``graphcopy.explain`` when it cannot be copied, and with what
    ``graphcopy.compare`` found when the copy is not the same or not isolated.

    >>> import threading
    >>> copied = assert_copyable({"lock": threading.Lock(), "rows": [1]})
    >>> assert_copyable({"rows": (n for n in [1])})
    Traceback (most recent call last):
    AssertionError: graphcopy: 1 object cannot be copied (2 nodes)
      obj['rows']: builtins.generator: a generator is a live resource of this process
    <BLANKLINE>
    builtins.generator
      try rules=[graphcopy.resource_rules]
      or  rules=[graphcopy.share("builtins.generator")]
      or  rules=[graphcopy.prune("builtins.generator")]
    """
    try:
        copied, receipt = copy(obj, rules, receipt=True)
    except CopyError as error:
        report = explain(obj, rules)
        raise AssertionError(str(report) if report.culprits else str(error)) from error
    assert_independent(obj, copied, receipt=receipt, rules=rules)
    return copied


def assert_independent(original: Any, copied: Any, *, receipt: Any = None, rules: Any = ()) -> None:
    """Prove that *copied* is the same as *original* and shares nothing with it that can change.

    Raises AssertionError that says where they differ and what both reach; *receipt* and *rules* are as in
    ``graphcopy.compare``.

    >>> rows = [1]
    >>> assert_independent({"rows": rows}, {"rows": rows})
    Traceback (most recent call last):
    AssertionError: not a right copy: 2 nodes in the original, 2 in the copy
    shared:
      builtins.list: the same object at original['rows'] and at copied['rows']
    """
    found = compare(original, copied, receipt=receipt, rules=rules)
    if not found.ok:
        raise AssertionError(str(found))
