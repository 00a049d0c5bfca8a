"""Chains of turns: ask, judge, tell what was wrong, ask again; all problems together, round by round.

The scaffolds for model provers are this loop with another opening and another number of rounds.  One `propose` call a
round serves all chains, one `judge_many` call judges all answers.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Protocol

from unsorry import (
    Attempt,
    Completion,
    Cost,
    Judge,
    Problem,
    Prompt,
    Prover,
    Sampling,
    Status,
    Turn,
    UnsorryError,
    Verdict,
)
from unsorry.canonical import text_digest
from unsorry.judge.reasons import one_line
from unsorry.lean import source
from unsorry.provers.formats import DEFECTS, Format, Messages, Unsupported
from unsorry.scaffolds import DEFECT, NO_PROOF
from unsorry.scaffolds.feedback import feedback

PROVED, DISPROVED = "proved", "disproved"
# Defects of an answer that was never given: nothing was said, so nothing is rejected, and the chain ends.
UNASKED = frozenset(("unsupported", "prompt_too_long", "error"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a completion says: a submission to `problem`, which is the problem or its negation."""

    problem: Problem
    submission: str
    claim: str = PROVED
    defect: str = ""
    detail: str = ""  # what to say of the defect beyond what the format says


class Task(Protocol):
    """How a chain opens and how its answers are read."""

    @property
    def format(self) -> Format | None: ...

    def opening(self, problem: Problem) -> Messages:
        """The first prompt's messages, empty to leave it to the prover; raises Unsupported."""
        ...

    def read(self, problem: Problem, completion: Completion) -> Answer:
        """The answer in a completion; never raises, whatever the model wrote."""
        ...


@dataclass(slots=True)
class Chain:
    """One try in progress."""

    problem: Problem
    sample: int
    messages: Messages
    turns: list[Turn] = field(default_factory=list)
    answer: Answer | None = None
    verdict: Verdict | None = None
    cost: Cost = field(default_factory=lambda: Cost(money=0.0))
    rounds: list[dict[str, Any]] = field(default_factory=list)
    notes: Mapping[str, Any] = field(default_factory=dict)  # of the last answer
    ended: str = ""  # why it went no further although it failed

    def take(self, completion: Completion, answer: Answer) -> None:
        """Adds an answer; one that was never given ends the chain and leaves what it had."""
        self.cost = _sum(self.cost, completion.cost)
        if answer.defect in UNASKED:
            self.ended = answer.defect
            if self.answer is not None:
                return
        elif completion.turn is not None:
            turn = completion.turn
            self.turns.append(turn if turn.messages else replace(turn, messages=self.messages))
        self.answer, self.verdict = answer, None
        self.notes = completion.notes

    def judged(self, verdict: Verdict) -> None:
        assert self.answer is not None
        self.verdict = verdict
        submission = self.answer.submission
        said = {"status": verdict.status.value, "reason": verdict.reason, "message": verdict.message}
        digest = text_digest(without_comments(submission)) if submission else ""
        self.rounds.append({**said, "claim": self.answer.claim, "proof": digest})

    def attempt(self, scaffold: str, prover: str, seed: int, format: Format | None) -> Attempt:
        assert self.answer is not None and self.verdict is not None
        notes = {
            **self.notes,
            "format": format.name if format is not None else "",
            "sample": self.sample,
            "claim": self.answer.claim,
            "rounds": self.rounds,
            "forks": forks(self.turns),
            **({"ended": self.ended} if self.ended else {}),
        }
        return Attempt(
            self.problem.id,
            prover,
            scaffold,
            self.answer.submission,
            self.verdict,
            self.cost,
            seed,
            json.loads(json.dumps(notes, default=str)),  # as it will be read back
            tuple(self.turns),
        )


class ChainScaffold(ABC):
    """A scaffold that is this loop: it says how its chains open and how many answers (`rounds`) one has at most."""

    id: str
    sampling: Sampling
    rounds = 1

    @abstractmethod
    def tasks(self, problems: Sequence[Problem], judge: Judge) -> Task:
        """How chains at these problems open and are read."""

    def attempt(self, problem: Problem, prover: Prover, judge: Judge, *, n: int = 1) -> list[Attempt]:
        """At least one attempt, even if the prover has nothing to say; at most `n`."""
        return self.attempt_many([problem], prover, judge, n=n)[0]

    def attempt_many(
        self, problems: Sequence[Problem], prover: Prover, judge: Judge, *, n: int, sampling: Sampling | None = None
    ) -> list[list[Attempt]]:
        """The attempts at each problem, in order; a round asks for all problems with one `propose` call."""
        return run(
            problems,
            prover,
            judge,
            task=self.tasks(problems, judge),
            scaffold=self.id,
            n=n,
            sampling=sampling or self.sampling,
            corrections=self.rounds - 1,
        )


def run(
    problems: Sequence[Problem],
    prover: Prover,
    judge: Judge,
    *,
    task: Task,
    scaffold: str,
    n: int,
    sampling: Sampling,
    corrections: int = 0,
) -> list[list[Attempt]]:
    """For each problem its attempts in the order of the samples, at least one and at most `n`.

    After the first answers, up to `corrections` further rounds ask every chain whose last answer failed.  Raises
    UnsorryError if the prover reads answers in another format than the one that the scaffold asks in.
    """
    _same_format(prover, task)
    groups = _open(problems, prover, task, n, sampling)
    chains = [chain for group in groups for chain in group]
    _judge(chains, judge)
    for number in range(1, corrections + 1):
        failed = [c for c in chains if not c.ended and c.turns and c.verdict is not None and not c.verdict.accepted]
        asked = _correct(failed, prover, judge, task, number, sampling)
        if not asked:
            break
        _judge(asked, judge)
    return [[c.attempt(scaffold, prover.id, sampling.seed, task.format) for c in group] for group in groups]


