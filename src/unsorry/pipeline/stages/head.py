"""`head`: how far sampler and trainer disagree on a token's log-probability, with the LM head in either precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from unsorry import Sampling, UnsorryError
from unsorry.pipeline import samplers, weights
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, register
from unsorry.pipeline.storage import write_json
from unsorry.problems import jsonl

if TYPE_CHECKING:
    from unsorry import Turn
    from unsorry.pipeline.weights import Weights


class Config(StageConfig):
    """How much is sampled, and in which precision the rest of the model runs."""

    statements: int = Field(default=16, ge=1)
    samples: int = Field(default=4, ge=1)
    max_tokens: int = Field(default=64, ge=1)
    dtypes: tuple[Literal["float32", "bfloat16"], ...] = ("bfloat16",)


@register
class Head(Stage):
    """Writes `gaps`.  Sampling steps token by token through a cache, training scores whole sequences."""

    kind = "head"
    row = "FP32 LM head"
    inputs = {"model": Input("model"), "problems": Input("valid")}
    outputs = ("gaps",)
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        gaps: dict[str, dict[str, float]] = {}
        for dtype in config.dtypes:
            for fp32_head in (False, True):
                name = f"{dtype} model, {'float32' if fp32_head or dtype == 'float32' else dtype} head"
                if name in gaps:
                    continue
                context.progress.say(name)
                gaps[name] = _gap(context, config, dtype, fp32_head)
        write_json(context.folder / "gaps.json", {"format": 1, "gaps": gaps})
        text = "; ".join(
            f"{name}: mean |gap| {gap['mean']:.1e}, max {gap['max']:.1e}, correlation {gap['correlation']:.5f}"
            for name, gap in gaps.items()
        )
        used = "float32" if context.recipe.model.fp32_head else context.recipe.model.dtype
        tokens = int(next(iter(gaps.values()))["tokens"])
        return Outcome(
            ours=f"{text}; this run trains with a {used} head",
            data=f"{tokens} sampled tokens",
            metrics=gaps,
            artifacts={"gaps": context.folder / "gaps.json"},
        )


def _gap(context: Context, config: Config, dtype: str, fp32_head: bool) -> dict[str, float]:
    """Statistics of log pi_train - log pi_sample over sampled tokens, nats."""
    import numpy as np
    import torch

    device = context.resources.prepare_torch()
    found = weights.read(context.inputs["model"].path)
    turns = _sampled(context, config, found, dtype, fp32_head)
    model, _ = weights.load_sampler(found, context.recipe.model, device, dtype=dtype, fp32_head=fp32_head)
    with torch.inference_mode():
        trained = np.array([value for turn in turns for value in _score(model, turn, device)])
    sampled = np.array([value for turn in turns for value in turn.logprobs])
    gap = trained - sampled
    return {
        "mean": float(np.abs(gap).mean()),
        "max": float(np.abs(gap).max()),
        "correlation": float(np.corrcoef(np.exp(trained), np.exp(sampled))[0, 1]),
        "mean_ratio": float(np.exp(gap).mean()),
        "tokens": float(len(gap)),
    }


def _sampled(context: Context, config: Config, found: Weights, dtype: str, fp32_head: bool) -> list[Turn]:
    """What the sampler of the run draws in that precision: vLLM where the recipe samples with it."""
    from unsorry import Prompt
    from unsorry.provers.formats import make
    from unsorry.provers.local import LocalProver

    prompts = [Prompt(problem) for problem in jsonl.read(context.inputs["problems"].path)[: config.statements]]
    sampling = Sampling(seed=context.seed, max_tokens=config.max_tokens)
    if context.recipe.resources.sampler == "vllm":
        with samplers.served(
            context, found, found.name, max_tokens=config.max_tokens, training=True, dtype=dtype, fp32_head=fp32_head
        ) as prover:
            answers = prover.propose(prompts, n=config.samples, sampling=sampling)
    else:
        device = context.resources.prepare_torch()
        model, tokenizer = weights.load_sampler(found, context.recipe.model, device, dtype=dtype, fp32_head=fp32_head)
        format = make(context.recipe.model.format)
        local = LocalProver(model, tokenizer, format, id=found.name, max_tokens=config.max_tokens, training=True)
        answers = local.propose(prompts, n=config.samples, sampling=sampling)
    turns = [c.turn for group in answers for c in group if c.turn is not None and c.turn.completion_ids]
    if not turns:
        raise UnsorryError(f"stage {context.name}: the model gave no answer to {len(prompts)} statements")
    return turns


def _score(model: Any, turn: Turn, device: str) -> list[float]:
    """Log-probabilities of a turn's completion as training computes them, one pass over the whole sequence."""
    import torch

    from unsorry.training.logprobs import token_logprobs
    from unsorry.training.model import has_fp32_head, hidden_and_head

    ids = torch.tensor([[*turn.prompt_ids, *turn.completion_ids]], device=device)
    hidden, head, bias = hidden_and_head(model, {"input_ids": ids})
    start = len(turn.prompt_ids)
    scores = token_logprobs(
        hidden[0, start - 1 : -1], head, ids[0, start:], chunk=1024, fp32_head=has_fp32_head(model), bias=bias
    )
    return [float(value) for value in scores]
