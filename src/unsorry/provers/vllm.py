"""A prover on vLLM's offline engine, for models that this process cannot sample from fast enough.  Extra: `vllm`.

Written for vLLM 0.33.  Weights reach the engine as adapters, each version under a name, a number and a folder of its
own: an adapter that is loaded again under its old name is answered from caches of the old one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from unsorry import Completion, Prompt, Sampling, UnsorryError
from unsorry.provers.answers import Ask, Drawn, Plan, check, end_ids, require_template
from unsorry.provers.formats import Format

MAX_TOKENS = 8192
_MISSING = "vLLM is not installed: pip install 'unsorry[vllm]' in an environment of its own, on a machine with a GPU"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """How the engine is set up.  Two cards of 24 GB hold an 8B model in bfloat16 and 340k tokens of its cache."""

    tensor_parallel: int = 1
    max_model_len: int = 40_960  # tokens, prompt and answer
    dtype: str = "bfloat16"
    fp32_head: bool = False
    max_lora_rank: int = 0  # 0 serves no adapters
    memory: float = 0.92  # share of each card's memory
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Adapter:
    """One version of the trained weights, as the engine knows it."""

    name: str
    number: int  # never used again for other weights
    path: Path
    version: str


class Engine(Protocol):
    """What is used of `vllm.LLM`."""

    def generate(self, prompts: Any, sampling_params: Any, *, use_tqdm: bool, lora_request: Any) -> Sequence[Any]: ...

    def reset_prefix_cache(self) -> bool: ...


def engine_arguments(folder: Path, config: EngineConfig) -> dict[str, Any]:
    """Arguments of `vllm.LLM`.

    `processed_logprobs` are those of the distribution that was sampled from, temperature included; the engine's
    default gives others.
    """
    arguments: dict[str, Any] = {
        "model": str(folder),
        "tensor_parallel_size": config.tensor_parallel,
        "max_model_len": config.max_model_len,
        "dtype": config.dtype,
        "gpu_memory_utilization": config.memory,
        "seed": config.seed,
        "logprobs_mode": "processed_logprobs",
        "generation_config": "vllm",  # no sampling settings from the model's folder
        "enable_prefix_caching": True,
        "trust_remote_code": False,
    }
    if config.fp32_head:
        arguments["hf_overrides"] = {"head_dtype": "float32"}
    if config.max_lora_rank:
        arguments |= {"enable_lora": True, "max_loras": 1, "max_lora_rank": config.max_lora_rank}
    return arguments


def sampling_arguments(ask: Ask, sampling: Sampling, ends: frozenset[int]) -> dict[str, Any]:
    """Arguments of `vllm.SamplingParams` for one sample."""
    return {
        "n": 1,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": 0,
        "min_p": 0.0,
        "seed": int(ask.key[:15], 16),
        "max_tokens": ask.limit,
        "stop_token_ids": sorted(ends),
        "logprobs": 0,  # that of the sampled token alone
        "detokenize": False,
    }


class Adapters:
    """The versions of an adapter.  `reset` empties the engine's prefix cache and says whether it could."""

    def __init__(self, reset: Callable[[], bool], *, max_rank: int) -> None:
        self.reset, self.max_rank = reset, max_rank
        self.current: Adapter | None = None
        self._known: dict[Path, Adapter] = {}

    def use(self, folder: Path, version: str) -> Adapter:
        """Make the adapter in `folder` the one that answers from now on.

        Raises UnsorryError for a folder whose adapter the engine would not apply as it was trained, and for one that
        was in use under another version.
        """
        path = folder.resolve()
        self._check(path)
        known = self._known.get(path)
        if known is not None and known.version != version:
            raise UnsorryError(f"{folder} held adapter {known.name} before: write each version to a folder of its own")
        number = len(self._known) + 1
        adapter = known or Adapter(f"adapter-{number}-{version}", number, path, version)
        if adapter == self.current:
            return adapter
        self._known[path] = adapter
        self._empty()
        self.current = adapter
        return adapter

    def none(self) -> None:
        """Have the base model answer."""
        if self.current is not None:
            self._empty()
            self.current = None

    def _empty(self) -> None:
        if not self.reset():
            raise UnsorryError("vLLM could not empty its prefix cache, which holds states of the old weights")

    def _check(self, path: Path) -> None:
        if not self.max_rank:
            raise UnsorryError("the engine was started without adapters: set max_lora_rank to their rank")
        try:
            config = json.loads((path / "adapter_config.json").read_text(encoding="utf-8"))
            names = _tensor_names(path / "adapter_model.safetensors")
            rank = int(config["r"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnsorryError(f"{path} holds no LoRA adapter that can be read: {type(error).__name__}") from None
        if rank > self.max_rank:
            raise UnsorryError(f"the adapter in {path} has rank {rank}, the engine takes {self.max_rank} at most")
        strange = next((name for name in names if not name.startswith("base_model.model.")), None)
        if strange or not names:
            what = f"tensor {strange!r}" if strange else "no tensor"
            raise UnsorryError(f"the adapter in {path} has {what}: vLLM would ignore it and answer with the base model")
        if any(".lm_head." in name or ".embed_tokens." in name for name in names):
            raise UnsorryError(f"the adapter in {path} changes the head or the embedding, which vLLM does not serve")


def _tensor_names(path: Path) -> list[str]:
    """The names in the header of a .safetensors file: its length in 8 bytes, then JSON."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > 100 << 20:
            raise ValueError("header too large")
        header = json.loads(file.read(size))
    return [name for name in header if name != "__metadata__"]


def read_output(output: Any, adapter: Adapter | None) -> Drawn:
    """What a `vllm.RequestOutput` holds; raises UnsorryError if other weights answered than were asked for."""
    answered = getattr(output, "lora_request", None)
    if (answered.lora_name if answered is not None else None) != (adapter.name if adapter is not None else None):
        said = answered.lora_name if answered is not None else "the base model"
        raise UnsorryError(f"vLLM answered with {said}, not with {adapter.name if adapter else 'the base model'}")
    (choice,) = output.outputs
    ids = tuple(choice.token_ids)
    if choice.logprobs is None or len(choice.logprobs) != len(ids):
        raise UnsorryError("vLLM returned no log-probability for each token: is this vLLM 0.33 or later?")
    logprobs = tuple(float(at[one].logprob) for at, one in zip(choice.logprobs, ids, strict=True))
    finish = choice.finish_reason if choice.finish_reason in ("stop", "length") else "error"
    return Drawn(ids, logprobs, finish, int(output.num_cached_tokens or 0))


class VllmProver:
    """Samples with vLLM.  Each sample is a request with its own seed; the engine batches and shares prefixes.

    Not repeatable to the bit: the engine's batches depend on timing.  `sampling.timeout` is not used.
    """

    def __init__(
        self,
        folder: Path,
        tokenizer: Any,
        format: Format,
        *,
        id: str = "",
        config: EngineConfig | None = None,
        max_tokens: int = MAX_TOKENS,
        training: bool = False,
        version: str = "",
    ) -> None:
        self.config = config or EngineConfig()
        self.id, self.version = id or f"vllm:{folder.name}", version
        require_template(format, tokenizer, self.id)
        self.tokenizer, self.format, self.training, self.max_tokens = tokenizer, format, training, max_tokens
        self.ends = end_ids(_generation_config(folder), tokenizer, format)
        try:
            import vllm
            from vllm.lora.request import LoRARequest
        except ImportError:
            raise UnsorryError(_MISSING) from None
        except Exception as error:  # drivers that it does not like
            raise UnsorryError(f"vLLM cannot be loaded: {_one_line(error)}") from None
        self._parameters, self._lora = vllm.SamplingParams, LoRARequest
        try:
            self.engine: Engine = vllm.LLM(**engine_arguments(folder, self.config))
        except Exception as error:  # the engine raises what it likes: memory, drivers, configuration
            raise UnsorryError(f"vLLM cannot serve {folder}: {_one_line(error)}") from None
        self.adapters = Adapters(self.engine.reset_prefix_cache, max_rank=self.config.max_lora_rank)

    def use_adapter(self, folder: Path, version: str) -> None:
        """Answer with the adapter in `folder` from now on; `version` names its weights in every turn."""
        self.adapters.use(folder, version)
        self.version = version

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """`n` completions for each prompt; raises as LocalProver does."""
        check(sampling, training=self.training)
        start = time.monotonic()
        plan = Plan(
            self.format, self.tokenizer, prompts, n=n, sampling=sampling, most=self.max_tokens,
            context=self.config.max_model_len,
        )  # fmt: skip
        adapter = self.adapters.current
        lora = self._lora(adapter.name, adapter.number, str(adapter.path)) if adapter else None
        outputs: Sequence[Any] = []
        if plan.asks:
            tokens = [{"prompt_token_ids": list(ask.ids)} for ask in plan.asks]
            parameters = [self._parameters(**sampling_arguments(ask, sampling, self.ends)) for ask in plan.asks]
            try:
                outputs = self.engine.generate(tokens, parameters, use_tqdm=False, lora_request=lora)
            except Exception as error:
                raise UnsorryError(f"vLLM failed while sampling: {_one_line(error)}") from None
        drawn = [read_output(output, adapter) for output in outputs]
        return plan.completions(drawn, model=self.version or self.id, seconds=time.monotonic() - start)


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


@dataclass(frozen=True, slots=True)
class _Named:
    eos_token_id: Any


@dataclass(frozen=True, slots=True)
class _Ends:
    generation_config: _Named
    config: _Named


def _generation_config(folder: Path) -> _Ends:
    """The end tokens that a model's folder names."""

    def read(name: str) -> _Named:
        try:
            found: Mapping[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
            return _Named(found.get("eos_token_id"))
        except (OSError, ValueError, AttributeError):
            return _Named(None)

    return _Ends(read("generation_config.json"), read("config.json"))
