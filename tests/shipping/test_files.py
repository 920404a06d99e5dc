"""Files: a header that can be read without unpickling, a signature, all or nothing on the disk."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import random
import resource
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
import zipfile
from collections import deque

import pytest
from fresh_process import ROOT

import graphcopy
from graphcopy import LoadError, SignatureError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.graphcopy"


def sample():
    lock = threading.RLock()
    return {"lock": lock, "again": lock, "items": deque([1, (2,)]), "see": lambda: lock}


def test_there_and_back(path):
    graphcopy.dump(sample(), path)
    arrived = graphcopy.load(path)
    assert arrived["lock"] is arrived["again"] is arrived["see"]() and arrived["items"] == deque([1, (2,)])


@pytest.mark.parametrize("kind", [str, os.fsencode, lambda path: path])
def test_paths_of_all_kinds(path, kind):
    graphcopy.dump([1], kind(path))
    assert graphcopy.load(kind(path)) == [1]


def test_several_objects_in_one_open_file():
    file = io.BytesIO()
    for each in (1, "two", [3]):
        graphcopy.dump(each, file, key=b"k")
    file.seek(0)
    assert [graphcopy.load(file, key=b"k") for _ in range(3)] == [1, "two", [3]]
    with pytest.raises(LoadError, match="empty"):
        graphcopy.load(file, key=b"k")


def test_files_for_text_are_refused(tmp_path):
    with open(tmp_path / "text", "w") as file, pytest.raises(TypeError, match="'wb'"):
        graphcopy.dump(1, file)
    with open(tmp_path / "text") as file, pytest.raises(TypeError, match="'rb'"):
        graphcopy.load(file)
    with pytest.raises(TypeError, match="a path"):
        graphcopy.dump(1, 5)


def test_the_header_is_json_that_can_be_read_without_unpickling(path):
    graphcopy.dump(sample(), path)
    data = path.read_bytes()
    start = data.index(b"{")
    header, _ = json.JSONDecoder().raw_decode(data[start:].decode("utf-8", "replace"))
    assert header["format"] == 1 and header["graphcopy"] == graphcopy.__version__
    assert header["python"] == "{}.{}.{}".format(*sys.version_info)
    assert header["receipt"]["fresh"] == {"_thread.RLock": 1}


def test_versions_of_libraries_are_in_the_header(path):
    numpy = pytest.importorskip("numpy")
    graphcopy.dump(numpy.arange(3), path)
    assert json.dumps({"numpy": numpy.__version__}, separators=(",", ":")).encode() in path.read_bytes()


# -- what stands under the path ------------------------------------------------------------------------


def test_culprits_are_told_before_a_byte_is_written(path):
    path.write_bytes(b"old")
    with pytest.raises(graphcopy.CopyError) as caught:
        graphcopy.dump([(i for i in "a"), {"k": (i for i in "b")}], path)
    assert len(caught.value.culprits) == 2
    assert path.read_bytes() == b"old" and os.listdir(path.parent) == [path.name]
    file = io.BytesIO()
    with pytest.raises(graphcopy.CopyError):
        graphcopy.dump((i for i in "a"), file)
    assert not file.getvalue()


def test_permission_bits_are_kept(path):
    old = os.umask(0o027)
    try:
        graphcopy.dump(1, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        for mode in (0o600, 0o666, 0o444):
            path.chmod(mode)
            graphcopy.dump(2, path)
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(old)


def test_a_symbolic_link_stays_one(path, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(path)
    graphcopy.dump([1], link)
    graphcopy.dump([2], link)
    assert link.is_symlink() and graphcopy.load(path) == [2]


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(graphcopy.load(pipe)))
    reader.start()
    graphcopy.dump([1], pipe)
    reader.join(20)
    assert found == [[1]] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        graphcopy.dump(1, tmp_path / "nowhere" / "file")
    with pytest.raises(FileNotFoundError):
        graphcopy.load(tmp_path / "nothing")


def test_an_interruption_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    graphcopy.dump("old", path)

    def interrupted(file):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        graphcopy.dump("new", path)
    monkeypatch.undo()
    assert graphcopy.load(path) == "old" and os.listdir(path.parent) == [path.name]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)], capture_output=True)
    if done.returncode:
        pytest.skip("no small file system can be mounted here: " + done.stderr.decode()[:100])
    try:
        path = small / "state"
        graphcopy.dump(bytes(100_000), path)
        with pytest.raises(OSError) as caught:
            graphcopy.dump(random.randbytes(200_000), path)
        assert caught.value.errno == errno.ENOSPC
        assert graphcopy.load(path) == bytes(100_000) and os.listdir(small) == ["state"]
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_limit_of_file_size_leaves_the_old_file(path):
    graphcopy.dump("old", path)
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        with pytest.raises(OSError) as caught:
            graphcopy.dump(random.randbytes(100_000), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert caught.value.errno == errno.EFBIG
    assert graphcopy.load(path) == "old" and os.listdir(path.parent) == [path.name]


WRITER = """
import sys
sys.path.insert(0, {root!r})
import graphcopy
for n in range(1, 1_000_000):
    graphcopy.dump([n] * 20_000 + [bytes([n % 256]) * 300_000], {path!r}, key=b"k")
    print(n, flush=True)
