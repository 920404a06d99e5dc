"""The rules for plain Python, in force unless ``defaults=False``."""

from __future__ import annotations

import threading
from typing import Any

from .making import rebuild, rule
from .ruleset import RuleSet

__all__ = ["python_rules"]


@rule(threading.Lock, threading.RLock)
def fresh_lock(node: Any) -> Any:
    "A lock protects its owner: the copy gets its own, unlocked."
    return rebuild(node.type if node.type.__name__ == "RLock" else threading.Lock)


python_rules = RuleSet("python", [fresh_lock], description="plain Python")
