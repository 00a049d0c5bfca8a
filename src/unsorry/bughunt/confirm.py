"""From a witness to a Rust `#[test]`, compiled into a copy of the crate and run in both builds.

Only what such a test showed is `confirmed`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from unsorry.bughunt import harness, ir
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.findings import Build, Claim, Fault, Finding, Kind, Lines, Reason, RustRun
from unsorry.bughunt.rustc import FOLDER, PANIC, Flags, compile_tests, run_tests
from unsorry.bughunt.testing import DIES, FALSE, HANGS, Failure, fault_of
from unsorry.bughunt.triage import Decision, Triage
from unsorry.lean.process import Completed, Confinement

SECONDS = 10.0  # a test that takes longer does not end
ROUNDS = 4  # of leaving out tests that do not compile


@dataclass(frozen=True, slots=True)
class Proposal:
    """A failure that may be a bug."""

    candidate: Candidate
    failure: Failure
    decision: Decision


@dataclass(frozen=True, slots=True)
class Copy:
    """A crate as it is compiled: its files by relative path, its root file, its flags; the crates that it asks for."""

    crate: ir.Crate
    sources: Mapping[str, bytes]
    root: str
    flags: Flags
    dependencies: tuple[str, ...] = ()


def test_name(candidate: Candidate, number: int) -> str:
    """The name of a test: what it is about, and a number that makes it unique in the crate."""
    words = re.sub(r"\W+", "_", candidate.property.id).strip("_").lower()
    return f"hunt_{number}_{words}"[:80].rstrip("_")


def test_text(candidate: Candidate, witness: Sequence[tuple[str, str, str]], name: str) -> str:
    """A complete `#[test]` function, for a module inside the crate."""
    lines = ["#[test]", f"fn {name}() {{"]
    mutable = {i.name for i in candidate.inputs if i.mutable}
    if candidate.code:
        lines += [f"    {line}".rstrip() for line in candidate.code.split("\n")]
    else:
        for variable, ty, text in witness:
            lines.append(f"    let {'mut ' if variable in mutable else ''}{variable}: {ty} = {text};")
        if candidate.predicate:
            title = candidate.property.title.replace("\\", "\\\\").replace('"', '\\"')
            predicate = candidate.predicate
            inner = f"{{ {predicate} }}" if ";" in predicate else predicate
            lines.append(f'    assert!({inner}, "{{}}", "{title}");')
        else:
            lines.append(f"    let _ = {candidate.call};")
    return "\n".join([*lines, "}"])


def confirm(copy: Copy, triage: Triage, proposals: Sequence[Proposal], confinement: Confinement) -> list[Finding]:
    """A finding for each proposal, confirmed where the test fails as it should; duplicates are folded together."""
    tests = []
    for number, one in enumerate(proposals):
        name = test_name(one.candidate, number)
        text = test_text(one.candidate, one.failure.inputs, name)
        place = harness.place_of(one.candidate.function, copy.crate)
        module = harness.module_of(one.candidate.function)
        alias = f"#[allow(unused_imports)] use crate as {copy.flags.crate_name};\n" if one.candidate.code else ""
        tests.append(
            (one, name, text, harness.Piece(f"unsorry_test_{number}", place, harness.HEAD + alias + text), module)
        )
    pieces = [t[3] for t in tests]
    runs: dict[tuple[str, Build], RustRun] = {}
    for build in Build:
        left = list(pieces)
        program, why = b"", "not compiled"
        for _ in range(ROUNDS):
            if not left:
                break
            made = compile_tests(
                harness.assemble(copy.sources, copy.root, left, with_runtime=False), copy.root, build, copy.flags,
                confinement,
            )  # fmt: skip
            program = made.program
            if program:
                break
            why = made.errors[0].text if made.errors else "rustc did not end in time"
            bad = harness.blamed(made.errors, left)
            left = [p for p in left if p.name not in bad] if bad else []
        for one, name, _, piece, module in tests:
            if not program or piece not in left:
                runs[piece.name, build] = RustRun(build, False, f"not run: {why}")
                continue
            full = "::".join(filter(None, (module, piece.name, name)))
            seconds = SECONDS if one.failure.place == HANGS else 3 * SECONDS
            done = run_tests(program, ["--exact", full, "--test-threads=1"], confinement, seconds=seconds)
            runs[piece.name, build] = read_run(done, build, one)
    found = []
    for one, name, text, piece, module in tests:
        debug, release = (runs[piece.name, build] for build in (Build.DEBUG, Build.RELEASE))
        found.append(_finding(one, name, text, module, debug, release, triage))
    return deduplicate(found, copy.crate)


def replay(
    copy: Copy, candidate: Candidate, witness: Sequence[tuple[str, str]], confinement: Confinement
) -> Failure | None:
    """What Rust does at a witness from elsewhere, in debug: how it fails, None if it does not or cannot be run."""
    types = {i.name: i.rust for i in candidate.inputs}
    inputs = tuple((name, types[name], text) for name, text in witness)
    one = Proposal(candidate, Failure("", "", inputs), Decision(Fault.PANIC))
    text = harness.HEAD + test_text(candidate, inputs, "replayed")
    piece = harness.Piece("unsorry_test_replay", harness.place_of(candidate.function, copy.crate), text)
    files = harness.assemble(copy.sources, copy.root, [piece], with_runtime=False)
    made = compile_tests(files, copy.root, Build.DEBUG, copy.flags, confinement)
    if not made.program:
        return None
    full = "::".join(filter(None, (harness.module_of(candidate.function), piece.name, "replayed")))
    done = run_tests(made.program, ["--exact", full, "--test-threads=1"], confinement, seconds=3 * SECONDS)
    run = read_run(done, Build.DEBUG, one)
    if not run.failed:
        return None
    if run.fault is Fault.WRONG:
        return Failure(FALSE, run.message, inputs)
    match = PANIC.search(done.stdout.decode("utf-8", "replace") + "\n" + done.stderr.decode("utf-8", "replace"))
    place = f"{match['file']}:{match['line']}:{match['column']}" if match is not None else DIES
    return Failure(place, run.message, inputs)


def read_run(done: Completed, build: Build, one: Proposal) -> RustRun:
    """What a run of one test says; the panic's message and place are libtest's."""
    out = done.stdout.decode("utf-8", "replace")
    text = out + "\n" + done.stderr.decode("utf-8", "replace")
    if done.timed_out:
        hangs = one.failure.place == HANGS
        return RustRun(build, hangs, f"no end after {SECONDS:.0f} s", Fault.HANG)
    died = (done.returncode or 0) < 0  # by a signal; what ends the program itself is no failure
    if "has overflowed its stack" in text and died:
        return RustRun(build, True, "stack overflow", Fault.STACK)
    if done.returncode == 0 and "1 passed" in out:
        return RustRun(build, False, "passed")
    if done.returncode == 101 and "0 passed; 1 failed" in out:
        match = PANIC.search(text)
        if match is None:
            return RustRun(build, True, "failed")
        message = " ".join(match["message"].split())
        place = f"{match['file']}:{match['line']}:{match['column']}"
        at = Lines(match["file"], int(match["line"]), int(match["line"]))
        inside = not match["file"].startswith("/") and "unsorry_hunt" not in match["file"]
        fault = fault_of(Failure(place, match["message"].strip(), ()))
        if one.candidate.predicate and one.candidate.property.title in message:
            fault = Fault.WRONG
        elif FOLDER in match["file"] and not one.candidate.code:
            return RustRun(build, False, f"not a panic of the crate: {message[:400]}")
        elif one.decision.fault is Fault.ASSERTION and place == one.failure.place:
            fault = Fault.ASSERTION  # with words of its own
        return RustRun(build, True, message[:500], fault, at if inside else Lines())
    return RustRun(
        build, one.failure.place == DIES and died, f"the process ended with {done.returncode}", fault_of(one.failure)
    )


def _finding(
    one: Proposal, name: str, text: str, module: str, debug: RustRun, release: RustRun, triage: Triage
) -> Finding:
    prop, decision = one.candidate.property, one.decision
    example = prop.kind is Kind.EXAMPLE
    shown = any(r.failed and (example or r.fault is decision.fault) for r in (debug, release))
    claim, reason, explanation = Claim.SUSPECTED, decision.reason, decision.explanation
    if decision.claim and shown:
        claim = Claim.CONFIRMED
    elif decision.claim:
        reason = Reason.NOT_RUN
        explanation = f"{explanation}; the test did not show it (debug: {debug.message}; release: {release.message})"
    span = one.candidate.function.span
    at = next((r.at for r in (debug, release) if r.failed and r.at.file), Lines())
    return Finding(
        f"{prop.id}@{one.failure.place}", claim, reason, explanation, decision.fault, prop.function, prop.id, prop.kind,
        Lines(span.file, span.first_line, span.last_line), at, Lines(),
        tuple((n, x) for n, _, x in one.failure.inputs), name, text, module, debug, release,
    )  # fmt: skip


def deduplicate(findings: Sequence[Finding], crate: ir.Crate) -> list[Finding]:
    """One finding for each cause; the one kept is confirmed if any is, and in the function that the fault is in."""
    groups: dict[object, list[Finding]] = {}
    known: list[tuple[set[str], object]] = []
    for finding in findings:
        if finding.at.file and finding.fault is not Fault.WRONG:
            groups.setdefault((finding.fault, finding.at), []).append(finding)
            continue
        related = _related(finding, crate)
        key = next((k for names, k in known if names & related and k[0] is finding.fault), None)  # type: ignore[index]
        if key is None:
            key = (finding.fault, finding.id)
            known.append((related, key))
        else:
            next(names for names, k in known if k == key).update(related)
        groups.setdefault(key, []).append(finding)
    kept = []
    for group in groups.values():
        best = min(group, key=lambda f: (not f.confirmed, not _holds_fault(f), _rank(f), f.id))
        others = tuple(dict.fromkeys(f.property for f in group if f is not best and f.property != best.property))
        kept.append(replace(best, duplicates=others))
    return sorted(kept, key=lambda f: (not f.confirmed, f.rust.file, f.rust.first, f.id))


def _rank(finding: Finding) -> int:
    order = (Kind.DOCUMENTED, Kind.BOUNDS, Kind.ORDER, Kind.ROUND_TRIP, Kind.MODEL, Kind.EXAMPLE)
    return order.index(finding.kind) if finding.kind in order else len(order)


def _holds_fault(finding: Finding) -> bool:
    return finding.rust.file == finding.at.file and finding.rust.first <= finding.at.first <= finding.rust.last


def _related(finding: Finding, crate: ir.Crate) -> set[str]:
    """The function, and the other one that the property names."""
    names = {finding.function}
    tail = finding.property.rpartition("#")[2]
    for head in ("undoes-", "same-as-"):
        if tail.startswith(head):
            names.add("::".join((*finding.function.split("::")[:-1], tail.removeprefix(head))))
    function = crate.function(finding.function)
    if function is not None and function.path.startswith("<"):
        names |= function.calls  # `partial_cmp` mostly is `cmp`
    return names


__all__ = ["Copy", "Proposal", "confirm", "deduplicate", "read_run", "replay", "test_name", "test_text"]
