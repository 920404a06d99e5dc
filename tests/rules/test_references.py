"""Rules by attribute and path cut single references; by type and predicate they speak for objects."""

from __future__ import annotations

import collections
import copy
import pickle

import pytest

import graphcopy


class Thing:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Slotted:
    __slots__ = ("__dict__", "kept", "scratch")


class WithState:
    def __init__(self):
        self.data, self._cache = [1], {"big": [2]}

    def __getstate__(self):
        return dict(vars(self))


class WithHook(WithState):
    __getstate__ = object.__dict__.get("__getstate__")

    def __deepcopy__(self, memo):
        new = type(self)()
        new.data, new._cache = copy.deepcopy(self.data, memo), copy.deepcopy(self._cache, memo)
        return new


if WithHook.__getstate__ is None:
    del WithHook.__getstate__


def test_an_attribute_is_cut_only_where_it_has_that_name():
    shared = {"a": [1]}
    obj = [Thing(_cache=shared, x=1), shared, Thing(_cache=3)]
    new = graphcopy.copy(obj, rules=[graphcopy.prune(attr="_cache")])
    assert [vars(new[0]), new[1], vars(new[2])] == [{"x": 1}, {"a": [1]}, {}]
    assert vars(obj[0]) == {"_cache": shared, "x": 1} and new[1] is not shared


def test_slots_too():
    obj = Slotted()
    obj.kept, obj.scratch, obj.more = [1], [2], [3]
    new = graphcopy.copy(obj, rules=[graphcopy.prune(attr=["scratch", "mo*"])])
    assert new.kept == [1] and not hasattr(new, "scratch") and not hasattr(new, "more")


@pytest.mark.parametrize("cls", [WithState, WithHook])
def test_classes_with_hooks_of_their_own(cls):
    obj = cls()
    new = graphcopy.copy(obj, rules=[graphcopy.prune(attr="_cache")])
    assert vars(new) == {"data": [1]} and new.data is not obj.data
    assert vars(graphcopy.copy(obj, rules=[graphcopy.prune(attr="other")])) == vars(obj)


def test_attributes_of_functions_and_of_subclasses_of_builtins():
    class Bag(dict):
        pass

    bag = Bag(a=[1])
    bag.index = {1: [2]}

    def f():
        return bag

    f.note = [bag]
    new = graphcopy.copy(f, rules=[graphcopy.prune(attr=["index", "note"])])
    assert vars(new) == {} and new() == {"a": [1]} and vars(new()) == {} and new() is not bag


def test_a_path_pattern_cuts_where_it_leads_by_any_way():
    hook = {}
    layers = [Thing(hook=hook, w=[1]), Thing(hook=hook, w=[2])]
    obj = Thing(layers=layers, again=layers[0], hook=hook)
    new = graphcopy.copy(obj, rules=[graphcopy.prune(path="obj.layers[*].hook")])
    assert [vars(layer) for layer in new.layers] == [{"w": [1]}, {"w": [2]}]
    assert new.again is new.layers[0] and new.hook == {} and new.hook is not hook
    new = graphcopy.copy(obj, rules=[graphcopy.prune(path="obj.again.hook")])
    assert vars(new.layers[0]) == {"w": [1]} and new.layers[1].hook is new.hook


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("obj['a'][0]", {"a": [None, [2]], "b": {"a": ([3],)}}),
        ("obj['a'][*]", {"a": [None, None], "b": {"a": ([3],)}}),
        ("obj[*][0]", {"a": [None, [2]], "b": {"a": ([3],)}}),
        ("**['a']", {"b": {}}),
        ("obj.**['a'][0]", {"a": [None, [2]], "b": {"a": (None,)}}),
        ("obj['b'].**", {"a": [[1], [2]], "b": {}}),
        ("obj['nowhere']", {"a": [[1], [2]], "b": {"a": ([3],)}}),
        ("obj[*]['a'][0]", {"a": [[1], [2]], "b": {"a": (None,)}}),
        ("obj['a'][0][0]", {"a": [[None], [2]], "b": {"a": ([3],)}}),
    ],
)
def test_patterns(pattern, expected):
    obj = {"a": [[1], [2]], "b": {"a": ([3],)}}
    before = copy.deepcopy(obj)
    rules = [graphcopy.prune(path=pattern)]
    assert graphcopy.copy(obj, rules=rules) == expected
    assert graphcopy.plan(obj, rules=rules).copy() == expected
    assert graphcopy.loads(graphcopy.dumps(obj, rules=rules)) == expected
    assert obj == before


