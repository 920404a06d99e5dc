"""PyTorch: tensors over copied storages, gradients and hooks with them; optimizers that train the copies.

``Tensor.__deepcopy__`` refuses what is no leaf, and loses ``.grad`` and hooks. Here a tensor comes apart into
its storage and what it sees of it, so tensors that share memory go on sharing it. A tensor with a history is
copied without it: that is on the receipt.

Facts from the sources of PyTorch 2.13.
"""

from __future__ import annotations

import io
import pickle
import sys
from typing import Any

from ..anatomy.parts import Parts
from .attributewise import attributewise, decides_for_itself
from .making import because, immutable, rule, share
from .ruleset import RuleSet

__all__ = ["torch_rules"]

_HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")


class CloneStorage:
    """Makes a storage of the same bytes on the same device."""

    __slots__ = ("storage",)

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    def __call__(self) -> Any:
        return self.storage.clone()

    def __reduce_ex__(self, protocol: Any) -> Any:
        import torch

        old = self.storage
        there = torch.empty(0, dtype=torch.uint8, device=old.device).set_(old, 0, (old.nbytes(),), (1,))
        data = there.cpu().numpy()
        return (StoredStorage, (pickle.PickleBuffer(data) if protocol >= 5 else data.tobytes(), str(old.device)))


class StoredStorage:
    """Makes a storage of the bytes that were sent for it; over a buffer that cannot be written to, of a copy."""

    __slots__ = ("data", "device")

    def __init__(self, data: Any, device: str) -> None:
        self.data = data
        self.device = device

    def __call__(self) -> Any:
        import torch

        with memoryview(self.data) as view:
            size, fixed = view.nbytes, view.readonly
        if not size:
            return torch.UntypedStorage(0, device=self.device)
        plain = torch.frombuffer(bytearray(self.data) if fixed else self.data, dtype=torch.uint8)
        return plain.to(self.device).untyped_storage()


