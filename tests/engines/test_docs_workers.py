"""The examples of docs/workers.md, one an engine, print what the page says."""

from __future__ import annotations

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from programs import run

NEEDS = {"joblib": "joblib", "Dask": "distributed", "Ray": "ray", "Spark": "pyspark"}
PAGE = (Path(__file__).parents[2] / "docs" / "workers.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^## (\S+)\n(?:(?!^## ).*\n)*?```python\n((?:(?!>>>).*\n)*?)```\n", PAGE, re.MULTILINE))
PRINTED = dict(re.findall(r"^## (\S+)\n(?:(?!^## ).*\n)*?```text\n((?:.*\n)*?)```\n", PAGE, re.MULTILINE))


def test_every_engine_has_an_example():
    assert list(EXAMPLES) == list(PRINTED) == ["multiprocessing", "concurrent.futures", *NEEDS]


@pytest.mark.parametrize("engine", EXAMPLES)
def test_the_example_prints_what_the_page_says(engine, tmp_path):
    if find_spec(NEEDS.get(engine, "graphcopy")) is None:
        pytest.skip(f"needs {NEEDS[engine]}")
    if engine == "Spark" and shutil.which("java") is None:
        pytest.skip("needs Java")
    assert run(EXAMPLES[engine], tmp_path).splitlines()[-1] == PRINTED[engine].strip()
