"""copy.deepcopy under installed rules."""

from __future__ import annotations

import copy
import io
import threading
import weakref
from copy import deepcopy  # before anything is installed

import pytest

import graphcopy
from graphcopy.rules.treatments import copied


class Token:
    def __init__(self, name="t"):
        self.name = name
        self.inner = []


class Special(Token):
    def __deepcopy__(self, memo):
        raise AssertionError("the rule comes first")


class Holder:
    pass


@graphcopy.rule(Token)
def by_state(node):
    "A token is copied as graphcopy does, whatever its class says."
    return graphcopy.rebuild(object.__new__, node.type, attrs=dict(vars(node.obj)))


def test_what_deepcopy_cannot_copy_is_copied():
    root = {"lock": threading.RLock(), "list": [threading.Lock(), threading.Condition()]}
    root["again"] = root["lock"]
    with pytest.raises(TypeError):
        copy.deepcopy(root)
    with graphcopy.install() as installation:
        assert "installed" in repr(installation)
        new = copy.deepcopy(root)
    assert new["lock"] is new["again"] is not root["lock"]
    assert type(new["list"][1]) is threading.Condition
    with pytest.raises(TypeError):
        copy.deepcopy(root)


def test_a_function_that_was_imported_before_obeys():
    with graphcopy.install():
        assert deepcopy([threading.Lock()])[0] is not None


def test_a_rule_beats_the_deepcopy_of_the_class():
    special = Special()
    with graphcopy.install([by_state]):
        new = copy.deepcopy([special, special])
    assert new[0] is new[1] is not special
    assert new[0].inner is not special.inner


def test_subclasses_and_exact():
    exact = graphcopy.rule(Token, exact=True)(lambda node: graphcopy.share())
    token, other = Token(), type("Other", (Token,), {})()
    with graphcopy.install([exact]):
        new = copy.deepcopy([token, other])
    assert new[0] is token
    assert new[1] is not other
    with graphcopy.install([graphcopy.share(Token)]):
        new = copy.deepcopy([token, other])
    assert new == [token, other]


def test_by_dotted_name():
    token = Token()
    with graphcopy.install([graphcopy.share(f"{__name__}.Token")]):
        assert copy.deepcopy([token])[0] is token


def test_replace_and_prune():
    token = Token()
    with graphcopy.install([graphcopy.replace(Token, list), graphcopy.prune(Holder)]):
        new = copy.deepcopy({"a": token, "b": token, "c": Holder()})
    assert new["a"] is new["b"]
    assert new["a"] == []
    assert new["c"] is None
    with graphcopy.install([graphcopy.prune(Token, value=3)]):
        assert copy.deepcopy((token, [token])) == (3, [3])


def test_plain_copy_is_graphcopys():
    """A closure is an atom for deepcopy; a rule that answers "copy it" makes it a node."""
    items = []
    closure = lambda: items
    by_value = graphcopy.rule(type(closure))(lambda node: copied())
    assert copy.deepcopy([items, closure])[1]() is items
    with graphcopy.install([by_value]):
        new = copy.deepcopy([items, closure])
    assert new[1]() is new[0] is not items


def test_a_rule_that_passes_leaves_it_to_deepcopy():
    class Mine(Token):
        def __deepcopy__(self, memo):
            return "mine"

    passing = graphcopy.rule(Token)(lambda node: NotImplemented)
    stream = io.StringIO("abc")  # a rule for streams passes it
    with graphcopy.install([passing]):
        new = copy.deepcopy([Mine(), stream, Token(), Token])
    assert new[0] == "mine"
    assert new[1].getvalue() == "abc"
    assert type(new[2]) is Token
    assert new[3] is Token


def test_the_default_rules_can_be_left_out():
    with graphcopy.install([graphcopy.share(Token)], defaults=False), pytest.raises(TypeError):
        copy.deepcopy(threading.Lock())


def test_aliases_between_both():
    """What deepcopy copies before and after is the same object as what graphcopy copies below a match."""
    token, before, after = Token(), ["before"], ["after"]
    token.inner = [before, after]
    with graphcopy.install([by_state]):
        new = copy.deepcopy([before, token, after, (token, before)])
    assert new[1].inner[0] is new[0] is new[3][1]
    assert new[1].inner[1] is new[2]
    assert new[3][0] is new[1]
    assert graphcopy.compare([before, token, after, (token, before)], new).differences == []


