"""Each stage imports only earlier ones: the table of docs/architecture.md, held by this test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import graphcopy

PACKAGE = Path(graphcopy.__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "architecture.md"


def allowed() -> dict[str, set[str]]:
    """Read the table "stage | may import" from the docs."""
    rows: dict[str, set[str]] = {}
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        found = re.match(r"\| `([\w.]+)` \| (.*)\|", line)
        if found:
            rows[found[1]] = set(re.findall(r"`([\w.]+)`", found[2]))
    return rows


def stage_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0].removesuffix(".py")


def module_level_imports(tree: ast.Module) -> list[ast.ImportFrom]:
    """The relative imports that run when the module is imported (not those in functions or for the type checker)."""
    return [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level]


def imported_stages(path: Path) -> set[str]:
    depth = len(path.relative_to(PACKAGE).parts)
    stages = set()
    for node in module_level_imports(ast.parse(path.read_text(encoding="utf-8"))):
        if node.level < depth:
            continue  # within the stage's own folder
        names = [node.module] if node.module else [alias.name for alias in node.names]
        stages.update(name.split(".")[0] for name in names)
    return stages


def test_every_stage_keeps_to_its_row():
    rows = allowed()
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        stage = stage_of(path)
        if stage == "__init__":
            continue
        if stage not in rows:
            wrong.append(f"{stage} has no row in docs/architecture.md")
            continue
        beyond = imported_stages(path) - rows[stage] - {stage}
        if beyond:
            wrong.append(f"{path.relative_to(PACKAGE)} imports {sorted(beyond)}")
    assert not wrong, "\n".join(sorted(set(wrong)))


def test_no_submodule_bears_the_name_of_a_public_function():
    modules = {path.stem for path in PACKAGE.glob("*.py")} | {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }
    assert not modules & set(graphcopy.__all__)
