"""Make the tables of kinds of objects and TensorFlow versions of the records that the tests wrote.

``python tests/tensorflow/version_table.py`` puts them into ``docs/tensorflow.md``: one tells for each kind of object
what the copy does, what it costs, and the versions in which the test of that kind passed (a test says it, see
``Kind`` in ``tests/recording/tensorflow_record.py``); one counts what passed in each file of tests, told by its
first line.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "docs" / "tensorflow_versions"
PAGE = ROOT / "docs" / "tensorflow.md"


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


def files(records: list[dict[str, Any]]) -> str:
    """The table of files of tests, in Markdown."""
    heads = [f"{each['tensorflow']} (Keras {each['keras']}, Python {each['python']})" for each in records]
    lines = [
        "| what is tested | " + " | ".join(heads) + " |",
        "|---" * (len(heads) + 1) + "|",
    ]
    names = sorted({name for each in records for name in each["tests"]})
    for name in names:
        lines.append(f"| {says(name)} | " + " | ".join(cell(each["tests"].get(name)) for each in records) + " |")
    dates = (sorted({counts["date"] for counts in each["tests"].values()}) for each in records)
    lines.append("| run on | " + " | ".join(" to ".join([*dict.fromkeys((d[0], d[-1]))]) for d in dates) + " |")
    return "\n".join(lines) + "\n"


def version(record: dict[str, Any]) -> str:
    """How a version is named in the table of kinds."""
    return f"{record['tensorflow'].rpartition('.')[0]} on {record['python']}"


def kinds(records: list[dict[str, Any]]) -> str:
    """The table of kinds of objects, in Markdown; ValueError where two versions tell different things of one kind."""
    told: dict[str, dict[str, Any]] = {}
    for record in reversed(records):  # a kind passes where all of its tests do
        for each in record["kinds"]:
            row = told.setdefault(each["kind"], {"copied": each["copied"], "costs": None, "passed": {}})
            row["passed"][version(record)] = each["outcome"] == "passed" and row["passed"].get(version(record), True)
            if each["outcome"] != "passed":
                continue
            row["costs"] = row["costs"] or each["costs"]
            if (row["copied"], row["costs"]) != (each["copied"], each["costs"]):
                raise ValueError(f"{each['test']} tells two things of {each['kind']}: {row} and {each}")
    names = sorted(told, key=lambda name: first_told(name, records))
    lines = ["| kind | in the copy | what it costs | passed with TensorFlow |", "|---|---|---|---|"]
    every = [version(each) for each in records]
    for name in names:
        row = told[name]
        passed = [each for each in every if row["passed"].get(each)]
        failed = [f"**failed: {each}**" for each in every if row["passed"].get(each) is False]
        where = ["all"] if passed == every else passed
        lines.append(f"| {name} | {row['copied']} | {row['costs'] or ''} | {', '.join([*where, *failed])} |")
    return "\n".join([*lines, "", f"All: {', '.join(every)}."]) + "\n"


def first_told(name: str, records: list[dict[str, Any]]) -> tuple[int, int, int]:
    """The place of a kind: TensorFlow before Keras before what is built on them, in the order of the tests."""
    folders = ("tensorflow", "keras", "tfp", "gpflow", "trieste")
    for age, record in enumerate(reversed(records)):
        for place, each in enumerate(record["kinds"]):
            if each["kind"] == name:
                return folders.index(each["test"].split("/")[1]), age, place
    raise KeyError(name)


def order(record: dict[str, Any]) -> tuple[int, ...]:
    """Oldest TensorFlow first, then Python."""
    return tuple(int(part) for part in (*record["tensorflow"].split(".")[:3], *record["python"].split(".")))


def put(page: str, name: str, table: str) -> str:
    """Put a table between its marks."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}"


def main() -> None:
    """Put the tables of all records between the marks of the page."""
    records = sorted((json.loads(path.read_text()) for path in RECORDS.glob("*.json")), key=order)
    PAGE.write_text(put(put(PAGE.read_text(), "kinds", kinds(records)), "versions", files(records)))


if __name__ == "__main__":
    main()
