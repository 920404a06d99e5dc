"""Text files keep their newline; databases keep how they handle transactions."""

from __future__ import annotations

import sqlite3
import sys

import pytest

import graphcopy

TEXT = b"one\r\ntwo\rthree\nfour\r\n"


@pytest.mark.parametrize("newline", [None, "", "\n", "\r", "\r\n"])
@pytest.mark.parametrize("read", ["nothing", "a line", "two characters", "all", "and back"])
def test_the_newline_of_a_text_file(tmp_path, newline, read):
    path = tmp_path / "text"
    path.write_bytes(TEXT)
    with open(path, newline=newline, encoding="utf-8") as file:
        if read == "a line":
            file.readline()
        elif read == "two characters":
            file.read(2)
        elif read in ("all", "and back"):
            file.read()
        if read == "and back":
            file.seek(0)
        before = file.tell()
        new = graphcopy.copy({"file": file}, rules=[graphcopy.resource_rules])["file"]
        with new:
            assert file.tell() == new.tell() == before
            assert new.read() == file.read()
            new.seek(0)
            file.seek(0)
            assert list(new) == list(file)


def test_where_it_cannot_be_told_the_receipt_says_so(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(TEXT)
    with open(path, encoding="utf-8") as file:
        while file.read(100):
            pass
        new, receipt = graphcopy.copy([file], rules=[graphcopy.resource_rules], receipt=True)
        new[0].close()
        assert "newline= that it was opened with cannot be told" in str(receipt)
        file.seek(0)
        new, receipt = graphcopy.copy([file], rules=[graphcopy.resource_rules], receipt=True)
        new[0].close()
        assert "cannot be told" not in str(receipt)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="autocommit is new in Python 3.12")
@pytest.mark.parametrize("ship", [False, True])
@pytest.mark.parametrize("on_file", [False, True])
@pytest.mark.parametrize("autocommit", [True, False, "legacy"])
def test_autocommit(tmp_path, autocommit, on_file, ship):
    legacy = getattr(sqlite3, "LEGACY_TRANSACTION_CONTROL", None)
    autocommit = legacy if autocommit == "legacy" else autocommit
    path = str(tmp_path / "base") if on_file else ":memory:"
    old = sqlite3.connect(path, autocommit=autocommit)
    old.execute("create table t (x)")
    old.execute("insert into t values (1)")
    if autocommit is not True:
        old.commit()
    new = graphcopy.loads(graphcopy.dumps(old)) if ship else graphcopy.copy(old)
    assert new.autocommit == autocommit
    assert new.isolation_level == old.isolation_level
    assert new.execute("select x from t").fetchall() == [(1,)]
    new.execute("insert into t values (2)")
    if autocommit is False:
        new.rollback()
        assert new.execute("select count(*) from t").fetchone() == (1,)
    new.close()
    old.close()
