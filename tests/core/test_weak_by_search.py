"""Weak targets that are looked for when everything is copied: tables filed under ids of objects that are not held."""

from __future__ import annotations

import graphcopy


class Item:
    pass


class Index:
    """Knows items by their ids, and holds none of them."""

    def __init__(self, items):
        self.places = {id(item): place for place, item in enumerate(items)}


class Find:
    def __init__(self, ids):
        self.ids = ids

    def __call__(self, originals):
        found = {id(each): each for each in originals if type(each) is Item}
        return [found.get(key) for key in self.ids]


def refile(new, items):
    new.places = {id(item): place for place, item in enumerate(items) if item is not None}


@graphcopy.rule(Index)
def index(node):
    return graphcopy.rebuild(Index, [], weak=Find(list(node.obj.places)), bind=refile)


def test_items_are_found_wherever_they_stand():
    items = [Item(), Item(), Item()]
    outside = Item()
    state = {"index": Index([*items, outside]), "items": tuple(items)}
    copied = graphcopy.copy(state, rules=[index])
    assert copied["index"].places == {id(item): place for place, item in enumerate(copied["items"])}
    assert graphcopy.plan(state, rules=[index]).copy()["index"].places.keys() != state["index"].places.keys()
