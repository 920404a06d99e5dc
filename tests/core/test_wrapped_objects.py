"""functools.wraps over a callable object: its state is not copied a second time."""

from __future__ import annotations

import functools

import graphcopy


class Step:
    """A callable whose compiled state a rule drops, wherever a class-wide rule would not know it."""

    def __init__(self):
        self.settings, self.compiled = ["fast"], object()

    def __call__(self):
        return self.settings


@graphcopy.rule(Step)
def uncompiled(node):
    return graphcopy.rebuild(object.__new__, Step, attrs={"settings": node.obj.settings})


def test_the_wrapper_takes_its_attributes_from_the_copy():
    step = Step()

    @functools.wraps(step)
    def wrapper():
        return step()

    wrapper.mine = [1]
    assert wrapper.compiled is step.compiled
    for copied in (graphcopy.copy(wrapper, rules=[uncompiled]), graphcopy.plan(wrapper, rules=[uncompiled]).copy()):
        assert copied() == ["fast"]
        assert copied.__wrapped__ is not step
        assert copied.settings is copied.__wrapped__.settings is not step.settings
        assert not hasattr(copied, "compiled")
        assert copied.mine == [1]
