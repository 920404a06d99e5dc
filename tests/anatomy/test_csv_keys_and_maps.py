"""csv readers and writers, keys of cmp_to_key, compressors, maps of no file."""

from __future__ import annotations

import bz2
import csv
import functools
import io
import lzma
import mmap
import sys

import pytest

import graphcopy

WAYS = {"copy": graphcopy.copy, "ship": lambda obj: graphcopy.loads(graphcopy.dumps(obj))}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def test_a_reader_goes_on_over_the_copied_input(way):
    text = io.StringIO("a;'b\n1'\nc;d\ne;f\n")
    reader = csv.reader(text, delimiter=";", quotechar="'")
    assert next(reader) == ["a", "b\n1"]
    new = way({"text": text, "reader": reader})
    assert next(new["reader"]) == ["c", "d"]
    assert new["text"].read() == "e;f\n"
    assert next(reader) == ["c", "d"]
    assert new["reader"].dialect.delimiter == ";"
    rows = csv.DictReader(iter(["x,y", "1,2", "3,4"]))
    assert next(rows) == {"x": "1", "y": "2"}
    assert next(way([rows])[0]) == {"x": "3", "y": "4"}
    assert next(rows) == {"x": "3", "y": "4"}


def test_files_in_memory(way):
    text, data = io.StringIO("ab\ncd"), io.BytesIO(b"abcd")
    text.readline()
    data.seek(2)
    data.mark = [text]
    new = way([text, data, text])
    assert new[0] is new[2] is new[1].mark[0]
    assert new[0].read() == "cd"
    assert new[1].read() == b"cd"


def test_the_receipt_tells_of_the_lost_count():
    reader = csv.reader(["a", "b"])
    assert "lines" not in str(graphcopy.copy([reader], receipt=True)[1])
    next(reader)
    assert "its count of lines (1)" in str(graphcopy.copy([reader], receipt=True)[1])


def test_a_writer_writes_to_the_copied_output(way):
    out = io.StringIO()
    writer = csv.writer(out, dialect="unix", quoting=csv.QUOTE_MINIMAL)
    writer.writerow(["a", 1])
    new = way({"out": out, "writer": writer})
    new["writer"].writerow(["b", "x,y"])
    assert new["out"].getvalue() == 'a,1\nb,"x,y"\n'
    assert out.getvalue() == "a,1\n"
    assert new["writer"].dialect.lineterminator == "\n"


def test_dialects(way):
    dialect = csv.get_dialect("excel-tab")
    new = way([dialect, dialect])
    assert new[0] is new[1]
    assert new[0].delimiter == "\t"


def test_keys(way):
    calls = []

    def compare(one, other):
        calls.append(1)
        return (one > other) - (one < other)

    make = functools.cmp_to_key(compare)
    inner = [3]
    new = way({"make": make, "keys": [make(inner), make([1])], "inner": inner, "calls": calls})
    assert sorted([3, 1, 2], key=new["make"]) == [1, 2, 3]
    assert new["calls"]
    assert calls == []
    assert new["keys"][0] > new["keys"][1]
    assert new["keys"][0].obj is new["inner"] is not inner


@pytest.mark.parametrize("make", [lzma.LZMACompressor, lzma.LZMADecompressor, bz2.BZ2Compressor, bz2.BZ2Decompressor])
def test_compressors_are_culprits_that_say_why(make):
    with pytest.raises(graphcopy.CopyError, match="does not show what has gone through it") as caught:
        graphcopy.copy({"a": [make()]})
    assert [str(culprit.path) for culprit in caught.value.culprits] == ["obj['a'][0]"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whether a file is behind a map")
def test_a_map_of_no_file_is_memory(tmp_path, way):
    memory = mmap.mmap(-1, 5000)
    memory[:5] = b"hello"
    memory.seek(3)
    new = way([memory, memory])
    assert new[0] is new[1] is not memory
    assert new[0][:5] == b"hello"
    assert new[0].tell() == 3
    assert len(new[0]) == 5000
    new[0][:5] = b"other"
    assert memory[:5] == b"hello"
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    with open(path, "r+b") as file:
        mapped = mmap.mmap(file.fileno(), 100)
        with pytest.raises(graphcopy.CopyError, match="mapped file"):
            way([mapped])
        mapped.close()
    with pytest.raises(graphcopy.CopyError):
        way([mapped])
