"""`midtrain`: language modelling on a Lean corpus, without copies and without anything of the evaluation sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from unsorry import Problem
from unsorry.pipeline import launch, measure, weights
from unsorry.pipeline.recipe import Recipe
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, Work, register
from unsorry.pipeline.stages.corpus import Document, read
from unsorry.pipeline.storage import read_json, write_json
from unsorry.problems import jsonl

if TYPE_CHECKING:
    from unsorry.problems.decontamination import Index


class Config(StageConfig):
    """The training, and how much each kind of document is repeated in an epoch."""

    epochs: int = Field(default=4, ge=1)
    repeat: Mapping[str, int] = {}  # kind of document -> times an epoch; 1 where it is not named
    lr: float = Field(default=2e-3, gt=0)
    step_tokens: int = Field(default=16_384, ge=1)
    micro_tokens: int = Field(default=8_192, ge=1)
    warmup: int = Field(default=20, ge=0)
    weight_decay: float = Field(default=0.1, ge=0)
    checkpoint_every: int = Field(default=20, ge=0)
    similarity: float = Field(default=0.8, gt=0, le=1)  # Jaccard from which two documents are copies
    evaluation: measure.SamplingTable = measure.SamplingTable()


@register
class Midtrain(Stage):
    """Writes `model`, and what it solves of valid (`outcomes`) and of the guard set (`guard_outcomes`)."""

    kind = "midtrain"
    row = "Mid-training"
    inputs = {
        "model": Input("model"),
        "documents": Input("documents"),
        "problems": Input("valid"),
        "guard": Input("guard", required=False),
        "held_out": Input("test", many=True),  # what no document may share anything with, besides valid and guard
        "before": Input("outcomes", required=False),
    }
    outputs = ("model", "outcomes", "guard_outcomes")
    instead = {"outcomes": "before"}
    Config = Config

    def run(self, context: Context) -> Outcome:
        config: Config = context.config
        kept, report = _clean(context, config)
        trained = _train(context, config, kept)
        outcomes, saved = measure.own_model(context, "valid", context.inputs["problems"], config.evaluation)
        guard = saved
        if "guard" in context.inputs:
            _, guard = measure.own_model(context, "guard", context.inputs["guard"], config.evaluation)
        ks = [k for k in (1, 8, 32) if k <= config.evaluation.samples]
        valid = ", ".join(measure.percent(outcomes, k) for k in ks)
        if "before" in context.inputs:
            valid = measure.change(measure.load(context.inputs["before"]), outcomes)
        return Outcome(
            ours=f"{trained['tokens']} tokens in {trained['steps']} steps, loss {trained['loss'][0]:.2f} to "
            f"{trained['loss'][1]:.2f}; valid {valid}",
            data=f"{report['kept']} of {report['documents']} documents; copies: {report['exact']} exact, "
            f"{report['near']} near; of evaluation sets: {report['contaminated']}",
            metrics={
                **report,
                **trained,
                "weights": weights.read(context.folder / "model").digest,
                **measure.figures(outcomes, ks),
            },
            artifacts={"model": context.folder / "model", "outcomes": saved, "guard_outcomes": guard},
        )

    def work(self, config: Any, expect: Mapping[str, float], recipe: Recipe) -> Work | None:
        attempts = int(expect.get("problems", 0)) * config.evaluation.samples
        return Work.of_attempts(
            attempts,
            expect,
            recipe.model.context,
            trained=int(expect.get("corpus_tokens", 0) * config.epochs),
            length=recipe.model.context,
            models=1,
        )


def _train(context: Context, config: Config, documents: Sequence[Document]) -> dict[str, Any]:
    from unsorry.provers.formats import make
    from unsorry.training.batches import MicroBatches
    from unsorry.training.midtrain import MidtrainConfig, document_rows
    from unsorry.training.optimiser import Schedule
    from unsorry.training.worker import loop_metrics

    folder, path = context.folder / "model", context.folder / "trained.json"
    done = read_json(path)
    if done is not None and (folder / "model.json").exists():
        return done
    start = weights.read(context.inputs["model"].path)
    tokenizer = weights.load_tokenizer(start)
    format = make(context.recipe.model.format)
    ids = [
        _ids(document, format, tokenizer) for document in documents for _ in range(config.repeat.get(document.kind, 1))
    ]
    rows = document_rows(ids, context=context.recipe.model.context, end=int(tokenizer.eos_token_id))
    options = MidtrainConfig(
        lr=config.lr,
        epochs=config.epochs,
        step_tokens=config.step_tokens,
        micro=MicroBatches(config.micro_tokens),
        schedule=Schedule("cosine", config.warmup, 0.1),
        weight_decay=config.weight_decay,
        seed=context.seed,
        autocast=context.recipe.model.dtype == "bfloat16",
    )
    job = launch.job(
        context,
        "midtrain",
        start,
        options,
        adapter=None,
        output=folder / "weights",
        every=config.checkpoint_every,
        dtype="float32",
    )
    found = loop_metrics(launch.train(context, job, rows, context.folder / "training"))
    facts = {
        "tokens": found.tokens,
        "steps": len(found.steps),
        "loss": [found.first_loss, found.last_loss],
        "rows": len(rows),
    }
    context.progress.say(f"{found.tokens_per_second:.0f} tokens a second")
    weights.link_base(folder, folder / "weights")
    write_json(path, facts)
    return facts


def _ids(document: Document, format: Any, tokenizer: Any) -> list[int]:
    """A demonstration in the model's format, any other document as text."""
    if document.problem is None:
        return list(tokenizer.encode(document.text, add_special_tokens=False, split_special_tokens=True))
    messages = format.disprove(document.problem) if document.decide else format.messages(document.problem)
    return [*format.encode(tokenizer, messages), *format.encode_answer(tokenizer, document.answer)]