def test_members_cells_and_defaults_have_paths_too():
    member = Thing()
    state, default = [1], [2]

    def f(x=default):
        return state, x

    new = graphcopy.copy({"s": {member}, "f": f}, rules=[graphcopy.prune(path="list(obj['s'])[0]")])
    assert new["s"] == set()
    for path, expected in [
        ("obj['f'].__closure__[0].cell_contents", (None, [2])),
        ("obj['f'].__defaults__[0]", ([1], None)),
    ]:
        with pytest.raises(NameError) if expected[0] is None else _nothing():
            assert graphcopy.copy({"f": f}, rules=[graphcopy.prune(path=path)])["f"]() == expected


class _nothing:
    def __enter__(self):
        return None

    def __exit__(self, *args):
        return None


def test_a_cycle_through_a_pattern_ends():
    obj = Thing(value=[1])
    obj.next = Thing(value=[2], next=obj)
    new = graphcopy.copy(obj, rules=[graphcopy.prune(path="obj.next.next.next.value")])
    assert new.value == [1] and not hasattr(new.next, "value") and new.next.next is new


def test_a_value_stands_in_the_place():
    obj = Thing(x=[1], y=[[2], [3]])
    new = graphcopy.copy(obj, rules=[graphcopy.prune(attr="x", value=0), graphcopy.prune(path="obj.y[1]", value="no")])
    assert vars(new) == {"x": 0, "y": [[2], "no"]}


def test_atoms_are_cut_as_well():
    obj = Thing(count=3, items=[1, 2])
    new = graphcopy.copy(obj, rules=[graphcopy.prune(attr="count"), graphcopy.prune(path="obj.items[0]")])
    assert vars(new) == {"items": [None, 2]}


def test_combinations():
    obj = Thing(a=[1], b={}, c=Thing(a={}, b=[2]))
    for selector, expected in [
        (graphcopy.select(list) & graphcopy.select(attr="a"), ({"b": {}}, {"a": {}, "b": [2]})),
        (graphcopy.select(attr="a", where=lambda node: not node.obj), ({"a": [1], "b": {}}, {"b": [2]})),
        (graphcopy.select(attr="b") & ~graphcopy.select(dict), ({"a": [1], "b": {}}, {"a": {}})),
        (graphcopy.select(attr=["a", "b"]) & ~graphcopy.select(path="obj.a"), ({"a": [1]}, {})),
        (graphcopy.select(path="obj.b") | graphcopy.select(path="obj.c.b"), ({"a": [1]}, {"a": {}})),
    ]:
        new = graphcopy.copy(obj, rules=[graphcopy.prune(selector)])
        top = {name: value for name, value in vars(new).items() if name != "c"}
        assert (top, vars(new.c)) == expected, selector
    new = graphcopy.copy(obj, rules=[graphcopy.share(graphcopy.select(list) | graphcopy.select(dict))])
    assert new.a is obj.a and new.b is obj.b and new.c.a is obj.c.a and new.c is not obj.c
    new = graphcopy.copy(obj, rules=[graphcopy.share(graphcopy.select(list, where=lambda node: 2 in node.obj))])
    assert new.a is not obj.a and new.c.b is obj.c.b


def test_exact_leaves_subclasses_out():
    class Base(list):
        pass

    class Derived(Base):
        pass

    obj = [Base(), Derived()]
    new = graphcopy.copy(obj, rules=[graphcopy.share(Base, exact=True)])
    assert new[0] is obj[0] and new[1] is not obj[1]


