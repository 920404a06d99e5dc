"""What stood in the tables before is restored, whatever happened meanwhile."""

from __future__ import annotations

import copy
import threading

import pytest

import graphcopy
from graphcopy.installing import tables


class Token:
    pass


class Other:
    pass


def shared(cls):
    return graphcopy.share(cls)


def obeyed(*classes):
    """Which classes are shared by deepcopy."""
    return [cls.__name__ for cls in classes if (lambda obj: copy.deepcopy(obj) is obj)(cls())]


def test_the_module_is_as_before():
    module = type(copy)
    with graphcopy.install():
        assert isinstance(copy, module)
    assert type(copy) is module


def test_nested():
    outer = graphcopy.install([shared(Token)])
    inner = graphcopy.install([graphcopy.replace(Token, 5), shared(Other)])
    assert copy.deepcopy(Token()) == 5
    assert obeyed(Other) == ["Other"]
    inner.uninstall()
    inner.uninstall()  # once more changes nothing
    assert obeyed(Token, Other) == ["Token"]
    outer.uninstall()
    assert obeyed(Token, Other) == []


def test_in_any_order():
    outer = graphcopy.install([shared(Token)])
    inner = graphcopy.install([shared(Other)])
    graphcopy.uninstall(outer)
    assert obeyed(Token, Other) == ["Other"]
    assert "taken out" in repr(outer)
    graphcopy.uninstall()
    graphcopy.uninstall()  # nothing is installed: nothing happens
    assert obeyed(Token, Other) == []
    assert "taken out" in repr(inner)


def test_also_when_something_raises():
    with pytest.raises(KeyError), graphcopy.installed([shared(Token)]):
        raise KeyError
    assert obeyed(Token) == []


def test_rules_that_cannot_be_installed_are_refused_whole():
    def anything(node):
        return NotImplemented

    with pytest.raises(ValueError, match="names no type") as caught:
        graphcopy.install([shared(Token), anything])
    assert "anything" in str(caught.value)
    assert "deepcopy_method" in str(caught.value)
    assert obeyed(Token) == []
    for rule in (
        graphcopy.prune(attr="_cache"),
        graphcopy.share(path="obj.a"),
        graphcopy.share(graphcopy.select(Token) & graphcopy.select(attr="a")),
    ):
        with pytest.raises(ValueError, match="where an object stands"):
            graphcopy.install([shared(Token), rule])
    with pytest.raises(ValueError, match="names no type"):
        graphcopy.install([graphcopy.share(where=lambda node: True)])
    with pytest.raises(TypeError, match="is no rule"):
        graphcopy.install([shared(Token), 5])
    assert obeyed(Token) == []


def test_a_predicate_on_the_object_of_a_type_is_asked():
    small = graphcopy.share(graphcopy.select(Token) & graphcopy.select(where=lambda node: hasattr(node.obj, "small")))
    one, other = Token(), Token()
    one.small = True
    with graphcopy.install([small]):
        new = copy.deepcopy([one, other])
    assert new[0] is one
    assert new[1] is not other


def test_a_failure_half_way(monkeypatch):
    before = graphcopy.install([shared(Token)])
    real = tables.DispatchTable.ask

    def fails_once(self, resolve):
        monkeypatch.setattr(tables.DispatchTable, "ask", real)
        raise KeyboardInterrupt

    monkeypatch.setattr(tables.DispatchTable, "ask", fails_once)
    with pytest.raises(KeyboardInterrupt):
        graphcopy.install([shared(Other)])
    assert obeyed(Token, Other) == ["Token"]
    before.uninstall()
    assert obeyed(Token, Other) == []


def test_another_deepcopy(monkeypatch):
    monkeypatch.setattr(copy, "deepcopy", lambda obj, memo=None: obj)
    with pytest.raises(RuntimeError, match="does not look into"):
        graphcopy.install()


