"""The tables of a recipe that are not stages: model, judge, resources, rows."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from unsorry.pipeline.faults import similar
from unsorry.pipeline.stage import StageConfig
from unsorry.provers import formats


class ShapeConfig(StageConfig):
    """Dimensions of a Qwen3-architecture model: of the new one a recipe makes, or of the one that `path` names."""

    layers: int = Field(gt=0)
    hidden: int = Field(gt=0)
    heads: int = Field(gt=0)
    kv_heads: int = Field(gt=0)
    intermediate: int = Field(gt=0)
    head_dim: int = Field(default=0, ge=0)  # 0: hidden / heads
    vocab: int = Field(default=0, ge=0)  # 0: what the tokenizer that the recipe trains has
    tied: bool = False  # the LM head is the embedding


class ModelConfig(StageConfig):
    """[model]: where training starts."""

    path: str = ""  # a folder (relative to where the run is started) or a hub id in the local cache; "" makes a new one
    revision: str = ""  # of a hub id: a commit
    format: str = "plain"  # prompt format: of provers/formats
    dtype: Literal["float32", "bfloat16"] = "float32"  # of the frozen or trained weights
    fp32_head: bool = True  # the LM head runs in float32, in training and (where it can) in sampling
    attention: Literal["eager", "sdpa", "flash_attention_2"] = "sdpa"
    context: int = Field(default=1024, gt=0)  # longest sequence, prompt included, tokens
    shape: ShapeConfig | None = None

    @field_validator("format")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in formats.NAMES:
            raise ValueError(f"is {value!r}{similar(value, formats.NAMES)}; it is one of {', '.join(formats.NAMES)}")
        return value


class JudgeConfig(StageConfig):
    """[judge]: the one judge of the whole run."""

    sandbox: Literal["strict", "limits", "none"] = "strict"
    seconds: float = Field(default=30.0, gt=0)  # of processor time, an elaboration
    memory_mib: int = Field(default=4096, gt=0)  # an elaboration
    workers: int = Field(default=0, ge=0)  # submissions at a time; 0 is the cores
    full_replay: bool = False
    project: str = ""  # a Lake project (with Mathlib) whose toolchain and libraries are used; "" is the one found here


class ResourcesConfig(StageConfig):
    """[resources]: the machine the recipe is written for.  Nothing here changes results; the plan computes with it."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: int = Field(default=0, ge=0)  # of torch on CPU; 0 is the cores
    box: str = ""  # a name for the machine, for people
    gpus: int = Field(default=0, ge=0)
    processes: int = Field(default=0, ge=0)  # that train together (torchrun, FSDP2); 0: one a card
    gpu_memory_gib: float = Field(default=0.0, ge=0)  # usable, a card
    gpu_bandwidth_gbs: float = Field(default=0.0, ge=0)  # memory, GB/s a card
    gpu_tflops: float = Field(default=0.0, ge=0)  # dense bf16, a card
    mfu: float = Field(default=0.4, gt=0, le=1)  # share of the peak that training reaches
    host_memory_gib: float = Field(default=0.0, ge=0)
    disk_gib: float = Field(default=0.0, ge=0)
    sampler: Literal["local", "vllm"] = "local"
    vllm: str = "vllm"  # the program: a name on PATH, or a path into an environment of its own
    tensor_parallel: int = Field(default=1, gt=0)  # vLLM: cards that share one copy of the model
    data_parallel: int = Field(default=1, gt=0)  # vLLM: copies
    gpu_utilisation: float = Field(default=0.92, gt=0, le=1)  # vLLM's share of a card
    sample_tokens_per_second: float = Field(default=0.0, ge=0)  # of the box; 0: from the bandwidth bound
    train_tokens_per_second: float = Field(default=0.0, ge=0)  # of the box; 0: from `gpu_tflops` and `mfu`
    judged_per_second: float = Field(default=0.0, ge=0)  # of the box; 0: the plan says it is unknown
    throughput_source: str = ""  # where these figures come from


class RowConfig(StageConfig):
    """[rows."Bug finding"]: what the table says of a row that no stage feeds."""

    status: Literal["Planned", "Out of scope"] = "Planned"
    reason: str = ""
    ours: str = ""
