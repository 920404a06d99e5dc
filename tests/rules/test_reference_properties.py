"""Random graphs under random rules by attribute and path, held against a slow model of what they mean."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

import graphcopy


class Thing:
    pass


NAMES = ("a", "b", "c")


@st.composite
def graphs(draw):
    """Objects that refer to each other at random: instances, dicts, lists; cycles and aliases are common."""
    nodes = [draw(st.sampled_from([Thing, dict, list]))() for _ in range(draw(st.integers(2, 7)))]
    for node in nodes:
        for name in draw(st.lists(st.sampled_from(NAMES), unique=True)):
            child = nodes[draw(st.integers(0, len(nodes) - 1))] if draw(st.booleans()) else draw(st.integers(0, 9))
            if isinstance(node, Thing):
                setattr(node, name, child)
            elif isinstance(node, dict):
                node[name] = child
            else:
                node.append(child)
    return nodes


STEPS = st.sampled_from([".a", ".b", "['a']", "['c']", "[0]", "[1]", "[*]", ".*", ".**"])
BY_ATTRIBUTE = st.tuples(st.just("attr"), st.sampled_from(NAMES))
BY_PATH = st.tuples(st.just("path"), st.lists(STEPS, min_size=1, max_size=4))
RULES = st.lists(BY_ATTRIBUTE | BY_PATH, min_size=1, max_size=3)


def references(obj):
    if isinstance(obj, Thing):
        return [("." + name, value) for name, value in vars(obj).items()]
    pairs = obj.items() if isinstance(obj, dict) else enumerate(obj)
    return [(f"[{key!r}]", value) for key, value in pairs]


def cut_by_path(root, steps):
    """All (id, reference) to which some way fits, found by trying out pairs of an object and a place in the pattern."""
    if steps[-1] == ".**":
        steps = [*steps, "any"]
    found, seen, waiting = set(), set(), [(root, 0)]
    while waiting:
        obj, place = waiting.pop()
        if (id(obj), place) in seen:
            continue
        seen.add((id(obj), place))
        if steps[place] == ".**":
            waiting.append((obj, place + 1))
        for name, child in references(obj):
            if steps[place] == ".**":
                following = place
            elif fits(steps[place], name):
                following = place + 1
            else:
                continue
            if following == len(steps):
                found.add((id(obj), name))
            elif isinstance(child, (Thing, dict, list)):
                waiting.append((child, following))
    return found


def fits(step, name):
    if step == "any":
        return True
    if step in (".*", "[*]"):
        return name[0] == step[0]
    return step == name


def expected(root, rules):
    """The copy as data: for each object its kept references; objects are numbered as they are met."""
    cuts = set()
    for kind, what in rules:
        if kind == "path":
            cuts |= cut_by_path(root, what)

    def is_cut(obj, name):
        return (id(obj), name) in cuts or any(kind == "attr" and name == "." + what for kind, what in rules)

    return described(root, is_cut)


def described(root, is_cut=lambda obj, name: False):
    numbers, lines, waiting = {id(root): 0}, [], [root]
    for obj in waiting:
        line = [type(obj).__name__]
        for name, child in references(obj):
            if is_cut(obj, name):
                if isinstance(obj, list):
                    line.append((name, None))
            elif isinstance(child, (Thing, dict, list)):
                if id(child) not in numbers:
                    numbers[id(child)] = len(numbers)
                    waiting.append(child)
                line.append((name, "#", numbers[id(child)]))
            else:
                line.append((name, child))
        lines.append(line)
    return lines


@settings(max_examples=150, deadline=None)
@given(graphs(), RULES)
def test_a_copy_under_rules_by_reference_is_the_model(nodes, rules):
    root = nodes[0]
    before = described(root)
    made = [graphcopy.prune(**{kind: what if kind == "attr" else "obj" + "".join(what)}) for kind, what in rules]
    wanted = expected(root, rules)
    new = graphcopy.copy(root, rules=made)
    assert described(new) == wanted
    assert described(root) == before
    plan = graphcopy.plan(root, rules=made)
    assert described(plan.copy()) == wanted and described(plan.copy()) == wanted
    assert len(plan.graph) == len(wanted)
    for _, path in plan.graph.nodes(data="path"):
        assert re.match(r"obj", str(path)) and path.follow(root) is not None
    assert described(graphcopy.loads(graphcopy.dumps(root, rules=made))) == wanted
