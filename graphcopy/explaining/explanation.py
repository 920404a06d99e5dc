"""``graphcopy.explain``: one walk, and all that is found on it."""

from __future__ import annotations

from typing import Any

from ..culprits import culprits_of
from ..planning import Plan
from ..policies import policy_for
from .findings import BACKENDS, find_culprits, walked
from .hazards import find_hazards
from .report import Report
from .treating import tell_treatments

__all__ = ["explain"]


def explain(obj: Any, rules: Any = (), *, backend: str = "graphcopy") -> Report:
    """Find everything in *obj* that cannot be copied, and everything that would be copied wrongly.

    ``backend`` is the tool that is asked about: "graphcopy" (under *rules*), "deepcopy", "pickle", "cloudpickle" or
    "dill". Its edges are followed once, in time linear in the graph; the tool itself is not run. Each culprit has a
    path that evaluates, the tool's own reason, and advice that can be pasted into ``graphcopy.copy``; beside it stands
    what graphcopy does with the object.

    Raises ValueError for a backend that is not known, TypeError for what is no rule.

    >>> import graphcopy, threading
    >>> service = {"guard": threading.RLock(), "jobs": (n for n in [1])}
    >>> print(graphcopy.explain(service, backend="deepcopy"))
    deepcopy: 2 objects cannot be copied (3 nodes)
      obj['guard']: _thread.RLock: cannot pickle '_thread.RLock' object
      obj['jobs']: builtins.generator: cannot pickle 'generator' object
    <BLANKLINE>
    _thread.RLock
      graphcopy: rebuilt by fresh_rlock: A re-entrant lock protects its owner: the copy gets its own, unlocked.
      try rules=[graphcopy.python_rules]
    builtins.generator
      graphcopy: cannot copy it either
      try rules=[graphcopy.resource_rules]
      or  rules=[graphcopy.share("builtins.generator")]
      or  rules=[graphcopy.prune("builtins.generator")]
    >>> graphcopy.explain(service).culprits[0].path
    Path("obj['jobs']")
    """
    if backend == "graphcopy":
        plan = Plan(obj, policy_for(rules))
        graph, culprits = plan.compact, culprits_of(plan.compact)
    elif backend in BACKENDS:
        plan, graph = None, walked(obj, backend)
        culprits = find_culprits(graph)
        tell_treatments(culprits, policy_for(rules))
    else:
        names = ", ".join(repr(name) for name in ("graphcopy", *BACKENDS))
        raise ValueError(f"no backend {backend!r}: it is one of {names}")
    return Report(backend, graph, culprits, find_hazards(graph, backend), plan)
