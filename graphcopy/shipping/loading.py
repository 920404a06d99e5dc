"""Reading streams, and saying what went wrong."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from ..copying.collecting import pause, resume
from ..errors import LoadError
from .foreign import looks_like

__all__ = ["Unpickler", "read_stream", "unpickled"]

_INSTALL = "Install it here, or write the object with by_value=[{module!r}] to take it along."
_CUT_OFF = ("truncated", "Ran out of input", "exhausted before end of frame")


class Unpickler(pickle.Unpickler):
    """Reads a stream; what it misses here it names.

    *places* tells for a module or a dotted name under which path it stood in the object.
    """

    def __init__(self, file: Any, *, buffers: Iterable[Any] | None = None, places: Mapping[str, str] | None = None):
        super().__init__(file, buffers=buffers)
        self.places = places or {}

    def find_class(self, module: str, name: str) -> Any:
        """Find what stands under *name* in *module*; raises LoadError where it is not."""
        try:
            return super().find_class(module, name)
        except LoadError:
            raise
        except Exception as error:
            found = _of_parent(module, name)
            if found is None:
                raise self.missing(module, name, error) from error
            return found

    def missing(self, module: str, name: str, error: Exception) -> LoadError:
        """Say that *name* of *module* is not here."""
        full = f"{module}.{name}"
        if isinstance(error, ModuleNotFoundError) and error.name and _is_part(error.name, module):
            why = f"there is no module {error.name!r} here"
        elif isinstance(error, ImportError):
            why = f"importing {module!r} fails here: {error}"
        elif isinstance(error, AttributeError):
            why = f"the module {module!r} is here and has no {name!r}: it may be of another version"
        else:
            why = f"importing {module!r} raises {type(error).__name__} here: {error}"
        return _missing(full, module, why, self.places.get(full) or self.places.get(module))


def _of_parent(module: str, name: str) -> Any:
    """What stands under *name* in the parent of a private module, where another version of the library has it.

    The pathlib of Python 3.13 says that its classes are of ``pathlib._local``.
    """
    parent, _, last = module.rpartition(".")
    return getattr(sys.modules.get(parent), name, None) if last.startswith("_") else None


def _is_part(missing: str, module: str) -> bool:
    return module == missing or module.startswith(missing + ".")


def _missing(full: str, module: str, why: str, path: str | None) -> LoadError:
    where = f" It stood at {path}." if path else ""
    advice = _INSTALL.format(module=module.partition(".")[0] if why.startswith("there is no") else module)
    return LoadError(f"{full} is needed and cannot be had: {why}.{where} {advice}", missing=full, path=path)


def unpickled(data: Any, buffers: Iterable[Any] | None = None) -> Any:
    """Read a bare stream; raises LoadError."""
    with memoryview(data) as view:
        start = bytes(view[:512])
    if start[:1] != b"\x80":
        raise LoadError(f"this is no stream of graphcopy.dumps: it looks like {looks_like(start)}")
    return read_stream(Unpickler(io.BytesIO(data), buffers=buffers))


def read_stream(unpickler: Unpickler) -> Any:
    """Let *unpickler* read; what it raises becomes a LoadError."""
    try:
        pause()
        return unpickler.load()
    except (LoadError, MemoryError):
        raise
    except ModuleNotFoundError as error:  # out of a function that imports on arrival
        module = error.name or str(error)
        why = f"there is no module {module!r} here"
        raise _missing(module, module, why, unpickler.places.get(module)) from error
    except (pickle.UnpicklingError, EOFError) as error:
        text = str(error)
        if "out-of-band" in text:
            raise LoadError(
                f"this stream was written with buffers=: hand them over in the same order ({text})"
            ) from error
        cut_off = "is cut off or damaged" if any(each in text for each in _CUT_OFF) else "is damaged, or no such stream"
        raise LoadError(f"this stream {cut_off}: {text}") from error
    except Exception as error:
        raise LoadError(
            f"what arrived cannot be built here: {type(error).__name__}: {error}. Either a class refuses it (the cause "
            "of this error shows where), or the stream is damaged"
        ) from error
    finally:
        try:
            resume()
        except BaseException:  # a signal handler raised in the midst of it
            resume()
            raise
