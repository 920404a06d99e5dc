"""Loading what is trusted: the symbolic run first, then an unpickler that knows the admitted names and no others."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ..errors import LoadError, UntrustedError
from ..shipping.loading import Unpickler, read_stream
from .scanning import Scan, scanned
from .trusting import BY_VALUE, Trust

__all__ = ["load_trusted"]

_SHOWN = 20


class TrustedUnpickler(Unpickler):
    """An unpickler that finds what is in its table, and refuses everything else."""

    def __init__(self, stream: bytes, buffers: Sequence[Any], places: Mapping[str, str], table: dict[Any, Any]) -> None:
        super().__init__(io.BytesIO(stream), buffers=buffers, places=places)
        self.table = table

    def find_class(self, module: str, name: str) -> Any:
        """Find a name of the table; raises UntrustedError."""
        try:
            return self.table[module, name]
        except (KeyError, TypeError):
            full = f"{module}.{name}"
            raise UntrustedError(
                f"this file is refused: it looks up {full}, which was not seen before", [full]
            ) from None

    def persistent_load(self, pid: Any) -> NoReturn:
        """Refuse: a graphcopy stream has no such references."""
        raise UntrustedError("this file is refused: it refers to something outside of itself")


def load_trusted(stream: bytes, buffers: Sequence[Any], trust: Trust, places: Mapping[str, str]) -> Any:
    """Read a stream under an allow-list; raises UntrustedError before anything is built where it is refused."""
    scan = scanned(stream)
    _refuse(_refused_names(scan, trust), scan, places, trust)
    if scan.buffers > len(buffers):
        raise UntrustedError(f"this file is refused: it takes {scan.buffers} buffers, and has {len(buffers)}")
    table = {}
    refused = {}
    for module, name in scan.names:
        table[module, name], why = _resolved(trust, module, name, places)
        if why is not None:
            refused[f"{module}.{name}"] = why
    _refuse(refused, scan, places, trust)
    return read_stream(TrustedUnpickler(stream, buffers, places, table))


def _refused_names(scan: Scan, trust: Trust) -> dict[str, str]:
    refused = {}
    for module, name in scan.names:
        why = trust.refusal(module, name, called=(module, name) in scan.called)
        if why is not None:
            refused[f"{module}.{name}"] = why
    return refused


def _resolved(trust: Trust, module: str, name: str, places: Mapping[str, str]) -> tuple[Any, str | None]:
    try:
        return trust.resolve(module, name)
    except Exception as error:
        missing: LoadError = Unpickler(io.BytesIO(), places=places).missing(module, name, error)
        raise missing from error


def _refuse(refused: dict[str, str], scan: Scan, places: Mapping[str, str], trust: Trust) -> None:
    """Raise UntrustedError that names everything, if there is anything."""
    faults = scan.faults if BY_VALUE in refused.values() else [*scan.faults, *scan.doubts]
    if not refused and not faults:
        return
    lines = ["this file is not trusted, and nothing of it was built:"]
    for name, why in list(refused.items())[:_SHOWN]:
        where = f", at {places[name]}" if name in places else ""
        lines.append(f"  {name}{where}: {why}")
    if len(refused) > _SHOWN:
        lines.append(f"  ... and {len(refused) - _SHOWN} more, in .refused")
    lines += [f"  it holds {fault}" for fault in faults[:_SHOWN]]
    listable = [name for name, why in refused.items() if why != BY_VALUE]
    if listable:
        lines.append(
            f"If you know what these do and trust them: trusted=[..., {', '.join(map(repr, listable[:_SHOWN]))}]"
        )
    raise UntrustedError("\n".join(lines), list(refused))
