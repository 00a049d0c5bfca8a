"""The vLLM adapter, as far as it goes without vLLM: what is asked of the engine, and which weights answer."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from unsorry import Problem, Prompt, Sampling, UnsorryError
from unsorry.provers.answers import Ask, Plan
from unsorry.provers.formats import make
from unsorry.provers.vllm import (
    Adapter,
    Adapters,
    EngineConfig,
    VllmProver,
    engine_arguments,
    read_output,
    sampling_arguments,
)
from unsorry.training.tokenizer import train_tokenizer


def write_adapter(folder: Path, *, rank: int = 4, prefix: str = "base_model.model.", layer: str = "q_proj") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "adapter_config.json").write_text(json.dumps({"r": rank, "peft_type": "LORA"}))
    name = f"{prefix}model.layers.0.self_attn.{layer}.lora_A.weight"
    save_file({name: torch.zeros(rank, 8)}, folder / "adapter_model.safetensors", metadata={"format": "pt"})
    return folder


@dataclass
class PrefixCache:
    """What an engine remembers between requests: states by adapter name and tokens (report 11)."""

    states: dict[tuple[str, int], str] = field(default_factory=dict)
    works: bool = True

    def reset(self) -> bool:
        if self.works:
            self.states.clear()
        return self.works

    def answer(self, name: str, number: int, path: Path) -> str:
        """The state for a prompt, computed from the folder's weights unless there is one under that name."""
        return self.states.setdefault((name, number), path.name)


def test_new_weights_have_a_name_a_number_and_a_folder_of_their_own(tmp_path: Path) -> None:
    cache = PrefixCache()
    adapters = Adapters(cache.reset, max_rank=16)
    first = adapters.use(write_adapter(tmp_path / "one"), "w1")
    second = adapters.use(write_adapter(tmp_path / "two"), "w2")
    assert adapters.current is second
    assert (first.name, first.number, second.name, second.number) == ("adapter-1-w1", 1, "adapter-2-w2", 2)
    assert adapters.use(tmp_path / "one", "w1") == first  # back, after a rollback
    assert adapters.use(tmp_path / "one", "w1") == first
    with pytest.raises(UnsorryError, match="write each version to a folder of its own"):
        adapters.use(tmp_path / "one", "w3")
    assert adapters.current == first
    adapters.none()
    assert adapters.current is None


