"""A prover that needs no model: goal-directed search and lemma discovery, with Lean as the judge of every step."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from unsorry import Completion, Cost, Problem, Prompt, Sampling, UnsorryError
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain, find
from unsorry.provers.search import assemble, quick
from unsorry.provers.search.agenda import Agenda
from unsorry.provers.search.clock import SETUP, Clock, OutOfTime
from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.library import Library
from unsorry.provers.search.oracle import Lemma, Oracle
from unsorry.provers.search.refutation import refuted
from unsorry.provers.search.statement import Place, Refused, fresh_prefix, locate, read
from unsorry.provers.search.testing import test
from unsorry.provers.search.theory import Theory
from unsorry.provers.search.tree import Node, extract

RESERVE = 0.12  # of the time, kept for assembling and checking the answer


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`proof` is a complete Lean source, "" if none was found; `refuted` gives values on which the statement fails."""

    proof: str = ""
    strategy: str = ""
    lemmas: tuple[str, ...] = ()
    refuted: dict[str, str] | None = None
    reason: str = ""  # why there is no proof
    checks: int = 0  # elaborations by Lean
    candidates: int = 0  # candidate proofs among them
    explored: int = 0  # terms evaluated
    seconds: float = 0.0
    others: tuple[str, ...] = ()  # complete sources with other proofs


@dataclass
class SearchProver:
    """Implements `Prover`.  Deterministic under a seed, apart from what the time limit cuts off.

    With `effort` (about: candidate proofs that Lean checks) the search ends when that is spent, whatever the machine's
    load; the time limit should then be generous.
    """

    toolchain: Toolchain | None = None
    confinement: Confinement | None = None
    workers: int = 1  # problems searched at the same time, by `propose`
    effort: int = 0  # 0: the time limit alone decides
    id: str = "search"
    last: SearchResult | None = field(default=None, compare=False)

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        """The proof that was found, and other one-line proofs where the problem is that easy."""
        with ThreadPoolExecutor(max_workers=max(1, self.workers)) as pool:
            return list(pool.map(lambda prompt: self._one(prompt.problem, n, sampling), prompts))

    def _one(self, problem: Problem, n: int, sampling: Sampling) -> list[Completion]:
        result = self.search(problem, sampling.timeout, sampling.seed)
        if not result.proof or n < 1:
            return []
        notes: dict[str, Any] = {
            "strategy": result.strategy,
            "lemmas": list(result.lemmas),
            "checks": result.checks,
            "candidates": result.candidates,
            "seconds": round(result.seconds, 3),
        }
        found = [Completion(result.proof, Cost(seconds=result.seconds, money=0.0), notes)]
        found += [Completion(text, Cost(money=0.0), {"strategy": "another"}) for text in result.others]
        return found[:n]

    def search(self, problem: Problem, timeout: float = 60.0, seed: int = 0) -> SearchResult:
        """Search for a proof for at most `timeout` seconds of wall time."""
        start = time.monotonic()
        self.last = self._search(problem, start, timeout, seed)
        return self.last

    def _search(self, problem: Problem, start: float, timeout: float, seed: int) -> SearchResult:
        try:
            place = locate(problem)
        except (Refused, UnsorryError) as refusal:
            return SearchResult(reason=str(refusal), seconds=time.monotonic() - start)
        toolchain = self.toolchain or find()
        clock = Clock(start, timeout, RESERVE, self.effort)
        try:
            found = quick.proofs(place, toolchain, self.confinement, clock)
            if found.sources:
                return SearchResult(
                    found.sources[0],
                    found.strategy,
                    checks=found.checks,
                    candidates=found.candidates,
                    seconds=time.monotonic() - start,
                    others=found.sources[1:],
                )
            clock.spend(SETUP)
            clock.left(1.0)
            oracle = Oracle(toolchain, place.header, place.preamble, place.opening, clock, self.confinement)
        except OutOfTime:
            return SearchResult(
                reason="no short proof, and nothing left for a search", seconds=time.monotonic() - start
            )
        oracle.checks, oracle.candidates = found.checks, found.candidates
        run = _Run(place, oracle, seed, clock)
        try:
            return run.go()
        except RecursionError:
            return run.result(reason="the goal is nested too deeply for this search")
        finally:
            oracle.close()


