"""``inspect_file``: what is in a file, found out without unpickling anything."""

from __future__ import annotations

from typing import Any

from ..safety.scanning import scanned
from .headers import checked_header
from .layout import checked_key
from .storing import pieces_of

__all__ = ["FileInfo", "inspect_file"]

_HELPERS = "graphcopy."
_CODE = ("graphcopy.shipping.functions", "make_code")
_SHOWN = 40


class FileInfo:
    """What is known of a file without unpickling it; ``str()`` tells it in lines.

    header
        What its writer says: versions of Python and libraries, the receipt.
    size, stream_size, buffer_sizes
        In bytes: of the whole, of the stream, and of each buffer beside it.
    signed
        "no", "yes, not verified" or "yes, by this key".
    types
        The names of all classes and functions that the stream looks up, and the path where each is first needed, or "".
    helpers
        The names among them that are graphcopy's own.
    has_code
        True when functions travel by value.
    faults
        What no stream of graphcopy holds.

    >>> import graphcopy, io
    >>> file = io.BytesIO()
    >>> graphcopy.dump({1, 2}, file, key=b"secret")
    >>> _ = file.seek(0)
    >>> info = graphcopy.inspect_file(file, key=b"secret")
    >>> info.signed, info.types, info.has_code, info.faults
    ('yes, by this key', {}, False, [])
    """

    def __init__(self, header: dict[str, Any], stream: bytes, buffers: list[Any], size: int, signed: str) -> None:
        scan = scanned(stream)
        names = [f"{module}.{name}" for module, name in scan.names]
        places = header["places"]
        self.header = header
        self.size = size
        self.signed = signed
        self.stream_size = len(stream)
        self.buffer_sizes = [len(each) for each in buffers]
        self.types = {name: places.get(name, "") for name in names if not name.startswith(_HELPERS)}
        self.helpers = [name for name in names if name.startswith(_HELPERS)]
        self.has_code = _CODE in scan.names
        self.faults = scan.faults

    @property
    def receipt(self) -> dict[str, Any]:
        """What was done other than copy when the file was written, as plain data."""
        found = self.header.get("receipt")
        return found if isinstance(found, dict) else {}

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        about = {name: value for name, value in self.header.items() if name not in ("receipt", "places")}
        return {
            **about, "size": self.size, "signed": self.signed, "stream": self.stream_size, "buffers": self.buffer_sizes,
            "code": self.has_code, "types": self.types, "helpers": self.helpers, "receipt": self.receipt,
            "faults": self.faults,
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"<file of graphcopy {self.header.get('graphcopy')}: {self.size:,} bytes, {len(self.types)} names>"

    def __str__(self) -> str:
        about = self.header
        libraries = about.get("libraries")
        versions = [f"{name} {value}" for name, value in (libraries if isinstance(libraries, dict) else {}).items()]
        beside = f" and {len(self.buffer_sizes)} buffers of {sum(self.buffer_sizes):,}" if self.buffer_sizes else ""
        lines = [
            f"a file of graphcopy {about.get('graphcopy')}, format {about.get('format')}",
            f"written by   {about.get('implementation')} {about.get('python')}" + "".join(f", {v}" for v in versions),
            f"signed       {self.signed}",
            f"size         {self.size:,} bytes: a stream of {self.stream_size:,}{beside}",
            "code         " + ("functions by value, for this version of Python" if self.has_code else "none by value"),
        ]
        lines += self._listed("types", [f"{name}  {place}".rstrip() for name, place in self.types.items()])
        lines += self._listed("receipt", self._receipt_lines())
        lines += self._listed("faults", self.faults) if self.faults else []
        return "\n".join(_shown(line) for line in lines)

    def _listed(self, title: str, entries: list[str]) -> list[str]:
        more = [f"... and {len(entries) - _SHOWN} more"] if len(entries) > _SHOWN else []
        return [title, *(f"  {each}" for each in [*(entries[:_SHOWN] or ["none"]), *more])]

    def _receipt_lines(self) -> list[str]:
        entries, fresh, notes = map(self.receipt.get, ("entries", "fresh", "notes"))
        found = []
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                text = f"{entry.get('path')}: {entry.get('type')} {entry.get('treatment')}"
                by, lost = entry.get("rule"), entry.get("lost")
                found.append(text + (f" by {by}" if by else "") + (f": {lost}" if lost else ""))
        found += [f"{count} fresh {name}" for name, count in (fresh if isinstance(fresh, dict) else {}).items()]
        return [*found, *map(str, notes if isinstance(notes, list) else ())] or ["everything was copied"]


def _shown(line: str) -> str:
    """A line with nothing in it that a terminal would obey."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def inspect_file(path_or_file: Any, *, key: bytes | None = None) -> FileInfo:
    """Tell what is in a file of ``graphcopy.dump`` without unpickling or importing anything.

    With ``key`` its signature is verified; without, a signed file is shown all the same, and said to be unverified.
    What is shown of a file that is not verified is what its writer says.

    Raises LoadError for a foreign, damaged or cut off file; SignatureError where *key* is not the one.

    >>> import graphcopy, io, fractions
    >>> file = io.BytesIO()
    >>> graphcopy.dump([fractions.Fraction(1, 2)], file)
    >>> _ = file.seek(0)
    >>> info = graphcopy.inspect_file(file)
    >>> info.types, info.has_code, info.signed
    ({'fractions.Fraction': 'obj[0]'}, False, 'no')
    """
    secret = checked_key(key)
    pieces = pieces_of(path_or_file, secret, check=secret is not None)
    signed = "no" if not pieces.signed else "yes, by this key" if secret is not None else "yes, not verified"
    return FileInfo(checked_header(pieces), pieces.stream, pieces.buffers, pieces.size, signed)
