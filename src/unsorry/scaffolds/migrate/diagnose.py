"""Minimal failing file, cause, ladder of fixes; every rung is run and, where it repairs, judged."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from unsorry import Judge, Problem, Status, UnsorryError, Verdict
from unsorry.lean.source import Source, parse
from unsorry.scaffolds.migrate.causes import TRANSPARENCY, UNKNOWN, Cause, as_abbrev, find_cause
from unsorry.scaffolds.migrate.failing import Check, Failure, failures
from unsorry.scaffolds.migrate.reduce import Reducer
from unsorry.scaffolds.migrate.rungs import Rung, ladder


@dataclass(frozen=True, slots=True)
class Trial:
    """A rung that was run: which declarations still fail with it, and the judge's word where none does."""

    rung: Rung
    left: tuple[str, ...]
    verdict: Verdict | None = None

    @property
    def repairs(self) -> bool:
        """Lean takes the text and the strict judge accepts the broken theorems with their old statements."""
        return not self.left and (self.verdict is None or self.verdict.accepted)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`minimal` is the smallest text found that fails for the same cause; `recommended` one of `trials`, or None."""

    failures: tuple[Failure, ...]
    cause: Cause = field(default_factory=lambda: Cause(UNKNOWN))
    minimal: str = ""
    checks: int = 0  # runs of Lean that the reduction took
    is_minimal: bool = True  # False: the reduction ran out of checks
    trials: tuple[Trial, ...] = ()
    recommended: Trial | None = None


def diagnose(
    text: str,
    check: Check,
    judge: Judge | None = None,
    *,
    known: Callable[[], Iterable[str]] = tuple,
    checks: int = 400,
) -> Diagnosis:
    """What broke in `text`, why, and what repairs it; raises UnsorryError where Lean gives no answer in time."""
    source, run = parse(text), check(text)
    if run.timed_out:
        raise UnsorryError(
            "Lean did not finish the file in time, so nothing is known of what fails: raise the time-out"
        )
    failed = failures(source, run)
    if not failed:
        return Diagnosis(())
    cause = find_cause(text, check, known)
    reducer = Reducer(_oracle(failed[0], cause, check), checks)
    minimal = reducer.reduce(_until(source, failed[0])) if reducer.keeps(_until(source, failed[0])) else text
    trials = tuple(_try(rung, text, source, failed, check, judge) for rung in ladder(text, cause, failed))
    return Diagnosis(failed, cause, minimal, reducer.asked, not reducer.exhausted, trials, _recommend(trials, cause))


def _until(source: Source, failure: Failure) -> str:
    return source.text[: source.commands[failure.command].end] + "\n" if failure.command >= 0 else source.text


def _oracle(failure: Failure, cause: Cause, check: Check) -> Callable[[str], bool]:
    """Fails with the same words and no other; and, where the cause is a definition, passes once that is an `abbrev`.

    The second half keeps the reduction from ending at a text that fails for another, more trivial reason.
    """

    def keeps(text: str) -> bool:
        try:
            source = parse(text)
        except UnsorryError:
            return False
        run = check(text)
        if run.timed_out or not run.errors:
            return False
        if any(error.headline != failure.headline for error in failures(source, run)):
            return False
        if cause.kind != TRANSPARENCY:
            return True
        command = source.declaration(cause.name)
        return command is not None and command.kind == "def" and check(as_abbrev(text, command)).ok

    return keeps


def _try(rung: Rung, text: str, source: Source, failed: Iterable[Failure], check: Check, judge: Judge | None) -> Trial:
    run = check(rung.text)
    if run.timed_out:
        return Trial(rung, ("(Lean did not finish in time)",))
    left = tuple(dict.fromkeys(f.declaration for f in failures(parse(rung.text), run)))
    if left or judge is None:
        return Trial(rung, left)
    broken = {failure.command for failure in failed}
    return Trial(rung, (), judge.judge(_stated(source, broken), rung.text))


def _stated(source: Source, broken: set[int]) -> Problem:
    """The text as it was with the broken proofs taken out: what any repair has to prove."""
    text, names = source.text, []
    for index in sorted((i for i in broken if i >= 0), reverse=True):
        command = source.commands[index]
        if command.name and text.startswith(":=", command.body):
            text = text[: command.body] + ":= sorry" + text[command.end :]
            names.append(command.name)
    return Problem("migration", text, tuple(reversed(names)))


def _recommend(trials: Iterable[Trial], cause: Cause) -> Trial | None:
    """The repair that reaches least, stop-gaps last."""
    repairs = [trial for trial in trials if trial.repairs]
    lasting = [trial for trial in repairs if not trial.rung.stopgap]
    return next(iter([*lasting, *repairs]), None)


def report(diagnosis: Diagnosis, name: str = "the file") -> str:
    """The diagnosis for a person, as Markdown."""
    if not diagnosis.failures:
        return f"Nothing fails in {name}.\n"
    broken = ", ".join(f"`{n}`" for n in dict.fromkeys(f.declaration or "the header" for f in diagnosis.failures))
    cause = diagnosis.cause
    lines = [f"## {name}: {broken} no longer {'pass' if ',' in broken else 'passes'}", ""]
    lines += [f"Cause: **{cause.kind}**" + (f" of `{cause.name}`" if cause.name else "") + ".", cause.explanation + "."]
    lines += [f"- {fact}" for fact in cause.evidence]
    found = "minimal" if diagnosis.is_minimal else "reduced, not minimal: the reduction ran out of checks"
    lines += [
        "",
        f"Failing file ({found}, {diagnosis.checks} runs of Lean):",
        "",
        "```lean",
        diagnosis.minimal.rstrip(),
    ]
    lines += ["```", ""]
    if diagnosis.trials:
        lines += ["| fix | touches | seen by | result |", "|---|---|---|---|"]
        lines += [f"| {t.rung.name} | {t.rung.reach} | {_count(t.rung)} | {_result(t)} |" for t in diagnosis.trials]
    best = diagnosis.recommended
    if best is not None:
        after = " It is a stop-gap: the option is there for the move and may go." if best.rung.stopgap else ""
        lines += ["", f"Recommended: {best.rung.name}, {best.rung.reach}.{after}"]
    return "\n".join(lines) + "\n"


def _count(rung: Rung) -> str:
    return f"{rung.declarations} declaration{'s' if rung.declarations != 1 else ''}"


def _result(trial: Trial) -> str:
    if trial.left:
        return f"does not repair {', '.join(trial.left)}"
    if trial.verdict is None:
        return "Lean takes it; not judged"
    if trial.verdict.accepted:
        return "repairs all; accepted by the strict judge"
    word = "undecided" if trial.verdict.status is Status.UNDECIDED else "rejected"
    return f"Lean takes it; {word} by the judge ({trial.verdict.reason})"


def as_json(diagnosis: Diagnosis, before: str = "") -> dict[str, Any]:
    """The diagnosis as JSON values; with `before`, the text it is of, each rung has its diff."""
    cause = diagnosis.cause
    return {
        "failures": [
            {"declaration": f.declaration, "line": f.line, "column": f.column, "message": f.headline}
            for f in diagnosis.failures
        ],
        "cause": {"kind": cause.kind, "name": cause.name, "value": cause.value, "alias": cause.alias,
                  "explanation": cause.explanation, "evidence": list(cause.evidence)},
        "minimal": diagnosis.minimal, "is_minimal": diagnosis.is_minimal, "checks": diagnosis.checks,
        "rungs": [
            {"name": t.rung.name, "reach": t.rung.reach, "declarations": t.rung.declarations,
             "stopgap": t.rung.stopgap, "repairs": t.repairs, "left": list(t.left),
             "verdict": t.verdict and {"status": str(t.verdict.status), "reason": t.verdict.reason},
             "diff": "".join(difflib.unified_diff(
                 before.splitlines(True), t.rung.text.splitlines(True), "before", "after")) if before else ""}
            for t in diagnosis.trials
        ],
        "recommended": diagnosis.recommended and diagnosis.recommended.rung.name,
    }  # fmt: skip
