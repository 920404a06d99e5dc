"""Compressors of lzma and bz2: they show nothing of their state, and a fresh one in midstream would write nonsense."""

from __future__ import annotations

from typing import Any

from .parts import Outcome, Refused
from .registry import anatomy

__all__ = ["opaque"]


@anatomy("_lzma.LZMACompressor", "_lzma.LZMADecompressor", "_bz2.BZ2Compressor", "_bz2.BZ2Decompressor")
def opaque(obj: Any, context: Any) -> Outcome:
    """What has gone through such a stream cannot be told (zlib's can be copied)."""
    name = type(obj).__qualname__
    return Refused(f"a {name} does not show what has gone through it, so it cannot go on in a copy (one of zlib can)")
