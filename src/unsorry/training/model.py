"""Models: made from nothing, read from a folder, written to one; what a loss needs of them."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from peft import PeftModel
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Qwen3Config,
    Qwen3ForCausalLM,
)
from transformers.utils import logging as transformers_logging

from unsorry import UnsorryError
from unsorry.training.atomic import new_folder
from unsorry.training.distributed import Ranks, whole_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The shape of a Qwen3 model; the vocabulary is the tokenizer's."""

    layers: int
    hidden: int
    heads: int
    kv_heads: int
    intermediate: int
    context: int
    tied: bool = True  # one matrix for embedding and head
    rope_theta: float = 10_000.0  # 1e6 in the released models, whose contexts are long

    def __post_init__(self) -> None:
        if min(self.layers, self.hidden, self.heads, self.kv_heads, self.intermediate, self.context) < 1:
            raise UnsorryError(f"model shape {self}: every number must be at least 1")
        if self.hidden % self.heads or (self.hidden // self.heads) % 2:
            raise UnsorryError(f"model shape: hidden {self.hidden} must be an even multiple of heads {self.heads}")
        if self.heads % self.kv_heads:
            raise UnsorryError(f"model shape: heads {self.heads} must be a multiple of kv_heads {self.kv_heads}")


def new_model(shape: ModelShape, tokenizer: PreTrainedTokenizerBase, seed: int) -> Qwen3ForCausalLM:
    """A Qwen3 model with random float32 weights, the same for the same seed; leaves the global generator as it was."""
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.hidden // shape.heads,
        max_position_embeddings=shape.context,
        tie_word_embeddings=shape.tied,
        rope_parameters={"rope_type": "default", "rope_theta": shape.rope_theta},
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        attn_implementation="sdpa",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Qwen3ForCausalLM(config)
    return model.float()


def load_model(
    folder: str | os.PathLike[str],
    *,
    dtype: str | torch.dtype = "float32",
    device: str | torch.device = "cpu",
    attention: str = "sdpa",
    fp32_head: bool = False,
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The causal language model in `folder` and its tokenizer, in evaluation mode.

    `fp32_head` runs the last matrix in float32 whatever `dtype` is, in sampling and in training alike (see Fp32Head).
    Nothing is downloaded and no code in the folder is run.  Raises UnsorryError, one line, for whatever is missing or
    damaged.
    """
    path = Path(folder)
    _require(path)
    kind = DTYPES.get(dtype) if isinstance(dtype, str) else dtype
    if kind is None:
        raise UnsorryError(f"unknown dtype {dtype!r}: use {' or '.join(DTYPES)}")
    with _one_line(path), _quiet():
        model, info = AutoModelForCausalLM.from_pretrained(
            path, dtype=kind, attn_implementation=attention, local_files_only=True, output_loading_info=True
        )
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
    if absent := sorted(info["missing_keys"]):
        more = f" and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise UnsorryError(
            f"{path} has no weights for {absent[0]}{more}: it does not hold the model its config.json names"
        )
    if wrong := info.get("mismatched_keys"):
        raise UnsorryError(f"{path}: the weights of {next(iter(wrong))!r} have another shape than config.json says")
    _check_tokenizer(path, model, tokenizer)
    if fp32_head:
        set_fp32_head(model, stored=_stored_head(path))
    return model.to(device).eval(), tokenizer


def save_model(
    model: nn.Module,
    tokenizer: PreTrainedTokenizerBase,
    folder: str | os.PathLike[str],
    *,
    here: Ranks | None = None,
) -> Path:
    """Write weights (safetensors), configuration and tokenizer; `folder` is complete afterwards or unchanged.

    With several ranks all call this; weights are gathered and rank 0 writes.
    """
    if not isinstance(model, PreTrainedModel):
        raise UnsorryError("only a whole model can be saved as one; use save_adapter for a LoRA, or merge it first")
    target = Path(folder)
    here = here or Ranks()
    state = None
    if here.world > 1:
        held, own = model.state_dict(), _own_names(model)
        state = whole_state({name: held[name] for name in sorted(own & held.keys())})
    if here.writes:
        with new_folder(target) as new, _quiet():
            model.save_pretrained(new, state_dict=state, safe_serialization=True)
            tokenizer.save_pretrained(new)
    here.wait()
    return target


class Fp32Head(nn.Linear):
    """A head that computes in float32: the weight is kept in float32 unless it is the embedding too.

    Sampler and trainer then agree to float32 rounding on the step that amplifies it most (MiniMax-M1 sec. 3.2,
    ScaleRL 2510.13786).  A weight shared with a bfloat16 embedding stays shared and is converted on each call.
    Not affected by autocast.
    """

    def forward(self, input: Tensor) -> Tensor:
        with torch.autocast(input.device.type, enabled=False):
            bias = None if self.bias is None else self.bias.float()
            return nn.functional.linear(input.float(), self.weight.float(), bias)


def set_fp32_head(model: PreTrainedModel, *, stored: Tensor | None = None) -> None:
    """Make the model's head compute in float32; `stored` is its weight before any rounding."""
    old = model.get_output_embeddings()
    if not isinstance(old, nn.Linear):
        raise UnsorryError(f"{type(model).__name__} has no linear head, so it cannot run in float32")
    if isinstance(old, Fp32Head):
        return
    head = Fp32Head(old.in_features, old.out_features, bias=old.bias is not None, device="meta")
    head.weight, head.bias = old.weight, old.bias
    if not is_tied(model):
        value = old.weight if stored is None else stored.to(old.weight.device)
        head.weight = nn.Parameter(value.detach().float(), requires_grad=old.weight.requires_grad)
    head.train(old.training)
    model.set_output_embeddings(head)


def has_fp32_head(model: nn.Module) -> bool:
    return isinstance(causal_lm(model).get_output_embeddings(), Fp32Head)


def is_tied(model: PreTrainedModel) -> bool:
    """Whether embedding and head are one matrix."""
    head, embedding = model.get_output_embeddings(), model.get_input_embeddings()
    return head is not None and embedding is not None and head.weight is embedding.weight


def causal_lm(model: nn.Module) -> PreTrainedModel:
    """The transformers model inside a PEFT wrapper, or the model itself."""
    inner = model.get_base_model() if isinstance(model, PeftModel) else model
    if not isinstance(inner, PreTrainedModel) or inner.get_output_embeddings() is None:
        raise UnsorryError(f"{type(inner).__name__} is not a causal language model of the transformers library")
    return inner


def hidden_and_head(model: nn.Module, batch: Mapping[str, Tensor | None]) -> tuple[Tensor, Tensor, Tensor | None]:
    """Last hidden states [B, T, H] (after the final norm), head weight [V, H] and head bias; no logits are made.

    `batch` holds `input_ids` [B, T] and may hold `position_ids` and `attention_mask`.  Rows padded on the right need
    no mask: no token looks to its right, and what is computed at padding is used by nobody.
    """
    inner = causal_lm(model)
    hidden = inner.base_model(**batch, use_cache=False).last_hidden_state
    head = inner.get_output_embeddings()
    return hidden, head.weight, getattr(head, "bias", None)


def weights_digest(source: nn.Module | str | os.PathLike[str]) -> str:
    """SHA-256 over names, types, shapes and bytes of all weights: of a model in memory, or of a folder that holds one.

    The two agree for a model and the folder that it was saved to.  A head that is the embedding is counted once.
    """
    digest = hashlib.sha256()
    items = _module_tensors(source) if isinstance(source, nn.Module) else _folder_tensors(Path(source))
    for name, tensor in items:
        flat = tensor.detach().to("cpu").contiguous()
        digest.update(f"{name}\0{flat.dtype}\0{tuple(flat.shape)}\0".encode())
        digest.update(flat.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _module_tensors(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    state = model.state_dict()
    for name in sorted(_own_names(model) & state.keys()):
        yield name, state[name]


def _own_names(model: nn.Module) -> set[str]:
    """Names of parameters and buffers, each tensor once: a head that is the embedding goes by the embedding's name."""
    return {name for name, _ in (*model.named_parameters(), *model.named_buffers())}


def _folder_tensors(folder: Path) -> Iterator[tuple[str, Tensor]]:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise UnsorryError(f"{folder} holds no .safetensors file: it is no model folder")
    with _one_line(folder):
        where = {}
        for file in files:
            with safe_open(file, "pt") as opened:
                where.update(dict.fromkeys(opened.keys(), file))
        for name in sorted(where):
            with safe_open(where[name], "pt") as opened:
                yield name, opened.get_tensor(name)


def _stored_head(folder: Path) -> Tensor | None:
    """The head's weight as the folder holds it, if in float32: loading in bfloat16 rounds it."""
    for name, tensor in _head_tensors(folder):
        if name == "lm_head.weight" and tensor.dtype == torch.float32:
            return tensor
    return None


def _head_tensors(folder: Path) -> Iterator[tuple[str, Tensor]]:
    for file in sorted(folder.glob("*.safetensors")):
        with safe_open(file, "pt") as opened:
            if "lm_head.weight" in opened.keys():  # noqa: SIM118
                yield "lm_head.weight", opened.get_tensor("lm_head.weight")


def _require(folder: Path) -> None:
    if not folder.is_dir():
        raise UnsorryError(f"there is no model folder {folder}: give one with config.json and .safetensors files")
    if not (folder / "config.json").is_file():
        advice = "it is an adapter; load its base model" if (folder / "adapter_config.json").is_file() else "no model"
        raise UnsorryError(f"{folder} has no config.json: {advice}")
    if not any(folder.glob("*.safetensors")):
        raise UnsorryError(f"{folder} has no .safetensors file; other weight formats can run code and are not read")


def _check_tokenizer(folder: Path, model: PreTrainedModel, tokenizer: Any) -> None:
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows:
        raise UnsorryError(f"{folder}: the tokenizer has {len(tokenizer)} tokens, the model only {rows}")
    if tokenizer.eos_token_id is None:
        raise UnsorryError(f"{folder}: the tokenizer names no end-of-text token (eos_token), so nothing would ever end")


@contextmanager
def _one_line(folder: Path) -> Iterator[None]:
    """Faults of the libraries in reading `folder`, as one line."""
    try:
        yield
    except SafetensorError as error:
        raise UnsorryError(f"{folder}: a weight file is damaged ({error}); copy or make the model again") from None
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        first = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise UnsorryError(f"{folder} cannot be loaded: {first[:300]}") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """No load reports and progress bars of the library: what matters of them becomes an error here."""
    verbosity = transformers_logging.get_verbosity()
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(verbosity)
        if bars:
            transformers_logging.enable_progress_bar()
