"""Install the built wheel into fresh environments, the core alone and with each extra, and run a first example there.

    python tests/packaging/fresh_install.py dist/graphcopy-*.whl               the core, and the light extras
    python tests/packaging/fresh_install.py dist/graphcopy-*.whl --extras all  every extra (some GB to download)
    python tests/packaging/fresh_install.py dist/graphcopy-*.whl --lowest      the core on the oldest dependencies
    python tests/packaging/fresh_install.py dist/graphcopy-*.whl --suite       the tests, on the wheel

Nothing of the source tree can be imported there: the work is done in an empty directory.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CORE = """
import sys, threading, graphcopy
assert not {"networkx", "dill", "numpy"} & set(sys.modules), "importing graphcopy imports more than itself"
service = {"lock": threading.RLock(), "rows": [1, 2]}
copied = graphcopy.copy(service)
assert copied["rows"] == [1, 2] and copied["lock"] is not service["lock"]
assert graphcopy.compare(service, copied).ok
assert len(graphcopy.reference_graph(service)) == 3
assert graphcopy.loads(graphcopy.dumps({"a": lambda: 1}))["a"]() == 1
graphcopy.draw(service, "graph.mmd")
print("graphcopy", graphcopy.__version__, "from", graphcopy.__file__)
"""

TENSORFLOW = """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf, graphcopy
class Model(tf.Module):
    def __init__(self):
        self.weight = tf.Variable(2.0)
    @tf.function
    def __call__(self, x):
        return self.weight * x
model = Model()
model(tf.constant(3.0))
copied = graphcopy.copy(model)
copied.weight.assign(10.0)
assert float(copied(tf.constant(3.0))) == 30.0 and float(model(tf.constant(3.0))) == 6.0
"""

HERE = Path(__file__).resolve().parents[2]


def of_engine(heading: str) -> tuple[str, str]:
    """The first example of a section of docs/workers.md, and what it prints."""
    section = (HERE / "docs" / "workers.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", section, re.DOTALL)[:2]
    return code, printed


EXAMPLES = {
    "rich": "import io, rich.console, graphcopy\ngraphcopy.copy(rich.console.Console(file=io.StringIO()))\n",
    "draw": (
        "import graphcopy\nfor name in ('g.svg', 'g.png'):\n    graphcopy.draw({'a': [{}, {}]}, name)\n"
        "assert open('g.svg').read().startswith('<')\nassert open('g.png', 'rb').read(4) == b'\\x89PNG'\n"
    ),
    "joblib": of_engine("joblib"),
    "dask": of_engine("Dask"),
    "ray": of_engine("Ray"),
    "spark": of_engine("Spark") if shutil.which("java") else "import pyspark, graphcopy\n",  # pyspark needs Java
    "torch": (
        "import torch, graphcopy\n"
        "layer = torch.nn.Linear(2, 2)\nlayer.last = layer(torch.ones(1, 2))\n"
        "copied = graphcopy.copy(layer)\nassert copied.weight is not layer.weight\n"
    ),
    "tensorflow": TENSORFLOW,
    "keras": TENSORFLOW + (
        "import keras\n"
        "model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])\n"
        "model.compile('adam', 'mse')\n"
        "model.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)\n"
        "copied = graphcopy.copy(model)\ncopied.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)\n"
        "assert int(copied.optimizer.iterations) == 2 and int(model.optimizer.iterations) == 1\n"
    ),
    "gpflow": TENSORFLOW + (
        "import gpflow, numpy as np\n"
        "x = np.linspace(0, 1, 5)[:, None]\n"
        "model = gpflow.models.GPR((x, x), gpflow.kernels.RBF())\n"
        "copied = graphcopy.copy(model)\ncopied.kernel.variance.assign(3.0)\n"
        "assert float(model.kernel.variance.numpy()) == 1.0 and float(copied.kernel.variance.numpy()) == 3.0\n"
    ),
}  # fmt: skip
LIGHT = ("rich", "draw", "joblib")


def floors(wheel: Path) -> list[str]:
    """The oldest versions of the core's dependencies that the wheel allows."""
    import zipfile

    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("METADATA"))
        lines = archive.read(name).decode().splitlines()
    wants = [line.split(":", 1)[1].strip() for line in lines if line.startswith("Requires-Dist:")]
    return [want.replace(">=", "==") for want in wants if ";" not in want]


def check(wheel: Path, extra: str, example: str | tuple[str, str], pinned: list[str]) -> None:
    """Install into a fresh environment and run the example in an empty directory; what it has to print comes second."""
    code, printed = example if isinstance(example, tuple) else (example, "")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "env", with_pip=True)
        python = home / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        wanted = f"{wheel.resolve()}[{extra}]" if extra else str(wheel.resolve())
        subprocess.run([python, "-m", "pip", "install", "--quiet", wanted, *pinned], check=True)
        (home / "work").mkdir()
        (home / "work" / "first.py").write_text(code, encoding="utf-8")
        command = [python, "-W", "error::ImportWarning", "first.py"]
        done = subprocess.run(command, check=True, cwd=home / "work", stdout=subprocess.PIPE, text=True)
        if printed not in done.stdout:
            sys.exit(f"{extra}: the example should print {printed!r}, and printed {done.stdout!r}")
    print(f"{extra or 'core'}: works{' on ' + ', '.join(pinned) if pinned else ''}", flush=True)


def suite(wheel: Path, words: list[str]) -> None:
    """Run the tests on the wheel, with no source tree in reach."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "env", with_pip=True)
        python = home / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1"], check=True)
        wanted = [str(wheel.resolve()), "--group", f"{HERE / 'pyproject.toml'}:test"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
        for name in ("tests", "docs"):  # some tests read the pages
            shutil.copytree(HERE / name, home / "work" / name)
        for name in ("conftest.py", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
            shutil.copy(HERE / name, home / "work" / name)
        command = [python, "-m", "pytest", "-m", "not slow", "tests", *words]
        subprocess.run(command, check=True, cwd=home / "work")


def main() -> None:
    """Check what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", nargs="+", type=Path)
    parser.add_argument("--extras", nargs="*", default=list(LIGHT), help=f"some of {', '.join(EXAMPLES)}, or all")
    parser.add_argument("--lowest", action="store_true")
    parser.add_argument("--suite", action="store_true")
    options, words = parser.parse_known_args()
    wheel = max((path for path in options.wheel if path.suffix == ".whl"), key=lambda path: path.stat().st_mtime)
    if options.suite:
        suite(wheel, words)
        return
    if options.lowest:
        check(wheel, "", CORE, floors(wheel))
        return
    check(wheel, "", CORE, [])
    for extra in EXAMPLES if options.extras == ["all"] else options.extras:
        check(wheel, extra, EXAMPLES[extra], [])


if __name__ == "__main__":
    main()
