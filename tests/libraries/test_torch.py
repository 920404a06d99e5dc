"""torch: tensors, gradients, hooks, shared storages, optimizers."""

import pytest

torch = pytest.importorskip("torch")

import graphcopy


def test_views_share_one_copied_storage():
    base = torch.arange(6.0)
    copied = graphcopy.copy([base[1:], base, base.view(2, 3).T])
    copied[1][1] = 50
    assert copied[0][0] == 50 and copied[2][1, 0] == 50 and base[1] == 1


def test_non_leaf_is_detached_and_gradients_and_hooks_follow():
    seen = []
    weight = torch.nn.Parameter(torch.ones(2))
    weight.register_hook(lambda grad: seen.append(1))
    result = (weight * 2).sum()
    result.backward(retain_graph=True)
    copied, its, log = graphcopy.copy([weight, result, seen])
    assert type(copied) is torch.nn.Parameter and torch.equal(copied.grad, weight.grad)
    assert copied.grad.data_ptr() != weight.grad.data_ptr()
    assert its.grad_fn is None and its == result and result.grad_fn is not None
    copied.sum().backward()
    assert log == [1, 1] and seen == [1] and copied.grad.tolist() == [3, 3] and weight.grad.tolist() == [2, 2]


def test_training_goes_on_alike():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1))
    model.tied = model[0].weight
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    data = torch.ones(4, 2) * torch.arange(4.0)[:, None]

    def train(model, optimizer, scheduler):
        optimizer.zero_grad()
        model(data).pow(2).sum().backward()
        optimizer.step()
        scheduler.step()
        return [p.detach().clone() for p in model.parameters()]

    train(model, optimizer, scheduler)
    before = [p.detach().clone() for p in model.parameters()]
    copied = graphcopy.copy((model, optimizer, scheduler))
    assert copied[0].tied is copied[0][0].weight and copied[2].optimizer is copied[1]
    theirs = train(*copied)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters())), "the original was trained"
    ours = train(model, optimizer, scheduler)
    assert all(torch.equal(a, b) for a, b in zip(theirs, ours))
    assert copied[1].param_groups[0]["lr"] == optimizer.param_groups[0]["lr"]


def test_generators_dtypes_and_other_layouts():
    generator = torch.Generator().manual_seed(3)
    sparse = torch.eye(3).to_sparse()
    copied = graphcopy.copy([generator, sparse, torch.float32, torch.device("cpu"), torch.zeros(2, 3).size()])
    assert torch.equal(torch.rand(3, generator=copied[0]), torch.rand(3, generator=generator))
    assert copied[1] is not sparse and torch.equal(copied[1].to_dense(), torch.eye(3))
    assert copied[2] is torch.float32 and copied[4] == (2, 3)


def test_module_hooks_follow_the_copy():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.calls = torch.nn.Linear(1, 1), []
            self.layer.register_forward_hook(lambda *a: self.calls.append(1))

        def forward(self, x):
            return self.layer(x)

    net = Net()
    copied = graphcopy.copy(net)
    copied(torch.ones(1, 1))
    assert copied.calls == [1] and net.calls == []


@pytest.mark.parametrize("first", ["array", "tensor"])
def test_memory_that_numpy_and_torch_share_is_on_the_receipt(first):
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(3.0)
    root = [array, torch.from_numpy(array)]
    copied, receipt = graphcopy.copy(root if first == "array" else root[::-1], receipt=True)
    assert "shown to numpy" in str(receipt)
    copied[0][0] = 9
    assert array[0] == 0
    tensor = torch.zeros(3)
    root = [tensor, tensor.numpy()]
    receipt = graphcopy.copy(root if first == "tensor" else root[::-1], receipt=True)[1]
    assert "shared with a tensor" in str(receipt)
    assert str(graphcopy.copy([torch.zeros(3), numpy.zeros(3)[1:]], receipt=True)[1]) == "everything was copied"
