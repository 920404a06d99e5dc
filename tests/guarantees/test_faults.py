"""When anything raises half-way: the original, the memo, the locks and the collector are as before."""

from __future__ import annotations

import collections
import copy
import gc
import sys
import threading

import pytest

import graphcopy

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

ERRORS = [ValueError, KeyboardInterrupt, MemoryError]
HOOKS = [
    "__reduce_ex__", "__getstate__", "__setstate__", "__hash__", "__eq__", "__setattr__", "__deepcopy__", "__new__",
    "rule", "func", "state_setter",
]  # fmt: skip


OFTEN = {"__hash__", "__eq__", "__new__", "state_setter"}  # asked of a class, of a number, or by containers


class Fuse:
    "Counts the visits of hooks, and blows at one of them."

    def __init__(self):
        self.visits: list = []
        self.at = None
        self.blown = None

    def pass_by(self, hook, obj):
        if not self.armed:
            return
        self.visits.append((hook, id(obj)))
        self.alive.append(obj)
        if self.at is not None and self.at[:2] == (hook, self.count(hook)):
            self.blown = obj
            raise self.at[2]

    def count(self, hook):
        return sum(1 for name, _ in self.visits if name == hook)

    armed = False

    def arm(self, at=None):
        self.visits, self.at, self.blown, self.alive, self.armed = [], at, None, [], True

    def disarm(self):
        self.armed, self.at = False, None


FUSE = Fuse()


class Reduced:
    def __init__(self, *pieces):
        self.pieces = pieces

    def __reduce_ex__(self, protocol):
        FUSE.pass_by("__reduce_ex__", self)
        return make, (Reduced, *self.pieces)


def make(cls, *pieces):
    FUSE.pass_by("func", pieces)
    return cls(*pieces)


class Shared:
    def __reduce_ex__(self, protocol):
        FUSE.pass_by("__reduce_ex__", self)
        return "SHARED"


SHARED = Shared()


class Setter:
    def __init__(self, piece):
        self.piece = piece

    def __reduce_ex__(self, protocol):
        FUSE.pass_by("__reduce_ex__", self)
        return copy.copy, (5,), self.piece, None, None, put


def put(new, state):
    FUSE.pass_by("state_setter", state)


class Stated:
    def __init__(self, *pieces):
        self.pieces = list(pieces)

    def __getstate__(self):
        FUSE.pass_by("__getstate__", self)
        self.mark = 1  # a bad habit that must not show
        self.pieces, pieces = None, self.pieces
        return {"pieces": pieces}

    def __setstate__(self, state):
        FUSE.pass_by("__setstate__", self)
        self.pieces = state["pieces"]


class Key:
    def __init__(self, number, piece=None):
        self.number, self.piece = number, piece

    def __hash__(self):
        FUSE.pass_by("__hash__", self)
        return 7

    def __eq__(self, other):
        FUSE.pass_by("__eq__", self)
        return self is other


class Slotted:
    __slots__ = ("piece",)

    def __init__(self, piece):
        object.__setattr__(self, "piece", piece)

    def __getstate__(self):
        FUSE.pass_by("__getstate__", self)
        return None, {"piece": self.piece}

    def __setattr__(self, name, value):
        FUSE.pass_by("__setattr__", self)
        object.__setattr__(self, name, value)


class Hooked:
    def __init__(self, *pieces):
        self.pieces = pieces

    def __deepcopy__(self, memo):
        FUSE.pass_by("__deepcopy__", self)
        return Hooked(*[copy.deepcopy(piece, memo) for piece in self.pieces])


class New:
    def __new__(cls, *args):
        FUSE.pass_by("__new__", cls)
        return object.__new__(cls)


class Ruled:
    def __init__(self, *pieces):
        self.pieces = pieces


@graphcopy.rule(Ruled)
def ruled(node):
    FUSE.pass_by("rule", node.obj)
    return NotImplemented


@graphcopy.rule(set)
def asks_for_paths(node):
    str(node.path)
    return NotImplemented


def everything():
    shared = [1, [2]]
    lock = threading.Lock()
    keys = [Key(number, shared) for number in range(3)]
    new = New()
    new.piece = shared
    ruled = Ruled(shared, keys[0])
    reduced = Reduced(shared, Stated(shared, keys[1]))
    return [
        shared, (shared, lock), reduced, Stated(reduced, shared), Setter(shared), {keys[0]: keys, keys[1]: 1},
        set(keys), Slotted(shared), Hooked(shared, reduced, Hooked(Stated(shared))), new, ruled, [ruled],
        collections.OrderedDict(k=ruled), SHARED, [SHARED], lambda: (shared, ruled), Reduced(Slotted(keys)),
    ]  # fmt: skip


def nodes_of(root):
    return graphcopy.plan(root).compact.objs


def counts(objs):
    return [sys.getrefcount(each) for each in objs]


@pytest.fixture(autouse=True)
def disarmed():
    yield
    FUSE.disarm()


def visits_of(root, rules):
    FUSE.arm()
    graphcopy.copy(root, rules=rules)
    visits = FUSE.visits
    FUSE.disarm()
    FUSE.alive, FUSE.blown = [], None
    return visits


