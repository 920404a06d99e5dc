"""Make the table of kinds of objects and TensorFlow versions of the records that the tests wrote.

``python tests/tensorflow/version_table.py`` puts it into ``docs/tensorflow.md``. A row is a file of tests,
told by its first line; a cell is the number of tests that passed there.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs" / "tensorflow_versions"
PAGE = ROOT / "docs" / "tensorflow.md"
BEGIN, END = "<!-- versions -->\n", "<!-- end of versions -->\n"


def says(name: str) -> str:
    """The first line of what a file of tests says that it tests."""
    return (ast.get_docstring(ast.parse((ROOT / name).read_text())) or name).partition("\n")[0]


def cell(counts: dict[str, int] | None) -> str:
    """What came out: passed, failed, or not run."""
    if not counts:
        return "not run"
    failed = counts.get("failed", 0)
    passed = counts.get("passed", 0)
    if failed:
        return f"{passed} passed, **{failed} failed**"
    return f"{passed} passed" if passed else "not run"


def table(records: list[dict[str, Any]]) -> str:
    """The table, in Markdown."""
    heads = [f"{each['tensorflow']} (Keras {each['keras']}, Python {each['python']})" for each in records]
    lines = [
        "| what is tested | " + " | ".join(heads) + " |",
        "|---" * (len(heads) + 1) + "|",
    ]
    names = sorted({name for each in records for name in each["tests"]})
    for name in names:
        lines.append(f"| {says(name)} | " + " | ".join(cell(each["tests"].get(name)) for each in records) + " |")
    lines.append("| run on | " + " | ".join(each["date"] for each in records) + " |")
    return "\n".join(lines) + "\n"


def order(record: dict[str, Any]) -> tuple[int, ...]:
    """Oldest TensorFlow first, then Python."""
    return tuple(int(part) for part in (*record["tensorflow"].split(".")[:3], *record["python"].split(".")))


def main() -> None:
    """Put the table of all records between the marks of the page."""
    records = sorted((json.loads(path.read_text()) for path in RECORDS.glob("*.json")), key=order)
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{table(records)}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
