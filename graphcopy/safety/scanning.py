"""What a stream would do, found out without doing it: a symbolic run over all its opcodes.

The run keeps a stack and a memo like the unpickler's, with a stand-in for every value. So each name that the
stream looks up is known before anything is imported, and so is what is called, built or filled. Only the opcodes
are known that streams of graphcopy consist of; all others are found fault with.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from typing import Any, NoReturn

from .arrays import DTYPE, is_plain_dtype
from .guards import CALLABLE

__all__ = ["Scan", "scanned"]

_HASHED_PER_OPCODE = 100
_HASHED_ANYWAY = 1_000_000
_FILLS = ("graphcopy.shipping.reduced", "complete")  # puts keys into dicts and members into sets


class Value:
    """Stands for a value on the stack: its kind, what is known of it, and the size that it unfolds to."""

    __slots__ = ("content", "given", "kind", "size")

    def __init__(self, kind: str, content: Any = None, size: int = 1) -> None:
        self.kind = kind
        self.content = content
        self.size = size
        self.given: Value | None = None  # the arguments that it was made of


_ATOM = Value("atom", NotImplemented)  # some atom or other


class _Fault(Exception):
    """The run cannot go on (internal)."""


class Scan:
    """What was found.

    ``names`` maps (module, name) to the place where it is looked up first, ``called`` holds those that are called.
    ``faults`` tells what no stream of graphcopy holds, ``doubts`` what only those hold that nobody can trust unseen.
    ``end`` is the place behind the last opcode, ``buffers`` counts those taken from beside the stream.
    """

    def __init__(self) -> None:
        self.names: dict[tuple[str, str], int] = {}
        self.called: set[tuple[str, str]] = set()
        self.faults: list[str] = []
        self.doubts: list[str] = []
        self.end = 0
        self.buffers = 0
        self._stack: list[Value] = []
        self._below: list[list[Value]] = []  # the stacks below the marks
        self._memo: list[Value] = []
        self._count = 0
        self._hashed = 0
        self._place = 0
        self._length = 0

    def run(self, stream: Any) -> None:
        """Go over all opcodes of *stream*; stop at the first one that cannot be followed."""
        steps = _STEPS
        self._length = len(stream)
        try:
            for opcode, argument, place in pickletools.genops(stream):
                step = steps.get(opcode.name)
                self._place = place or 0
                self._count += 1
                if step is None:
                    self._stop(f"the opcode {opcode.name}, which no stream of graphcopy has")
                step(self, argument)
        except _Fault:
            return
        except (ValueError, EOFError, OverflowError, IndexError, RecursionError) as error:
            self._fault(f"what is no opcode, or is cut off: {error}")
            return
        self.end = self._place + 1
        if self.end != len(stream):
            self._fault(f"{len(stream) - self.end:,} bytes behind its end")
        if len(self._stack) != 1 or self._below:
            self._fault("values that are left over at its end")

    def _fault(self, text: str) -> None:
        self.faults.append(f"{text} (at byte {self._place:,})")

    def _doubt(self, text: str) -> None:
        """Note what a stream with code by value may do, and none that is to be trusted."""
        self.doubts.append(f"{text} (at byte {self._place:,})")

    def _stop(self, text: str) -> NoReturn:
        self._fault(text)
        raise _Fault

    # -- the stack -----------------------------------------------------------------------------------

    def _pop(self) -> Value:
        if not self._stack:
            self._stop("a value taken from an empty stack")
        return self._stack.pop()

    def _top(self) -> Value:
        if not self._stack:
            self._stop("a value taken from an empty stack")
        return self._stack[-1]

    def _to_mark(self) -> list[Value]:
        if not self._below:
            self._stop("a mark that is not there")
        found = self._stack
        self._stack = self._below.pop()
        return found

    def push(self, value: Value) -> None:
        """Put *value* on the stack."""
        self._stack.append(value)

    # -- the opcodes -----------------------------------------------------------------------------------

    def protocol(self, argument: int) -> None:
        """Take the protocol: older ones give names another meaning."""
        if argument != 5 or self._count != 1:
            self._stop(f"protocol {argument}, where protocol 5 is due at the beginning")

    def nothing(self, argument: Any) -> None:
        """Do nothing."""

    def frame(self, argument: int) -> None:
        """Begin a frame: so many bytes are read at once."""
        if argument > self._length - self._place - 9:
            self._stop("a frame that goes beyond the end")

    def atom(self, argument: Any) -> None:
        """Push a number, bytes, or another atom."""
        self.push(_ATOM)

    def number(self, argument: int) -> None:
        """Push an int."""
        self.push(Value("atom", argument))

    def none(self, argument: Any) -> None:
        """Push None."""
        self.push(Value("atom", None))

    def text(self, argument: str) -> None:
        """Push a str."""
        self.push(Value("text", argument))

    def buffer(self, argument: Any) -> None:
        """Push a buffer from beside the stream."""
        self.buffers += 1
        self.push(Value("buffer"))

    def read_only(self, argument: Any) -> None:
        """Make the buffer on top read-only."""
        if self._top().kind != "buffer":
            self._stop("a read-only view of what is no buffer")

    def mark(self, argument: Any) -> None:
        """Set a mark."""
        self._below.append(self._stack)
        self._stack = []

    def pop(self, argument: Any) -> None:
        """Drop the top, which may be a mark."""
        if self._stack:
            self._stack.pop()
        else:
            self._to_mark()

    def pop_mark(self, argument: Any) -> None:
        """Drop all down to the mark."""
        self._to_mark()

    def memoize(self, argument: Any) -> None:
        """Enter the top in the memo."""
        self._memo.append(self._top())

    def fetch(self, argument: int) -> None:
        """Push what is in the memo."""
        if not 0 <= argument < len(self._memo):
            self._stop(f"number {argument} of the memo, which has {len(self._memo)}")
        self.push(self._memo[argument])

    def empty(self, kind: str) -> None:
        """Push an empty container."""
        self.push(Value(kind, [] if kind == "tuple" else None))

    def tuple_of(self, items: list[Value]) -> None:
        """Push a tuple."""
        self.push(Value("tuple", items, 1 + sum(each.size for each in items)))

    def short_tuple(self, count: int) -> None:
        """Make a tuple of the top *count*."""
        self.tuple_of([self._pop() for _ in range(count)][::-1])

    def long_tuple(self, argument: Any) -> None:
        """Make a tuple of all down to the mark."""
        self.tuple_of(self._to_mark())

    def frozenset_of(self, argument: Any) -> None:
        """Make a frozenset of all down to the mark."""
        items = self._to_mark()
        self._hash(items)
        self.push(Value("frozenset", None, 1 + sum(each.size for each in items)))

    def append(self, argument: Any) -> None:
        """Append the top to what lies below."""
        self._fill("list", [self._pop()])

    def appends(self, argument: Any) -> None:
        """Append all down to the mark to what lies below it."""
        self._fill("list", self._to_mark())

    def add_items(self, argument: Any) -> None:
        """Add all down to the mark to the set below it."""
        items = self._to_mark()
        self._hash(items)
        self._fill("set", items)

    def set_item(self, argument: Any) -> None:
        """Set one item of the dict below."""
        value, key = self._pop(), self._pop()
        self._pairs([key, value])

    def set_items(self, argument: Any) -> None:
        """Set items of the dict below the mark."""
        self._pairs(self._to_mark())

    def _pairs(self, pieces: list[Value]) -> None:
        if len(pieces) % 2:
            self._stop("a key without a value")
        self._hash(pieces[::2])
        self._fill("dict", pieces)

    def _fill(self, kind: str, pieces: list[Value]) -> None:
        target = self._top()
        if target.kind not in (kind, "made"):
            self._stop(f"contents put into a {target.kind}")
        target.size = min(target.size + sum(each.size for each in pieces), 1 << 62)

    def _hash(self, members: list[Value]) -> None:
        """Count what hashing costs: a tuple of tuples of tuples ... may unfold to more than anybody can hash."""
        self._hashed += sum(each.size for each in members)
        if self._hashed > _HASHED_ANYWAY + _HASHED_PER_OPCODE * self._count:
            self._stop("keys that unfold to more than can be hashed in reasonable time")

    def look_up(self, argument: Any) -> None:
        """Look a name up in a module."""
        name, module = self._pop(), self._pop()
        if name.kind != "text" or module.kind != "text":
            self._stop("a name that is worked out by the stream itself")
        self.names.setdefault((module.content, name.content), self._place)
        self.push(Value("global", (module.content, name.content)))

    def call(self, argument: Any) -> None:
        """Call what was looked up with a tuple of arguments."""
        args, func = self._pop(), self._pop()
        self._make(func, [args])

    def new(self, argument: Any) -> None:
        """Make an instance of a class that was looked up."""
        self.call(argument)

    def new_with_keywords(self, argument: Any) -> None:
        """Make an instance with keyword arguments."""
        keywords, args, cls = self._pop(), self._pop(), self._pop()
        if keywords.kind != "dict":
            self._stop("keyword arguments that are no dict")
        self._make(cls, [args, keywords])

    def _make(self, func: Value, given: list[Value]) -> None:
        if func.kind == "global":
            self.called.add(func.content)
            if func.content == _FILLS:
                self._hash(given)
        elif func.kind != "made" or func.content not in CALLABLE:
            self._doubt(f"a call of what was not looked up by its name, but is a {func.kind}")
        if given[0].kind != "tuple":
            self._stop("arguments that are no tuple")
        content = func.content if func.kind == "global" else None
        made = Value("made", content, min(1 + func.size + sum(each.size for each in given), 1 << 62))
        made.given = given[0]
        self.push(made)

    def build(self, argument: Any) -> None:
        """Give the object below its state."""
        state, target = self._pop(), self._top()
        if target.kind != "made":
            self._stop(f"a state given to a {target.kind}, as if it were an instance")
        if target.content == DTYPE and not is_plain_dtype(target.given, state):
            self._doubt("a numpy dtype with fields or objects")  # they may point anywhere in memory
        if target.content in CALLABLE:
            self._doubt("a state given to a helper")
        target.size = min(target.size + state.size, 1 << 62)


def _with(method: Callable[[Scan, Any], None], fixed: Any) -> Callable[[Scan, Any], None]:
    return lambda scan, _: method(scan, fixed)


_STEPS: dict[str, Callable[[Scan, Any], None]] = {
    "PROTO": Scan.protocol, "FRAME": Scan.frame, "STOP": Scan.nothing, "MARK": Scan.mark, "POP": Scan.pop,
    "POP_MARK": Scan.pop_mark, "MEMOIZE": Scan.memoize, "BINGET": Scan.fetch, "LONG_BINGET": Scan.fetch,
    **dict.fromkeys(
        ["NEWTRUE", "NEWFALSE", "LONG1", "LONG4", "BINFLOAT", "SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8"],
        Scan.atom),
    **dict.fromkeys(["BININT", "BININT1", "BININT2"], Scan.number), "NONE": Scan.none,
    **dict.fromkeys(["SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"], Scan.text),
    "NEXT_BUFFER": Scan.buffer, "READONLY_BUFFER": Scan.read_only,
    "EMPTY_TUPLE": _with(Scan.empty, "tuple"), "EMPTY_LIST": _with(Scan.empty, "list"),
    "EMPTY_DICT": _with(Scan.empty, "dict"), "EMPTY_SET": _with(Scan.empty, "set"),
    "TUPLE1": _with(Scan.short_tuple, 1), "TUPLE2": _with(Scan.short_tuple, 2), "TUPLE3": _with(Scan.short_tuple, 3),
    "TUPLE": Scan.long_tuple, "FROZENSET": Scan.frozenset_of, "APPEND": Scan.append, "APPENDS": Scan.appends,
    "ADDITEMS": Scan.add_items, "SETITEM": Scan.set_item, "SETITEMS": Scan.set_items, "STACK_GLOBAL": Scan.look_up,
    "REDUCE": Scan.call, "NEWOBJ": Scan.new, "NEWOBJ_EX": Scan.new_with_keywords, "BUILD": Scan.build,
}  # fmt: skip


def scanned(stream: Any) -> Scan:
    """Go over *stream* without building anything.

    >>> import graphcopy, fractions
    >>> found = scanned(graphcopy.dumps([fractions.Fraction(1, 2)]))
    >>> list(found.names), found.faults
    ([('fractions', 'Fraction')], [])
    """
    found = Scan()
    found.run(stream)
    return found
