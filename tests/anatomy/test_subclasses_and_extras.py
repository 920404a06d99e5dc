"""Subclasses of special types, and attributes put on them: nothing is lost in silence."""

from __future__ import annotations

import array
import io
import sys
import threading
import weakref

import pytest

import graphcopy


class Thing:
    pass


@pytest.mark.parametrize("make", [lambda: io.StringIO("abc"), lambda: io.BytesIO(b"abc")])
def test_files_in_memory_keep_their_attributes(make):
    file = make()
    file.tag = [1]
    new = graphcopy.copy({"file": file, "tag": file.tag})
    assert new["file"].tag is new["tag"] and new["tag"] is not file.tag
    file.close()
    assert graphcopy.copy(file).closed and graphcopy.copy(file).tag == [1]


def test_thread_locals_of_a_class():
    class Local(threading.local):
        def __init__(self):
            self.items = [1]

    local = Local()
    local.items.append(2)
    new = graphcopy.copy(local)
    assert type(new) is Local and new.items == [1, 2] and new.items is not local.items
    seen = []
    thread = threading.Thread(target=lambda: seen.append(new.items))
    thread.start()
    thread.join()
    assert seen == [[1]], "another thread gets what the class's __init__ makes"


class SelfReducing(Exception):
    def __init__(self, first, second):
        super().__init__(first)
        self.second = second

    def __reduce__(self):
        return SelfReducing, (self.args[0], self.second)


def test_an_exception_that_reduces_itself_keeps_cause_context_and_traceback():
    def fail():
        try:
            raise KeyError([1])
        except KeyError as error:
            raise SelfReducing("a", [2]) from error

    with pytest.raises(SelfReducing) as caught:
        fail()
    error = caught.value
    new = graphcopy.copy({"error": error, "cause": error.__cause__})
    copied = new["error"]
    assert type(copied) is SelfReducing and copied.second == [2] and copied.second is not error.second
    assert copied.__cause__ is copied.__context__ is new["cause"] is not error.__cause__
    assert copied.__traceback__ is error.__traceback__ and copied.__suppress_context__


@pytest.mark.skipif(sys.version_info < (3, 11), reason="notes came with Python 3.11")
def test_notes_are_kept():
    error = ValueError("x")
    error.add_note("seen here")
    new = graphcopy.copy(error)
    assert new.__notes__ == ["seen here"] and new.__notes__ is not error.__notes__


class TaggedRef(weakref.ref):
    __slots__ = ("tag",)


class OpenRef(weakref.ref):
    pass


def test_subclasses_of_references_keep_class_target_and_attributes():
    thing = Thing()
    slotted, plain = TaggedRef(thing), OpenRef(thing)
    slotted.tag, plain.tag = [1], [2]
    new = graphcopy.copy([thing, slotted, plain])
    assert (type(new[1]), type(new[2])) == (TaggedRef, OpenRef)
    assert new[1]() is new[0] is new[2]()
    assert (new[1].tag, new[2].tag) == ([1], [2]) and new[1].tag is not slotted.tag


def test_a_dead_reference_with_attributes_is_copied():
    reference = OpenRef(Thing())
    reference.tag = [1]
    new = graphcopy.copy(reference)
    assert new() is None and type(new) is OpenRef and new.tag == [1] and new.tag is not reference.tag


class Members(weakref.WeakSet):
    pass


class Values(weakref.WeakValueDictionary):
    pass


class Keys(weakref.WeakKeyDictionary):
    pass


class Method(weakref.WeakMethod):
    pass


class Owner:
    def call(self):
        return self


def test_subclasses_of_weak_collections_follow_and_keep_their_attributes():
    owner = Owner()
    weak = [Members([owner]), Values({"a": owner}), Keys({owner: [3]})]
    for each in weak:
        each.tag = [4]
    new_owner, members, values, keys, method = graphcopy.copy([owner, *weak, Method(owner.call)])
    assert list(members) == [new_owner] and values["a"] is new_owner and keys[new_owner] == [3]
    assert method()() is new_owner and type(method) is Method
    assert [type(each) for each in (members, values, keys)] == [Members, Values, Keys]
    assert all(each.tag == [4] and each.tag is not old.tag for each, old in zip((members, values, keys), weak))
    del new_owner, method
    assert len(members) == len(values) == len(keys) == 0, "the references are weak"


def test_weak_collections_that_hold_themselves():
    values = Values()
    values["me"] = values
    new = graphcopy.copy(values)
    assert new["me"] is new


def test_a_hook_in_c_that_forgets_the_subclass_is_passed_over():
    class Numbers(array.array):
        pass

    numbers = Numbers("i", [1, 2])
    numbers.owner = [numbers]
    new, receipt = graphcopy.copy(numbers, receipt=True)
    assert type(new) is Numbers and new.tolist() == [1, 2] and new.owner[0] is new
    assert "__deepcopy__ of a base class" in str(receipt)
    assert type(graphcopy.copy(array.array("i", [1]))) is array.array


def test_an_exception_whose_new_wants_arguments_is_made_without_them():
    class Demanding(ValueError):
        def __new__(cls, what, where):
            return super().__new__(cls, what)

        def __init__(self, what, where):
            self.where = [where]

    error = Demanding("a", "b")
    new = graphcopy.copy(error)
    assert type(new) is Demanding and new.args == error.args and new.where == ["b"] and new.where is not error.where