class CloneTensor:
    """Makes a detached clone of a tensor without a plain storage (sparse, quantized, meta)."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def __call__(self) -> Any:
        old = self.tensor
        return _as_class(type(old), old.detach().clone(), old.is_leaf and old.requires_grad)

    def __reduce__(self) -> Any:
        import torch

        old, data = self.tensor, io.BytesIO()
        torch.save(old.detach(), data)
        return (StoredTensor, (type(old), data.getvalue(), old.is_leaf and old.requires_grad))


class StoredTensor:
    """Makes such a tensor of what torch has saved of it."""

    __slots__ = ("cls", "data", "requires_grad")

    def __init__(self, cls: Any, data: bytes, requires_grad: bool) -> None:
        self.cls = cls
        self.data = data
        self.requires_grad = requires_grad

    def __call__(self) -> Any:
        import torch

        return _as_class(self.cls, torch.load(io.BytesIO(self.data), weights_only=True), self.requires_grad)


class GeneratorCopy:
    """Makes a generator on the same device in the same state."""

    __slots__ = ("generator",)

    def __init__(self, generator: Any) -> None:
        self.generator = generator

    def __call__(self) -> Any:
        import torch

        new = torch.Generator(device=self.generator.device)
        new.set_state(self.generator.get_state())
        return new

    def __reduce__(self) -> Any:
        return (make_generator, (str(self.generator.device), self.generator.get_state().numpy().tobytes()))


def make_generator(device: str, state: bytes) -> Any:
    """Make what makes a generator, from a byte stream."""
    import torch

    new = torch.Generator(device=device)
    new.set_state(torch.frombuffer(bytearray(state), dtype=torch.uint8))
    return GeneratorCopy(new)


def _as_class(cls: Any, plain: Any, requires_grad: bool) -> Any:
    import torch

    if cls is torch.Tensor:
        return plain.requires_grad_(requires_grad) if requires_grad else plain
    if cls is torch.nn.Parameter:
        return torch.nn.Parameter(plain, requires_grad)
    return torch.Tensor._make_subclass(cls, plain, requires_grad)


def make_tensor(cls: Any, storage: Any, view: Any, requires_grad: bool) -> Any:
    """Make a tensor that sees *storage* as ``view`` (dtype, offset, size, stride, conjugated, negated) says."""
    import torch

    dtype, offset, size, stride, conjugated, negated = view
    plain = torch.empty(0, dtype=dtype, device=storage.device)
    plain.set_(storage, offset, size, stride)
    if conjugated:
        plain = torch._C._conj(plain) if hasattr(torch._C, "_conj") else plain.conj()
    if negated:
        plain = torch._neg_view(plain)
    return _as_class(cls, plain, requires_grad)


def put_tensor_state(new: Any, state: dict[str, Any]) -> None:
    """Put gradient, hooks and attributes into a new tensor."""
    for name, value in state.items():
        if name == "grad" or name in _HOOKS:
            setattr(new, name, value)
        else:
            new.__dict__[name] = value


@rule("torch.Tensor")
def tensor(node: Any) -> Any:
    "A tensor sees a copy of its storage; its gradient and hooks are copied with it, its history is not."
    import torch

    old = node.obj
    if node.type is not torch.nn.Parameter and decides_for_itself(node.type, "torch"):
        return NotImplemented
    leaf = old.is_leaf
    attrs = dict(old.__dict__)
    if leaf:
        if old.grad is not None:
            attrs["grad"] = old.grad
        for name in _HOOKS:
            if getattr(old, name, None):
                attrs[name] = getattr(old, name)
    pieces: dict[str, Any] = {
        "attrs": attrs, "setter": put_tensor_state, "lost": "" if leaf else "its autograd history: it is detached",
    }  # fmt: skip
    if not attrs:
        del pieces["attrs"], pieces["setter"]
    if old.layout != torch.strided or old.is_quantized or old.device.type == "meta":
        return Parts(CloneTensor(old), **pieces)
    try:
        storage = old.untyped_storage()
    except (RuntimeError, NotImplementedError):
        return Parts(CloneTensor(old), **pieces)
    view = (old.dtype, old.storage_offset(), tuple(old.size()), tuple(old.stride()), old.is_conj(), old.is_neg())
    return Parts(make_tensor, (node.type, storage, view, leaf and old.requires_grad), **pieces)


_FOREIGN = "its memory has been shown to numpy: an array that shares it does not share the copy's"


@rule("torch.storage.UntypedStorage", "torch.UntypedStorage")
def storage(node: Any) -> Any:
    "The memory under tensors is copied once, however many tensors see it."
    old = node.obj
    foreign = old.device.type == "cpu" and old.nbytes() and not old.resizable()
    return Parts(CloneStorage(old), lost=_FOREIGN if foreign else "")


@rule("torch._C.Generator", "torch.Generator")
def generator(node: Any) -> Any:
    "A generator of random numbers goes on from the same state; torch's own is the process's."
    torch = sys.modules["torch"]
    if node.obj is torch.default_generator:
        return share()
    return Parts(GeneratorCopy(node.obj))


@rule("torch.optim.optimizer.Optimizer", "torch.optim.Optimizer", "torch.optim.lr_scheduler.LRScheduler")
def optimizer(node: Any) -> Any:
    "An optimizer or scheduler is copied by its attributes, hooks included: its state is filed under copied parameters."
    if decides_for_itself(node.type, "torch", state=True):
        return NotImplemented
    return attributewise(node.obj)


descriptions = immutable(
    "A description of tensors (dtype, device, size) never changes: it is shared.",
    "torch.dtype", "torch.device", "torch.layout", "torch.memory_format", "torch.Size", "torch.qscheme", "torch.finfo",
    "torch.iinfo",
)  # fmt: skip

compiled = because(
    "A function that is compiled once for all, or a stream of a device, belongs to the process: it is shared.",
    share("torch._C.Stream", "torch.jit.ScriptFunction", "torch._C.ScriptFunction"),
)

torch_rules = RuleSet(
    "torch",
    [tensor, storage, generator, optimizer, descriptions, compiled],
    library="torch",
    description="tensors, storages, optimizers, generators of PyTorch",
)