def without_comments(text: str) -> str:
    """Lean source without comments, trailing spaces and empty lines: what is left is what Lean is asked to believe.

    Other spaces stay, since they decide where a block ends.
    """
    try:
        tokens = source.parse(text).lines
    except UnsorryError:
        return text
    code = "".join("" if t.kind in (source.Kind.COMMENT, source.Kind.DOC) else t.text for t in tokens)
    return "\n".join(line.rstrip() for line in code.splitlines() if line.strip())


def forks(turns: Sequence[Turn]) -> int:
    """How many turns do not begin with all tokens of the turn before: each is a training row of its own."""
    return sum(
        after.prompt_ids[: len(seen)] != seen
        for before, after in pairwise(turns)
        if (seen := before.prompt_ids + before.completion_ids)
    )


def _same_format(prover: Prover, task: Task) -> None:
    theirs: Format | None = getattr(prover, "format", None)
    if theirs is not None and task.format is not None and theirs.name != task.format.name:
        raise UnsorryError(
            f'the prover {prover.id} reads answers in format "{theirs.name}", the scaffold asks in '
            f'"{task.format.name}": give both the same'
        )


def _open(problems: Sequence[Problem], prover: Prover, task: Task, n: int, sampling: Sampling) -> list[list[Chain]]:
    openings: list[Messages | Unsupported] = [_opening(task, problem) for problem in problems]
    prompts = [
        Prompt(problem, opening)
        for problem, opening in zip(problems, openings, strict=True)
        if not isinstance(opening, Unsupported)
    ]
    proposed = iter(prover.propose(prompts, n=n, sampling=sampling) if prompts else [])
    groups = []
    for problem, opening in zip(problems, openings, strict=True):
        if isinstance(opening, Unsupported):
            chains = [Chain(problem, sample, ()) for sample in range(n)]
            for chain in chains:
                chain.take(Completion(""), Answer(problem, "", defect="unsupported", detail=str(opening)))
        else:
            completions = next(proposed)[:n]
            chains = [Chain(problem, sample, opening) for sample in range(max(1, len(completions)))]
            for chain, completion in zip(chains, completions, strict=False):
                chain.take(completion, task.read(problem, completion))
        groups.append(chains)
    return groups


def _opening(task: Task, problem: Problem) -> Messages | Unsupported:
    try:
        return task.opening(problem)
    except Unsupported as error:
        return error


def _judge(chains: Sequence[Chain], judge: Judge) -> None:
    """Verdicts for all answers that have none."""
    waiting = [c for c in chains if c.verdict is None]
    asked: list[tuple[Chain, Answer]] = []
    for chain in waiting:
        if chain.answer is None:
            chain.answer, chain.cost = Answer(chain.problem, ""), Cost()  # what it took is not known
            chain.judged(Verdict(Status.UNDECIDED, NO_PROOF, "the prover proposed nothing"))
        elif chain.answer.defect:
            chain.judged(_defective(chain.answer))
        else:
            asked.append((chain, chain.answer))
    verdicts = judge.judge_many([(answer.problem, answer.submission) for _, answer in asked])
    for (chain, _), verdict in zip(asked, verdicts, strict=True):
        chain.judged(verdict)


def _defective(answer: Answer) -> Verdict:
    status = Status.UNDECIDED if answer.defect in UNASKED else Status.REJECTED
    message = answer.detail or DEFECTS.get(answer.defect, "the answer holds no submission")
    return Verdict(status, DEFECT + answer.defect, one_line(message), tier="format")


def _correct(
    failed: Sequence[Chain], prover: Prover, judge: Judge, task: Task, number: int, sampling: Sampling
) -> list[Chain]:
    """Asks each failed chain again; returns those that answered."""
    if task.format is None:
        return []
    prompts: list[tuple[Chain, Prompt]] = []
    for chain in failed:
        assert chain.answer is not None and chain.verdict is not None
        said = feedback(judge, chain.answer.problem, chain.answer.submission, chain.verdict)
        turn = chain.turns[-1]
        try:
            chain.messages = task.format.correction(chain.problem, chain.messages, turn.text, said, number)
        except Unsupported:
            chain.ended = "unsupported"
            continue
        prompts.append((chain, Prompt(chain.problem, chain.messages, turn)))
    seeded = replace(sampling, seed=_round_seed(sampling.seed, number))
    proposed = prover.propose([prompt for _, prompt in prompts], n=1, sampling=seeded) if prompts else []
    for (chain, _), completions in zip(prompts, proposed, strict=True):
        if completions:
            chain.take(completions[0], task.read(chain.problem, completions[0]))
        else:
            chain.ended = "error"
    return [chain for chain, _ in prompts if not chain.ended]


def _round_seed(seed: int, number: int) -> int:
    """Each round draws its own numbers; chains that wrote the same are told apart by the prover."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest()[:8], "big") >> 1


def _sum(a: Cost, b: Cost) -> Cost:
    money = None if a.money is None or b.money is None else a.money + b.money
    return Cost(
        a.seconds + b.seconds,
        a.tokens_in + b.tokens_in,
        a.tokens_cached + b.tokens_cached,
        a.tokens_out + b.tokens_out,
        money,
    )
