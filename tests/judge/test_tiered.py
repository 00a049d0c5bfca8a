"""Two tiers, one verdict: the strict one's; each pair judged once; a file that can only say no."""

from __future__ import annotations

import json
import resource
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scripted_model import FALSE, PREAMBLE, PROOFS, ZERO
from unsorry import Problem, Status, UnsorryError, Verdict
from unsorry.judge.fast import FastJudge
from unsorry.judge.judge import StrictJudge
from unsorry.judge.memo import Memo, _check
from unsorry.judge.reasons import Reason
from unsorry.judge.tiered import ERRORS, ERRORS_SIZE, TieredJudge
from unsorry.lean.process import Message
from unsorry.lean.toolchain import Toolchain


def with_proof(problem: Problem, proof: str) -> str:
    return problem.source.replace("by sorry", proof)


GOOD = with_proof(ZERO, PROOFS["zero_add"])
WRONG = with_proof(ZERO, "by\n  induction a with\n  | z => exact h\n  | s n h => rfl")
ELSEWHERE = with_proof(ZERO, "h a").removeprefix(PREAMBLE)
CASES = {
    "proof": GOOD,
    "error": WRONG,
    "sorry": ZERO.source,
    "sorry in a namesake": PREAMBLE + "theorem B.zero_add : False := sorry\n" + GOOD.removeprefix(PREAMBLE),
    "sorry in a lemma": PREAMBLE + "theorem h (a : N) : add .z a = a := sorry\n" + ELSEWHERE,
    "axiom": PREAMBLE + "axiom h (a : N) : add .z a = a\n" + ELSEWHERE,
    "other statement": with_proof(ZERO, "rfl").replace("add .z a = a", "add a .z = a"),
    "other definition": with_proof(ZERO, "rfl").replace("| a, .z => a\n  | a, .s b => .s (add a b)", "| _, b => b"),
    "nothing": "",
    "no unicode": "\ud800",
}


@pytest.fixture
def make(embedded: Toolchain, judge: StrictJudge) -> Iterator[type[TieredJudge]]:
    """Tiered judges that share the session's strict judge."""

    class Made(TieredJudge):
        def __init__(self, **options: object) -> None:
            super().__init__(judge, FastJudge(embedded, judge.confinement), **options)  # type: ignore[arg-type]
            opened.append(self)

    opened: list[Made] = []
    yield Made
    for made in opened:
        made.fast.close()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.replace(" ", "-"))
def test_the_status_is_the_strict_judge_s(tiered: TieredJudge, judge: StrictJudge, case: str) -> None:
    text = CASES[case]
    found, wanted = tiered.judge(ZERO, text), judge.judge(ZERO, text)
    assert found.status is wanted.status, (found, wanted)
    if found.tier == "strict":
        assert found.reason == wanted.reason
    assert not found.accepted or (found.tier == "strict" and found.certificate is not None)
    assert found.accepted == (case in ("proof", "sorry in a namesake"))


def test_lean_s_errors_come_with_a_rejection(tiered: TieredJudge) -> None:
    found = tiered.diagnostics(ZERO, WRONG)
    assert found.verdict.reason == Reason.FAST_ERROR
    first, second = found.errors
    lines = WRONG.splitlines()
    assert lines[first.line - 1][first.column : first.end_column] == "h" and "Unknown identifier" in first.text
    assert lines[second.line - 1][second.column :].startswith("rfl")
    assert tiered.diagnostics(ZERO, GOOD).errors == ()


def test_a_thousand_errors_are_cut(tiered: TieredJudge) -> None:
    found = tiered.diagnostics(ZERO, "#check nothing\n" * 300)
    assert len(found.errors) == ERRORS and [e.line for e in found.errors] == list(range(1, ERRORS + 1))
    long = tiered.diagnostics(ZERO, "example : " + " ∧ ".join(["1 = 2"] * 4000) + " := by decide")
    assert sum(len(e.text) for e in long.errors) <= ERRORS_SIZE


