"""`unsorry judge`: a verdict on one submission."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated, Any

import typer

from unsorry import Problem, UnsorryError, Verdict
from unsorry.cli.app import EXIT_OF, app, print_json

BYTE_ORDER_MARK = "\ufeff"  # some editors put it; Lean does not take it


@app.command()
def judge(
    statement: Annotated[str, typer.Argument(help="A Lean file with sorries, or PROBLEMS.jsonl:id.")],
    submission: Annotated[Path, typer.Argument(help="The Lean file to judge.")],
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            help="A declaration to prove; may be repeated (default: all with a sorry in the statement).",
        ),
    ] = None,
    sandbox: Annotated[str, typer.Option(help="strict, limits or none (docs/sandbox.md).")] = "strict",
    timeout: Annotated[float, typer.Option(help="Seconds for each run of Lean.", min=0.1)] = 60.0,
    certificate: Annotated[Path | None, typer.Option(help="Write the certificate of an accepted proof there.")] = None,
    open_holes: Annotated[bool, typer.Option("--open-holes", help="Sorries of the statement may remain.")] = False,
    second: Annotated[
        str, typer.Option(help="Second opinion on an accepted proof: record, demand or off (docs/judge.md).")
    ] = "record",
    json: Annotated[bool, typer.Option("--json", help="Only one JSON object on standard output.")] = False,
) -> None:
    """Decide whether a submission proves a statement: strictly, from what Lean compiled, never from what it says."""
    from unsorry.judge import StrictJudge
    from unsorry.judge.sandbox import choose
    from unsorry.judge.second.process import policy
    from unsorry.lean import toolchain
    from unsorry.lean.process import Limits
    from unsorry.lean.source import read_file
    from unsorry.scaffolds.fill import Output

    problem = read_problem(statement, tuple(target or ()))
    text = read_file(submission).removeprefix(BYTE_ORDER_MARK)
    place = Output(certificate) if certificate else None
    limits = Limits(wall=timeout, cpu=2 * timeout)
    found = toolchain.find(submission.resolve().parent)
    with StrictJudge(found, choose(sandbox), limits=limits, second=policy(second)) as strict:
        verdict = strict.judge(problem, text, open_holes=open_holes)
    if place and verdict.certificate is not None:
        place.write((jsonlib.dumps(verdict.certificate, indent=2, ensure_ascii=False) + "\n").encode())
    if json:
        print_json(as_json(problem, verdict))
    else:
        typer.echo(as_text(problem, verdict))
    raise typer.Exit(EXIT_OF[verdict.status])


def read_problem(given: str, targets: tuple[str, ...]) -> Problem:
    """The problem in `PROBLEMS.jsonl:id`, or a Lean file as it is; raises UnsorryError if there is none."""
    from unsorry.problems import load

    file, colon, identifier = given.rpartition(":")
    if colon and file.endswith(".jsonl") and not Path(given).exists():
        problems = load(Path(file))
        problem = next((p for p in problems if p.id == identifier), None)
        if problem is None:
            ids = ", ".join(p.id for p in problems[:5]) + (", ..." if len(problems) > 5 else "")
            raise UnsorryError(f"{file} holds no problem {identifier!r}; it has {ids}")
        if targets:
            raise UnsorryError(f"problem {identifier} names its targets itself: leave --target out")
        return problem
    if given.endswith(".jsonl"):
        raise UnsorryError(f"{given} holds many problems: say which with {given}:id")
    return stated_by(Path(given), targets)


def stated_by(path: Path, targets: tuple[str, ...]) -> Problem:
    """A Lean file as a problem: its targets are the declarations with a sorry in their proof."""
    from unsorry.lean.source import parse, read_file

    text = read_file(path).removeprefix(BYTE_ORDER_MARK)
    try:
        source = parse(text)
    except UnsorryError as error:
        raise UnsorryError(f"{path}: {error}") from None
    names = {command.name for command in source.declarations if command.name}
    for wanted in targets:
        if source.declaration(wanted) is None:
            known = ", ".join(sorted(names)[:8]) or "nothing"
            raise UnsorryError(f"{path} declares no {wanted}; it declares {known}")
    with_holes = {source.commands[hole.command].name: None for hole in source.holes if not hole.in_signature}
    found = targets or tuple(name for name in with_holes if name in names)
    if not found:
        raise UnsorryError(f"{path} has no named declaration with a sorry: name what is to be proved with --target")
    end = source.header.end
    return Problem(str(path), text[end:].strip("\n") + "\n", found, header=text[:end], origin=str(path))


def as_json(problem: Problem, verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": str(verdict.status), "reason": str(verdict.reason), "message": verdict.message,
        "problem": problem.id, "targets": list(problem.targets), "target": verdict.target, "tier": verdict.tier,
        "axioms": list(verdict.axioms), "timings": {name: round(s, 4) for name, s in verdict.timings.items()},
        "certificate": verdict.certificate,
    }  # fmt: skip


def as_text(problem: Problem, verdict: Verdict) -> str:
    lines = [f"{verdict.status}: {verdict.message}"]
    if not verdict.accepted:
        lines.append(f"  reason   {verdict.reason}" + (f" ({verdict.target})" if verdict.target else ""))
    lines.append(f"  targets  {', '.join(problem.targets)}")
    if verdict.accepted:
        lines.append(f"  axioms   {', '.join(verdict.axioms) or 'none'}")
        if verdict.certificate is not None:
            second = verdict.certificate["second"]
            lines.append(f"  second   {second['opinion']}" + (f" ({second['detail']})" if second["detail"] else ""))
    lines.append(f"  seconds  {verdict.timings.get('total', 0.0):.2f}")
    return "\n".join(lines)
