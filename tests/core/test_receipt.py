"""The receipt names what was not plainly copied, and nothing else."""

from __future__ import annotations

import json
import logging
import threading

import graphcopy


class Token:
    pass


def test_shared_pruned_and_live_objects_are_listed_and_fresh_locks_counted():
    token = Token()
    obj = {"token": token, "log": logging.getLogger("x"), "locks": [threading.Lock(), threading.Lock()], "n": [1]}
    obj["cut"] = (i for i in "ab")
    rules = [graphcopy.share(Token), graphcopy.prune("builtins.generator")]
    new, receipt = graphcopy.copy(obj, rules=rules, receipt=True)
    assert new["token"] is token and "cut" not in new and new["n"] is not obj["n"]
    assert {(str(entry.path), entry.treatment) for entry in receipt} == {
        ("obj['token']", "shared"), ("obj['log']", "shared"), ("obj['cut']", "pruned"),
    }  # fmt: skip
    assert receipt.fresh == {"_thread.lock": 2}
    assert "obj['token']" in str(receipt) and json.dumps(receipt.to_dict())
    assert graphcopy.compare(obj, new, receipt=receipt, rules=rules).shared == []


def test_a_class_whose_getstate_changes_the_original_is_named():
    class Storage:
        def __init__(self):
            self.engine = [1]

        def __getstate__(self):
            self.engine = None
            return dict(self.__dict__)

    obj = Storage()
    _, receipt = graphcopy.copy(obj, receipt=True)
    assert obj.engine == [1]
    assert "changes the original" in str(receipt)


def test_nothing_to_say():
    plan = graphcopy.plan([[1], {"a": 2}])
    assert str(plan.receipt) == "everything was copied" and len(plan.receipt) == 0
