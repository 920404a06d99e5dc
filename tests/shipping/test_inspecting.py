"""What is in a file is found out without unpickling or importing anything."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
import zlib

import hostile
import pytest
import trusted_samples as samples

import graphcopy


def written(obj, **options):
    file = io.BytesIO()
    graphcopy.dump(obj, file, **options)
    file.seek(0)
    return file


def test_types_receipt_and_versions_are_told():
    obj = {"point": samples.Point([threading.Lock()]), "cut": (i for i in "ab")}
    info = graphcopy.inspect_file(written(obj, rules=[graphcopy.prune("builtins.generator")]))
    assert info.types["trusted_samples.Point"] == "obj['point']" and not info.has_code and info.faults == []
    assert info.header["graphcopy"] == graphcopy.__version__ and info.signed == "no"
    text = str(info)
    assert "trusted_samples.Point  obj['point']" in text and "1 fresh _thread.lock" in text
    assert "obj['cut']: builtins.generator pruned by prune(builtins.generator)" in text
    again = json.loads(json.dumps(info.to_dict()))
    assert again["types"] == info.types and again["receipt"]["entries"][0]["path"] == "obj['cut']"


def test_code_by_value_is_told():
    info = graphcopy.inspect_file(written(lambda: 1))
    assert info.has_code and "functions by value" in str(info)
    assert not any(name.startswith("graphcopy") for name in info.types) and info.helpers


def test_signatures_are_told():
    assert graphcopy.inspect_file(written([1], key=b"k")).signed == "yes, not verified"
    assert graphcopy.inspect_file(written([1], key=b"k"), key=b"k").signed == "yes, by this key"
    with pytest.raises(graphcopy.SignatureError):
        graphcopy.inspect_file(written([1], key=b"k"), key=b"other")


def test_buffers_are_counted():
    numpy = pytest.importorskip("numpy")
    info = graphcopy.inspect_file(written([numpy.zeros(100_000), numpy.zeros(5)]))
    assert info.buffer_sizes == [800_000] and "1 buffers of 800,000" in str(info) and info.size > 800_000


def test_nothing_is_imported_or_run(tmp_path):
    path, canary = tmp_path / "file", tmp_path / "canary"
    stream = hostile.live(f"touch {canary}")["nested"]
    path.write_bytes(hostile.packed(stream))
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
import graphcopy
info = graphcopy.inspect_file({str(path)!r})
print(list(info.types), "trusted_samples" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['trusted_samples.Point', 'os.system'] False\n" and not canary.exists()


def test_a_hostile_file_is_shown_with_its_faults():
    for stream in hostile.harmless_looking().values():
        info = graphcopy.inspect_file(io.BytesIO(hostile.packed(stream)))
        assert str(info) and json.dumps(info.to_dict())


def test_a_terminal_obeys_nothing_in_it():
    info = graphcopy.inspect_file(io.BytesIO(hostile.packed(hostile.stream(hostile.named("evil\x1b[2J", "x\ny")))))
    assert "\x1b" not in str(info) and "x\ny" not in str(info) and "evil\\x1b" in str(info)


def test_foreign_files_are_said_to_be_that(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(graphcopy.LoadError, match="zip"):
        graphcopy.inspect_file(path)


@pytest.mark.parametrize("header", [b"[]", b"{}", b'{"checksum": 5, "places": 3}', b"\xff", b"[" * 100_000, b"null"])
def test_damaged_headers(header):
    from graphcopy.files.layout import laid_out

    file = b"".join(laid_out([header, b"\x80\x05N."], None))
    with pytest.raises(graphcopy.LoadError, match="damaged"):
        graphcopy.inspect_file(io.BytesIO(file))


@pytest.mark.parametrize("receipt", [5, [], {"entries": [3, {}], "fresh": [1], "notes": 4}, {"entries": {"a": 1}}])
def test_a_header_that_is_not_as_it_should_be(receipt):
    from graphcopy.files.layout import laid_out

    header = {"checksum": f"{zlib.crc32(b'N.'):08x}", "places": {}, "receipt": receipt, "libraries": 7}
    info = graphcopy.inspect_file(io.BytesIO(b"".join(laid_out([json.dumps(header).encode(), b"N."], None))))
    assert str(info) and info.to_dict()
