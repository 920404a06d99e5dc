"""The command line, as somebody types it: output, exit status, and one clear line for what cannot be done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import graphcopy
from graphcopy.commands.running import COMMANDS, main

APP = """
import threading

class Service:
    pass

app = Service()
app.lock = threading.RLock()
app.rows = [1, 2]
busy = Service()
busy.jobs = (n for n in [1])
shared = {"rows": app.rows}
big = [[n] for n in range(1000)]
raise_it = property()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "app_under_test.py").write_text(APP)
    (tmp_path / "broken_app.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield tmp_path
    for name in ("app_under_test", "broken_app"):
        sys.modules.pop(name, None)


def run(capsys, *words):
    status = main(words)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_explain(capsys):
    assert run(capsys, "explain", "app_under_test:app")[0] == 0
    status, out, _ = run(capsys, "explain", "app_under_test:busy")
    assert status == 1
    assert "obj.jobs: builtins.generator" in out
    status, out, _ = run(capsys, "explain", "app_under_test:app", "--backend", "deepcopy")
    assert status == 1
    assert "cannot pickle '_thread.RLock' object" in out


def test_explain_as_json(capsys):
    status, out, _ = run(capsys, "explain", "app_under_test:busy", "--json", "--sizes")
    data = json.loads(out)
    assert status == 1
    assert data["versions"]["graphcopy"] == graphcopy.__version__
    assert data["culprits"][0]["path"] == "obj.jobs"
    assert data["sizes"][0]["path"] == "obj"


def test_rules_are_expressions(capsys):
    rule = 'graphcopy.prune("builtins.generator")'
    assert run(capsys, "explain", "app_under_test:busy", "-r", rule)[0] == 0
    status, _, err = run(capsys, "explain", "app_under_test:busy", "-r", "graphcopy.prun()")
    assert status == 2
    assert "AttributeError" in err


@pytest.mark.parametrize("suffix", [".txt", ".mmd", ".dot"])
def test_draw(capsys, suffix):
    status, out, _ = run(capsys, "draw", "app_under_test:app", "-o", f"graph{suffix}")
    assert status == 0
    assert "RLock" in Path(f"graph{suffix}").read_text()
    assert f"graph{suffix}: 3 boxes" in out


def test_draw_prints_a_tree(capsys):
    status, out, _ = run(capsys, "draw", "app_under_test:busy")
    assert status == 1
    assert "`-- .jobs: !! generator" in out


def test_draw_says_what_is_left_out(capsys):
    _, out, _ = run(capsys, "draw", "app_under_test:big", "-o", "graph.txt", "--max-nodes", "20")
    assert "981 of 1,001 nodes are not drawn" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "graph.xyz"], "the suffix says what to draw"),
        (["--focus", "obj.nothing"], "leads to no node"),
        (["-o", "no/such/folder/graph.txt"], "cannot be written"),
    ],
)
def test_draw_that_cannot_be(capsys, words, message):
    status, _, err = run(capsys, "draw", "app_under_test:app", *words)
    assert status == 2
    assert message in err
    assert "Traceback" not in err


def test_copy(capsys):
    status, out, _ = run(capsys, "copy", "app_under_test:app", "--verify")
    assert (status, out.splitlines()) == (0, ["1 fresh _thread.RLock", "same and isolated: 3 nodes"])
    status, out, _ = run(capsys, "copy", "app_under_test:busy")
    assert status == 1
    assert "obj.jobs" in out
    status, out, _ = run(capsys, "copy", "app_under_test:app", "--verify", "--json")
    assert json.loads(out)["ok"] is True


def test_compare(capsys):
    assert run(capsys, "compare", "app_under_test:big", "app_under_test:big[:]")[0] == 1
    status, out, _ = run(capsys, "compare", "app_under_test:shared", "app_under_test:app")
    assert status == 1
    assert "not a right copy" in out
    status, out, _ = run(capsys, "compare", "app_under_test:big[0]", "app_under_test:[0]", "--json")
    assert (status, json.loads(out)["ok"]) == (0, True)


def test_rules(capsys):
    status, out, _ = run(capsys, "rules")
    assert status == 0
    assert "python_rules" in out
    status, out, _ = run(capsys, "rules", "python_rules")
    assert "A lock protects its owner" in out
    status, _, err = run(capsys, "rules", "nonsense")
    assert status == 2
    assert "there is no rule set 'nonsense'" in err
    _, out, _ = run(capsys, "rules", "--json")
    assert any(row["name"] == "tf_rules" for row in json.loads(out)["sets"])


def test_inspect(capsys):
    graphcopy.dump({"rows": [1]}, "state.gcp")
    status, out, _ = run(capsys, "inspect", "state.gcp")
    assert status == 0
    assert "a file of graphcopy" in out
    Path("foreign.gcp").write_bytes(b"PK\x03\x04")
    status, _, err = run(capsys, "inspect", "foreign.gcp")
    assert status == 2
    assert err.startswith("graphcopy inspect: ")


