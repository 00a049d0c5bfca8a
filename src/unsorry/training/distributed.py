"""One process or several: torchrun and FSDP2.  All loops are written against `Ranks`; alone, it does nothing.

Every rank reads the same rows, takes its share of each step, and divides by token counts summed over ranks.  FSDP sums
gradients over ranks here (its own default is the mean), so the gradient is that of one process with all rows.
Weights, optimiser state and metrics are gathered to rank 0, which alone writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from unsorry import UnsorryError

TIMEOUT = timedelta(minutes=30)  # of one collective: the longest time that one rank may be behind the others


@dataclass(frozen=True, slots=True)
class Ranks:
    """This process among those of the run."""

    rank: int = 0
    world: int = 1
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    @property
    def writes(self) -> bool:
        return self.rank == 0

    def total(self, value: Tensor) -> Tensor:
        """The sum over ranks; the argument stays as it is."""
        return self._reduce(value, dist.ReduceOp.SUM)

    def maximum(self, value: Tensor) -> Tensor:
        return self._reduce(value, dist.ReduceOp.MAX)

    def most(self, count: int) -> int:
        return int(self.maximum(torch.tensor(count, device=self.device)).item())

    def wait(self) -> None:
        if self.world > 1:
            dist.barrier()

    def same(self, text: str) -> bool:
        """Whether all ranks hold the same text."""
        if self.world == 1:
            return True
        texts: list[Any] = [None] * self.world
        dist.all_gather_object(texts, text)
        return len(set(texts)) == 1

    def _reduce(self, value: Tensor, operation: Any) -> Tensor:
        if self.world == 1:
            return value
        value = value.detach().to(self.device, copy=True)
        dist.all_reduce(value, op=operation)
        return value


@contextmanager
def ranks() -> Iterator[Ranks]:
    """The ranks as torchrun started them (RANK, WORLD_SIZE, LOCAL_RANK), or this process alone."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    cuda = torch.cuda.is_available()
    if world == 1:
        yield Ranks(device=torch.device("cuda", 0) if cuda else torch.device("cpu"))
        return
    rank, local = int(os.environ["RANK"]), int(os.environ.get("LOCAL_RANK", "0"))
    if cuda and local >= torch.cuda.device_count():
        raise UnsorryError(
            f"rank {rank} has no GPU: {torch.cuda.device_count()} here; start torchrun with fewer processes"
        )
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if cuda else "gloo", timeout=TIMEOUT)
    try:
        yield Ranks(rank, world, device)
    finally:
        dist.destroy_process_group()


def alone(model: nn.Module) -> Ranks:
    """This process alone, on the device of the model."""
    return Ranks(device=next(model.parameters()).device)


def shard(module: nn.Module, layers: Iterable[nn.Module], here: Ranks, *, bfloat16: bool = False) -> None:
    """Spread the weights of `module` over the ranks (ZeRO-3), one group for each of `layers`; alone, nothing happens.

    `module` must be the one whose forward pass is called.  `bfloat16` gathers and computes in bfloat16 and keeps
    float32 weights and gradients.  Do this before making the optimiser: parameters are replaced.
    """
    if here.world == 1:
        return
    mesh = init_device_mesh(here.device.type, (here.world,))
    policy = MixedPrecisionPolicy(torch.bfloat16, torch.float32) if bfloat16 else MixedPrecisionPolicy()
    for layer in layers:
        fully_shard(layer, mesh=mesh, mp_policy=policy)
    fully_shard(module, mesh=mesh, mp_policy=policy)
    for part in module.modules():
        if isinstance(part, FSDPModule):
            part.set_gradient_divide_factor(1.0)
            part.set_force_sum_reduction_for_comms(True)


def whole(value: Tensor) -> Tensor:
    """The full tensor behind a shard (a collective), or the tensor."""
    return value.full_tensor() if isinstance(value, DTensor) else value


def whole_state(named: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Full detached CPU copies; a collective, to be called by all ranks in the same order."""
    return {name: whole(value.detach()).to("cpu", copy=True) for name, value in named.items()}


def like(value: Tensor, reference: Tensor) -> Tensor:
    """A full tensor laid out as `reference` is: on its device, in its shards."""
    value = value.to(reference.device)
    if isinstance(reference, DTensor):
        return distribute_tensor(value, reference.device_mesh, reference.placements)
    return value


def optimiser_state(optimiser: torch.optim.Optimizer, names: Mapping[int, str]) -> dict[str, dict[str, Any]]:
    """Moments and step counts by parameter name, full tensors on the CPU; `names` maps id(parameter) to its name."""
    state: dict[str, dict[str, Any]] = {}
    for group in optimiser.param_groups:
        for parameter in group["params"]:
            held = optimiser.state.get(parameter, {})
            state[names[id(parameter)]] = {
                key: whole(value.detach()).to("cpu", copy=True) if isinstance(value, Tensor) else value
                for key, value in held.items()
            }
    return state


def load_optimiser_state(
    optimiser: torch.optim.Optimizer, names: Mapping[int, str], state: Mapping[str, Mapping[str, Any]]
) -> None:
    for group in optimiser.param_groups:
        for parameter in group["params"]:
            held = state[names[id(parameter)]]
            if not held:
                continue
            optimiser.state[parameter] = {
                key: like(value, parameter) if isinstance(value, Tensor) and value.shape == parameter.shape else value
                for key, value in held.items()
            }


def copy_into(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Write full tensors into the parameters of these names, sharded or not."""
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in weights.items():
            parameters[name].copy_(like(value, parameters[name]))
