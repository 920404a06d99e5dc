"""One copy in progress: the memo, the stack, and what is still in the making."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..anatomy.parts import ONLY_ONE, Outcome, Shared
from ..errors import NeedsGraph, Obstacle
from ..rules.asking import Asking, blamed
from ..rules.node import Node
from .collecting import pause, resume
from .engine import FLOOR, PENDING, PRUNED, Signal, drain
from .frames import Frame, Refill
from .unwinding import Mark

if TYPE_CHECKING:
    from ..graph.compact import CompactGraph

__all__ = ["Run"]


class Run(Asking):
    """The state of one copy.

    ``memo`` maps id(original) to its copy, and holds nothing else: it is what ``__deepcopy__`` hooks
    get to see. ``frames`` holds the objects in the making, ``keep`` keeps every original and every
    result of a hook alive to the end, since the memo knows them by id only.
    """

    __slots__ = (
        "ahead", "beyond", "broken", "deferred", "depth", "frames", "hastened", "keep", "known", "late", "memo",
        "memories", "notes", "only_ones", "opened", "policy", "raised", "root", "serial", "stack", "table", "waits",
    )  # fmt: skip

    def __init__(
        self,
        policy: Any,
        memo: dict[int, Any] | None = None,
        known: dict[int, Outcome] | None = None,
        careful: bool | None = None,
    ) -> None:
        self.policy = policy
        self.memo: dict[int, Any] = {} if memo is None else memo
        self.stack: dict[int, Any] = {}
        self.frames: dict[int, Frame] = {}
        # As copy.deepcopy does: whoever gives a memo finds under id(memo) what must stay alive as long as it.
        self.keep: list[Any] = [] if memo is None else memo.setdefault(id(memo), [])
        if careful is None:  # a copy in the memo may be None: looked for, unless the caller knows
            careful = memo is not None and any(new is None for new in memo.values())
        self.table = policy.new_table(careful=careful)
        self.late: list[Frame] = []
        self.waits: dict[int, list[Frame]] = {}
        self.opened: dict[int, Frame] = {}
        self.deferred: list[tuple[Any, ...]] = []
        self.known: dict[int, Any] = {} if known is None else known
        self.root: Any = None
        self.beyond: Callable[[Any], Any] | None = None  # copies what is not in the graph below the root, if it may
        self.hastened: set[int] = set()  # what is made out of turn just now
        self.ahead: CompactGraph | None = None  # the graph, where somebody had to look ahead
        self.broken: Obstacle | None = None  # a failure that a hook caught, but that left something half-made
        self.raised: dict[int, Obstacle] = {}  # by the id of an error that passes through a hook: where it came from
        self.notes: list[tuple[Any, Any]] = []
        self.only_ones: dict[int, Shared] = {}  # what turned out to be shared when it should have been made
        self.serial = 0
        self.depth = 0
        self.memories: Any = None  # what a look ahead has found of the memories under arrays

    def copy(self, root: Any, begin: Callable[[Any], Any] | None = None) -> Any:
        """Copy *root* and all that is reachable from it; ``begin(run)`` makes the copy of the root, if given."""
        self.root = root
        try:
            pause()
            box = self.nested(root) if begin is None else [begin(self)]
            if self.late or self.deferred:
                self.settle()
            for finish in self.policy.finishers:
                self.guard(root, finish, self)
        finally:
            try:
                resume()
            except BaseException:  # a signal handler raised in the midst of it
                resume()
                raise
        if self.broken is not None:
            raise self.broken
        if self.frames:
            frame = next((each for each in self.frames.values() if not each.exists), next(iter(self.frames.values())))
            reason = "what it is made from leads back to itself, so it would have to exist before it can be made"
            raise blamed(frame.parts, Obstacle(frame.original, reason))
        if box[0] is PRUNED:
            raise Obstacle(root, "a rule prunes the root: there is nothing to return")
        return box[0]

    def nested(self, obj: Any) -> list[Any]:
        """Work off *obj* above a floor; the result stands in the list that is returned."""
        box = [obj]
        serial = self.serial = self.serial - 2
        self.stack[serial + 1] = FLOOR
        self.stack[serial] = box
        drain(self)
        return box

    def tried(self, obj: Any) -> list[Any]:
        """Work off *obj* for a hook, which may catch the error when that fails: then nothing half-made is left."""
        box = [obj]
        self.tried_to(self.push, box)
        return box

    def tried_to(self, func: Callable[..., Any], *args: Any) -> None:
        """Call *func* above a floor and work off what it lays there, or take it all back."""
        mark = Mark(self, self.push(FLOOR))
        try:
            func(*args)
            drain(self)
        except BaseException as error:
            self.failed(mark, error)
            raise

    def failed(self, mark: Mark, error: BaseException) -> None:
        """Take back what was begun since *mark*; where that is not enough, the whole copy fails in the end."""
        if not mark.unwind(self, error) and self.broken is None and isinstance(error, Obstacle):
            self.broken = error

    def reaches(self, target: Any) -> bool:
        """Tell whether *target* is in the graph, by looking ahead; what that asks of hooks is not asked again."""
        if id(target) in self.memo or id(target) in self.frames:
            return True
        return id(target) in self.look_ahead().index

    def look_ahead(self) -> CompactGraph:
        """The graph below the root, walked once; what that asks of hooks and rules is not asked again."""
        if self.ahead is None:
            from ..walk import Walk

            graph = Walk(self.policy, self.known).run(self.root)
            self.keep.append(graph)
            for place, outcome in graph.outcomes.items():
                self.known.setdefault(id(graph.objs[place]), outcome)
            self.ahead = graph
        return self.ahead

    def node_of(self, obj: Any) -> Node:
        """What a rule gets to see of *obj*; it can ask for the path in the midst of the copy."""
        return Node(obj, look=self._look)

    def _look(self, obj: Any) -> tuple[CompactGraph, int]:
        key = ~id(obj)
        self.known[key] = obj  # the rule is being asked about this one already
        try:
            graph = self.look_ahead()
        finally:
            del self.known[key]
        place = graph.index.get(id(obj))
        if place is None:  # a hook made it meanwhile, or the graph has changed
            raise NeedsGraph
        return graph, place

    def settle(self) -> None:
        """Aim the weak references, and fill what had to wait for everything else."""
        while self.late or self.deferred:
            late, self.late = self.late, []
            self.push(FLOOR)
            for frame in late:
                frame.bind(self)
            drain(self)
            if not self.late:
                deferred, self.deferred = self.deferred, []
                for original, fill, *rest in deferred:
                    self.guard(original, fill, *rest)

    def originals(self) -> Iterator[Any]:
        """Everything that was copied so far."""
        for kept in list(self.keep):
            yield kept[0] if type(kept) is tuple and len(kept) == 2 and id(kept) not in self.memo else kept

    def copy_of(self, target: Any) -> Any:
        """The copy of *target*, or itself where it is not in the graph."""
        new = self.memo.get(id(target), PENDING)
        if new is PENDING:
            return target if self.beyond is None else self.beyond(target)
        return new

    # -- what the hot loop and the frames call ---------------------------------------------------

    def push(self, entry: Any) -> int:
        """Lay *entry* on the stack; return the key under which it lies there."""
        self.serial -= 1
        self.stack[self.serial] = entry
        return self.serial

    def lay(self, frame: Any, content: list[Any]) -> None:
        """Put *frame* on the stack, and its pieces above it."""
        frame.marker = marker = self.push(frame)
        self.stack[frame.key] = (marker, self.push(content))

    def wait(self, key: int, container: Any, place: Any) -> None:
        """Fill ``container[place]`` once the object with id *key* is there."""
        frame = self.frames[key]
        frame.waiters.append((container, place))
        self.keep.append(container)  # known by id below
        self.waits.setdefault(id(container), []).append(frame)

    def blocker(self, content: list[Any]) -> Frame | None:
        """A frame that one of the pieces still waits for."""
        frames = self.waits.get(id(content))
        while frames:
            if not frames[-1].exists:
                return frames[-1]
            frames.pop()
        if frames is not None:
            del self.waits[id(content)]
        return None

    def cut_from(self, top: int, signal: Signal) -> Any:
        """What stands in a list where a rule cuts: None for a user's list, the signal for a frame's pieces."""
        return None if top >= 0 else signal

    def rekey(self, top: int, clone: dict[Any, Any]) -> None:
        """Take out the entries from the first key on that is no atom; they go back in with copied keys."""
        table = self.table
        scanned = 0
        for name in clone:
            if type(name) is not str and table[type(name)] is not None:
                break
            scanned += 1
        pairs = iter(list(clone.items()))
        head = dict(islice(pairs, scanned))
        content = [piece for pair in pairs for piece in pair]
        clone.clear()
        clone.update(head)
        marker = self.push(Refill(top, clone, content))
        self.stack[top] = (marker, self.push(content))

    def enter(self, frame: Frame, new: Any) -> None:
        """Note that the object of *frame* exists, though it may not be complete."""
        self.memo[frame.key] = new
        self.opened[id(new)] = frame
        self._resume(frame)

    def stays(self, obj: Any) -> None:
        """Note that making *obj* anew gave *obj* itself: it is shared, and nothing is put into it."""
        self.keep.append(obj)
        self.only_ones[id(obj)] = ONLY_ONE

    def leave(self, frame: Frame) -> None:
        """Note that the object of *frame* is complete."""
        self.frames.pop(frame.key, None)
        self.opened.pop(id(frame.new), None)

    def _resume(self, frame: Frame) -> None:
        for waiting in frame.then:
            if not isinstance(waiting, Frame) or self.frames.get(waiting.key) is waiting:  # else it was taken back
                self.push(waiting)
        frame.then = []

    def fill(
        self, original: Any, fill: Callable[..., Any], new: Any, items: Sequence[Any], pairs: Sequence[Any]
    ) -> None:
        """Fill a container; where hashing a member needs the state of an object in the making, do it at the end."""
        hashed = [key for key, _ in pairs] if pairs else items if issubclass(type(new), (set, frozenset)) else ()
        if any(self._unfinished(member) for member in hashed):
            self.deferred.append((original, fill, new, items, pairs))
            return
        self.guard(original, fill, new, items, pairs)

    def _unfinished(self, member: Any) -> bool:
        opened = self.opened
        if not opened:
            return False
        pending, seen = [member], set()
        while pending:
            member = pending.pop()
            if id(member) in opened:
                hasher: Any = type(member).__hash__
                if hasher is not object.__hash__:
                    return True
            elif type(member) in (tuple, frozenset) and id(member) not in seen:
                seen.add(id(member))
                pending.extend(member)
        return False

    def guarded(self, frame: Frame, func: Callable[..., Any], *args: Any) -> Any:
        """Call code that may be the user's on behalf of *frame*."""
        try:
            return func(*args)
        except Obstacle:
            raise
        except BaseException as error:
            raise blamed(frame.parts, Obstacle.caused_by(frame.original, func, error)) from error

    def guard(self, original: Any, func: Callable[..., Any], *args: Any) -> Any:
        """Call code that may be the user's; what it raises is told with the object that it was called for."""
        try:
            return func(*args)
        except Obstacle:
            raise
        except BaseException as error:
            if type(original) is Refill:
                original = next((each for each in self.originals() if id(each) == original.key), self.root)
            raise Obstacle.caused_by(original, func, error) from error
