"""Classes that another process can import."""

from __future__ import annotations

import threading

import graphcopy


class Base:
    pass


class Handle(Base):
    "Holds what cannot be pickled."

    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()
        self.items = None


class Node:
    pass


class Other:
    pass


class Late(Node):
    pass


def plain(value):
    return value


def opened(cls):
    new = cls.__new__(cls)
    new.lock = threading.Lock()
    return new


@graphcopy.rule(Handle)
def by_handle(node):
    "A handle is opened anew."
    state = {name: value for name, value in vars(node.obj).items() if name != "lock"}
    return graphcopy.rebuild(opened, node.type, attrs=state)


def opened_handle(handle):
    return f"{handle.name} is open: {handle.lock.acquire(False)}"


class Account:
    __reduce_ex__ = graphcopy.reduce_method([by_handle])

    def __init__(self):
        self.lock = threading.Lock()
        self.handle = Handle("a")
        self.both = [self.handle, self]
        self.entries = [1, [2]]
        self.interest = lambda amount: amount * 0.02
        self.me = lambda: self
        self.hooks = [self.interest, self.lock]


class Inherits(Account):
    pass


class Calls(Account):
    def __reduce_ex__(self, protocol):
        return super().__reduce_ex__(protocol)
