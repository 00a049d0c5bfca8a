"""`corpus`: the text that a new model first reads: Lean sources, statements, and proofs that search finds.

Search is the only author of proofs, the strict judge accepts each of them, and a false statement brings the disproof
that its counterexample gives.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from unsorry import Problem, Sampling
from unsorry.pipeline.refutations import refutations
from unsorry.pipeline.stage import Context, Input, Outcome, Stage, StageConfig, register
from unsorry.problems import jsonl
from unsorry.scaffolds.prove_or_disprove import proves

if TYPE_CHECKING:
    from unsorry.provers.formats import Format

FORMAT = 1


class Config(StageConfig):
    """How much of each kind of text."""

    proofs: int = Field(default=150, ge=0)  # problems that search is asked to prove
    effort: int = Field(default=400, ge=1)  # of search for one: about the candidate proofs that Lean checks
    each: int = Field(default=2, ge=1)  # different proofs of one statement, where search has them
    seconds: float = Field(default=60.0, gt=0)  # wall clock behind that, for one problem
    disproofs: int = Field(default=20, ge=0)  # false statements to be refuted
    statements: bool = True  # the training problems as text, with their sorry
    sources: int = Field(default=40, ge=0)  # pieces of the Lean sources of the embedded core library
    source_bytes: int = Field(default=2000, ge=100)  # longest piece of a source


@dataclass(frozen=True, slots=True)
class Document:
    """A text to read.  `problem` and `answer` are those of a demonstration, which is put in the model's format."""

    kind: str  # `source`, `statement`, `proof`, `disproof`
    text: str
    problem: Problem | None = None
    answer: str = ""
    decide: bool = False  # shown as a prove-or-disprove exercise


@register
class Corpus(Stage):
    """Writes `documents`."""

    kind = "corpus"
    row = "Mid-training"
    inputs = {"problems": Input("train"), "false": Input("false", required=False)}
    outputs = ("documents",)
    Config = Config

    def run(self, context: Context) -> Outcome:
        from unsorry.provers.formats import make

        config: Config = context.config
        format = make(context.recipe.model.format)
        problems = jsonl.read(context.inputs["problems"].path)
        documents: list[Document] = []
        if config.sources:
            documents += _sources(config, context.seed)
        if config.statements:
            documents += [Document("statement", problem.source) for problem in problems]
        asked = problems[: config.proofs]
        proofs = list(_proofs(context, config, asked, format))
        disproofs = list(_disproofs(context, config, format))
        documents += proofs + disproofs
        path = context.folder / "documents.jsonl"
        _write(path, documents)
        counts = Counter(document.kind for document in documents)
        return Outcome(
            ours=f"{counts['proof']} proofs found by search for {len(asked)} statements and {counts['disproof']} "
            f"disproofs, each accepted by the judge; {counts['statement']} statements, {counts['source']} pieces of "
            "Lean source",
            data="generated world, core library",
            metrics={**counts, "asked": len(asked), "bytes": sum(len(d.text.encode()) for d in documents)},
            artifacts={"documents": path},
        )


def read(path: Path) -> list[Document]:
    """The documents of an artifact."""
    found = []
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:  # texts may hold other line ends, such as U+2028
        raw = json.loads(line)
        problem = jsonl.decode(raw["problem"], str(path)) if raw.get("problem") else None
        found.append(Document(raw["kind"], raw["text"], problem, raw.get("answer", ""), raw.get("decide", False)))
    return found


def _write(path: Path, documents: Sequence[Document]) -> None:
    partial = path.with_suffix(f".{os.getpid()}.part")
    with partial.open("w", encoding="utf-8") as file:
        for document in documents:
            raw: dict[str, Any] = {"format": FORMAT, "kind": document.kind, "text": document.text}
            if document.problem is not None:
                raw |= {
                    "problem": jsonl.encode(document.problem),
                    "answer": document.answer,
                    "decide": document.decide,
                }
            file.write(json.dumps(raw, ensure_ascii=False) + "\n")
    partial.replace(path)


def _sources(config: Config, seed: int) -> list[Document]:
    """A choice of the core library, cut at declarations."""
    from unsorry.problems.corpus import lean_documents

    pieces = list(lean_documents(Path(__file__).parents[2] / "lean" / "core", limit=config.source_bytes))
    chosen = random.Random(seed).sample(range(len(pieces)), min(config.sources, len(pieces)))  # noqa: S311
    return [Document("source", pieces[i]) for i in sorted(chosen)]


def _proofs(context: Context, config: Config, problems: Sequence[Problem], format: Format) -> Iterator[Document]:
    from unsorry.pipeline.rollouts import rollouts
    from unsorry.provers.search import SearchProver
    from unsorry.scaffolds.sampled import SampledProof

    judge = context.resources.judge()
    prover = SearchProver(judge.toolchain, judge.confinement, workers=context.resources.workers, effort=config.effort)
    attempts = rollouts(
        problems,
        SampledProof(None, Sampling(timeout=config.seconds)),
        prover,
        judge,
        n=config.each,
        seed=context.seed,
        folder=context.folder / "search",
        chunk=8 * context.resources.workers,
        progress=context.progress,
    )
    known = {problem.id: problem for problem in problems}
    for attempt in attempts:
        if proves(attempt):
            problem = known[attempt.problem]
            answer = format.answer(problem, attempt.submission)
            if answer is not None:
                yield Document("proof", attempt.submission, problem, answer)


def _disproofs(context: Context, config: Config, format: Format) -> Iterator[Document]:
    """Refutations of false statements of the training families, in few words; kept one by one."""
    if "false" not in context.inputs or not config.disproofs:
        return
    false = [p for p in jsonl.read(context.inputs["false"].path) if p.split in ("", "train")][: config.disproofs]
    found = refutations(
        false, context.resources.judge(), context.folder / "disproofs.json", seconds=config.seconds, seed=context.seed,
        workers=context.resources.workers,
    )  # fmt: skip
    for problem in false:
        answer = format.answer(problem, found[problem.id].source, disproof=True) if found[problem.id] else None
        if answer:
            yield Document("disproof", f"{problem.source}\n{answer}", problem, answer, decide=True)
