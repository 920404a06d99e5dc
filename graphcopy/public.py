"""The public functions, one short body each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .planning import Plan, deep_copy, make_plan
from .policies import policy_for

if TYPE_CHECKING:
    import networkx

__all__ = ["copy", "plan", "reference_graph"]


def copy(
    obj: Any, rules: Any = (), *, defaults: bool = True, receipt: bool = False, memo: dict[int, Any] | None = None
) -> Any:
    """Make an independent deep copy of *obj*; the original is left as it is.

    *rules* come first, in order; then the rule sets whose library is imported; then the rules for
    plain Python (``defaults=False`` turns both off). ``memo`` is as in ``copy.deepcopy``.

    Raises CopyError, which names everything that cannot be copied.

    >>> import graphcopy, threading
    >>> class Account:
    ...     def __init__(self):
    ...         self.lock = threading.RLock()
    ...         self.entries = [1, 2]
    >>> account = Account()
    >>> copied = graphcopy.copy(account)
    >>> copied.entries == account.entries, copied.entries is account.entries, copied.lock is account.lock
    (True, False, False)
    """
    return deep_copy(obj, policy_for(rules, defaults), memo)


def plan(obj: Any, rules: Any = (), *, defaults: bool = True) -> Plan:
    """Walk *obj* and decide what a copy would do with every node, without doing it.

    >>> import graphcopy
    >>> graphcopy.plan({"a": [1]})
    <plan: 2 nodes, 0 culprits>
    """
    return make_plan(obj, policy_for(rules, defaults))


def reference_graph(obj: Any, rules: Any = ()) -> networkx.MultiDiGraph[int]:
    """The graph of what a copy of *obj* would visit, as a networkx.MultiDiGraph.

    >>> import graphcopy
    >>> graph = graphcopy.reference_graph({"a": [[], []]})
    >>> [str(path) for _, path in graph.nodes(data="path")]
    ['obj', "obj['a']", "obj['a'][0]", "obj['a'][1]"]
    """
    return plan(obj, rules).graph
