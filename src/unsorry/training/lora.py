"""LoRA by PEFT: attach, save, load, and the factors for averages.  Weights of the base are never written to.

Merging into bfloat16 and back destroys a model (1000 cycles: 67 % of the mean weight), and an adapter served beside
weights it was merged into counts twice.  So an adapter is served and saved as an adapter, and `merged` makes a new
model in float32.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from peft.tuners.lora import Linear as LoraLinear
from peft.utils import get_peft_model_state_dict, set_peft_model_state_dict
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import PreTrainedModel

from unsorry import UnsorryError
from unsorry.training.atomic import new_folder
from unsorry.training.averaging import LoraFactors, merged_weight, truncate
from unsorry.training.distributed import Ranks, whole_state

ADAPTER = "default"
WEIGHTS = "adapter_model.safetensors"  # PEFT's own names, so that other programs can read the folder
CONFIG = "adapter_config.json"


@dataclass(frozen=True, slots=True)
class LoraShape:
    """`targets`: "all-linear" (all but the head) or last parts of module names.  The delta is B @ A * alpha / rank."""

    rank: int = 16
    alpha: float = 32.0
    targets: str | tuple[str, ...] = "all-linear"
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.rank < 1 or self.alpha <= 0 or not 0 <= self.dropout < 1:
            raise UnsorryError(f"LoRA: rank {self.rank}, alpha {self.alpha} or dropout {self.dropout} is out of range")


def attach(model: PreTrainedModel, shape: LoraShape, *, seed: int) -> PeftModel:
    """A new trainable adapter (float32, delta zero) on a frozen model; the same for the same seed.

    Changes `model` in place: its linear layers become LoRA layers around themselves.
    """
    _require_plain(model)
    config = LoraConfig(
        r=shape.rank,
        lora_alpha=shape.alpha,
        lora_dropout=shape.dropout,
        target_modules=_targets(model, shape),
        bias="none",
        task_type="CAUSAL_LM",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return _wrap(model, config)


def save_adapter(
    model: PeftModel, folder: str | os.PathLike[str], *, base: str = "", here: Ranks | None = None
) -> Path:
    """Write the adapter in PEFT's layout; `folder` is complete afterwards or unchanged.  `base` names its model.

    With several ranks all call this; weights are gathered and rank 0 writes.
    """
    here = here or Ranks()
    target = Path(folder)
    config = copy.deepcopy(model.peft_config[ADAPTER])
    config.base_model_name_or_path = base
    config.inference_mode = True
    config.target_modules = sorted(config.target_modules or ())  # a set has no fixed order
    state = whole_state(get_peft_model_state_dict(model, adapter_name=ADAPTER, save_embedding_layers=False))
    if here.writes:
        with new_folder(target) as new:
            save_file({name: value.contiguous() for name, value in state.items()}, new / WEIGHTS)
            config.save_pretrained(str(new))
    here.wait()
    return target


def load_adapter(model: PreTrainedModel, folder: str | os.PathLike[str], *, trainable: bool) -> PeftModel:
    """The saved adapter on `model`, which must be the model that it was trained on.

    Every weight must find its place and every place its weight: an adapter whose names do not match would otherwise
    leave the base model's output unchanged and nobody would notice.
    """
    _require_plain(model)
    path = Path(folder)
    config, state = _read(path)
    config.inference_mode = not trainable
    peft = _wrap(model, config)
    expected = get_peft_model_state_dict(peft, adapter_name=ADAPTER, save_embedding_layers=False)
    if odd := sorted(set(expected) ^ set(state)):
        raise UnsorryError(f"{path} does not fit the model: {len(odd)} weights have no counterpart, such as {odd[0]}")
    for name, value in state.items():
        if value.shape != expected[name].shape:
            raise UnsorryError(f"{path} does not fit the model: {name} has shape {tuple(value.shape)}")
    set_peft_model_state_dict(peft, state, adapter_name=ADAPTER)
    for name, parameter in peft.named_parameters():
        if "lora_" in name:
            parameter.requires_grad_(trainable)
    return peft.train(trainable)


def factors(source: nn.Module | str | os.PathLike[str]) -> dict[str, LoraFactors]:
    """The adapter of a model or a folder by module name (as in the base model); float32 copies on the CPU.

    Averages interpolate the products `b @ a * scale`, never the factors.
    """
    if isinstance(source, nn.Module):
        return {name: _factors(layer) for name, layer in lora_layers(source)}
    config, state = _read(Path(source))
    if config.rank_pattern or config.alpha_pattern or config.use_rslora or config.use_dora:
        raise UnsorryError(f"{source}: only plain LoRA with one rank and alpha can be averaged")
    scale = config.lora_alpha / config.r
    prefix, suffix = "base_model.model.", ".lora_A.weight"
    names = [name.removesuffix(suffix) for name in state if name.endswith(suffix)]
    return {
        name.removeprefix(prefix): LoraFactors(
            state[f"{name}.lora_A.weight"].float(), state[f"{name}.lora_B.weight"].float(), scale
        )
        for name in names
    }


def set_factors(model: nn.Module, new: Mapping[str, LoraFactors]) -> None:
    """Give the adapter these factors; one of lower rank is filled up with zeros, of higher rank is an error."""
    layers = dict(lora_layers(model))
    if odd := sorted(set(layers) ^ set(new)):
        raise UnsorryError(
            f"the factors do not fit the adapter: {len(odd)} modules have no counterpart, such as {odd[0]}"
        )
    for name, layer in layers.items():
        a, b = layer.lora_A[ADAPTER].weight, layer.lora_B[ADAPTER].weight
        given = new[name]
        rank = given.a.shape[0]
        if rank > a.shape[0]:
            raise UnsorryError(
                f"{name}: factors of rank {rank} do not fit an adapter of rank {a.shape[0]}; truncate them"
            )
        with torch.no_grad():
            a.zero_()
            b.zero_()
            a[:rank] = given.a.to(a)
            b[:, :rank] = (given.b * (given.scale / layer.scaling[ADAPTER])).to(b)


def set_truncated(model: nn.Module, new: Mapping[str, LoraFactors]) -> float:
    """Give the adapter the best approximation of these factors that its own rank allows (SVD), module by module.

    An average of two adapters has the sum of their ranks.  Returns the largest relative error of a module, Frobenius
    norm: about 1e-7 where the rank suffices.
    """
    fitted: dict[str, LoraFactors] = {}
    worst = 0.0
    for name, layer in lora_layers(model):
        if name not in new:
            raise UnsorryError(f"there are no factors for {name}: give them for each adapted module")
        rank = layer.lora_A[ADAPTER].weight.shape[0]
        fitted[name], error = truncate(new[name], min(rank, *new[name].a.shape, new[name].b.shape[0]))
        worst = max(worst, error)
    set_factors(model, fitted)
    return worst


def merged(model: PeftModel) -> PreTrainedModel:
    """A new float32 model with the adapter's delta added to its weights; `model` stays as it is."""
    new = copy.deepcopy(model)
    deltas = {name: _factors(layer) for name, layer in lora_layers(new)}
    plain = new.unload()
    assert isinstance(plain, PreTrainedModel)
    plain = plain.float()
    modules = dict(plain.named_modules())
    with torch.no_grad():
        for name, part in deltas.items():
            weight = modules[name].weight
            assert isinstance(weight, Tensor)
            here = LoraFactors(part.a.to(weight.device), part.b.to(weight.device), part.scale)
            weight.copy_(merged_weight(weight, here))
    for parameter in plain.parameters():
        parameter.requires_grad_(True)
    return plain


