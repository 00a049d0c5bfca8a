"""Changed compiled files through the whole judge, from where a file leaves the sandbox to the verdict.

    python -m benchmarks.fuzz_judge [COUNT] [--first 0] [--seed 1] [--out build/fuzz_judge.jsonl]

Half of the files prove what is asked, half do not: they are cheats, or their statement is false.  Of a cheat no change
may be accepted.  Of a proof a change may be accepted if every declaration that the target rests on is what it was (the
certificates' digests agree), or if it is another right proof: then what it states has the digest of the statement, and
the second checker, which shares no code with Lean's kernel, must agree.  Those are counted apart and written to --out.
Exit code 1 for anything else: an acceptance, a fault of the judge, or a verdict that took too long.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table

from benchmarks.fuzz_bases import Base, compiled
from benchmarks.fuzz_mutations import mutate
from unsorry import Status, Verdict
from unsorry.judge import StrictJudge, statement
from unsorry.judge.digest import statement_digest
from unsorry.judge.kernel import KernelLimits
from unsorry.judge.reasons import Reason
from unsorry.judge.replay import plan
from unsorry.judge.second import OpinionKind, second_opinion
from unsorry.lean import olean, toolchain
from unsorry.lean.process import Unconfined
from unsorry.lean.terms import Arena

KERNEL = KernelLimits(wall=60, cpu=5, memory=1 << 30)
SLOW = 90.0  # seconds of wall clock for one verdict, on a busy machine: the kernel's limit and something


def main() -> int:
    parser = argparse.ArgumentParser(description="changed compiled files through the whole judge")
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first file: the rest of an earlier run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz_judge.jsonl"))
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    lean = toolchain.embedded()
    with StrictJudge(lean, Unconfined(), kernel_limits=KERNEL) as judge, options.out.open("w", encoding="utf-8") as out:
        bases = compiled(lean)
        digests = {base.name: unchanged(judge, base) for base in bases}
        outcomes: Counter[tuple[str, str]] = Counter()
        faults, slowest = 0, 0.0
        for number in range(options.first, options.count):
            luck = random.Random(f"{options.seed} {number}")
            base = luck.choice(bases)
            while (data := mutate(base.data, luck)) == base.data:
                pass
            start = time.monotonic()
            verdict = judge.judge_olean(base.problem, data)
            seconds = time.monotonic() - start
            slowest = max(slowest, seconds)
            what, fault = outcome(judge, base, data, verdict, digests[base.name])
            fault = fault or ("too slow" if seconds > SLOW else "")
            outcomes["proof" if base.right else "cheat", what] += 1
            if fault or what.startswith("accepted, another"):
                faults += bool(fault)
                tell(out, number, base, data, verdict, fault)
            if number % 1000 == 999:
                print(json.dumps({"judged": number + 1, "faults": faults, "slowest": round(slowest, 2)}), flush=True)
    report(outcomes, faults, slowest)
    return int(bool(faults))


def unchanged(judge: StrictJudge, base: Base) -> str:
    """The digest of the declarations that the kernel checked, "" for a cheat, which must be rejected as it is."""
    verdict = judge.judge_olean(base.problem, base.data)
    if verdict.accepted != base.right or verdict.reason == Reason.INTERNAL:
        raise SystemExit(f"{base.name}: {verdict.status} ({verdict.reason}): {verdict.message}")
    return str(verdict.certificate["submission"]["declarations"]) if verdict.certificate else ""


def outcome(judge: StrictJudge, base: Base, data: bytes, verdict: Verdict, digest: str) -> tuple[str, str]:
    """(what to count it as, the fault or "")."""
    if verdict.reason == Reason.INTERNAL:
        return verdict.reason, "a fault of the judge"
    if verdict.status is not Status.ACCEPTED:
        return verdict.reason, "" if verdict.message.isprintable() else "a message of several lines"
    if not base.right:
        return "accepted", "a cheat was accepted"
    assert verdict.certificate is not None
    if verdict.certificate["submission"]["declarations"] == digest:
        return "accepted, the same declarations", ""
    return "accepted, another right proof", other_proof(judge, base, data)


def other_proof(judge: StrictJudge, base: Base, data: bytes) -> str:
    """ "" if the targets have the types that were asked and the second checker agrees, else what is wrong."""
    asked = judge.prepare(base.problem).statement
    module = olean.read(data, arena=Arena(asked.module.arena))
    own = module.declarations
    if statement_digest(statement.understand(module, asked.scope, asked.texts)) != statement_digest(asked):
        return "its statement is another one"
    groups = plan(asked.targets, own.get, asked.scope.__contains__)
    added = [member for group in groups for member in group.members]
    opinion = second_opinion(added, asked.scope.find, module.arena)
    return "" if opinion.kind is OpinionKind.AGREE else f"the second checker says {opinion.kind}: {opinion.detail}"


def tell(out: TextIO, number: int, base: Base, data: bytes, verdict: Verdict, fault: str) -> None:
    line = {"number": number, "base": base.name, "fault": fault, "reason": verdict.reason, "message": verdict.message}
    print(json.dumps(line | ({"data": data.hex()} if fault else {})), file=out, flush=True)


def report(outcomes: Counter[tuple[str, str]], faults: int, slowest: float) -> None:
    console = Console()
    table = Table("verdict", "changed proofs", "changed cheats", title=f"{sum(outcomes.values()):,} changed files")
    for what in sorted({what for _, what in outcomes}):
        table.add_row(what, *(f"{outcomes[kind, what]:,}" for kind in ("proof", "cheat")))
    console.print(table)
    console.print(f"slowest verdict {slowest:.2f} s; faults: {faults}")


if __name__ == "__main__":
    sys.exit(main())