"""


def test_a_kill_leaves_a_whole_file(path):
    code = textwrap.dedent(WRITER.format(root=ROOT, path=str(path)))
    chance = random.Random(7)
    for _ in range(12):
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(chance.random() * 0.05)
            writer.kill()
        found = graphcopy.load(path, key=b"k")
        assert len(found) == 20_001 and found[-1] == bytes([found[0] % 256]) * 300_000


# -- signatures ----------------------------------------------------------------------------------------


class Canary:
    """Says that it was unpickled."""

    sung: list = []

    def __reduce__(self):
        return (Canary.sung.append, (1,))


def test_a_signature_is_verified_before_the_first_byte_is_unpickled(path, monkeypatch):
    monkeypatch.setattr(Canary, "sung", [])
    graphcopy.dump([Canary()], path, key=b"right")
    with pytest.raises(SignatureError, match="not signed by this key"):
        graphcopy.load(path, key=b"wrong")
    with pytest.raises(SignatureError, match="no key was given"):
        graphcopy.load(path)
    data = path.read_bytes()
    for place in range(16, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(LoadError):
            graphcopy.load(path, key=b"right")
    assert not Canary.sung


def test_the_comparison_takes_constant_time(path, monkeypatch):
    import hmac

    asked = []
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: asked.append((one, other)) or True)
    graphcopy.dump([1], path, key=b"right")
    assert graphcopy.load(path, key=b"wrong") == [1]
    assert len(asked) == 1 and asked[0][0] != asked[0][1]


def test_an_unsigned_file_where_a_key_is_given(path):
    graphcopy.dump([1], path)
    with pytest.raises(SignatureError, match="not signed"):
        graphcopy.load(path, key=b"k")


def test_a_signature_cannot_be_taken_off(path):
    graphcopy.dump([1], path, key=b"k")
    data = bytearray(path.read_bytes())
    del data[16:48]
    data[15] = 0
    path.write_bytes(data)
    assert graphcopy.load(path) == [1]
    with pytest.raises(SignatureError, match="not signed"):
        graphcopy.load(path, key=b"k")


def test_nothing_can_be_put_behind_a_signed_file(path):
    graphcopy.dump([1], path, key=b"k")
    path.write_bytes(path.read_bytes() + b"more")
    with pytest.raises(LoadError, match="behind its end"):
        graphcopy.load(path, key=b"k")


@pytest.mark.parametrize(("key", "error"), [("text", TypeError), (5, TypeError), (b"", ValueError)])
def test_what_is_no_key(path, key, error):
    with pytest.raises(error, match="key="):
        graphcopy.dump(1, path, key=key)
    graphcopy.dump(1, path)
    with pytest.raises(error, match="key="):
        graphcopy.load(path, key=key)


# -- foreign and damaged files -------------------------------------------------------------------------


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("name", "content")
    return file.getvalue()


FOREIGN = {
    "empty": b"",
    r"plain pickle \(protocol 4\)": pickle.dumps([1], 4),
    r"plain pickle \(protocol 5\)": graphcopy.dumps([1]),
    "zip archive": zipped(),
    "text": b"name,age\nAnna,\xc3\xa4\n",
    "JSON": b'{"a": 1}',
    "nothing known": b"\x00\x01\x02\x03",
    "numpy array": b"\x93NUMPY\x01\x00",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_files_are_said_to_be_that(path, name):
    path.write_bytes(FOREIGN[name])
    with pytest.raises(LoadError, match=rf"no file of graphcopy\.dump.*{name}"):
        graphcopy.load(path)


def test_bare_streams_that_are_foreign(path):
    with pytest.raises(LoadError, match="text"):
        graphcopy.loads(b"hello")
    with pytest.raises(LoadError, match="empty"):
        graphcopy.loads(b"")
    graphcopy.dump([1], path)
    with pytest.raises(LoadError, match=r"graphcopy\.load reads it"):
        graphcopy.loads(path.read_bytes())
    with pytest.raises(LoadError, match="cut off"):
        graphcopy.loads(graphcopy.dumps([1, 2])[:-3])


def test_a_file_that_is_cut_off_anywhere(path):
    graphcopy.dump({"a": ["text" * 10, 2.5, {3}]}, path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(LoadError, match="empty" if not length else "cut off"):
            graphcopy.load(path)


def test_a_damaged_file_is_found_out(path):
    graphcopy.dump({"a": ["text" * 10, 2.5, {3}]}, path)
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1 :])
        try:
            assert graphcopy.load(path) == {"a": ["text" * 10, 2.5, {3}]}  # a letter of the receipt
        except LoadError:
            continue


def test_a_file_of_another_format(path):
    graphcopy.dump(1, path)
    data = bytearray(path.read_bytes())
    data[14] = 9
    path.write_bytes(data)
    with pytest.raises(LoadError, match="format 9"):
        graphcopy.load(path)


# -- large and deep ------------------------------------------------------------------------------------


def test_large_arrays_stand_beside_the_stream(path):
    numpy = pytest.importorskip("numpy")
    large, small = numpy.arange(100_000.0), numpy.arange(3)
    fixed = numpy.arange(20_000.0)
    fixed.flags.writeable = False
    graphcopy.dump({"large": large, "again": large, "small": small, "fixed": fixed}, path, key=b"k")
    assert path.stat().st_size < 1_000_000
    arrived = graphcopy.load(path, key=b"k")
    assert numpy.array_equal(arrived["large"], large) and arrived["small"].tolist() == [0, 1, 2]
    arrived["large"][5] = -1
    assert arrived["again"][5] == -1 and large[5] == 5 and not arrived["fixed"].flags.writeable


class Link:
    def __init__(self, following):
        self.following = following


@pytest.mark.parametrize("length", [50_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_linked_list_of_any_length(path, length):
    chain = None
    for _ in range(length):
        chain = Link(chain)
    limit = sys.getrecursionlimit()
    for new in (graphcopy.loads(graphcopy.dumps(chain)), (graphcopy.dump(chain, path), graphcopy.load(path))[1]):
        count, each = 0, new
        while each is not None:
            each, count = each.following, count + 1
        assert count == length
    assert sys.getrecursionlimit() == limit
