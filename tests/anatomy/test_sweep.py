"""One of everything in the standard library: `compare` finds the copy right, and the plan agrees with the copy."""

from __future__ import annotations

import argparse
import array
import ast
import asyncio
import codecs
import collections
import configparser
import contextlib
import csv
import datetime
import decimal
import email.message
import fractions
import functools
import graphlib
import hmac
import http.cookiejar
import http.cookies
import inspect
import io
import ipaddress
import itertools
import json
import logging
import operator
import pathlib
import queue
import random
import re
import sched
import statistics
import string
import struct
import textwrap
import threading
import traceback
import types
import typing
import urllib.parse
import uuid
import xml.etree.ElementTree as ElementTree

import pytest

import graphcopy


class Pair(typing.NamedTuple):
    a: int


class Owner:
    @functools.cached_property
    def value(self):
        return [1]

    def method(self):
        return self

    partial = functools.partialmethod(method)


SAMPLES = {
    "array": lambda: array.array("d", [1, 2]),
    "struct": lambda: struct.Struct("i"),
    "random": lambda: random.Random(3),
    "system random": lambda: random.SystemRandom(),
    "match": lambda: re.match("(a)", "a"),
    "decimal context": lambda: decimal.Context(prec=5),
    "template": lambda: string.Template("$a"),
    "parser": lambda: argparse.ArgumentParser(),
    "configuration": lambda: configparser.ConfigParser(),
    "adapter": lambda: logging.LoggerAdapter(logging.getLogger("x"), {}),
    "zip": lambda: zip([1], [2]),
    "enumerate": lambda: enumerate([1, 2]),
    "map": lambda: map(abs, [1]),
    "reversed": lambda: reversed([1, 2]),
    "datetime": lambda: datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc),
    "path": lambda: pathlib.Path("/a"),
    "address": lambda: ipaddress.ip_address("1.1.1.1"),
    "url": lambda: urllib.parse.urlparse("http://a"),
    "message": lambda: email.message.EmailMessage(),
    "cookie": lambda: http.cookies.SimpleCookie(),
    "cookie jar": lambda: http.cookiejar.CookieJar(),
    "element": lambda: ElementTree.fromstring("<a><b/></a>"),
    "encoder": lambda: json.JSONEncoder(),
    "chain map": lambda: collections.ChainMap({"a": [1]}),
    "counter": lambda: collections.Counter("ab"),
    "user dict": lambda: collections.UserDict(a=[1]),
    "named tuple": lambda: Pair(1),
    "namespace": lambda: types.SimpleNamespace(a=[1]),
    "method": lambda: Owner().method,
    "partial method": lambda: Owner.__dict__["partial"],
    "generic": lambda: list[int],
    "signature": lambda: inspect.signature(lambda a, b=[1]: a),
    "tree": lambda: ast.parse("a = 1"),
    "scheduler": lambda: sched.scheduler(),
    "sorter": lambda: graphlib.TopologicalSorter({1: [2]}),
    "hmac": lambda: hmac.new(b"k", b"m", "sha256"),
    "decoder": lambda: codecs.getincrementaldecoder("utf8")(),
    "exit stack": lambda: contextlib.ExitStack(),
    "event": lambda: threading.Event(),
    "timer": lambda: threading.Timer(1, print),
    "barrier": lambda: threading.Barrier(2),
    "asyncio queue": lambda: asyncio.Queue(),
    "lifo": lambda: queue.LifoQueue(),
    "dialect": lambda: csv.excel(),
    "text": lambda: io.StringIO("a"),
    "property": lambda: property(lambda self: 1),
    "slice": lambda: slice(1, [2]),
    "traceback": lambda: traceback.TracebackException.from_exception(ValueError(1)),
    "fraction": lambda: fractions.Fraction(1, 2),
    "distribution": lambda: statistics.NormalDist(),
    "wrapper": lambda: textwrap.TextWrapper(),
    "getter": lambda: operator.attrgetter("a"),
    "uuid": lambda: uuid.UUID(int=1),
    "count": lambda: itertools.count(3),
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # itertools and their pickling
def test_the_copy_is_right_and_the_plan_agrees(name):
    obj = [SAMPLES[name]()]
    assert graphcopy.plan(obj).culprits == []
    new = graphcopy.copy(obj)
    assert type(new[0]) is type(obj[0])
    planned, receipt = graphcopy.copy(obj, receipt=True)
    assert type(planned[0]) is type(obj[0])
    found = graphcopy.compare(obj, new, receipt=receipt)
    assert found.ok, str(found)
