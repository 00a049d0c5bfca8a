"""Lean's part of a hunt: the translation, evaluation of witnesses, proofs of properties and of their negations.

A proof counts when the strict judge accepts it.  Where Lean and Rust contradict each other the property is marked
`doubtful`: the translation is wrong then, or the property is not the same in both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from unsorry import Judge, Problem, Prover, Sampling, UnsorryError
from unsorry.bughunt import ir, quick
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.exploration import Explored
from unsorry.bughunt.findings import Finding, Kind, Lines, PropertyOutcome, Status
from unsorry.bughunt.lean.checked import translate_checked
from unsorry.bughunt.lean.evaluate import Call, evaluate
from unsorry.bughunt.lean.translation import Translation
from unsorry.bughunt.literals import read_lean, read_value
from unsorry.bughunt.options import Options
from unsorry.bughunt.statements import PREFIX, exact, problem
from unsorry.bughunt.triage import Triage
from unsorry.bughunt.values import Panicked, Returned, Shapes, rust_literal
from unsorry.judge.judge import StrictJudge
from unsorry.judge.reasons import one_line
from unsorry.lean import toolchain as toolchains
from unsorry.lean.process import Confinement
from unsorry.provers import registry
from unsorry.scaffolds.correction import CorrectionTurns
from unsorry.scaffolds.disprove import disprove
from unsorry.scaffolds.prove_or_disprove import certified_negations
from unsorry.scaffolds.whole import WholeProof

RESERVE = 30.0  # seconds of the budget that are kept for confirming
SHARE = 0.6  # of the time left goes to finding short proofs, the rest to judging them


class Lean:
    """The translation of one crate, and what Lean says about its properties."""

    def __init__(
        self, crate: ir.Crate, triage: Triage, options: Options, confinement: Confinement, say: Callable[[str], None]
    ) -> None:
        self.crate, self.triage, self.options, self.confinement, self.say = crate, triage, options, confinement, say
        self.file = f"{crate.name}.lean"
        self.notes: list[str] = []
        self.translation: Translation | None = None
        self.version = ""
        try:
            self.toolchain = toolchains.find()
            self.version = self.toolchain.version
            self.translation = translate_checked(crate, toolchain=self.toolchain, confinement=confinement)
        except UnsorryError as error:
            self.notes.append(f"nothing was translated to Lean: {one_line(str(error))}")

    @property
    def source(self) -> str:
        """The translation as one Lean file; it names the Rust sources that it is of."""
        if self.translation is None:
            return ""
        return self.translation.source + f"\n-- of Rust sources with the hash {self.crate.source_hash}\n"

    def state(self, path: str) -> tuple[str, str]:
        """The function's name in Lean, or "" and why it has none."""
        if self.translation is None:
            return "", "nothing was translated"
        if path in self.translation.functions:
            return self.translation.functions[path].name, ""
        why = next((r for r in self.translation.refused if r.path == path), None)
        return "", f"{why.code}: {why.message}" if why is not None else ""

    def lines(self, path: str) -> Lines:
        """Where the function's translation is."""
        function = self.translation.functions.get(path) if self.translation is not None else None
        return Lines(self.file, function.first, function.last) if function is not None else Lines()

    def stated(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with their Lean statements."""
        if self.translation is None:
            return list(candidates)
        found = []
        for number, one in enumerate(candidates):
            target = f"{PREFIX}{number}"
            checks = self.triage.checks(one.function)
            stated = problem(one, self.translation, target, checks=checks)
            prop = replace(one.property, lean=stated.statement, target=target) if stated is not None else one.property
            found.append(replace(one, property=prop))
        return found

    # ---- evaluation

    def evaluate(self, candidates: Sequence[Candidate], explored: Explored) -> dict[str, str]:
        """By property id, how Lean's run of a failing input contradicts Rust's."""
        if self.translation is None:
            return {}
        shapes = Shapes(self.crate)
        calls: list[Call] = []
        names: list[str] = []
        for one in candidates:
            tested = explored.tested.get(one.property.id)
            if one.property.kind is not Kind.PANIC_FREE or tested is None or one.function.generics:
                continue
            if one.function.path not in self.translation.functions:
                continue
            for failure in tested.failures[:2]:
                values = [
                    read_value(text, i.ty, shapes) for (_, _, text), i in zip(failure.inputs, one.inputs, strict=False)
                ]
                known = [v for v in values if v is not None]
                if failure.place.count(":") >= 2 and len(known) == len(one.inputs):
                    calls.append(Call(one.function.path, tuple(known)))
                    names.append(one.property.id)
        if not calls:
            return {}
        self.say(f"evaluating {len(calls)} inputs in Lean")
        try:
            outcomes = evaluate(self.translation, calls, confinement=self.confinement)
        except UnsorryError as error:
            self.notes.append(f"Lean evaluated nothing: {one_line(str(error))}")
            return {}
        found = {}
        for name, outcome in zip(names, outcomes, strict=True):
            if isinstance(outcome, Returned):
                found[name] = f"Rust panics, Lean gives {outcome.value!r}"
            elif not isinstance(outcome, Panicked):
                found.setdefault(name, "")
        return {name: text for name, text in found.items() if text}

    # ---- proofs

    def prove(
        self, candidates: Sequence[Candidate], outcomes: Sequence[PropertyOutcome], deadline: float
    ) -> list[PropertyOutcome]:
        """The outcomes, with proofs and judged negations where they were found before `deadline`."""
        found = list(outcomes)
        wanted = [i for i, c in enumerate(candidates) if c.property.lean and found[i].status is not Status.REFUTED]
        if self.translation is None or not wanted or not self.options.prove:
            return found
        judge = StrictJudge(self.toolchain, self.confinement, workers=1)
        try:
            for i in self._quick(candidates, wanted, found, judge, deadline):
                wanted.remove(i)
            self._provers(candidates, wanted, found, judge, deadline)
        finally:
            judge.close()
        return found

    def problem(self, candidate: Candidate) -> Problem:
        """What the judge is asked."""
        assert self.translation is not None
        prop = candidate.property
        own = quick.preamble(self.translation, candidate)
        return Problem(prop.id, prop.lean, (prop.target,), preamble=own, origin=self.crate.name)

    def _quick(
        self, candidates: Sequence[Candidate], wanted: Sequence[int], found: list[PropertyOutcome], judge: StrictJudge,
        deadline: float,
    ) -> list[int]:  # fmt: skip
        """Tactics that close most of what is easy, all properties in one run of Lean."""
        assert self.translation is not None
        self.say(f"trying short proofs of {len(wanted)} properties")
        start = time.monotonic()
        texts = quick.proofs(
            self.translation, [candidates[i] for i in wanted], self.toolchain, self.confinement,
            seconds=max(1.0, min(120.0, SHARE * (deadline - time.monotonic() - RESERVE))),
        )  # fmt: skip
        each = (time.monotonic() - start) / max(1, len(wanted))
        done = []
        for i, proof in zip(wanted, texts, strict=True):
            spent = replace(found[i].effort, lean_seconds=found[i].effort.lean_seconds + each)
            found[i] = replace(found[i], effort=spent)
            if not proof or deadline - time.monotonic() < RESERVE / 2:
                continue
            begun = time.monotonic()
            asked = self.problem(candidates[i])
            text = f"{asked.preamble}\n{proof}"
            verdict = judge.judge(asked, text)
            spent = replace(spent, proof_tries=1, lean_seconds=spent.lean_seconds + time.monotonic() - begun)
            found[i] = replace(found[i], effort=spent)
            if verdict.accepted:
                found[i] = replace(
                    found[i], status=Status.PROVED, how="proof", proof=text, axioms=tuple(verdict.axioms)
                )
                done.append(i)
        return done

    def _provers(
        self, candidates: Sequence[Candidate], wanted: Sequence[int], found: list[PropertyOutcome], judge: StrictJudge,
        deadline: float,
    ) -> None:  # fmt: skip
        provers = [registry.make(name, sandbox=self.options.sandbox) for name in self.options.provers]
        for count, i in enumerate(wanted):
            left = deadline - time.monotonic() - RESERVE
            if left < self.options.prove_seconds / 2:
                self.notes.append(f"no time was left to prove {len(wanted) - count} properties")
                return
            self.say(f"proving {count + 1} of {len(wanted)}: {candidates[i].property.title}")
            for prover in provers:
                if found[i].status is Status.OPEN:
                    found[i] = self._one(candidates[i], found[i], prover, judge)

    def _one(self, candidate: Candidate, outcome: PropertyOutcome, prover: Prover, judge: Judge) -> PropertyOutcome:
        problem = self.problem(candidate)
        outcome = self._attempt(problem, outcome, prover, judge, negated=False)
        assert self.translation is not None
        if outcome.status is Status.PROVED or not exact(candidate, self.translation):
            return outcome
        start = time.monotonic()
        refutation = disprove(problem, judge, timeout=self.options.prove_seconds, seed=self.options.seed)
        spent = replace(
            outcome.effort, negation_tries=outcome.effort.negation_tries + 1,
            lean_seconds=outcome.effort.lean_seconds + time.monotonic() - start,
        )  # fmt: skip
        outcome = replace(outcome, effort=spent)
        if refutation is not None:
            return replace(
                outcome,
                witness=self._witness(candidate, refutation.arguments),
                proof=refutation.source,
                negated=True,
                axioms=tuple(refutation.verdict.axioms),
                how="proof of the negation",
                message=f"Lean refutes it: {refutation.witness}",
                doubtful=f"Lean refutes it ({refutation.witness}), and no Rust test does",
            )
        (negation,) = certified_negations([problem], judge)
        if negation is None:
            return outcome
        return self._attempt(negation, outcome, prover, judge, negated=True)

    def _witness(self, candidate: Candidate, arguments: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Lean's values as Rust literals, () if one is not read."""
        given = arguments[1:] if "(fuel : Nat)" in candidate.property.lean else arguments
        found = []
        for one, text in zip(candidate.inputs, given, strict=False):
            value = read_lean(text, one.ty)
            if value is None:
                return ()
            found.append((one.name, rust_literal(value, one.ty, Shapes(self.crate))))
        return tuple(found) if len(found) == len(candidate.inputs) else ()

    def _attempt(
        self, problem: Problem, outcome: PropertyOutcome, prover: Prover, judge: Judge, *, negated: bool
    ) -> PropertyOutcome:
        sampling = Sampling(timeout=self.options.prove_seconds, seed=self.options.seed)
        form = getattr(prover, "format", None)
        scaffold = WholeProof(sampling) if form is None else CorrectionTurns(form, sampling, rounds=self.options.turns)
        start = time.monotonic()
        attempts = scaffold.attempt(problem, prover, judge, n=self.options.attempts)
        before = outcome.effort
        money = [a.cost.money for a in attempts]
        costs = None if before.money is None or (form is not None and None in money) else before.money + sum(
            m for m in money if m is not None
        )  # fmt: skip
        spent = replace(
            before,
            lean_seconds=before.lean_seconds + time.monotonic() - start,
            proof_tries=before.proof_tries + (0 if negated else len(attempts)),
            negation_tries=before.negation_tries + (len(attempts) if negated else 0),
            tokens=before.tokens + sum(a.cost.tokens_in + a.cost.tokens_out for a in attempts),
            money=costs,
        )
        outcome = replace(outcome, effort=spent)
        accepted = next((a for a in attempts if a.verdict.accepted), None)
        if accepted is None:
            return outcome
        axioms = tuple(accepted.verdict.axioms)
        if negated:
            return replace(
                outcome, proof=accepted.submission, negated=True, axioms=axioms, how="proof of the negation",
                doubtful="Lean proves the negation, and no Rust test refutes it",
            )  # fmt: skip
        return replace(outcome, status=Status.PROVED, how="proof", proof=accepted.submission, axioms=axioms)

    def doubt(self, outcome: PropertyOutcome, findings: Sequence[Finding]) -> PropertyOutcome:
        """A property that Lean proved and Rust refutes, or the reverse, is told as doubtful."""
        if outcome.doubtful or outcome.status is not Status.PROVED:
            return outcome
        against = next(
            (f for f in findings if f.confirmed and outcome.property.id in (f.property, *f.duplicates)), None
        )
        if against is None:
            return outcome
        return replace(outcome, status=Status.REFUTED, doubtful="proved in Lean, yet Rust shows it false")
