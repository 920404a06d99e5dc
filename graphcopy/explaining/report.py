"""The report: text with the path first, a page for notebooks, plain data for programs."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..anatomy.registry import dotted
from ..culprits import Culprit
from .grouping import Group, grouped

if TYPE_CHECKING:
    from ..graph.compact import CompactGraph
    from .hazard import Hazard
    from .sizes import Branch

__all__ = ["Report"]

_DETAILED = 40  # culprits with a paragraph of their own; more are shown in groups


class Report:
    """What stops one tool from copying an object, and what it would copy wrongly.

    backend
        The tool that was asked about.
    culprits
        The objects that stop it, in breadth-first order.
    hazards
        The objects that it would copy without an error, and wrongly.
    ok
        True when there are no culprits.

    ``str()`` gives the text, a notebook shows a table, ``to_dict`` gives plain data.

    >>> import graphcopy, threading
    >>> report = graphcopy.explain({"lock": threading.RLock()}, backend="deepcopy")
    >>> report.ok, [str(culprit.path) for culprit in report.culprits]
    (False, ["obj['lock']"])
    >>> report.culprits[0].reason
    "cannot pickle '_thread.RLock' object"
    """

    def __init__(
        self,
        backend: str,
        graph: CompactGraph,
        culprits: Sequence[Culprit],
        hazards: Sequence[Hazard],
        plan: Any = None,
    ) -> None:
        self.backend = backend
        self.compact = graph
        self.culprits = list(culprits)
        self.hazards = list(hazards)
        self.plan = plan

    @property
    def ok(self) -> bool:
        """Tell whether nothing stops the tool."""
        return not self.culprits

    @property
    def graph(self) -> Any:
        """What the tool would visit, as a networkx.MultiDiGraph."""
        from ..graph.networks import as_networkx

        return as_networkx(self.compact)

    def sizes(self, depth: int = 2) -> list[Branch]:
        """The heavy branches: bytes and nodes below each path of up to *depth* steps, heaviest first."""
        from .sizes import branches

        return branches(self.compact, depth)

    def __repr__(self) -> str:
        return f"<report on {self.backend}: {len(self.culprits)} culprits, {len(self.hazards)} hazards>"

    def __str__(self) -> str:
        lines = [self.headline()]
        if len(self.culprits) <= _DETAILED:
            lines += [f"  {one_line(culprit)}" for culprit in self.culprits]
            lines += ["", *self._details()] if self.culprits else []
        else:
            lines += [f"  {group}" for group in self.groups()]
            lines.append("  (all of them one by one: .culprits)")
        if self.hazards:
            lines += ["", "copied without an error, but wrongly:"]
            lines += [f"  {hazard}" for hazard in self.hazards[:_DETAILED]]
            if len(self.hazards) > _DETAILED:
                lines.append(f"  ... and {len(self.hazards) - _DETAILED:,} more, in .hazards")
        return "\n".join(lines)

    def headline(self) -> str:
        """The first line: what comes of it."""
        count = len(self.culprits)
        nodes = f"{len(self.compact):,} node{'s' if len(self.compact) != 1 else ''}"
        if not count:
            return f"{self.backend}: nothing stops it ({nodes})"
        return f"{self.backend}: {count:,} object{'s' if count > 1 else ''} cannot be copied ({nodes})"

    def groups(self) -> list[Group]:
        """The culprits by type, reason and common path."""
        return grouped(self.culprits)

    def _details(self) -> Iterable[str]:
        told: set[str] = set()
        for culprit in self.culprits:
            what = dotted(culprit.type)
            if what in told:
                continue
            told.add(what)
            yield f"{what}"
            if culprit.treatment:
                yield f"  graphcopy: {culprit.treatment}"
            for place, line in enumerate((culprit.advice, *culprit.alternatives)):
                yield f"  {'or ' if place else 'try'} {line}"
            if culprit.hint:
                yield f"  or  {culprit.hint}"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, without the values of the objects."""
        return {
            "backend": self.backend,
            "ok": self.ok,
            "nodes": len(self.compact),
            "culprits": [
                {
                    "path": str(culprit.path),
                    "type": dotted(culprit.type),
                    "reason": culprit.reason,
                    "ways": culprit.ways,
                    "advice": [culprit.advice, *culprit.alternatives],
                    "graphcopy": culprit.treatment,
                    "owner": None if culprit.owner is None else str(culprit.owner.path),
                }
                for culprit in self.culprits
            ],
            "hazards": [
                {"path": str(hazard.path), "type": dotted(type(hazard.obj)), "reason": hazard.reason}
                for hazard in self.hazards
            ],
        }

    def to_json(self, **options: Any) -> str:
        """The same as JSON; *options* go to ``json.dumps``."""
        return json.dumps(self.to_dict(), **options)

    def _repr_html_(self) -> str:
        def cells(*texts: str) -> str:
            return "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(text)}</td>" for text in texts) + "</tr>"

        rows = [cells(str(c.path), dotted(c.type), c.reason, c.advice) for c in self.culprits[:500]]
        head = "<tr><th>path</th><th>type</th><th>reason</th><th>advice</th></tr>"
        parts = [f"<p><b>{html.escape(self.headline())}</b></p>"]
        if rows:
            parts.append(f"<table>{head}{''.join(rows)}</table>")
        if len(self.culprits) > 500:
            parts.append(f"<p>... and {len(self.culprits) - 500:,} more, in .culprits</p>")
        if self.hazards:
            parts.append("<p><b>copied without an error, but wrongly</b></p>")
            hazards = [cells(str(h.path), dotted(type(h.obj)), h.reason) for h in self.hazards[:500]]
            parts.append(
                f"<table><tr><th>path</th><th>type</th><th>what goes wrong</th></tr>{''.join(hazards)}</table>"
            )
        return "".join(parts)

    def __rich_console__(self, console: Any, options: Any) -> Iterable[Any]:
        from rich.table import Table
        from rich.text import Text

        yield Text(self.headline(), style="bold red" if self.culprits else "bold green")
        if self.culprits:
            table = Table("path", "type", "reason", "advice", expand=False)
            for culprit in self.culprits[:200]:
                table.add_row(*map(Text, (str(culprit.path), dotted(culprit.type), culprit.reason, culprit.advice)))
            yield table
            if len(self.culprits) > 200:
                yield Text(f"... and {len(self.culprits) - 200:,} more, in .culprits")
        for hazard in self.hazards[:200]:
            yield Text(f"! {hazard}", style="yellow")


def one_line(culprit: Culprit) -> str:
    """Path, type, reason, and how many references lead there."""
    more = f" ({culprit.ways} references)" if culprit.ways > 1 else ""
    part = f" [part of {culprit.owner.path}]" if culprit.owner is not None else ""
    return f"{culprit.path}: {dotted(culprit.type)}: {culprit.reason}{more}{part}"