def test_cycles_through_both():
    holder, token = Holder(), Token()
    holder.token, holder.all = token, [token, (token, [holder])]
    token.inner = {"holder": holder, "tuple": holder.all[1]}
    with graphcopy.install([by_state]):
        new = copy.deepcopy(holder)
        assert new.token.inner["holder"] is new
        assert new.all[0] is new.token
        assert new.all[1] is new.token.inner["tuple"]
        again = copy.deepcopy(token)
    assert again.inner["holder"].token is again
    assert again.inner["tuple"][1][0] is again.inner["holder"]
    assert graphcopy.compare(holder, new).ok


def test_a_copy_that_is_none():
    """A __deepcopy__ may return None: that stands in the memo, and is used."""

    class Nothing:
        def __deepcopy__(self, memo):
            return None

    nothing, token = Nothing(), Token()
    token.inner = nothing
    with graphcopy.install([by_state]):
        new = copy.deepcopy([Token(), nothing, token])
    assert new[1] is None
    assert new[2].inner is None


def test_the_memo_that_was_given():
    token, inside = Token(), []
    token.inner = inside
    memo = {id(inside): "there"}
    with graphcopy.install([by_state]):
        new = copy.deepcopy(token, memo)
        assert copy.deepcopy(token, memo) is new
    assert new.inner == "there"
    assert memo[id(token)] is new


def test_a_hook_that_deepcopies_its_parts():
    class Hooked:
        def __init__(self):
            self.parts = [threading.Lock(), Token()]

        def __deepcopy__(self, memo):
            new = Hooked.__new__(Hooked)
            memo[id(self)] = new
            new.parts = copy.deepcopy(self.parts, memo)
            return new

    root = Holder()
    root.hooked, root.token = Hooked(), Token()
    root.token.inner = root.hooked
    root.same = root.hooked.parts[1]
    with graphcopy.install([by_state]):
        for new in (copy.deepcopy(root), graphcopy.copy(root)):
            assert new.token.inner is new.hooked
            assert new.same is new.hooked.parts[1]
            assert new.hooked.parts[0] is not root.hooked.parts[0]


def test_a_culprit_is_named():
    token = Token()
    token.inner = {"gen": (i for i in "ab")}
    with graphcopy.install([by_state]), pytest.raises(graphcopy.CopyError) as caught:
        copy.deepcopy([token])
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj.inner['gen']"]
    assert any("Token" in note for note in caught.value.__notes__)


def test_a_rule_that_raises_is_named():
    def broken(node):
        raise KeyError("gone")

    rule = graphcopy.rule(Token, name="my rule")(broken)
    with graphcopy.install([rule]), pytest.raises(graphcopy.CopyError, match=r"my rule.*KeyError"):
        copy.deepcopy([Token()])


def test_graphcopy_itself_is_as_before():
    """Installed rules are for others: a copy of ours obeys those that it is given."""
    token = Token()
    with graphcopy.install([graphcopy.share(Token)]):
        assert graphcopy.copy([token])[0] is not token


def test_shallow_copies_are_as_before():
    token = Special()
    with graphcopy.install([by_state]):
        new = copy.copy(token)
    assert new is not token
    assert new.inner is token.inner
    lock = threading.Lock()
    with graphcopy.install(), pytest.raises(TypeError):
        copy.copy(lock)


def test_weak_references_to_what_comes_later():
    """What graphcopy copies refers weakly to something that deepcopy has not come to yet."""
    token, later, gone = Token(), Holder(), Holder()
    token.inner = [weakref.ref(later), weakref.ref(gone), weakref.WeakSet([later, gone])]
    later.items = [token]
    with graphcopy.install([by_state]):
        new = copy.deepcopy({"token": token, "later": [later, later.items]})
        assert new["token"].inner[0]() is new["later"][0]
        assert new["later"][1] is new["later"][0].items
        assert new["later"][1][0] is new["token"]
        assert new["token"].inner[1]() is gone
        assert set(new["token"].inner[2]) == {new["later"][0], gone}
        alone = copy.deepcopy(Holder())
        token.inner = [weakref.ref(alone)]
        assert copy.deepcopy([token])[0].inner[0]() is alone
