"""Whole proofs: ask for complete submissions, have each judged strictly."""

from __future__ import annotations

import time
from dataclasses import replace

from unsorry import Attempt, Cost, Judge, Problem, Prompt, Prover, Sampling, Status, Verdict
from unsorry.judge.reasons import one_line
from unsorry.scaffolds import NO_PROOF


class WholeProof:
    """Scaffold that judges a prover's completions as they are; stops at the first that is accepted."""

    id = "whole"

    def __init__(self, sampling: Sampling | None = None) -> None:
        self.sampling = sampling or Sampling()

    def attempt(self, problem: Problem, prover: Prover, judge: Judge, *, n: int = 1) -> list[Attempt]:
        """At least one attempt, even if the prover has nothing to say; at most `n`."""
        start = time.monotonic()
        (completions,) = prover.propose([Prompt(problem)], n=n, sampling=self.sampling)
        seconds = time.monotonic() - start
        attempts = []
        for completion in completions[:n]:
            verdict = judge.judge(problem, completion.text)
            cost = replace(completion.cost, seconds=completion.cost.seconds or seconds / len(completions))
            attempts.append(
                Attempt(
                    problem.id, prover.id, self.id, completion.text, verdict, cost, self.sampling.seed, completion.notes
                )
            )
            if verdict.accepted:
                break
        if not attempts:
            said = one_line(f"{prover.id} found no proof in {seconds:.1f} s")
            nothing = Verdict(Status.UNDECIDED, NO_PROOF, said)
            attempts.append(Attempt(problem.id, prover.id, self.id, "", nothing, Cost(seconds), self.sampling.seed))
        return attempts