def test_what_others_register_meanwhile_stays():
    with graphcopy.install([shared(Token)]):
        assert copy.deepcopy([Other()])
        copy._deepcopy_dispatch[Other] = lambda obj, memo: "registered"
        copy._deepcopy_dispatch[Token] = lambda obj, memo: "later word"
        assert copy.deepcopy(Other()) == "registered"
        assert copy.deepcopy(Token()) == "later word"
    assert copy.deepcopy([Other(), Token()]) == ["registered", "later word"]
    del copy._deepcopy_dispatch[Other], copy._deepcopy_dispatch[Token]
    assert obeyed(Token, Other) == []


def test_what_others_register_and_take_back():
    """The pattern of code that patches the table for a moment."""
    with graphcopy.install([shared(Token)]):
        table = copy._deepcopy_dispatch
        assert Token not in table
        before = table.get(Token)
        table[Token] = lambda obj, memo: "for a moment"
        assert copy.deepcopy(Token()) == "for a moment"
        table[Token] = before
        assert obeyed(Token) == ["Token"]
        assert table.get(Other, 7) == 7
        assert list(table) == list(table.beneath)


def test_a_whole_table_is_put_in_the_place_of_ours():
    original = copy._deepcopy_dispatch
    first = graphcopy.install([shared(Token)])
    ours = copy._deepcopy_dispatch
    theirs = copy._deepcopy_dispatch = dict(ours)
    assert obeyed(Token) == []
    second = graphcopy.install([shared(Other)])
    assert obeyed(Token, Other) == ["Token", "Other"]
    second.uninstall()
    first.uninstall()
    assert copy._deepcopy_dispatch is theirs
    assert obeyed(Token, Other) == []
    copy._deepcopy_dispatch = ours  # they put back what they found: it asks nobody any more
    assert obeyed(Token, Other) == []
    assert copy.deepcopy([1, {2: 3}]) == [1, {2: 3}]
    copy._deepcopy_dispatch = original


def test_the_table_is_a_dict_like_the_one_beneath():
    with graphcopy.install():
        table, beneath = copy._deepcopy_dispatch, copy._deepcopy_dispatch.beneath
        table.setdefault(Token, 1)
        table.setdefault(Token, 2)
        table.update({Other: 3})
        table |= {int: table[int]}
        assert beneath[Token] == table[Token] == 1
        assert table.pop(Token) == 1
        assert table.pop(Token, None) is None
        with pytest.raises(KeyError):
            table.pop(Token)
        with pytest.raises(KeyError):
            del table[Token]
        assert table.popitem() == (Other, 3)
        assert dict(table) == beneath
        assert isinstance(table, dict)
    everything = dict(copy._deepcopy_dispatch)
    with graphcopy.install():
        copy._deepcopy_dispatch.clear()
        assert len(copy._deepcopy_dispatch) == 0
    assert copy._deepcopy_dispatch == {}
    copy._deepcopy_dispatch.update(everything)


def test_threads():
    """Some install and take out while others copy: all copies are right, and in the end all is as before."""
    stop = threading.Event()
    wrong = []

    def copies():
        root = {"token": Token(), "items": [[1], {"a": (2, [3])}]}
        while not stop.is_set():
            new = copy.deepcopy(root)
            if new["items"] != root["items"] or type(new["token"]) is not Token:
                wrong.append(new)

    def installs():
        for _ in range(60):
            with graphcopy.install([shared(Token)]):
                copy.deepcopy([Token()])

    copiers = [threading.Thread(target=copies) for _ in range(3)]
    installers = [threading.Thread(target=installs) for _ in range(3)]
    for thread in copiers + installers:
        thread.start()
    for thread in installers:
        thread.join()
    stop.set()
    for thread in copiers:
        thread.join()
    assert not wrong
    assert obeyed(Token) == []


def test_classes_are_free_to_die():
    import gc
    import weakref

    with graphcopy.install():
        for _ in range(5000):
            cls = type("Local", (), {})
            copy.deepcopy(cls())
        first = weakref.ref(cls)
        del cls
    gc.collect()
    assert first() is None