def lora_layers(model: nn.Module) -> Iterator[tuple[str, LoraLinear]]:
    """The adapted modules by their name in the base model."""
    inner = model.get_base_model() if isinstance(model, PeftModel) else model
    found = False
    for name, module in inner.named_modules():
        if isinstance(module, LoraLinear) and ADAPTER in module.lora_A:
            found = True
            yield name, module
    if not found:
        raise UnsorryError("the model has no adapter: attach one or load one first")


def _factors(layer: LoraLinear) -> LoraFactors:
    if layer.merged:
        raise UnsorryError(
            "the adapter is merged into its base, so its weights no longer are the base's; load both again"
        )
    a, b = layer.lora_A[ADAPTER].weight, layer.lora_B[ADAPTER].weight
    return LoraFactors(
        a.detach().float().cpu().clone(), b.detach().float().cpu().clone(), float(layer.scaling[ADAPTER])
    )


def _read(folder: Path) -> tuple[LoraConfig, dict[str, Tensor]]:
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise UnsorryError(f"{folder} is no adapter folder: it has no {name}")
    try:
        config = LoraConfig.from_pretrained(str(folder))
        state = load_file(folder / WEIGHTS)
    except SafetensorError as error:
        raise UnsorryError(f"{folder}: {WEIGHTS} is damaged ({error}); copy or train the adapter again") from None
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise UnsorryError(f"{folder}: {CONFIG} cannot be read: {_first(error)}") from None
    if not isinstance(config, LoraConfig):
        raise UnsorryError(f"{folder} holds an adapter of another kind than LoRA")
    return config, state


def _targets(model: PreTrainedModel, shape: LoraShape) -> list[str]:
    """Last parts of the names of the adapted modules, in order: short, and valid for a server that fuses modules."""
    head = model.get_output_embeddings()
    linear = {
        n.rpartition(".")[2] for n, part in model.named_modules() if isinstance(part, nn.Linear) and part is not head
    }
    if shape.targets == "all-linear":
        return sorted(linear)
    wanted = {shape.targets} if isinstance(shape.targets, str) else set(shape.targets)
    if unknown := sorted(wanted - linear):
        raise UnsorryError(
            f"LoRA targets: the model has no linear layer {unknown[0]!r}; it has {', '.join(sorted(linear))}"
        )
    return sorted(wanted)


def _wrap(model: PreTrainedModel, config: LoraConfig) -> PeftModel:
    with warnings.catch_warnings():  # of the library about its own names
        warnings.simplefilter("ignore")
        peft = get_peft_model(model, config, adapter_name=ADAPTER)
    assert isinstance(peft, PeftModel)
    return peft


def _require_plain(model: nn.Module) -> None:
    if isinstance(model, PeftModel) or any(isinstance(part, LoraLinear) for part in model.modules()):
        raise UnsorryError("the model already has an adapter: load the base again, or merge into a new model first")


def _first(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:200]
