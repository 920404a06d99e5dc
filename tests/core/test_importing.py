"""Importing graphcopy imports no optional library, and works where none is installed."""

from __future__ import annotations

import subprocess
import sys

PROBE = """
import sys
before = set(sys.modules)
import graphcopy
assert graphcopy.copy([{"a": [1]}]) == [{"a": [1]}]
heavy = {"tensorflow", "keras", "tf_keras", "torch", "numpy", "pandas", "networkx", "dill", "rich", "igraph", "PIL"}
found = sorted(heavy & set(sys.modules))
assert not found, found
print("light")
"""

BARE = """
import importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    "Nothing optional can be imported, as in an environment that has only the two dependencies."
    names = {"tensorflow", "keras", "torch", "numpy", "pandas", "scipy", "rich", "cloudpickle", "igraph", "PIL"}

    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
import threading, graphcopy
def make():
    lock = threading.RLock()
    return {"lock": lock, "same": lock, "f": (lambda: lock)}
old = make()
new = graphcopy.copy(old)
assert new["lock"] is new["same"] is new["f"]() and new["lock"] is not old["lock"]
assert graphcopy.reference_graph([[]]).number_of_nodes() == 2
try:
    graphcopy.copy([(i for i in "a")])
except graphcopy.CopyError as error:
    assert "obj[0]" in str(error)
for name in graphcopy.__all__:
    getattr(graphcopy, name)
print("works")
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_import_is_light():
    assert run(PROBE) == "light"


def test_it_works_where_nothing_optional_is_installed():
    assert run(BARE) == "works"