@dataclass
class _Run:
    place: Place
    oracle: Oracle
    seed: int
    clock: Clock
    library: Library | None = None
    theory: Theory = field(default_factory=Theory)

    def go(self) -> SearchResult:
        oracle = self.oracle
        try:
            goal, renamed = read(self.place, oracle)
        except Refused as refusal:
            return self.result(reason=str(refusal))
        except OutOfTime:
            return self.result(reason="no time left")
        try:
            theory = self.theory
            theory.learn(oracle, goal.constants)
            own = frozenset(name for name in self.place.own if name in theory.functions)
            matchers = any(name not in theory.types for name in goal.constants)
            oracle.unfold(theory.unfoldable(own), self.place.statement if matchers else "")
            theory.forget_unknown()
            theory.learn(oracle, goal.constants)
            evaluator = Evaluator(theory)
            tested = test(evaluator, goal, 2000, self.seed)
            if tested.witness is not None:
                witness = refuted(goal, tested.witness, theory, oracle)
                if witness is not None:
                    return self.result(refuted=witness, reason="false on small values")
            agenda = Agenda(oracle, theory, evaluator, own, self.seed)
            root = agenda.start(goal)
            self.library = Library(oracle, theory, evaluator, own, fresh_prefix(self.place), self.seed)
            self._search(agenda, root)
        except OutOfTime:
            return self.result(reason="no proof within the time")
        if root.proof is None:
            return self.result(reason="the search space is exhausted")
        self.clock.release()
        return self._answer(root, renamed)

    def _search(self, agenda: Agenda, root: Node) -> None:
        """Alternate between the goal and the theory around it until one of them gives in."""
        assert self.library is not None
        slice_ = self.clock.share(0.06)
        agenda.work(slice_, at_least=3)
        if root.proof is not None:
            return
        self.library.begin(root.goal)
        exhausted = False
        while root.proof is None:
            added = 0
            if not exhausted:
                added = self.library.grow(1.5 * slice_)
                exhausted = added < 0
            if added > 0:
                agenda.lemmas = self.library.lemmas
                agenda.reopen()
            busy = agenda.work(0.7 * slice_, at_least=1)
            if exhausted and not busy:
                return

    def _answer(self, root: Node, renamed: tuple[str, ...]) -> SearchResult:
        assert self.library is not None and root.proof is not None
        oracle = self.oracle
        prefix = self.library.prefix + "goal_"
        text, parts = extract(root, prefix)
        uses = root.proof.lemmas + tuple(part.name for part in parts)
        lemmas = [*self.library.everything, *parts]
        whole = Lemma("root", root.goal, text, uses)
        try:
            slimmed, kept = assemble.minimal(whole, assemble.needed(uses, lemmas), oracle)
        except OutOfTime:
            slimmed, kept = whole, assemble.needed(uses, lemmas)
        versions = [(slimmed, kept)]
        if slimmed is not whole:
            versions.append((whole, assemble.needed(uses, lemmas)))
        try:
            for lemma, needed in versions:
                for source in assemble.sources(self.place, lemma, renamed, needed, self.theory, oracle):
                    if self._accepted(source):
                        strategy = lemma.proof.split("\n")[0]
                        return self.result(
                            proof=source, strategy=strategy, lemmas=tuple(known.name for known in needed)
                        )
        except OutOfTime:
            return self.result(reason="no time left to assemble the proof")
        return self.result(reason="the proof did not survive assembly")

    def _accepted(self, source: str) -> bool:
        """A plain run of the whole file: no error, no sorry."""
        self.oracle.checks += 1
        return quick.accepted(source, self.oracle.toolchain, self.oracle.confinement, self.clock)

    def result(self, **facts: Any) -> SearchResult:
        explorer = self.library.explorer if self.library else None
        return SearchResult(
            checks=self.oracle.checks,
            candidates=self.oracle.candidates,
            explored=explorer.count if explorer else 0,
            seconds=time.monotonic() - self.clock.start,
            **facts,
        )
