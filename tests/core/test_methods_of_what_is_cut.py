"""A bound method of an object that a rule cuts is cut with it."""

from __future__ import annotations

import graphcopy


class Gone:
    def call(self):
        return 1


def test_method_of_a_pruned_object():
    gone = Gone()
    rules = [graphcopy.prune(Gone, value=None)]
    assert graphcopy.copy({"method": gone.call, "more": [gone.call]}, rules=rules) == {"method": None, "more": [None]}
