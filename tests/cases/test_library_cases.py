"""Reports about libraries, as tests: what users held, and what a right copy of it does."""

import logging
import threading

import pytest

import graphcopy


def test_a_flat_parameter_vector_and_its_named_views():
    np = pytest.importorskip("numpy")

    class Model:
        def __init__(self):
            self.flat = np.arange(10.0)
            self.w, self.b = self.flat[:6].reshape(2, 3), self.flat[6:]
            self.blocks = [self.w, {"b": self.b}]

    original = Model()
    copied = graphcopy.copy(original)
    assert copied.blocks[0] is copied.w and copied.blocks[1]["b"] is copied.b
    copied.flat -= 1
    assert copied.w.tolist() == [[-1, 0, 1], [2, 3, 4]] and original.w.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_module_that_stores_its_last_activation():
    torch = pytest.importorskip("torch")

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = torch.nn.Linear(3, 2)
            self.out = None

        def forward(self, x):
            self.out = self.fc(x)
            return self.out

    net = Net()
    net(torch.ones(1, 3))
    copied = graphcopy.copy(net)
    assert torch.equal(copied.out, net.out) and copied.out.grad_fn is None and net.out.grad_fn is not None
    net.out.sum().backward()
    assert net.fc.weight.grad is not None and copied.fc.weight.grad is None


def test_a_trainer_with_a_step_closure_and_a_tied_weight():
    torch = pytest.importorskip("torch")

    class Trainer:
        def __init__(self):
            self.model = torch.nn.Linear(2, 1)
            self.model.tied = self.model.weight
            self.opt = torch.optim.SGD(self.model.parameters(), lr=0.5, momentum=0.9)
            self.step = lambda: (self.opt.step(), self.opt.zero_grad())

    original = Trainer()
    for _ in range(2):
        original.model(torch.ones(1, 2)).sum().backward()
        if not original.opt.state:
            original.step()
    copied = graphcopy.copy(original)
    assert copied.model.tied is copied.model.weight
    assert {id(p) for g in copied.opt.param_groups for p in g["params"]} == {id(p) for p in copied.model.parameters()}
    assert torch.equal(copied.model.weight.grad, original.model.weight.grad)
    before = original.model.weight.detach().clone()
    copied.step()
    assert torch.equal(original.model.weight, before)
    original.step()
    assert torch.equal(original.model.weight, copied.model.weight)


def test_a_fitted_estimator_with_a_lock_and_a_logger():
    pytest.importorskip("sklearn")
    from sklearn.base import BaseEstimator
    from sklearn.linear_model import LogisticRegression

    class Guarded(BaseEstimator):
        def __init__(self, inner=None):
            self.inner = inner

        def fit(self, x, y):
            self.lock_, self.log_ = threading.RLock(), logging.getLogger("guarded")
            self.model_ = self.inner.fit(x, y)
            return self

    x = [[0.0], [1.0], [2.0], [3.0]]
    original = Guarded(LogisticRegression(C=100.0)).fit(x, [0, 0, 1, 1])
    copied = graphcopy.copy(original)
    assert copied.model_ is copied.inner is not original.inner and copied.log_ is original.log_
    assert copied.lock_ is not original.lock_
    copied.fit(x, [1, 1, 0, 0])
    assert original.model_.predict(x).tolist() == [0, 0, 1, 1] and copied.get_params()["inner__C"] == 100.0


def test_a_search_with_a_progress_bar():
    tqdm = pytest.importorskip("tqdm")
    import io

    out = io.StringIO()
    bar = tqdm.tqdm(total=10, desc="search", file=out)
    bar.update(1)
    copied = graphcopy.copy({"bar": bar}, rules=[graphcopy.resource_rules])["bar"]
    assert copied is not bar
    if copied is not None:
        assert (copied.n, copied.total) == (1, 10)
        copied.update(2)
        copied.close()
    assert bar.n == 1
    bar.close()


def test_a_pydantic_model_that_guards_itself():
    pydantic = pytest.importorskip("pydantic")

    class Progress(pydantic.BaseModel):
        entries: dict = {}
        _lock: object = pydantic.PrivateAttr(default_factory=threading.Lock)
        _latest: object = pydantic.PrivateAttr(default=None)

    original = Progress(entries={"a": [1]})
    original._latest = original.entries["a"]
    copied = graphcopy.copy(original)
    assert copied._latest is copied.entries["a"] is not original.entries["a"]
    with original._lock:
        assert copied._lock.acquire(False)
