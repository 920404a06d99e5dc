"""Write the golden files of this version of graphcopy: ``python tests/shipping/golden/make.py``, once for each Python.

Each kind is written as a bare stream (.stream, from dumps) and as a file (.graphcopy, from dump). Files that are there
are kept: they show that old files are read. A new kind, or a new version of the format, gets new files.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent.parent)]

import golden_samples

import graphcopy


def main() -> None:
    """Write what is not there yet."""
    folder = HERE / f"graphcopy-{graphcopy.__version__}-python-{sys.version_info[0]}.{sys.version_info[1]}"
    folder.mkdir(exist_ok=True)
    for name, make in golden_samples.KINDS.items():
        if name == "arrays" and find_spec("numpy") is None:
            continue
        options = {"by_value": [golden_samples]} if name in golden_samples.BY_VALUE else {}
        for suffix in ("stream", "graphcopy"):
            path = folder / f"{name}.{suffix}"
            if path.exists():
                continue
            if suffix == "stream":
                path.write_bytes(graphcopy.dumps(make(), **options))
            else:
                graphcopy.dump(make(), path, key=b"golden", **options)
            print(path.relative_to(HERE))


if __name__ == "__main__":
    main()