def test_equal_pairs_are_judged_once_whatever_the_thread(make: type[TieredJudge]) -> None:
    judge = make()
    start = threading.Barrier(6)

    def ask(number: int) -> Verdict:
        start.wait()
        return judge.judge(ZERO, GOOD if number % 2 else WRONG)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(ask, range(6)))
    assert [v.accepted for v in found] == [False, True] * 3
    assert len({json.dumps(v.certificate, sort_keys=True) for v in found[1::2]}) == 1
    assert judge.counts["asked"] == 6 and judge.counts["remembered"] == 4
    assert judge.counts["strict"] == judge.counts["fast"] == 1


def test_what_differs_is_judged_apart(make: type[TieredJudge]) -> None:
    """The submission, the text of the problem, its targets and its name, which the certificate carries."""
    judge = make()
    renamed = Problem("other", ZERO.statement, ZERO.targets, preamble=PREAMBLE)
    aimed = Problem("zero_add", ZERO.statement, ("elsewhere",), preamble=PREAMBLE)
    pairs = [(ZERO, GOOD), (renamed, GOOD), (aimed, GOOD), (ZERO, GOOD + "\n"), (FALSE, GOOD)]
    found = list(judge.judge_many(pairs))
    assert [v.accepted for v in found] == [True, True, False, True, False]
    assert judge.counts["remembered"] == 0
    assert found[1].certificate is not None and found[1].certificate["problem"]["id"] == "other"


def test_many_are_judged_in_order_and_taken_as_needed(make: type[TieredJudge]) -> None:
    judge, taken = make(workers=1), []

    def items() -> Iterator[tuple[Problem, str]]:
        for number in range(12):
            taken.append(number)
            yield ZERO, GOOD if number % 3 == 0 else with_proof(ZERO, f"by exact h{number}")

    stream = judge.judge_many(items())
    first = next(stream)
    assert first.accepted and len(taken) < 12
    assert [v.accepted for v in stream] == [n % 3 == 0 for n in range(1, 12)]


def test_a_rejection_is_read_back_from_the_file(make: type[TieredJudge], tmp_path: Path) -> None:
    path = tmp_path / "deep" / "memo.jsonl"
    before = make(memo=path)
    told = before.diagnostics(ZERO, WRONG)
    late = before.judge(ZERO, CASES["axiom"])  # rejected by the strict tier
    again = make(memo=path)
    found = again.diagnostics(ZERO, WRONG)
    assert found.errors == told.errors and found.verdict.message == told.verdict.message
    assert again.judge(ZERO, CASES["axiom"]).reason == late.reason == Reason.AXIOMS_ILLEGAL
    assert again.counts["recalled"] == 2 and again.counts["fast"] == again.counts["strict"] == 0


def test_only_rejections_are_kept(make: type[TieredJudge], tmp_path: Path) -> None:
    path = tmp_path / "memo.jsonl"
    judge = make(memo=path)
    assert judge.judge(ZERO, GOOD).accepted
    invalid = Problem("invalid", "theorem t : nonsense := by sorry", ("t",))
    assert judge.judge(invalid, "theorem t : True := trivial").status is Status.UNDECIDED
    assert not path.exists() or path.read_bytes() == b""
    assert make(memo=path).judge(ZERO, GOOD).accepted
    with pytest.raises(ValueError, match="only rejections"):
        Memo(path).put("0" * 64, judge.judge(ZERO, GOOD), ())


def naive_status(line: dict[str, object]) -> Status:
    """What a cache would say that keeps the verdict as it is."""
    return Status(line.get("status", "rejected"))


