"""Queues: items are copied, nobody waits."""

from __future__ import annotations

import queue
from typing import Any

from .making import rebuild, refuse, rule

__all__ = ["queue_rules"]


@rule("_queue.SimpleQueue")
def simple_queue(node: Any) -> Any:
    "A SimpleQueue is made anew when it is empty; there is no way to see its items without taking them."
    if node.obj.empty():
        return rebuild(queue.SimpleQueue)
    return refuse(
        "a SimpleQueue with items in it cannot be read without taking them out",
        'rules=[graphcopy.replace("_queue.SimpleQueue", __import__("queue").SimpleQueue)]',
    )


queue_rules = [simple_queue]