def test_an_object_is_shared_wherever_it_is_when_one_reference_matches():
    shared = [1]
    obj = {"a": Thing(config=shared), "b": [shared, [1]]}
    for rule in (graphcopy.share(attr="config"), graphcopy.share(path="obj['b'][0]")):
        new = graphcopy.copy(obj, rules=[rule])
        assert new["a"].config is shared and new["b"][0] is shared and new["b"][1] is not obj["b"][1]
    new = graphcopy.copy(obj, rules=[graphcopy.replace(lambda old: [*old, 2], path="**.config")])
    assert new["a"].config == [1, 2] and new["a"].config is new["b"][0]


def test_the_first_answer_wins_between_objects_and_references():
    obj = Thing(x=[1])
    assert graphcopy.copy(obj, rules=[graphcopy.share(list), graphcopy.prune(attr="x")]).x is obj.x
    assert vars(graphcopy.copy(obj, rules=[graphcopy.prune(attr="x"), graphcopy.share(list)])) == {}
    assert vars(graphcopy.copy(obj, rules=[graphcopy.prune(path="obj.x"), graphcopy.share(list)])) == {}
    assert graphcopy.copy(obj, rules=[graphcopy.share(list), graphcopy.prune(path="obj.x")]).x is obj.x


def test_what_is_cut_is_on_the_receipt():
    obj = Thing(x=[1], y=[[2]])
    rules = [graphcopy.prune(attr="x"), graphcopy.prune(path="obj.y[0]", value=0)]
    receipt = graphcopy.plan(obj, rules=rules).receipt
    assert [(str(entry.path), entry.treatment, entry.rule) for entry in receipt] == [
        ("obj.x", "pruned", "prune(attr='x')"),
        ("obj.y[0]", "pruned", "prune(path='obj.y[0]', value=0)"),
    ]


def test_a_culprit_behind_a_cut_is_no_culprit():
    obj = Thing(a=[1], stream=(i for i in "ab"))
    assert vars(graphcopy.copy(obj, rules=[graphcopy.prune(attr="stream")])) == {"a": [1]}
    assert vars(graphcopy.copy(obj, rules=[graphcopy.prune(path="obj.stream")])) == {"a": [1]}


def test_cuts_in_containers_of_the_library():
    obj = {"d": collections.deque([[1], [2]]), "o": collections.OrderedDict(a=[1], b=[2])}
    rules = [graphcopy.prune(path="obj['d'][0]"), graphcopy.prune(path="obj['o']['a']")]
    new = graphcopy.copy(obj, rules=rules)
    assert list(new["d"]) == [None, [2]] and list(new["o"]) == ["b"]


def test_no_hook_is_called_twice():
    calls = []

    class Counting:
        def __init__(self):
            self.x, self.y = [1], [2]

        def __reduce__(self):
            calls.append(self)
            return (Counting, (), dict(vars(self)))

    obj = [Counting(), Counting()]
    new = graphcopy.copy(obj, rules=[graphcopy.prune(path="obj[0].x", value=5)])
    assert new[0].x == 5 and new[1].x == [1] and len(calls) == 2


