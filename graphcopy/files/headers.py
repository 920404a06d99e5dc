"""The header: what is in a file, as JSON, to be read without unpickling anything."""

from __future__ import annotations

import json
import platform
import sys
import types
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from ..anatomy.parts import Parts
from ..anatomy.registry import dotted
from ..errors import LoadError
from ..graph.paths import Path
from ..receipts import receipt_of
from ..safety.scanning import scanned
from ..shipping.journey import Journey
from .layout import VERSION, Pieces

__all__ = ["checked_header", "header_of"]

_NAMED = (type, types.FunctionType, types.BuiltinFunctionType)
_IMPORTED = "globals_of", "import_module"  # functions whose argument is the name of a module


def header_of(journey: Journey, stream: bytes, buffers: Sequence[Any]) -> bytes:
    """Write the header for a stream that was just written."""
    names = [f"{module}.{name}" for module, name in scanned(stream).names]
    header = {
        "format": VERSION,
        "graphcopy": _version("graphcopy"),
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "libraries": _libraries(names),
        "checksum": _checksum([stream, *buffers]),
        "receipt": receipt_of(journey.graph, journey.notes).to_dict(),
        "places": _places(journey, set(names)),
    }
    return json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def _checksum(pieces: Iterable[Any]) -> str:
    found = 0
    for each in pieces:
        found = zlib.crc32(each, found)
    return f"{found:08x}"


def _libraries(names: Iterable[str]) -> dict[str, str]:
    """The versions of the libraries that the stream names."""
    tops = dict.fromkeys(name.partition(".")[0] for name in names)
    found = {top: _version(top) for top in tops if top not in sys.stdlib_module_names and top != "graphcopy"}
    return {top: version for top, version in found.items() if version}


def _version(top: str) -> str:
    version = getattr(sys.modules.get(top), "__version__", None)
    return version if type(version) is str else ""


def _places(journey: Journey, names: set[str]) -> dict[str, str]:
    """For each name in the stream, and each module imported by it, the path where it is first needed."""
    graph = journey.graph
    found: dict[str, int] = {}
    seen: set[type] = set()
    for place, obj in enumerate(graph.objs):
        cls = type(obj)
        if cls not in seen:
            seen.add(cls)
            found.setdefault(dotted(cls), place)
        if isinstance(obj, _NAMED):
            found.setdefault(_own_name(obj), place)
    for place, outcome in graph.outcomes.items():
        if isinstance(outcome, Parts):
            found.setdefault(_own_name(outcome.func), place)
            if getattr(outcome.func, "__name__", "") in _IMPORTED and outcome.args:
                module = str(outcome.args[0])
                names.add(module)
                found.setdefault(module, place)
    places = {name: str(graph.path(found[name])) for name in names if name in found}
    missing = {name for name in names - set(places) if not name.startswith("graphcopy.")}
    return {**places, **_places_of_atoms(journey, missing)} if missing else places


def _places_of_atoms(journey: Journey, names: set[str]) -> dict[str, str]:
    """The same for types whose objects are no nodes of the graph: numbers, dates, members of enums."""
    graph, policy = journey.graph, journey.policy
    wanted: dict[type, str | None] = {}
    places: dict[str, str] = {}
    for place, obj in enumerate(graph.objs):
        outcome = graph.outcomes.get(place)
        anatomy = policy.anatomy(type(obj))
        if isinstance(outcome, Parts):
            children: Iterable[Any] = outcome.children()
        elif outcome is None and anatomy is not None and anatomy.children is not None:
            children = anatomy.children(obj)
        else:
            continue
        for number, child in enumerate(children):
            cls = type(child)
            if cls not in wanted:
                name = dotted(cls)
                wanted[cls] = name if name in names else None
            if wanted[cls] is not None and wanted[cls] not in places:
                steps = outcome.accessors(obj) if isinstance(outcome, Parts) else anatomy.accessors(obj)
                places[str(wanted[cls])] = str(Path([*graph.path(place).steps, *steps[number : number + 1]]))
        if len(places) == len(names):
            break
    return places


def _own_name(obj: Any) -> str:
    module, name = getattr(obj, "__module__", None), getattr(obj, "__qualname__", None)
    return f"{module}.{name}"


def checked_header(pieces: Pieces) -> dict[str, Any]:
    """Read the header; raises LoadError where it is damaged, or what follows it."""
    try:
        header: dict[str, Any] = json.loads(pieces.header)
        checksum = header["checksum"]
        if not all(isinstance(path, str) for path in header["places"].values()):
            raise ValueError("a place is no text")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LoadError(f"the header of this file is damaged: {error}") from error
    found = _checksum([pieces.stream, *pieces.buffers])
    if found != checksum:
        raise LoadError(f"this file is damaged: the checksum of its content is {found}, and was {checksum}")
    return header
