"""Usage of the public interface that type checkers accept: run by ``python dev.py types``, never executed."""

from __future__ import annotations

import threading
from typing import Any

import networkx

import graphcopy
from graphcopy import Comparison, CopyError, Culprit, Plan, Receipt, RuleSet


class Service:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rows = [1, 2]


@graphcopy.rule(threading.Thread, "queue.Queue")
def left_out(node: Any) -> Any:
    "A thread is left out."
    return graphcopy.prune()


service = Service()

copied: Service = graphcopy.copy(service)
again: Service = graphcopy.copy(service, [left_out], defaults=True, memo={})
both = graphcopy.copy(service, rules=[graphcopy.share(Service)], receipt=True)
other: Service = both[0]
receipt: Receipt = both[1]
for entry in receipt:
    print(entry.path, entry.treatment, entry.rule, entry.lost)

plan: Plan = graphcopy.plan(service, rules=[graphcopy.tf_rules, left_out])
culprits: list[Culprit] = plan.culprits
from_plan: Service = plan.copy()
data: bytes = plan.dumps()
graph: networkx.MultiDiGraph[int] = graphcopy.reference_graph(service)
comparison: Comparison = graphcopy.compare(service, copied, receipt=receipt, rules=[left_out])
print(comparison.ok, comparison.shared, comparison.differences)

mine: RuleSet = RuleSet("mine", [left_out])
more: RuleSet = mine + [graphcopy.prune(Service)]

try:
    graphcopy.loads(graphcopy.dumps(service))
except CopyError as error:
    print([(str(culprit.path), culprit.reason, culprit.advice, culprit.ways) for culprit in error.culprits])