def test_a_prefix_cache_does_not_answer_for_new_weights(tmp_path: Path) -> None:
    """Report 11: an adapter under its old name is answered from the blocks of the old weights."""
    naive = PrefixCache()
    assert naive.answer("adapter", 1, tmp_path / "w1") == "w1"
    assert naive.answer("adapter", 1, tmp_path / "w2") == "w1"  # the fault
    cache = PrefixCache()
    adapters = Adapters(cache.reset, max_rank=16)
    for version in ("w1", "w2", "w1"):
        used = adapters.use(write_adapter(tmp_path / version), version)
        assert not cache.states
        assert cache.answer(used.name, used.number, used.path) == version
    cache.works = False
    with pytest.raises(UnsorryError, match="could not empty its prefix cache"):
        adapters.use(write_adapter(tmp_path / "w4"), "w4")
    assert adapters.current is not None and adapters.current.name.endswith("w1")  # not switched half


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rank": 32}, "has rank 32, the engine takes 16 at most"),
        ({"prefix": "model."}, "vLLM would ignore it and answer with the base model"),
        ({"layer": "lm_head"}, "changes the head or the embedding"),
    ],
)
def test_adapters_that_would_not_be_applied(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    adapters = Adapters(lambda: True, max_rank=16)
    with pytest.raises(UnsorryError, match=message):
        adapters.use(write_adapter(tmp_path / "a", **options), "w1")
    with pytest.raises(UnsorryError, match="holds no LoRA adapter that can be read"):
        adapters.use(tmp_path, "w1")
    (tmp_path / "a" / "adapter_model.safetensors").write_bytes(b"\xff" * 30)
    with pytest.raises(UnsorryError, match="holds no LoRA adapter that can be read"):
        adapters.use(tmp_path / "a", "w1")
    with pytest.raises(UnsorryError, match="started without adapters"):
        Adapters(lambda: True, max_rank=0).use(tmp_path / "a", "w1")


@dataclass
class Probability:
    logprob: float


@dataclass
class Choice:
    token_ids: tuple[int, ...]
    logprobs: list[dict[int, Probability]] | None
    finish_reason: str | None = "stop"


@dataclass
class Named:
    lora_name: str


@dataclass
class Output:
    outputs: list[Choice]
    lora_request: Named | None = None
    num_cached_tokens: int | None = None


def test_outputs_are_read_with_the_probabilities_of_their_tokens() -> None:
    choice = Choice((7, 9), [{7: Probability(-0.5)}, {3: Probability(-0.1), 9: Probability(-2.0)}])
    drawn = read_output(Output([choice], num_cached_tokens=12), None)
    assert (drawn.ids, drawn.logprobs, drawn.finish, drawn.cached) == ((7, 9), (-0.5, -2.0), "stop", 12)
    assert read_output(Output([Choice((), [], "length")]), None).finish == "length"
    assert read_output(Output([Choice((), [], "abort")]), None).finish == "error"
    for broken in (None, [{7: Probability(-0.5)}]):
        with pytest.raises(UnsorryError, match="no log-probability for each token"):
            read_output(Output([Choice((7, 9), broken)]), None)


def test_answers_of_other_weights_are_refused() -> None:
    """Report 10: an adapter that no request names trains while the base model answers."""
    adapter = Adapter("adapter-1-w1", 1, Path("/adapter"), "w1")
    choice = Choice((7,), [{7: Probability(-0.5)}])
    assert read_output(Output([choice], Named("adapter-1-w1")), adapter).ids == (7,)
    with pytest.raises(UnsorryError, match="answered with the base model, not with adapter-1-w1"):
        read_output(Output([choice]), adapter)
    with pytest.raises(UnsorryError, match="answered with adapter-0-w0, not with the base model"):
        read_output(Output([choice], Named("adapter-0-w0")), None)


def test_engine_arguments() -> None:
    plain = engine_arguments(Path("/model"), EngineConfig())
    assert plain["logprobs_mode"] == "processed_logprobs"  # of what was sampled from, temperature included
    assert plain["model"] == "/model" and plain["dtype"] == "bfloat16" and plain["max_model_len"] == 40_960
    assert plain["trust_remote_code"] is False and plain["generation_config"] == "vllm"
    assert "hf_overrides" not in plain and "enable_lora" not in plain
    full = engine_arguments(Path("/model"), EngineConfig(tensor_parallel=2, fp32_head=True, max_lora_rank=32))
    assert full["tensor_parallel_size"] == 2 and full["hf_overrides"] == {"head_dtype": "float32"}
    assert (full["enable_lora"], full["max_lora_rank"], full["max_loras"]) == (True, 32, 1)


def test_each_sample_is_a_request_with_its_own_seed() -> None:
    tokenizer = train_tokenizer(["theorem t : True := trivial"], 270)
    problem = Problem("p", "theorem t : True := by sorry", ("t",))
    sampling = Sampling(temperature=0.8, seed=5)
    plan = Plan(make("plain"), tokenizer, [Prompt(problem)] * 2, n=3, sampling=sampling, most=100, context=50)
    arguments = [sampling_arguments(ask, sampling, frozenset({9, 5})) for ask in plan.asks]
    assert len({one["seed"] for one in arguments}) == 6 and all(0 <= one["seed"] < 2**63 for one in arguments)
    length = len(plan.asks[0].ids)
    for one in arguments:
        assert one["n"] == 1 and one["temperature"] == 0.8 and one["top_p"] == 1.0 and one["top_k"] == 0
        assert one["max_tokens"] == 50 - length and one["stop_token_ids"] == [5, 9] and one["logprobs"] == 0
    again = Plan(make("plain"), tokenizer, [Prompt(problem)], n=3, sampling=sampling, most=100, context=50)
    assert [ask.key for ask in again.asks] == [ask.key for ask in plan.asks[:3]]
    assert isinstance(plan.asks[0], Ask)


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is installed")
def test_without_vllm_one_line_says_what_to_install(tmp_path: Path) -> None:
    tokenizer = train_tokenizer(["theorem t : True := trivial"], 270)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UnsorryError, match=r"vLLM is not installed: pip install 'unsorry\[vllm\]'") as error:
        VllmProver(tmp_path, tokenizer, make("plain"))
    assert "\n" not in str(error.value)
    with pytest.raises(UnsorryError, match='use format "plain"'):
        VllmProver(tmp_path, tokenizer, make("goedel"))
