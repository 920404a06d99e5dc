"""Ready-made rules for known traps."""

from __future__ import annotations

import graphcopy


class Part:
    pass


def test_rekey_ids_files_tables_under_the_ids_of_the_copies():
    part, other = Part(), Part()
    obj = {"parts": [part, other], "by_id": {id(part): ["a"], id(other): ["b"], 123_456_789_012: ["nobody"]}}
    obj["seen"] = {id(part)}
    new = graphcopy.copy(obj, rules=[graphcopy.rekey_ids])
    first, second = new["parts"]
    assert new["by_id"] == {id(first): ["a"], id(second): ["b"], 123_456_789_012: ["nobody"]}
    assert new["by_id"][id(first)] is not obj["by_id"][id(part)]
    assert new["seen"] == {id(first)}
    stale = graphcopy.copy(obj)
    assert id(part) in stale["by_id"], "without the rule the table is copied as it stands"


def test_by_attributes_passes_the_hooks():
    class Forgetful:
        def __init__(self):
            self.kept, self.lost = 1, [2]

        def __getstate__(self):
            return {"kept": self.kept}

        def __deepcopy__(self, memo):
            raise RuntimeError

    new = graphcopy.copy([Forgetful()], rules=[graphcopy.by_attributes(Forgetful)])
    assert new[0].lost == [2]
