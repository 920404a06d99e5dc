"""What bytes look like that are not what was expected, for error messages."""

from __future__ import annotations

__all__ = ["FILE_MAGIC", "looks_like"]

FILE_MAGIC = b"\x89graphcopy\r\n\x1a\n"
"""The first bytes of a file of ``graphcopy.dump``: as in PNG, what breaks line ends or eight-bit data is found out."""

_KNOWN = (
    (FILE_MAGIC, "a file of graphcopy.dump: graphcopy.load reads it"),
    (b"PK\x03\x04", "a zip archive (as .keras, .npz and PyTorch files are)"),
    (b"PK", "a zip archive"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x93NUMPY", "a numpy array (.npy): numpy.load reads it"),
    (b"\x1f\x8b", "a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"\x89PNG", "a PNG picture"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program or library for Linux"),
)


def looks_like(start: bytes) -> str:
    """Say what bytes that begin with *start* seem to be.

    >>> looks_like(b""), looks_like(b"\\x80\\x04\\x95"), looks_like(b"name,age")
    ('nothing: it is empty', 'a plain pickle (protocol 4)', 'text')
    """
    if not start:
        return "nothing: it is empty"
    for magic, name in _KNOWN:
        if start.startswith(magic):
            return name
    if FILE_MAGIC.startswith(start) or start[:10] == FILE_MAGIC[:10]:
        return "the beginning of a file of graphcopy.dump, cut off or damaged"
    if start[0] == 0x80 and len(start) > 1 and 2 <= start[1] <= 5:
        return f"a plain pickle (protocol {start[1]})"
    if start[:2] == b"\x78\x9c" or start[:2] == b"\x78\xda":
        return "zlib-compressed data"
    if start[257:262] == b"ustar":
        return "a tar archive"
    if b"\x00" not in start and _is_text(start):
        return "JSON" if start.lstrip()[:1] in (b"{", b"[") else "text"
    return f"nothing known (its first bytes are {start[:8]!r})"


def _is_text(start: bytes) -> bool:
    for cut in range(4):  # a character may be cut in two at the end
        try:
            text = start[: len(start) - cut].decode()
        except UnicodeDecodeError:
            continue
        return bool(text) and all(character.isprintable() or character.isspace() for character in text)
    return False