def test_a_script_with_an_object(capsys):
    assert run(capsys, "explain", "app_under_test.py", "--object", "app.rows")[0] == 0
    status, _, err = run(capsys, "explain", "app_under_test.py")
    assert status == 2
    assert "say which object with --object NAME" in err


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("app_under_test", "write package.module:expression"),
        ("nowhere_at_all:x", "there is no module 'nowhere_at_all' (looked in"),
        ("app_under_test:zork", "app_under_test has no 'zork'; it has Service, app, big"),
        ("app_under_test:app.", "is no Python expression"),
        ("app_under_test:1/0", "raised ZeroDivisionError: division by zero"),
        ("broken_app:x", "importing broken_app raised ZeroDivisionError"),
        ("nothing.py", "there is no script 'nothing.py'"),
    ],
)
def test_wrong_targets_get_one_clear_line(capsys, target, message):
    status, out, err = run(capsys, "explain", target, "--object", "x")
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_traceback_on_request(capsys):
    status, _, err = run(capsys, "explain", "broken_app:x", "--traceback")
    assert status == 2
    assert "1 / 0" in err


def test_every_command_has_help_with_an_example(capsys):
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([command.NAME, "--help"])
        assert stopped.value.code == 0
        assert f"example:\n  graphcopy {command.NAME} " in capsys.readouterr().out


def test_as_a_module_in_a_process_of_its_own(folder):
    home = str(Path(graphcopy.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": home}
    words = [sys.executable, "-m", "graphcopy", "explain", "app_under_test:busy"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 1
    assert "\x1b[" not in done.stdout  # no colours in a pipe
    assert done.stderr == ""
    done = subprocess.run([*words[:3], "frobnicate"], capture_output=True, text=True, env=environment)
    assert done.returncode == 2


def test_an_unknown_word_shows_the_usage_of_its_command(capsys):
    from graphcopy.commands.running import main

    with pytest.raises(SystemExit) as caught:
        main(["draw", "json:dumps", "graph.html"])
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert "usage: graphcopy draw" in said and "-o FILE" in said and "unrecognized arguments: graph.html" in said


def test_a_function_is_told_from_what_it_returns(capsys, tmp_path, monkeypatch):
    from graphcopy.commands.running import main

    (tmp_path / "pumping.py").write_text("def make(): return [1]\ndef of(kind): return kind\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["draw", "pumping:make"]) == 0
    assert "what it returns is 'pumping:make()'" in capsys.readouterr().err
    for other in ("pumping:make()", "pumping:of"):
        assert main(["draw", other]) == 0
        assert capsys.readouterr().err == ""


def test_rules_are_given_by_their_module(capsys, tmp_path, monkeypatch):
    from graphcopy.commands.running import main

    text = "import graphcopy\nmine = [graphcopy.prune('builtins.generator')]\nobj = [(n for n in 'a')]\n"
    (tmp_path / "pumping_rules.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["draw", "pumping_rules:obj", "-o", "graph.svg.txt"]) == 1
    assert "1 of them cannot be copied" in capsys.readouterr().out
    assert main(["draw", "pumping_rules:obj", "-r", "pumping_rules:mine"]) == 0
    assert main(["draw", "pumping_rules:obj", "-r", "pumping_rules:nothing"]) == 2
    assert "has no 'nothing'" in capsys.readouterr().err


def test_options_that_cannot_be_met_are_wrong_use(capsys):
    from graphcopy.commands.running import main

    assert main(["draw", "json:JSONEncoder", "--max-nodes", "0"]) == 2
    assert "max_nodes=0" in capsys.readouterr().err


def test_plug_ins_are_listed_before_they_wake(capsys, tmp_path, monkeypatch):
    from graphcopy import plugins
    from graphcopy.commands.running import main

    home = tmp_path / "pumps_1-1.dist-info"
    home.mkdir()
    (home / "METADATA").write_text("Metadata-Version: 2.1\nName: pumps-1\nVersion: 1\n")
    (home / "entry_points.txt").write_text(
        "[graphcopy.rules]\nasleep_pumps = asleep_rules:mine\nno_such_pumps = nothing:mine\n"
    )
    (tmp_path / "asleep_pumps.py").write_text("")
    (tmp_path / "asleep_rules.py").write_text("import graphcopy\nmine = graphcopy.RuleSet('my pumps', [])\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "_points", None)
    assert main(["rules"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "asleep" in lines["asleep_pumps"] and "asleep_rules:mine" in lines["asleep_pumps"]
    assert "not installed" in lines["no_such_pumps"]
    assert main(["rules", "asleep_pumps"]) == 2
    assert "--import asleep_pumps wakes it" in capsys.readouterr().err
    try:
        assert main(["rules", "asleep_pumps", "--import", "asleep_pumps"]) == 0
        assert "my pumps (0 rules)" in capsys.readouterr().out
    finally:
        for name in ("asleep_pumps", "asleep_rules"):
            sys.modules.pop(name, None)
