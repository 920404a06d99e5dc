"""Rule sets are values; they come from other packages, too; a rule without effect can be found out."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap

import pytest

import graphcopy


@graphcopy.rule(set)
def sets(node):
    "A set is shared."
    return graphcopy.share()


def test_they_are_values():
    one = graphcopy.RuleSet("one", [sets, graphcopy.share(list)])
    same = graphcopy.RuleSet("one", [sets, graphcopy.share(list)])
    assert one == same and hash(one) == hash(same)
    assert one != graphcopy.RuleSet("two", one) and one != graphcopy.RuleSet("one", [sets])
    assert pickle.loads(pickle.dumps(one)) == one
    assert pickle.loads(pickle.dumps(one)).rules[0] is sets
    assert pickle.loads(pickle.dumps(graphcopy.tf_rules(traces="keep"))).options == {"traces": "keep"}


def test_they_are_added():
    one = graphcopy.RuleSet("one", [sets])
    more = one + [graphcopy.share(list)] + graphcopy.prune(attr="x") + (lambda node: NotImplemented)
    assert len(more) == 4 and len(one) == 1 and more[0] is sets and sets in more
    assert [rule.name for rule in [graphcopy.share(list)] + one] == ["share(list)", "sets"]
    with pytest.raises(TypeError):
        one + [3]


def test_str_tells_what_they_match_and_do():
    text = str(graphcopy.RuleSet("one", [sets, graphcopy.prune(path="obj.**.x")], library="lib", description="trials"))
    assert text.splitlines() == [
        "one: trials (2 rules, when lib is imported)",
        "  set              A set is shared.",
        "  path='obj.**.x'  the reference is cut",
    ]


def test_options_give_a_new_set():
    kept = graphcopy.tf_rules(traces="keep")
    assert kept is not graphcopy.tf_rules and kept != graphcopy.tf_rules and "traces='keep'" in str(kept)
    with pytest.raises(TypeError, match="no option"):
        graphcopy.tf_rules(trace="keep")


def test_unused_rules():
    used, unused = graphcopy.prune(attr="x"), graphcopy.prune(path="obj.nowhere")
    one = graphcopy.RuleSet("one", [sets, graphcopy.share(list)])
    other = graphcopy.RuleSet("other", [graphcopy.share(frozenset)])

    class Thing:
        def __init__(self):
            self.x, self.y = [], [1]

    plan = graphcopy.plan(Thing(), rules=[used, [unused, one], other, graphcopy.share(dict)])
    assert plan.unused_rules == [unused, other, graphcopy.share(dict)]
    assert graphcopy.plan([set()], rules=one).unused_rules == []
    assert graphcopy.plan([]).unused_rules == []


PLUGIN = """
import graphcopy
from the_lib import Token

@graphcopy.rule(Token)
def same(node):
    "A token is shared."
    return graphcopy.share()

rules = graphcopy.RuleSet("the_lib", [same], library="the_lib")
"""


def run(folder, code, **environment):
    paths = os.pathsep.join([str(folder), os.path.dirname(os.path.dirname(graphcopy.__file__))])
    env = {**os.environ, "PYTHONPATH": paths, **environment}
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", textwrap.dedent(code)],
        env=env, cwd=folder, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


@pytest.fixture
def packages(tmp_path):
    (tmp_path / "the_lib.py").write_text("class Token:\n    pass\n")
    (tmp_path / "plugged.py").write_text(PLUGIN)
    info = tmp_path / "plugged-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[graphcopy.rules]\nthe_lib = plugged:rules\nbroken = nowhere:rules\n")
    return tmp_path


CHECK = """
    import sys, graphcopy
    graphcopy.copy([])
    print("plugged" in sys.modules)
    import the_lib
    token = the_lib.Token()
    print(graphcopy.copy([token])[0] is token, graphcopy.copy([token], defaults=False)[0] is token)
"""


def test_a_plug_in_wakes_with_its_library(packages):
    assert run(packages, CHECK) == (["False", "True", "False"], "")


def test_plug_ins_can_be_turned_off(packages):
    assert run(packages, CHECK, GRAPHCOPY_PLUGINS="0") == (["False", "False", "False"], "")


def test_a_broken_plug_in_is_a_warning_that_names_it(packages):
    (packages / "broken.py").write_text("")
    out, err = run(packages, "import broken, graphcopy\nprint(graphcopy.copy([1]), graphcopy.copy([1]))")
    assert out == ["[1]", "[1]"]
    assert err.count("RuntimeWarning") == 1 and "broken (nowhere:rules)" in err and "plugged" in err
    (packages / "plugged.py").write_text("rules = 3")
    out, err = run(packages, CHECK)
    assert out == ["False", "False", "False"] and "the_lib (plugged:rules)" in err


def test_nothing_is_looked_up_at_import(packages):
    assert run(packages, "import sys, graphcopy\nprint('graphcopy.plugins' in sys.modules)")[0] == ["False"]


@pytest.mark.parametrize("given", [([graphcopy.share(list)], "mine"), ("mine", "yours"), (graphcopy.share(list), [])])
def test_the_name_comes_first(given):
    with pytest.raises(TypeError, match="the name comes first"):
        graphcopy.RuleSet(*given)


def test_a_table_shows_the_class_of_a_long_name():
    matched = ["somewhere.deep.within.a.library.of.many.modules.Thing", "elsewhere.deep.within.another.one.Other"]
    text = str(graphcopy.RuleSet("mine", [graphcopy.share(*matched), graphcopy.share("short.name.Thing")]))
    assert "somewhere..Thing, elsewhere..Other" in text and "short.name.Thing" in text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("python", "a list of them, not 'python'"),
        (3, "a list of them, not 3"),
        ([graphcopy.share()], r"a treatment without a selection \(Shared\)"),
        ([list], "<class 'list'> is no rule"),
    ],
)
def test_what_is_no_rule_is_told(given, said):
    with pytest.raises(TypeError, match=said):
        graphcopy.copy([], rules=given)


def test_a_library_is_a_name():
    with pytest.raises(TypeError, match="library="):
        graphcopy.RuleSet("mine", [], library=os)


def test_a_broken_rule_is_to_be_mended():
    def broken(node):
        raise KeyError("nothing")

    with pytest.raises(graphcopy.CopyError, match="or  mend the rule"):
        graphcopy.copy([[1]], rules=[graphcopy.rule(list)(broken)])