@pytest.mark.parametrize(
    "pattern", ["obj", "model.x", "obj.", "obj[", "obj[x]", "x", "obj.f()", "", "obj[None]", "obj + 1", "obj[1:2]"]
)
def test_a_pattern_that_can_never_match_is_refused_at_once(pattern):
    with pytest.raises(ValueError, match=r"path pattern|can never match"):
        graphcopy.prune(path=pattern)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: graphcopy.prune(attr="a.b"), ValueError),
        (lambda: graphcopy.prune(attr=""), ValueError),
        (lambda: graphcopy.prune(attr=[]), ValueError),
        (lambda: graphcopy.prune(where=3), TypeError),
        (lambda: graphcopy.share("Lock"), ValueError),
        (lambda: graphcopy.share("no name.X"), ValueError),
        (lambda: graphcopy.share(list[int]), TypeError),
        (lambda: graphcopy.share(3), TypeError),
        (lambda: graphcopy.share(exact=True), TypeError),
        (lambda: graphcopy.select(), ValueError),
        (lambda: graphcopy.share(list, graphcopy.select(dict)), TypeError),
        (lambda: graphcopy.replace(list, lambda a, b: None), TypeError),
        (lambda: graphcopy.rule(list)(lambda: None), TypeError),
        (lambda: graphcopy.rule(list)(lambda a, b: None), TypeError),
        (lambda: graphcopy.rule(list)(3), TypeError),
    ],
)
def test_what_can_never_work_is_refused_at_once(make, error):
    with pytest.raises(error):
        make()


def test_rules_are_values_and_travel():
    rules = [
        graphcopy.share(list, exact=True), graphcopy.share("a.B"), graphcopy.prune(attr="_cache"),
        graphcopy.plain(dict),
        graphcopy.prune(path="obj.**.x", value=1), graphcopy.replace(list, dict), graphcopy.replace(list, value=2),
        graphcopy.prune(graphcopy.select(list) | ~graphcopy.select(attr="x")), graphcopy.resource_rules.rules[0],
        graphcopy.by_attributes(Thing), *graphcopy.python_rules,
    ]  # fmt: skip
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules and [hash(rule) for rule in again] == [hash(rule) for rule in rules]
    assert again[-1] is rules[-1]
    assert len(set(rules)) == len(rules)
    assert graphcopy.share(list) == graphcopy.share(list) != graphcopy.share(dict)
    assert graphcopy.prune(list, value=1) != graphcopy.prune(list, value=True)


def test_a_treatment_that_is_none_is_told_with_rule_and_path():
    @graphcopy.rule(Thing)
    def forgets(node):
        node.obj.x

    @graphcopy.rule(Thing)
    def returns_a_rule(node):
        return graphcopy.share(Thing)

    for rule, said in [(forgets, "returned None"), (returns_a_rule, "which is a rule")]:
        with pytest.raises(graphcopy.CopyError, match=said) as caught:
            graphcopy.copy([Thing(x=1)], rules=[rule])
        assert rule.name in str(caught.value) and "test_references.py:" in str(caught.value)
        assert str(caught.value.culprits[0].path) == "obj[0]"


def test_a_predicate_that_raises_is_told_with_rule_and_path():
    for selected in (graphcopy.select(where=lambda node: 1 / 0), graphcopy.select(attr="x", where=lambda node: 1 / 0)):
        with pytest.raises(graphcopy.CopyError, match="ZeroDivisionError"):
            graphcopy.copy([Thing(x=[1])], rules=[graphcopy.prune(selected)])


def test_factories():
    class Copycat:
        def __init__(self, old):
            self.old = old

    made = graphcopy.copy([{1}, {1}], rules=[graphcopy.replace(set, Copycat)])
    assert [each.old for each in made] == [{1}, {1}] and made[0] is not made[1]
    assert graphcopy.copy([{1}], rules=[graphcopy.replace(set, value=Copycat)]) == [Copycat]
    assert graphcopy.copy([{1}], rules=[graphcopy.replace(set, dict)]) == [{}]
    assert graphcopy.copy([{1}], rules=[graphcopy.replace(set, "gone")]) == ["gone"]


def test_plain_makes_an_exception():
    obj = [Thing(x=[1]), [2]]
    new = graphcopy.copy(obj, rules=[graphcopy.plain(Thing), graphcopy.share(object)])
    assert new is obj  # the root is shared by the last rule
    new = graphcopy.copy(
        obj, rules=[graphcopy.plain(path="obj[1]"), graphcopy.share(list, where=lambda n: n.obj == [2])]
    )
    assert new[1] == [2] and new[1] is not obj[1]
