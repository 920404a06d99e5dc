"""The newline that a text file was opened with: CPython keeps it, and shows it to the garbage collector only.

``io.TextIOWrapper`` has no attribute for it. What it refers to comes in a fixed order (``textiowrapper_traverse`` in
Modules/_io/textio.c, alike in 3.10 to 3.13): ..., the decoder, the newline unless it is None, the text read ahead if
there is some, the snapshot, the errors. A trial shows whether this Python does it so; where not, nothing is known.
"""

from __future__ import annotations

import gc
import io
import os
from functools import lru_cache
from typing import Any

__all__ = ["UNKNOWN", "newline_of"]

UNKNOWN: Any = object()
_NEWLINES = (None, "", "\n", "\r", "\r\n")


def newline_of(file: io.TextIOWrapper) -> str | Any | None:
    """The ``newline=`` of a file that is read; UNKNOWN where it cannot be told.

    >>> newline_of(io.TextIOWrapper(io.BytesIO(b"a"), newline="")), newline_of(io.TextIOWrapper(io.BytesIO(b"a")))
    ('', None)
    """
    return _newline_of(file) if _as_expected() else UNKNOWN


def _newline_of(file: io.TextIOWrapper) -> Any:
    referents = gc.get_referents(file)
    places = [place for place, each in enumerate(referents) if hasattr(each, "decode") and hasattr(each, "getstate")]
    if not places:
        return UNKNOWN
    universal = type(referents[places[-1]]) is io.IncrementalNewlineDecoder
    texts, following = [], None
    for following in referents[places[-1] + 1 :]:
        if type(following) is not str:
            break
        texts.append(following)
    if not universal:  # it is one of the other three, and stands first
        return texts[0] if texts and texts[0] in _NEWLINES[2:] else UNKNOWN
    if not texts or texts[0] != "":
        return None
    if len(texts) == 1 and type(following) is tuple and _at_end(file):
        return UNKNOWN  # this may as well be the text read ahead: nothing, at the end of the file
    return ""


def _at_end(file: io.TextIOWrapper) -> bool:
    try:
        raw: Any = file.buffer
        return bool(raw.tell() >= os.fstat(file.fileno()).st_size)
    except (OSError, ValueError):
        return True


@lru_cache(maxsize=1)
def _as_expected() -> bool:
    for newline in _NEWLINES:
        for read in (0, 1):
            file = io.TextIOWrapper(io.BytesIO(b"ab\r\ncd\n"), encoding="utf-8", newline=newline)
            file.readline() if read else None
            if _newline_of(file) != newline:
                return False
    return True