def test_a_tampered_file_makes_no_acceptance(make: type[TieredJudge], tmp_path: Path) -> None:
    path = tmp_path / "memo.jsonl"
    lie = with_proof(FALSE, "by simp_all")
    assert not make(memo=path).judge(FALSE, lie).accepted
    line = json.loads(path.read_text())
    del line["check"]
    line |= {"status": "accepted", "reason": "accepted", "message": "as stated", "tier": "strict", "axioms": []}
    path.write_text(json.dumps({**line, "check": _check(line)}) + "\n")
    assert naive_status(line) is Status.ACCEPTED
    verdict = make(memo=path).judge(FALSE, lie)
    assert verdict.status is Status.REJECTED and verdict.certificate is None


@pytest.mark.parametrize("damage", ["torn", "changed", "garbage", "other version"])
def test_a_damaged_line_is_judged_again(make: type[TieredJudge], tmp_path: Path, damage: str) -> None:
    path = tmp_path / "memo.jsonl"
    make(memo=path).judge(ZERO, WRONG)
    data = path.read_bytes()
    path.write_bytes({
        "torn": data[: len(data) // 2],
        "changed": data.replace(b"Unknown", b"Unkn0wn"),
        "garbage": b"\xff\xfe{]\n" + data.replace(b"{", b"[", 1),
        "other version": data.replace(b'"format": 1', b'"format": 9'),
    }[damage])  # fmt: skip
    judge = make(memo=path)
    assert judge.judge(ZERO, WRONG).reason == Reason.FAST_ERROR
    assert judge.counts["recalled"] == 0 and judge.counts["fast"] == 1
    last = make(memo=path)
    last.judge(ZERO, WRONG)
    assert last.counts["recalled"] == 1  # and what was written after the damage can be read


def test_a_full_disk_is_one_line(make: type[TieredJudge], tmp_path: Path) -> None:
    judge = make(memo=tmp_path / "memo.jsonl")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    message = Message("error", "x" * 9000, 1, 0, 1, 0)
    memo = Memo(tmp_path / "small.jsonl")
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        with pytest.raises(UnsorryError, match=r"cannot keep the judge's memo .*small.jsonl") as caught:
            memo.put("a" * 64, Verdict(Status.REJECTED, "fast.error", ""), (message,))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "\n" not in str(caught.value)
    assert judge.judge(ZERO, GOOD).accepted


class Grumpy(FastJudge):
    """Rejects everything: the fault that audits are for."""

    def examine(self, problem: Problem, submission: str) -> tuple[Verdict, tuple[Message, ...]]:
        return Verdict(Status.REJECTED, Reason.FAST_ERROR, "no", tier="fast", timings={"total": 0.0}), ()


def test_an_audit_finds_what_the_fast_tier_rejects_wrongly(embedded: Toolchain, judge: StrictJudge) -> None:
    fast = Grumpy(embedded, judge.confinement)
    assert not TieredJudge(judge, fast, audit=0.0).judge(ZERO, GOOD).accepted
    audited = TieredJudge(judge, fast, audit=1.0)
    assert audited.judge(ZERO, GOOD).accepted
    assert audited.report()["disagreements"] == 1
    verdict = audited.judge(ZERO, WRONG)
    assert verdict.tier == "fast" and audited.counts["disagreements"] == 1  # they agree: nothing changes


class Faulty(StrictJudge):
    """Fails once for a reason of its own."""

    failures = 1

    def judge(self, problem: Problem, submission: str, *, open_holes: bool = False) -> Verdict:
        if self.failures:
            self.failures -= 1
            return Verdict(Status.UNDECIDED, Reason.INTERNAL, "a fault", timings={"total": 0.0})
        return super().judge(problem, submission, open_holes=open_holes)


def test_a_fault_of_the_judge_is_not_remembered(embedded: Toolchain, judge: StrictJudge) -> None:
    faulty = Faulty(embedded, judge.confinement)
    with TieredJudge(faulty, FastJudge(embedded, judge.confinement)) as tiered:
        assert tiered.judge(ZERO, GOOD).reason == Reason.INTERNAL
        assert tiered.judge(ZERO, GOOD).accepted
