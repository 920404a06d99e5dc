"""Which pages and examples need what: they are left out where it is not installed."""

from __future__ import annotations

from importlib.util import find_spec

_NEEDS: dict[str, tuple[str, ...]] = {}
"""Page or module to the packages that its examples import."""

collect_ignore = ["dev.py", "noxfile.py", "docs/conf.py", "benchmarks", "examples"]
collect_ignore += [path for path, needs in _NEEDS.items() if any(find_spec(name) is None for name in needs)]
