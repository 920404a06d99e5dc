"""Cost grows with the number of references and nothing else: visits are counted, not timed."""

from __future__ import annotations

import collections
from typing import Any

import pytest

import graphcopy
from graphcopy.copying.run import Run
from graphcopy.rules.patterns import Automaton
from graphcopy.walk import Walk


class Person:
    "Refers to its parent and to its children: cycles everywhere."

    def __init__(self, number, parent=None):
        self.number = number
        self.parent = parent
        self.tags = [[number], {"number": (number, [number])}]
        self.children = []


class Said(Person):
    "Says itself how it is reduced."

    def __reduce__(self):
        return Said, (self.number,), self.__dict__


def family(count: int) -> list[Person]:
    people: list[Person] = []
    for number in range(count):
        kind = Said if number % 3 == 2 else Person
        people.append(kind(number, people[number // 2] if people else None))
        if people[-1].parent is not None:
            people[-1].parent.children.append(people[-1])
    return people


class Visits:
    "How often each object was met by what is watched."

    def __init__(self, monkeypatch: Any) -> None:
        self.entered: collections.Counter = collections.Counter()
        self.walked: collections.Counter = collections.Counter()
        self.steps = 0
        children, copy, advance = Walk._children, Run.copy, Automaton.advance

        def walked(walk, place, obj, table):
            self.walked[id(obj)] += 1
            return children(walk, place, obj, table)

        def copied(run, *args):
            for kind in (list, dict, tuple):
                run.table[kind] = self.counted(run.table[kind])
            result = copy(run, *args)
            return result

        def advanced(*args):
            self.steps += 1
            return advance(*args)

        monkeypatch.setattr(Walk, "_children", walked)
        monkeypatch.setattr(Run, "copy", copied)
        monkeypatch.setattr(Automaton, "advance", advanced)

    def counted(self, enter):
        def enter_counted(run, obj, key):
            self.entered[key] += 1
            return enter(run, obj, key)

        return enter_counted


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_a_copy_enters_everything_once(count, monkeypatch):
    root = family(count)
    containers = {id(root)}
    for person in root:
        containers |= set(map(id, (person.tags, *person.tags, person.tags[1]["number"], person.tags[1]["number"][1])))
        containers.add(id(person.children))
    visits = Visits(monkeypatch)
    graphcopy.copy(root)
    assert not visits.walked, "no graph is built where nothing fails"
    assert set(visits.entered.values()) == {1}
    assert containers <= set(visits.entered)


@pytest.mark.parametrize("count", [10, 100, 1000])
@pytest.mark.parametrize("backend", ["graphcopy", "deepcopy", "pickle", "cloudpickle", "dill"])
def test_a_walk_looks_at_everything_once(count, backend, monkeypatch):
    root = family(count)
    visits = Visits(monkeypatch)
    graphcopy.explain(root, backend=backend)
    assert set(visits.walked.values()) == {1}
    assert len(visits.walked) >= 6 * count


def test_a_copy_that_fails_adds_one_walk(monkeypatch):
    root = family(100)
    root[-1].tags.append(number for number in ())
    visits = Visits(monkeypatch)
    with pytest.raises(graphcopy.CopyError):
        graphcopy.copy(root)
    assert set(visits.walked.values()) == {1}


@pytest.mark.parametrize(
    "pattern", ["obj[*].children[*].tags[0]", "obj.**.children[0].tags", "obj[*].parent.parent.number"]
)
def test_path_rules_take_a_bounded_number_of_steps_for_each_reference(pattern, monkeypatch):
    def steps(count):
        root = family(count)
        references = len(graphcopy.plan(root).compact.targets)
        with pytest.MonkeyPatch.context() as patch:
            visits = Visits(patch)
            graphcopy.copy(root, rules=[graphcopy.prune(path=pattern)])
        return visits.steps / references

    small, large = steps(50), steps(2000)
    assert 0 < large <= small * 1.2


@pytest.mark.parametrize("count", [10, 1000])
def test_a_predicate_is_asked_once_for_each_object(count):
    root = family(count)
    asked: collections.Counter = collections.Counter()

    def never(node):
        asked[id(node.obj)] += 1
        return False

    graphcopy.copy(root, rules=[graphcopy.prune(list, where=never)])
    assert set(asked.values()) == {1}
    assert len(asked) == 1 + 4 * count
