"""Files written whole or not at all: what stands under the path is the old file until the new one is complete."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterable
from typing import Any

__all__ = ["write_whole"]

_PERMISSIONS = 0o7777


def write_whole(path: Any, pieces: Iterable[Any]) -> None:
    """Write *pieces* to a new file beside *path*, and put it in its place when all is on the disk.

    A file that is there keeps its permission bits; of a symbolic link the file that it leads to is replaced. What is
    no regular file (a pipe, ``/dev/stdout``) is written to as it is. Raises OSError.
    """
    target = os.path.realpath(os.fsdecode(path))
    try:
        there = os.stat(target)
    except FileNotFoundError:
        there = None
    if there is not None and not stat.S_ISREG(there.st_mode):
        with open(target, "wb") as file:
            _write(file, pieces)
        return
    folder, name = os.path.split(target)
    beside = os.path.join(folder, f".{name[:50]}.{secrets.token_hex(8)}.tmp")
    mode = 0o666 if there is None else there.st_mode & 0o777
    opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with open(opened, "wb") as file:
            _write(file, pieces)
            if there is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), there.st_mode & _PERMISSIONS)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise
    _sync_folder(folder)


def _write(file: Any, pieces: Iterable[Any]) -> None:
    for piece in pieces:
        file.write(piece)


def _sync_folder(folder: str) -> None:
    """Have the new entry of the folder on the disk, too."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows writes it along
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
