"""`unsorry verify`: check a certificate again, offline or by judging again."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from unsorry import Problem, Status, UnsorryError
from unsorry.cli.app import EXIT_OF, Exit, app, print_json


@dataclass(slots=True)
class Report:
    """What was found: `faults` say that it does not hold, `notes` what else is good to know."""

    exit: int = Exit.DONE
    checked: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def fail(self, line: str, code: int = Exit.NOT_PROVED) -> None:
        self.faults.append(line)
        self.exit = code


@app.command()
def verify(
    given: Annotated[
        Path, typer.Argument(help="A certificate, or what `judge --json` or `prove --json` printed.", metavar="CERT")
    ],
    problem: Annotated[str | None, typer.Option(help="The statement: a Lean file, or PROBLEMS.jsonl:id.")] = None,
    submission: Annotated[Path | None, typer.Option(help="The Lean file that was judged.")] = None,
    again: Annotated[
        bool, typer.Option("--replay", help="Judge again with the Lean here; compare every fact.")
    ] = False,
    name: Annotated[str, typer.Option(help="Which sorry of `prove --json`, where there are several.")] = "",
    part: Annotated[
        bool, typer.Option("--part", help="With --replay: the certificate is of a part of the file, as `prove` judges.")
    ] = False,
    sandbox: Annotated[str, typer.Option(help="Of --replay: strict, limits or none (docs/sandbox.md).")] = "strict",
    timeout: Annotated[float, typer.Option(help="Of --replay: seconds for each run of Lean.", min=0.1)] = 60.0,
    json: Annotated[bool, typer.Option("--json", help="Only one JSON object on standard output.")] = False,
) -> None:
    """Check a certificate: that it is whole and about these texts; with --replay, that it says the truth."""
    if again and (problem is None or submission is None):
        raise UnsorryError("--replay judges again: give --problem and --submission")
    if part and not again:
        raise UnsorryError("--part is for --replay: the text of a part is not there to compare")
    certificate, report = _certificate(given, name)
    if not report.faults:
        _check(certificate, problem, submission, report, part=part)
    if again and not report.faults:
        assert problem is not None and submission is not None
        _replay(certificate, problem, submission, report, part=part, sandbox=sandbox, timeout=timeout)
    words = {Exit.DONE: "holds", Exit.NOT_PROVED: "does not hold", Exit.UNDECIDED: "undecided"}
    word = words[Exit(report.exit)]
    if json:
        print_json({
            "result": word, "checked": report.checked, "differences": report.faults, "notes": report.notes,
            "certificate": certificate.get("digest") if isinstance(certificate, Mapping) else None,
        })  # fmt: skip
    else:
        typer.echo(f"{word}: {', '.join(report.checked) or 'nothing was checked'}")
        for line in report.faults:
            typer.echo(f"  {line}")
        for line in report.notes:
            typer.echo(f"  note: {line}")
    raise typer.Exit(report.exit)


def _certificate(path: Path, name: str) -> tuple[Any, Report]:
    """The certificate in the file, and what the verdict around it says about it."""
    from unsorry.judge.reasons import one_line

    report = Report()
    try:
        raw = jsonlib.loads(path.read_bytes())
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UnsorryError(f"{path} is no JSON: {one_line(str(error))}") from None
    if not isinstance(raw, dict):
        raise UnsorryError(f"{path} holds no certificate: it is no JSON object")
    if isinstance(raw.get("sorries"), list):
        raw = _one_of(path, raw["sorries"], name)
    elif name:
        raise UnsorryError(f"{path} is not what `prove --json` prints: leave --name out")
    if "certificate" not in raw:
        return raw, report
    certificate = raw["certificate"]
    if certificate is None:
        report.fail(one_line(f"the verdict is {raw.get('verdict')} ({raw.get('reason')}): it has no certificate"))
        return certificate, report
    _around(raw, certificate, report)
    return certificate, report


def _one_of(path: Path, sorries: list[Any], name: str) -> dict[str, Any]:
    """One sorry of a report."""
    entries = [entry for entry in sorries if isinstance(entry, dict)]
    chosen = [entry for entry in entries if not name or entry.get("name") == name]
    distinct = {jsonlib.dumps(entry.get("certificate"), sort_keys=True): entry for entry in chosen}
    if len(distinct) == 1:
        return dict(next(iter(distinct.values())))
    names = ", ".join(dict.fromkeys(str(entry.get("name")) for entry in entries[:8])) or "none"
    raise UnsorryError(
        f"{path} has {len(distinct)} certificates{f' of {name}' if name else ''}: use --name with {names}"
    )


def _around(verdict: Mapping[str, Any], certificate: Any, report: Report) -> None:
    """What a verdict says beside its certificate must be what the certificate says."""
    from unsorry.judge.certificate import shaped

    try:
        certificate = shaped(certificate)
    except UnsorryError as error:
        report.fail(str(error))
        return
    holes = certificate["open_holes"] > 0
    said = {
        "verdict": (verdict.get("verdict"), ("accepted", "undecided") if holes else ("accepted",)),
        "axioms": (verdict.get("axioms"), (list(certificate["axioms"]),)),
        "tier": (verdict.get("tier", "strict"), ("strict",)),
        "problem": (verdict.get("problem", certificate["problem"]["id"]), (certificate["problem"]["id"],)),
    }
    if not holes:
        said["reason"] = (verdict.get("reason"), ("accepted",))
    for what, (found, right) in said.items():
        if found not in right:
            report.fail(f"the verdict's {what} is not the certificate's")
    targets = verdict.get("targets", list(certificate["problem"]["targets"]))
    if not isinstance(targets, list) or set(map(str, targets)) != set(certificate["problem"]["targets"]):
        report.fail("the verdict's targets are not the certificate's")


def _check(certificate: Any, problem: str | None, submission: Path | None, report: Report, *, part: bool) -> None:
    """Offline: shape, seal, axioms, and the texts that were given."""
    from unsorry.judge import certificate as certificates

    try:
        certificates.intact(certificate)
        report.checked.append("the certificate is whole")
        if certificate["submission"]["source"] is None:
            report.notes.append("it is of a compiled file: it names no text of a submission")
        if problem is not None and not part:
            certificates.about_problem(certificate, _problem(certificate, problem))
            report.checked.append("it is about this problem")
        if submission is not None and not part:
            certificates.about_submission(certificate, _text(submission))
            report.checked.append("it is about this submission")
    except UnsorryError as error:
        if isinstance(error, certificates.DoesNotFit):
            report.fail(str(error))
            return
        raise
    if certificate["open_holes"]:
        report.notes.append(f"{certificate['open_holes']} sorries of the statement remain: it is no proof")
    report.notes += certificate["warnings"]


def _problem(certificate: Mapping[str, Any], given: str) -> Problem:
    """The problem as it was judged: of a Lean file, the certificate says which declarations were to be proved."""
    from unsorry.cli.judge import read_problem
    from unsorry.judge.certificate import DoesNotFit

    if Path(given).suffix == ".lean":
        _text(Path(given))  # a file that cannot be read is no difference
        try:
            found = read_problem(given, tuple(certificate["problem"]["targets"]))
        except UnsorryError as error:
            raise DoesNotFit(f"the certificate does not fit: {error}") from None
        return replace(found, id=certificate["problem"]["id"])  # a path, which names nothing elsewhere
    return read_problem(given, ())


def _text(path: Path) -> str:
    from unsorry.cli.judge import BYTE_ORDER_MARK
    from unsorry.lean.source import read_file

    return read_file(path).removeprefix(BYTE_ORDER_MARK)


def _replay(
    certificate: Mapping[str, Any], problem: str, submission: Path, report: Report, *, part: bool, sandbox: str,
    timeout: float,
) -> None:  # fmt: skip
    """Judges from scratch and compares."""
    from unsorry.judge import StrictJudge
    from unsorry.judge.differences import differences
    from unsorry.judge.sandbox import choose
    from unsorry.judge.second.process import DEMANDED, RECORDED
    from unsorry.lean import toolchain
    from unsorry.lean.process import Limits

    asked, text = _problem(certificate, problem), _text(submission)
    full = any(kernel["replay"] == "full" for kernel in certificate["kernels"])
    limits = Limits(wall=timeout, cpu=2 * timeout)
    found = toolchain.find(submission.resolve().parent)
    # As many steps as the certificate states, within reason, and the time for them: an agreement is then found again.
    steps = min(max(certificate["second"]["steps"], RECORDED.steps), DEMANDED.steps)
    second = replace(DEMANDED, steps=steps, demanded=False)
    with StrictJudge(found, choose(sandbox), limits=limits, full_replay=full, second=second) as judge:
        verdict = judge.judge(asked, text, open_holes=certificate["open_holes"] > 0)
    if verdict.status is not Status.ACCEPTED or verdict.certificate is None:
        report.fail(
            f"judged again it is {verdict.status}: {verdict.message} ({verdict.reason})", EXIT_OF[verdict.status]
        )
        return
    for difference in differences(certificate, verdict.certificate, texts=not part):
        if difference.counts:
            report.fail(str(difference))
        else:
            report.notes.append(str(difference))
    report.checked.append("judged again")
