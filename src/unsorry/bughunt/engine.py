"""A hunt through one crate: properties, Rust tests, Lean, proofs, claims, in the order of what they cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from unsorry import UnsorryError
from unsorry.bughunt import ir, proving, rustc
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.confirm import Copy, Proposal, confirm, replay
from unsorry.bughunt.exploration import Explored, test_all
from unsorry.bughunt.findings import (
    CrateReport,
    Effort,
    Finding,
    FunctionFacts,
    Kind,
    Lines,
    PropertyOutcome,
    Status,
)
from unsorry.bughunt.inputs import Inputs
from unsorry.bughunt.manifest import Manifest, read_manifest
from unsorry.bughunt.options import Options
from unsorry.bughunt.properties import generate
from unsorry.bughunt.proposed import Proposed, judged, propose
from unsorry.bughunt.rust import read_crate
from unsorry.bughunt.testing import Failure, Tested
from unsorry.bughunt.triage import Triage
from unsorry.judge.sandbox import choose

Progress = Callable[[str], None]  # one line for a person: what is being done


def hunt(crate: Path, options: Options | None = None, progress: Progress | None = None) -> CrateReport:
    """Everything that was found in the crate in the folder `crate` (the one with Cargo.toml).

    Raises UnsorryError for a folder that is no crate, a crate that does not compile (without its dependencies, if it
    has any), a build script, and a host without rustc or a sandbox.  A function that cannot be hunted is told in the
    report.
    """
    options = options or Options()
    say = progress or (lambda line: None)
    start = time.monotonic()
    deadline = start + options.budget if options.budget is not None else float("inf")
    manifest = read_manifest(crate)
    if manifest.build_script:
        raise UnsorryError(f"{crate} has a build script, {manifest.build_script}; crates with one are not hunted")
    rust = rustc.find()
    confinement = choose(options.sandbox)
    say(f"reading {manifest.name}")
    read = read_crate(manifest.folder, manifest)
    inputs = Inputs(read)
    candidates = chosen(generate(read, inputs), read, options)
    proposed = asked(read, inputs, manifest, options, start, say)
    candidates += proposed.candidates
    copy = Copy(read, manifest.sources, manifest.root, manifest.flags, manifest.dependencies)
    explored = test_all(copy, inputs, candidates, options, confinement, deadline=deadline, progress=say)
    triage = Triage(read, inputs, manifest.sources)
    lean = proving.Lean(proposed.within(read), triage, options, confinement, say)
    candidates = lean.stated(candidates)
    proposals: list[Proposal] = []
    outcomes: list[PropertyOutcome] = []
    for candidate in candidates:
        outcome, found = assess(candidate, explored, triage)
        outcomes.append(outcome)
        proposals += found
    contradictions = lean.evaluate(candidates, explored)
    outcomes = [replace(o, doubtful=contradictions.get(o.property.id, "")) for o in outcomes]
    outcomes = lean.prove(candidates, outcomes, deadline)
    for number, (candidate, outcome) in enumerate(zip(candidates, outcomes, strict=True)):
        if outcome.negated and outcome.witness:
            failure = replay(copy, candidate, outcome.witness, confinement)
            outcomes[number], found = replayed(candidate, outcome, failure, triage)
            proposals += found
    say(f"confirming {len(proposals)} claims")
    findings = confirm(copy, triage, proposals, confinement)
    findings = [replace(f, lean=lean.lines(f.function)) for f in findings]
    outcomes = [lean.doubt(outcome, findings) for outcome in outcomes]
    return CrateReport(
        manifest.name,
        str(crate),
        read.source_hash,
        tuple(facts(f, lean) for f in read.functions),
        tuple(outcomes),
        tuple(doubtful(f, outcomes) for f in findings),
        tuple((f"{r.kind} {r.path} ({r.refusal.span})", r.refusal.message) for r in read.refused),
        (*proposed.notes, *explored.notes, *lean.notes),
        lean.source,
        total(outcomes).plus(proposed.effort),
        time.monotonic() - start,
        {"rustc": rust.version, "lean": lean.version, "sandbox": confinement.name},
    )


def chosen(candidates: Sequence[Candidate], crate: ir.Crate, options: Options) -> list[Candidate]:
    """The properties that are asked for.  Raises UnsorryError for a function that the crate does not have."""
    kept = [c for c in candidates if not options.kinds or c.property.kind in options.kinds]
    if not options.function:
        return kept
    names = {f.path for f in named(crate, options)}
    return [c for c in kept if names & {c.property.function, *c.property.also}]


def named(crate: ir.Crate, options: Options) -> list[ir.Function]:
    """The functions that are asked for.  Raises UnsorryError for one that the crate does not have."""
    if not options.function:
        return list(crate.functions)
    wanted = options.function.removeprefix("crate::").removeprefix(crate.name + "::")
    found = [f for f in crate.functions if f.path == wanted or f.path.endswith("::" + wanted)]
    if not found:
        raise UnsorryError(f"{crate.name} has no function {options.function}")
    return found


def asked(
    crate: ir.Crate, inputs: Inputs, manifest: Manifest, options: Options, start: float, say: Progress
) -> Proposed:
    """What a model proposes, in the first half of the budget.  Raises UnsorryError for a model that there is not."""
    if not options.propose or (options.kinds and Kind.PROPOSED not in options.kinds):
        return Proposed()
    from unsorry.provers.journal import Journal
    from unsorry.scaffolds.agent.models import registry
    from unsorry.scaffolds.agent.prices import read_prices

    prices = read_prices(options.prices) if options.prices else None
    deadline = start + options.budget / 2 if options.budget is not None else float("inf")
    functions = named(crate, options)
    with ExitStack() as held:
        journal = held.enter_context(Journal(options.answers)) if options.answers is not None else None
        model = registry.make(options.propose, prices=prices, journal=journal)
        held.callback(getattr(model, "close", bool))
        return propose(model, crate, inputs, manifest, functions, most=options.proposals, deadline=deadline, say=say)


def assess(candidate: Candidate, explored: Explored, triage: Triage) -> tuple[PropertyOutcome, list[Proposal]]:
    """What the tests say of a property, and what they propose as bugs."""
    name = candidate.property.id
    if name in explored.missing:
        return PropertyOutcome(candidate.property, Status.OPEN, explored.missing[name]), []
    tested = explored.tested[name]
    effort = Effort(inputs=tested.inputs, rust_seconds=tested.seconds)
    decided = [(f, judged(candidate, triage.decide(candidate, f))) for f in tested.failures]
    found = [Proposal(candidate, f, d) for f, d in decided if not d.silent]
    if found:
        best = min(found, key=lambda p: not p.decision.claim)
        witness = tuple((n, x) for n, _, x in best.failure.inputs)
        outcome = PropertyOutcome(
            candidate.property, Status.REFUTED, "Rust test", witness, best.decision.explanation, effort=effort
        )
        return outcome, found
    silent = "; ".join(dict.fromkeys(d.silent for _, d in decided))
    how = f"{tested.inputs} inputs tested in Rust{', all there are' if tested.exhaustive else ''}, none refutes it"
    if tested.inputs == 0 and not tested.failures:
        how = f"no input met the conditions in {tested.discarded} tries" if tested.discarded else "no input was tested"
    message = "; ".join(filter(None, (silent, tested.note)))
    return PropertyOutcome(
        candidate.property, Status.OPEN, how, message=message, exhaustive=tested.exhaustive, effort=effort
    ), []


def replayed(
    candidate: Candidate, outcome: PropertyOutcome, failure: Failure | None, triage: Triage
) -> tuple[PropertyOutcome, list[Proposal]]:
    """A property that Lean refutes, after Rust ran at the witness; still doubtful if Rust does not fail there."""
    if failure is None:
        return outcome, []
    decision = judged(candidate, triage.decide(candidate, failure))
    if decision.silent:
        return replace(outcome, doubtful="", message=decision.silent), []
    shown = replace(outcome, status=Status.REFUTED, doubtful="", message=decision.explanation)
    return shown, [Proposal(candidate, failure, decision)]


def doubtful(finding: Finding, outcomes: Sequence[PropertyOutcome]) -> Finding:
    """A claim about a property that Lean proved: Rust showed it all the same, so the translation is in doubt."""
    doubt = next((o.doubtful for o in outcomes if o.property.id == finding.property and o.doubtful), "")
    return replace(finding, explanation=f"{finding.explanation} (extraction doubtful: {doubt})") if doubt else finding


def facts(function: ir.Function, lean: proving.Lean) -> FunctionFacts:
    """What became of a function: translated, opaque, tested only, refused."""
    span = function.span
    rust = Lines(span.file, span.first_line, span.last_line)
    translated, reason = lean.state(function.path)
    if translated:
        return FunctionFacts(function.path, rust, "translated", "", translated, lean.lines(function.path))
    if function.refusal is not None:
        reason = f"{function.refusal.code}: {function.refusal.message}"
    state = "opaque" if function.opaque else "refused" if function.refusal is not None else "tested only"
    return FunctionFacts(function.path, rust, state, reason)


def total(outcomes: Sequence[PropertyOutcome]) -> Effort:
    """What all properties cost together."""
    spent = Effort()
    for outcome in outcomes:
        spent = spent.plus(outcome.effort)
    return spent


__all__ = ["Manifest", "Options", "Progress", "Tested", "assess", "chosen", "hunt"]
