"""Check the newest wheel and sdist: all that is needed, nothing else, the licence of every vendored file.

python tests/packaging/contents.py dist/*
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

IN_A_WHEEL = re.compile(
    r"graphcopy/(\w+/)*\w+\.py"
    r"|graphcopy/py\.typed"
    r"|graphcopy/drawing/page/page\.(css|html|js)"
    r"|graphcopy/drawing/vendor/(README\.md|[\w-]+\.min\.js|[\w-]+\.LICENSE)"
    r"|graphcopy-[\w.]+\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|licenses/.+)"
)
IN_AN_SDIST = re.compile(
    r"(graphcopy|tests|docs|examples|benchmarks)/.+|\.gitignore|PKG-INFO|pyproject\.toml"
    r"|(README|CHANGELOG|CONTRIBUTING)\.md|LICENSE|conftest\.py|dev\.py|noxfile\.py"
)
LEFT_BEHIND = re.compile(
    r"__pycache__|\.py[co]$|_build/|\.(ipynb_checkpoints|hypothesis|mypy_cache|pytest_cache)|\.so$|\.egg-info"
)


def check_wheel(names: set[str], metadata: str) -> list[str]:
    """What is wrong with a wheel."""
    faults = [f"should not be in the wheel: {name}" for name in sorted(names) if not IN_A_WHEEL.fullmatch(name)]
    if "graphcopy/py.typed" not in names:
        faults.append("py.typed is missing")
    licences = set(re.findall(r"^License-File: (.+)$", metadata, re.MULTILINE))
    needed = {"LICENSE", *(name for name in names if re.fullmatch(r"graphcopy/drawing/vendor/.+\.LICENSE", name))}
    faults += [f"not named as a licence in the metadata: {name}" for name in sorted(needed - licences)]
    for name in sorted(names):
        if name.endswith(".min.js") and name.replace(".min.js", ".LICENSE") not in names:
            faults.append(f"vendored without its licence: {name}")
    if "License-Expression: Apache-2.0 AND MIT" not in metadata:
        faults.append("the licence expression does not name the vendored files' MIT")
    return faults


def check_sdist(names: set[str]) -> list[str]:
    """What is wrong with a source distribution."""
    faults = [f"should not be in the sdist: {name}" for name in sorted(names) if not IN_AN_SDIST.fullmatch(name)]
    here = Path(__file__).resolve().parents[2]
    for pattern in ("graphcopy/**/*.py", "tests/**/*.py", "docs/*.md", "docs/*.py", "docs/images/*", "examples/*.*"):
        for path in here.glob(pattern):
            name = path.relative_to(here).as_posix()
            if name not in names and not LEFT_BEHIND.search(name):
                faults.append(f"is missing in the sdist: {name}")
    faults += [f"is missing in the sdist: {name}" for name in ("conftest.py", "CONTRIBUTING.md") if name not in names]
    return faults


def main(words: list[str]) -> None:
    """Check the newest of each kind among the files that are given."""
    newest = {path.suffix: path for path in sorted(map(Path, words), key=lambda path: path.stat().st_mtime)}
    with zipfile.ZipFile(newest[".whl"]) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
        metadata = wheel.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    with tarfile.open(newest[".gz"]) as sdist:
        sources = {member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()}
    faults = check_wheel(names, metadata) + check_sdist(sources)
    faults += [f"left behind: {name}" for name in sorted(names | sources) if LEFT_BEHIND.search(name)]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{newest['.whl'].name}: {len(names)} files; {newest['.gz'].name}: {len(sources)} files: as they should be")


if __name__ == "__main__":
    main(sys.argv[1:])
