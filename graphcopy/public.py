"""The public functions, one short body each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from .planning import Plan, deep_copy, make_plan
from .policies import policy_for
from .rules.ruleset import given_items

if TYPE_CHECKING:
    import networkx

    from .comparing.comparison import Comparison
    from .receipts import Receipt

__all__ = ["compare", "copy", "plan", "reference_graph"]

T = TypeVar("T")


@overload
def copy(
    obj: T,
    rules: Any = (),
    *,
    defaults: bool = True,
    receipt: Literal[False] = False,
    memo: dict[int, Any] | None = None,
) -> T: ...
@overload
def copy(
    obj: T, rules: Any = (), *, defaults: bool = True, receipt: Literal[True], memo: dict[int, Any] | None = None
) -> tuple[T, Receipt]: ...
def copy(
    obj: Any, rules: Any = (), *, defaults: bool = True, receipt: bool = False, memo: dict[int, Any] | None = None
) -> Any:
    """Make an independent deep copy of *obj*; the original is left as it is.

    *rules* come first, in order; then the rule sets whose library is imported; then the rules for
    plain Python (``defaults=False`` turns both off). ``memo`` is as in ``copy.deepcopy``. With
    ``receipt=True`` the answer is a pair: the copy, and the Receipt of all that was done other than copy.

    Raises CopyError, which names everything that cannot be copied; TypeError for what is no rule.

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
    policy = policy_for(rules, defaults)
    if receipt:
        made = Plan(obj, policy)
        copied = made.copy(memo=memo)
        return copied, made.receipt
    return deep_copy(obj, policy, memo)


def plan(obj: Any, rules: Any = (), *, defaults: bool = True) -> Plan:
    """Walk *obj* and decide what a copy would do with every node, without doing it.

    The arguments are those of ``graphcopy.copy``. What cannot be copied is listed in ``culprits`` of the Plan, and
    raises nothing before ``Plan.copy``.

    Raises TypeError for what is no rule.

    >>> import graphcopy
    >>> made = graphcopy.plan({"a": [1], "source": (n for n in [1])})
    >>> made, made.culprits
    (<plan: 3 nodes, 1 culprits>, [<Culprit obj['source']: generator>])
    """
    return make_plan(obj, policy_for(rules, defaults), given_items(rules))


def reference_graph(obj: Any, rules: Any = ()) -> networkx.MultiDiGraph[int]:
    """The graph of what a copy of *obj* would visit, as a networkx.MultiDiGraph.

    Nodes are numbers, and the root is 0. Each has the attributes ``obj``, ``type``, ``path``, ``mark`` (what a copy
    does: "copied", "shared", "pruned", "replaced", "rebuilt", "culprit"), ``reason``, ``rule`` and ``size`` in bytes;
    an edge has ``label``, what one would write to follow it, and ``kind``.

    Raises TypeError for what is no rule.

    >>> import graphcopy
    >>> graph = graphcopy.reference_graph({"a": [[], []]})
    >>> [str(path) for _, path in graph.nodes(data="path")]
    ['obj', "obj['a']", "obj['a'][0]", "obj['a'][1]"]
    """
    return plan(obj, rules).graph


def compare(original: Any, copied: Any, *, receipt: Any = None, rules: Any = ()) -> Comparison:
    """Prove that *copied* is the same as *original* and isolated from it, or say where it is not.

    Both graphs are walked in step. ``ok`` of the result is True when they are isomorphic (types, values,
    attributes, aliases, order of dicts) and no mutable object, closure cell or array memory is reachable
    from both. What *receipt* names, or *rules* share, prune or replace, is passed over.

    Takes time linear in the two graphs. Hooks of the objects (``__reduce_ex__``, ``__getstate__``) are asked once on
    either side; what they raise is a culprit of the graph and not compared.

    Raises TypeError for what is no rule.

    >>> import copy, graphcopy
    >>> def counter(count=0):
    ...     def step():
    ...         nonlocal count
    ...         count += 1
    ...     return step
    >>> original = {"step": counter()}
    >>> graphcopy.compare(original, graphcopy.copy(original)).ok
    True
    >>> print(graphcopy.compare(original, copy.deepcopy(original)))
    not a right copy: 3 nodes in the original, 3 in the copy
    shared:
      builtins.function: the same object at original['step'] and at copied['step']
      builtins.cell: the same object at original['step'].__closure__[0] and at copied['step'].__closure__[0]
    """
    from .comparing.comparison import compare_under

    return compare_under(policy_for(rules), original, copied, receipt)