@pytest.mark.parametrize("rules", [[ruled], [ruled, asks_for_paths]], ids=["one pass", "by the graph"])
def test_no_hook_is_called_twice(rules):
    root = everything()
    visits = visits_of(root, rules)
    assert {hook for hook, _ in visits} == set(HOOKS)
    count = collections.Counter(visits)
    twice = {visit[0] for visit, times in count.items() if times > 1} - {
        "__hash__",
        "__eq__",
        "__new__",
        "state_setter",
    }
    assert not twice


def test_a_rule_that_asks_for_paths_late_repeats_nothing():
    calls = []

    class Late(Hooked):
        def __deepcopy__(self, memo):
            calls.append("hook")
            return super().__deepcopy__(memo)

    class Last:
        pass

    @graphcopy.rule(Last)
    def where(node):
        calls.append(str(node.path))
        return NotImplemented

    last = Last()
    root = [Late([1]), Stated(1), last, [Last(), last]]
    new = graphcopy.copy(root, rules=[where])
    assert new[2] is new[3][1] is not last
    assert sorted(calls) == ["hook", "obj[2]", "obj[3][0]"]


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("error", ERRORS)
def test_a_fault_leaves_everything_as_it_was(hook, error):
    root, twin = everything(), everything()
    objs = nodes_of(root)
    times = sum(1 for name, _ in visits_of(root, [ruled]) if name == hook)
    assert times
    gc.collect()
    before = counts(objs)
    for visit in range(1, times + 1):
        raised = error(f"visit {visit}")
        memo: dict = {}
        FUSE.arm((hook, visit, raised))
        with pytest.raises(graphcopy.CopyError if error is ValueError else error) as caught:
            graphcopy.copy(root, rules=[ruled], memo=memo)
        visits, blown = FUSE.visits, FUSE.blown
        FUSE.disarm()
        again = {name for (name, _), count in collections.Counter(visits).items() if count > 1}
        assert not again - OFTEN, f"called twice: {again}"
        check_error(caught.value, raised, root, blown)
        assert not memo.get(id(memo)) and len(memo) <= 1
        assert gc.isenabled()
        del caught, raised, blown
        FUSE.alive, FUSE.blown = [], None
    assert root[1][1].acquire(False)
    root[1][1].release()
    found = graphcopy.compare(root, twin)
    assert [each for each in found.differences if each.kind != "value"] == [], str(found)
    del found  # it holds both graphs
    gc.collect()
    after = counts(objs)
    assert after == before, [(objs[place], b, a) for place, (b, a) in enumerate(zip(before, after)) if a != b]


def check_error(error, raised, root, blown):
    if isinstance(error, graphcopy.CopyError):
        assert raised in [culprit.cause for culprit in error.culprits]
        culprit = next(culprit for culprit in error.culprits if culprit.cause is raised)
        assert culprit.path.follow(root) is culprit.obj
        assert error.__cause__ is raised
    else:
        assert error is raised and error.__cause__ is None
        assert any(note.startswith("while copying obj") for note in error.__notes__)


def test_an_interrupt_passes_through_a_hook_that_catches_exceptions():
    class Lenient(Hooked):
        def __deepcopy__(self, memo):
            try:
                return super().__deepcopy__(memo)
            except Exception:
                return None

    root = [Lenient(Stated(1))]
    FUSE.arm(("__getstate__", 1, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt) as caught:
        graphcopy.copy(root)
    assert caught.value.__notes__ == ["while copying obj[0].pieces[0]"]


def test_a_second_fault_while_explaining():
    class Bad:
        def __init__(self, error):
            self.error = error

        def __reduce__(self):
            raise self.error

    interrupt = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt) as caught:
        graphcopy.copy([Bad(ValueError()), Bad(interrupt)])
    assert caught.value is interrupt
    first = MemoryError()
    with pytest.raises(MemoryError) as caught:
        graphcopy.copy([Bad(first), Bad(interrupt)])
    assert caught.value is first


def test_all_faults_are_named_at_once():
    class Bad:
        def __reduce__(self):
            raise ValueError("bad")

    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.copy([Bad(), {"k": Bad()}, (x for x in "ab")])
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj[0]", "obj[2]", "obj[1]['k']"]
    assert "ValueError: bad" in str(caught.value)


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="this system has no interval timer")
@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
def test_interrupts_at_any_moment():
    "Not out of a hook: out of a signal handler, anywhere in the copier."
    import random
    import signal

    class Interrupt(BaseException):
        pass

    def interrupt(*_):
        raise Interrupt

    root = [{"k": (n, [n]), "s": {n, (n, n)}, "f": lambda n=[n]: n, "r": Reduced(n)} for n in range(300)]
    graphcopy.copy(root)  # an import that is interrupted leaves half a module: that is Python's
    before = signal.signal(signal.SIGALRM, interrupt)
    generator = random.Random(1)
    interrupted = 0
    try:
        for _ in range(150):
            memo: dict = {}
            try:
                signal.setitimer(signal.ITIMER_REAL, generator.uniform(0.0001, 0.02))
                graphcopy.copy(root, memo=memo)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Interrupt:
                interrupted += 1
                if set(memo) - {id(memo)}:  # it came on the way out, when the copy was complete
                    assert graphcopy.compare(root, memo[id(root)]).ok
            assert gc.isenabled()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted
    assert graphcopy.compare(root, graphcopy.copy(root)).ok
