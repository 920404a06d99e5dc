"""What fails on arrival says what is missing here, where it stood, and what to do."""

from __future__ import annotations

import io
import sys
import types

import pytest

import graphcopy
from graphcopy import LoadError


@pytest.fixture
def plugin(monkeypatch, tmp_path):
    """A module that is there when things are written; ``gone()`` takes it away."""
    (tmp_path / "their_plugin.py").write_text(
        "class Model:\n    class Part: pass\n    def __init__(self): self.part = None\n"
        "def work(): return 1\n"
        "class Refuses:\n    def __setstate__(self, state): raise RuntimeError('not in this state')\n"
        "    def __getstate__(self): return 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import their_plugin

    def gone():
        monkeypatch.delitem(sys.modules, "their_plugin")
        (tmp_path / "their_plugin.py").unlink()
        sys.path_importer_cache.clear()

    their_plugin.gone = gone
    yield their_plugin
    sys.modules.pop("their_plugin", None)


def in_file(obj, **options):
    file = io.BytesIO()
    graphcopy.dump(obj, file, **options)
    file.seek(0)
    return file


def test_a_missing_module_in_a_stream(plugin):
    data = graphcopy.dumps({"m": plugin.Model()})
    plugin.gone()
    with pytest.raises(LoadError) as caught:
        graphcopy.loads(data)
    text = str(caught.value)
    assert caught.value.missing == "their_plugin.Model" and caught.value.path is None
    assert "no module 'their_plugin'" in text and "by_value=['their_plugin']" in text and "Install it" in text


def test_a_missing_module_in_a_file_is_told_with_its_path(plugin):
    file = in_file({"a": [1, {"m": plugin.Model()}]})
    plugin.gone()
    with pytest.raises(LoadError, match=r"It stood at obj\['a'\]\[1\]\['m'\]\.") as caught:
        graphcopy.load(file)
    assert caught.value.path == "obj['a'][1]['m']" and caught.value.missing == "their_plugin.Model"


@pytest.mark.parametrize("what", ["Model", "work", "Model.Part"])
def test_a_class_or_function_that_is_no_longer_there(plugin, what):
    thing = plugin
    for part in what.split("."):
        thing = getattr(thing, part)
    file = in_file([thing])
    delattr(plugin, what.split(".")[0])
    with pytest.raises(LoadError, match=r"has no .*another version.* at obj\[0\]") as caught:
        graphcopy.load(file)
    assert caught.value.missing == f"their_plugin.{what}"


def test_a_module_itself(plugin):
    file, data = in_file({"m": plugin}), graphcopy.dumps(plugin)
    plugin.gone()
    with pytest.raises(LoadError, match=r"no module 'their_plugin'.*at obj\['m'\]"):
        graphcopy.load(file)
    with pytest.raises(LoadError, match="no module 'their_plugin'"):
        graphcopy.loads(data)


def test_the_module_of_a_function_by_value(plugin):
    local = types.FunctionType((lambda: work()).__code__, plugin.__dict__, "local")  # noqa: F821
    local.__module__, local.__qualname__ = "their_plugin", "make.<locals>.local"
    file = in_file({"f": [local]})
    assert graphcopy.load(file)["f"][0]() == 1
    file.seek(0)
    plugin.gone()
    with pytest.raises(LoadError, match=r"no module 'their_plugin'.*at obj\['f'\]\[0\]"):
        graphcopy.load(file)


def test_a_module_that_misses_another(plugin, tmp_path):
    file = in_file([plugin.Model()])
    sys.modules.pop("their_plugin")
    (tmp_path / "their_plugin.py").write_text("import surely_not_installed_anywhere")
    sys.path_importer_cache.clear()
    with pytest.raises(LoadError, match="surely_not_installed_anywhere"):
        graphcopy.load(file)


def test_by_value_brings_the_module_along(plugin):
    file = in_file(plugin.Model(), by_value=[plugin])
    plugin.gone()
    assert graphcopy.load(file).part is None


def test_what_a_class_raises_is_the_cause(plugin):
    file = in_file([plugin.Refuses()])
    with pytest.raises(LoadError, match="RuntimeError: not in this state") as caught:
        graphcopy.load(file)
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_missing_things_under_trusted(plugin):
    file = in_file({"k": plugin.Model()})
    plugin.gone()
    with pytest.raises(LoadError, match=r"no module 'their_plugin'.*at obj\['k'\]") as caught:
        graphcopy.load(file, trusted=["their_plugin.*"])
    assert not isinstance(caught.value, graphcopy.UntrustedError)


def test_buffers_that_were_not_handed_over():
    numpy = pytest.importorskip("numpy")
    buffers: list = []
    data = graphcopy.dumps(numpy.zeros(10_000), buffers=buffers)
    for given in (None, []):
        with pytest.raises(LoadError, match="buffers="):
            graphcopy.loads(data, buffers=given)
    assert graphcopy.loads(data, buffers=buffers).shape == (10_000,)


def test_a_load_error_is_what_people_catch():
    import pickle

    for kind in (pickle.UnpicklingError, ValueError):
        with pytest.raises(kind):
            graphcopy.loads(b"")


def test_an_interruption_stays_one(plugin):
    def interrupted(self, state):
        raise KeyboardInterrupt

    plugin.Refuses.__setstate__ = interrupted
    data = graphcopy.dumps(plugin.Refuses())
    with pytest.raises(KeyboardInterrupt):
        graphcopy.loads(data)


def test_a_stream_in_a_larger_memory():
    """Shared memory is rounded up to pages: what stands behind the end is nothing to us, as it is to pickle."""
    memory = bytearray(graphcopy.dumps([1, 2])) + bytes(100)
    assert graphcopy.loads(memory) == graphcopy.loads(memoryview(memory)) == [1, 2]


def test_a_stream_that_is_cut_off_anywhere():
    data = graphcopy.dumps({"a": [1, "text" * 20, (2.5, None)]})
    for length in range(1, len(data)):
        with pytest.raises(LoadError, match="cut off"):
            graphcopy.loads(data[:length])
