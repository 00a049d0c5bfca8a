"""Test all properties of a crate in Rust: one program, one sandboxed run for each property."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from unsorry import UnsorryError
from unsorry.bughunt import harness, ir
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.confirm import Copy
from unsorry.bughunt.findings import Build
from unsorry.bughunt.inputs import Inputs
from unsorry.bughunt.ir.walk import walk
from unsorry.bughunt.options import Options
from unsorry.bughunt.rustc import PANIC, Compiled, compile_tests, run_tests
from unsorry.bughunt.testing import Failure, Tested, explore
from unsorry.lean.process import Confinement

ROUNDS = 5  # of leaving out what does not compile
EXAMPLE_SECONDS = 20.0
MAX_NUMBERS = 200


@dataclass
class Explored:
    """What testing gave, by property id; `missing` says of a property why it has no test."""

    tested: dict[str, Tested] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0


def test_all(
    copy: Copy, inputs: Inputs, candidates: Sequence[Candidate], options: Options, confinement: Confinement,
    *, deadline: float, progress: Callable[[str], None],
) -> Explored:  # fmt: skip
    """Tests each property until `deadline`.  Raises UnsorryError if the crate itself does not compile."""
    result = Explored()
    start = time.monotonic()
    pieces = {c.property.id: piece(c, i, copy) for i, c in enumerate(candidates)}
    makers = harness.generators(inputs, [one.ty for c in candidates for one in c.inputs])
    words = " ".join(map(str, numbers(copy.crate)))
    program = _program(copy, pieces, makers, confinement, result)
    for number, candidate in enumerate(candidates):
        name = candidate.property.id
        if name in result.missing:
            continue
        left = deadline - time.monotonic()
        if left < 1:
            result.missing[name] = "no time was left to test it"
            continue
        progress(f"testing {number + 1} of {len(candidates)}: {candidate.property.title}")
        path = "::".join(filter(None, (harness.module_of(candidate.function), pieces[name].name, "run")))
        if candidate.code:
            result.tested[name] = _example(program.program, path, confinement)
        else:
            result.tested[name] = explore(
                program.program, path, confinement, count=options.inputs, seconds=min(options.test_seconds, left),
                seed=options.seed, words=words,
            )  # fmt: skip
    result.seconds = time.monotonic() - start
    return result


def numbers(crate: ir.Crate) -> list[int]:
    """The numbers that the code of the crate names, without signs, in order; inputs near them are worth trying."""
    bodies = [*(f.body for f in crate.functions if f.body is not None), *(c.value for c in crate.consts)]
    found: set[int] = set()
    for node in (n for body in bodies for n in walk(body)):
        if isinstance(node, ir.IntLit):
            found.add(abs(node.value))
        elif isinstance(node, ir.LitPat) and not isinstance(node.value, str):
            found.add(abs(int(node.value)))
        elif isinstance(node, ir.RangePat):
            found |= {abs(n) for n in (node.low, node.high) if n is not None}
    return sorted(found)[:MAX_NUMBERS]


def piece(candidate: Candidate, number: int, copy: Copy) -> harness.Piece:
    """The module that tests a property."""
    place = harness.place_of(candidate.function, copy.crate)
    if candidate.code:
        alias = f"#[allow(unused_imports)] use crate as {copy.flags.crate_name};\n"
        text = f"{harness.HEAD}{alias}#[test]\nfn run() {{\n{candidate.code}\n}}\n"
    else:
        rust = [c for c in candidate.property.assumptions if not c.endswith(" is sorted")]
        text = harness.property_text(candidate.inputs, rust, candidate.predicate, candidate.call)
    return harness.Piece(f"unsorry_property_{number}", place, text)


def _program(
    copy: Copy,
    pieces: dict[str, harness.Piece],
    makers: list[harness.Piece],
    confinement: Confinement,
    result: Explored,
) -> Compiled:
    left = dict(pieces)
    for _ in range(ROUNDS):
        everything = [*left.values(), *makers]
        files = harness.assemble(copy.sources, copy.root, everything)
        made = compile_tests(files, copy.root, Build.DEBUG, copy.flags, confinement)
        if made.program:
            return made
        if made.timed_out:
            raise UnsorryError(
                f"{copy.crate.name}: rustc did not end in time: a constant without end, or a busy machine"
            )
        bad = harness.blamed(made.errors, everything)
        first = made.errors[0].text if made.errors else "rustc said nothing"
        if not bad:
            break
        for name, one in pieces.items():
            if one.name in bad and name in left:
                said = next(
                    (e.text for e in made.errors if any(f.endswith(f"/{one.name}.rs") for f, _ in e.places)), first
                )
                result.missing[name] = f"its test does not compile: {said}"
                del left[name]
        makers[:] = [m for m in makers if m.name not in bad]
    plain = compile_tests(copy.sources, copy.root, Build.DEBUG, copy.flags, confinement)
    if plain.errors:
        where = next((f"{f}:{n}: " for e in plain.errors for f, n in e.places), "")
        fault = f"does not compile: {where}{plain.errors[0].text}"
        if copy.dependencies:
            fault = f"needs {', '.join(copy.dependencies)}; alone it {fault}; no crate is downloaded"
        raise UnsorryError(f"{copy.crate.name} {fault}")
    result.notes.append(f"no property could be tested: {first}")
    for name in pieces:
        result.missing.setdefault(name, f"the test program does not compile: {first}")
    return plain


def _example(program: bytes, path: str, confinement: Confinement) -> Tested:
    done = run_tests(program, ["--exact", path, "--test-threads=1"], confinement, seconds=EXAMPLE_SECONDS)
    result = Tested(seconds=done.seconds)
    out = done.stdout.decode("utf-8", "replace")
    if done.returncode == 0 and "1 passed" in out:
        result.held, result.exhaustive = 1, True
    elif done.returncode == 101 and "0 passed; 1 failed" in out:
        match = PANIC.search(out + "\n" + done.stderr.decode("utf-8", "replace"))
        place = f"{match['file']}:{match['line']}:{match['column']}" if match else ""
        result.failed = 1
        result.failures.append(Failure(place, " ".join(match["message"].split()) if match else "failed", ()))
    else:
        result.note = "the example did not end in time" if done.timed_out else f"it ended with {done.returncode}"
    return result