def _clean(context: Context, config: Config) -> tuple[list[Document], dict[str, Any]]:
    """Documents without copies of one another and of what is evaluated on, and what was left out.

    Text is compared as a whole, near copies too.  Demonstrations share their definitions with others by design: two of
    them are copies if statement and proof are equal.
    """
    from unsorry.problems.decontamination import decontaminate
    from unsorry.problems.dedup import DedupConfig, deduplicate

    documents = read(context.inputs["documents"].path)
    texts = [d for d in documents if d.problem is None]
    demonstrations = [d for d in documents if d.problem is not None]
    near = deduplicate([d.text for d in texts], DedupConfig(similarity=config.similarity))
    exact = deduplicate([_shown(d) for d in demonstrations], DedupConfig(similarity=1.0))
    left = [texts[i] for i in near.kept] + [demonstrations[i] for i in exact.kept]
    context.progress.say(f"{len(left)} of {len(documents)} documents are no copies")
    held_out = _held_out(context, [d.problem for d in left if d.problem is not None])
    clean = decontaminate(
        [d.text if d.problem is None else _shown(d) for d in left], [d.problem for d in left], held_out
    )
    report = {
        "documents": len(documents),
        "exact": near.count("exact") + exact.count("exact") + exact.count("near"),
        "near": near.count("near"),
        "contaminated": sum(clean.counts.values()),
        "contaminated_by": dict(sorted(clean.counts.items())),
        "without_digest": len(held_out.undigested),
        "kept": len(clean.kept),
    }
    kept = [left[i] for i in clean.kept]
    report["kinds"] = dict(sorted(Counter(d.kind for d in kept).items()))
    return kept, report


def _shown(document: Document) -> str:
    """Statement and proof of a demonstration, without the definitions that many share."""
    assert document.problem is not None
    return document.problem.statement.removesuffix("sorry") + document.answer


def _held_out(context: Context, documented: Sequence[Problem]) -> Index:
    """What may not be in the corpus: runs of the evaluation statements, their digests and those of their negations."""
    from unsorry.problems import decontamination
    from unsorry.problems.digests import digests
    from unsorry.provers.formats.negation import negation

    evaluated = _evaluation_sets(context)
    negated = {problem.id: negation(problem) for problem in evaluated}
    asked = [*evaluated, *(n for n in negated.values() if n is not None), *documented]
    known = digests(asked, context.resources.judge().strict, workers=context.resources.workers)
    context.progress.say(f"{len(known)} statements elaborated")
    return decontamination.index(evaluated, digest=known.get, negation=lambda p: negated.get(p.id))


def _evaluation_sets(context: Context) -> list[Problem]:
    artifacts = [context.inputs["problems"], *context.inputs.many("held_out")]
    if "guard" in context.inputs:
        artifacts.append(context.inputs["guard"])
    return [problem for artifact in artifacts for problem in jsonl.read(artifact.path)]
