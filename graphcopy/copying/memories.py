"""Who looks into which memory: a look ahead over the graph, made when the first doubtful view is met.

A view over an array that is in the graph becomes a view over that array's copy. Views that overlap although
their base is not in the graph become views over one copy of the memory that they cover together. A view
that turns out to be alone is copied at its own size. All that has to be known before the first of them is
made, since what is built from arrays (a data frame, say) wants them complete.
"""

from __future__ import annotations

import array as arrays
import mmap
from typing import Any

from ..anatomy.arrays import may_share
from ..anatomy.mapped import map_again
from ..anatomy.memory import lone_copy, owner_of
from ..anatomy.views import groups_of, over_one_copy, view_over
from ..walk import Walk
from .engine import Signal

__all__ = ["Memories", "memories_of"]


def memories_of(run: Any) -> Memories:
    """What is known of memories in *run*; found out when it is first asked for."""
    if run.memories is None:
        run.memories = Memories(run)
    known: Memories = run.memories
    return known


class Memories:
    """The arrays of a graph, by the memory that they look into."""

    __slots__ = ("made", "mapped", "present", "views")

    def __init__(self, run: Any) -> None:
        import numpy

        walk = Walk(run.policy, run.known)
        graph = walk.run(run.root)
        run.keep.append(graph)  # holds what hooks have returned: it is known by id
        run.notes.extend(walk.notes)
        for place, outcome in graph.outcomes.items():  # so that no hook is asked again
            run.known.setdefault(id(graph.objs[place]), outcome)
        self.made: dict[int, Any] = {}  # by id of a view: its copy, made with its group
        self.mapped: dict[int, Any] = {}  # by id of a file map: the new map
        self.views: dict[int, list[Any]] = {}  # by id of a memory: the views that may share it
        bases: set[int] = set()
        for obj in graph.objs:
            if isinstance(obj, numpy.ndarray) and may_share(obj):
                owner, foreign = owner_of(obj)
                self.views.setdefault(id(owner if foreign is None else foreign), []).append(obj)
                bases.add(id(foreign))
                base = obj.base
                while isinstance(base, numpy.ndarray):
                    bases.add(id(base))
                    base = base.base
        self.present = {id(obj) for obj in graph.objs if id(obj) in bases}

    def copy(self, run: Any, view: Any) -> Any:
        """The copy of a view: over the copy of its base, over the copy of its group's stretch, or on its own."""
        made = self.made.get(id(view))
        if made is not None:
            return made
        new = self._over_base(run, view)
        if new is not None:
            return new
        owner, foreign = owner_of(view)
        rest = [each for each in self.views.get(id(owner if foreign is None else foreign), ()) if self._stands(each)]
        for group in groups_of(rest):
            if len(group) > 1:
                self.made.update((id(each), new) for each, new in zip(group, over_one_copy(group)))
        new = self.made.get(id(view))
        return lone_copy(view) if new is None else new

    def _stands(self, view: Any) -> bool:
        """Tell whether no base of *view* is in the graph."""
        base = view.base
        while base is not None and id(base) not in self.present:
            base = getattr(base, "base", None)
        return base is None

    def _over_base(self, run: Any, view: Any) -> Any:
        import numpy

        base = view.base
        while isinstance(base, numpy.ndarray):
            new = self._copied(run, base)
            if isinstance(new, numpy.ndarray):
                new = view_over(new, base, None, view)
                if new is not None:
                    return new
            base = base.base
        owner, foreign = owner_of(view)
        if foreign is None:
            return None
        under = self._copied(run, foreign)
        if under is None and isinstance(foreign, mmap.mmap):
            if id(foreign) not in self.mapped:
                self.mapped[id(foreign)] = map_again(owner, foreign)
            under = self.mapped[id(foreign)]
        elif under is not None and type(under).__module__.partition(".")[0] == "torch":
            under = under.detach().numpy()
        elif not isinstance(under, (bytearray, arrays.array, mmap.mmap)):
            return None
        return None if under is None else view_over(under, owner, foreign, view)

    def _copied(self, run: Any, base: Any) -> Any:
        """The copy of something that is in the graph: made now, if it is not there yet."""
        new = run.memo.get(id(base))
        if new is None and id(base) in self.present:
            enter = run.table[type(base)]
            new = None if enter is None else enter(run, base, id(base))
        return None if isinstance(new, Signal) else new
