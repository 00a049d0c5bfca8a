"""Files that a run is resumed from, edited to say what never happened: attempts, shards of rollouts, the memo."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from unsorry import Attempt, Problem, UnsorryError, Verdict
from unsorry.evaluation import attempts as store
from unsorry.evaluation.run import Settings, finished, key
from unsorry.judge import FastJudge, StrictJudge, certificate
from unsorry.judge.memo import _check as memo_check
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline import shards
from unsorry.pipeline.reward import reward
from unsorry.redteam.judges import Bench

EASY = Problem("easy", "theorem t (n : Nat) : n = n := by sorry", ("t",))
FALSE = Problem("false", "theorem t (n : Nat) : n + 1 = n := by sorry", ("t",))
PROOF = "theorem t (n : Nat) : n = n := rfl"
WRONG = "theorem t (n : Nat) : n + 1 = n := rfl"
SETTINGS = Settings("scripted")
Edit = Callable[[dict[str, Any], dict[str, Any]], None]


@pytest.fixture(scope="module")
def strict(bench: Bench) -> Iterator[StrictJudge]:
    with StrictJudge(bench.toolchain, bench.confinement) as made:
        yield made


@pytest.fixture(scope="module")
def made(strict: StrictJudge) -> tuple[Attempt, Attempt]:
    """An attempt that was accepted, and one that was rejected."""

    def attempt(problem: Problem, submission: str) -> Attempt:
        verdict = strict.judge(problem, submission)
        return Attempt(problem.id, "scripted", "whole", submission, verdict, notes={"key": key(problem, SETTINGS)})

    return attempt(EASY, PROOF), attempt(FALSE, WRONG)


def says_accepted(line: dict[str, Any], other: dict[str, Any]) -> None:
    line["verdict"]["status"] = line["verdict"]["reason"] = "accepted"


def takes_the_other_certificate(line: dict[str, Any], other: dict[str, Any]) -> None:
    line["verdict"] = copy.deepcopy(other["verdict"])


def takes_certificate_and_submission(line: dict[str, Any], other: dict[str, Any]) -> None:
    line["verdict"] = copy.deepcopy(other["verdict"])
    line["submission"] = other["submission"]


def invents_a_certificate(line: dict[str, Any], other: dict[str, Any]) -> None:
    says_accepted(line, other)
    line["verdict"]["certificate"] = {"format": 1, "digest": "0" * 64}


def breaks_the_certificate(line: dict[str, Any], other: dict[str, Any]) -> None:
    line["verdict"] = copy.deepcopy(other["verdict"])
    line["verdict"]["certificate"] = "accepted"


def fits_a_certificate_without_a_seal(line: dict[str, Any], other: dict[str, Any]) -> None:
    line["verdict"] = copy.deepcopy(other["verdict"])
    line["verdict"]["certificate"]["problem"]["source"] = certificate.problem_digest(FALSE)
    line["verdict"]["certificate"]["submission"]["source"] = certificate.text_digest(line["submission"])


EDITS = [
    says_accepted, takes_the_other_certificate, takes_certificate_and_submission, invents_a_certificate,
    breaks_the_certificate, fits_a_certificate_without_a_seal,
]  # fmt: skip


def lines(attempts: tuple[Attempt, ...]) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(store.to_json(attempt), default=str)) for attempt in attempts]


def test_honest_attempts_are_taken_as_they_are(made: tuple[Attempt, Attempt], tmp_path: Path) -> None:
    out = tmp_path / "attempts.jsonl"
    for attempt in made:
        store.append(out, attempt)
    assert [a.verdict.status for a in finished([EASY, FALSE], SETTINGS, out)] == ["accepted", "rejected"]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_attempt_is_tried_again(edit: Edit, made: tuple[Attempt, Attempt], tmp_path: Path) -> None:
    good, bad = lines(made)
    edit(bad, good)
    out = tmp_path / "attempts.jsonl"
    out.write_text("".join(json.dumps(line) + "\n" for line in (good, bad)))
    assert [a.problem for a in finished([EASY, FALSE], SETTINGS, out) if a.verdict.accepted] == ["easy"]
    assert {a.problem for a in finished([EASY, FALSE], SETTINGS, out)} == {"easy"}, "the other one is open again"


def test_an_acceptance_from_a_weaker_sandbox_is_another_attempt(made: tuple[Attempt, Attempt], tmp_path: Path) -> None:
    out = tmp_path / "attempts.jsonl"
    store.append(out, made[0])
    assert not finished([EASY], Settings("scripted", sandbox="none"), out)


def test_an_acceptance_of_the_statement_before_it_was_changed(made: tuple[Attempt, Attempt], tmp_path: Path) -> None:
    out = tmp_path / "attempts.jsonl"
    store.append(out, made[0])
    changed = Problem("easy", FALSE.statement, FALSE.targets)
    assert not finished([changed], SETTINGS, out)


def written(folder: Path, attempts: list[Attempt]) -> Path:
    path = folder / "00000.jsonl"
    shards.write(path, {"key": "k"}, attempts)
    return path


def test_a_shard_that_was_edited_is_refused(made: tuple[Attempt, Attempt], tmp_path: Path) -> None:
    path = written(tmp_path, list(made))
    data = path.read_bytes()
    for old, new in ((b'"rejected"', b'"accepted"'), (b'"false"', b'"easy"'), (b":= rfl", b":=  rfl")):
        assert old in data
        path.write_bytes(data.replace(old, new))
        with pytest.raises(UnsorryError, match="damaged"):
            list(shards.read(path))
    kept = data.splitlines(keepends=True)
    for cut in (kept[:-1], kept[:1] + kept[2:], [*kept[:2], *kept[1:]], [kept[0], kept[2], kept[1], kept[3]]):
        path.write_bytes(b"".join(cut))
        with pytest.raises(UnsorryError, match="damaged"):
            list(shards.read(path))


@pytest.mark.parametrize("edit", EDITS)
def test_a_shard_under_a_new_digest_earns_nothing(edit: Edit, made: tuple[Attempt, Attempt], tmp_path: Path) -> None:
    """The digest of a shard finds accidents; a reward needs a certificate that names the very text."""
    path = written(tmp_path, list(made))
    body = path.read_bytes().splitlines(keepends=True)[:-1]
    good, bad = json.loads(body[1]), json.loads(body[2])
    edit(bad, good)
    body[2] = json.dumps(bad).encode() + b"\n"
    end = {"end": True, "attempts": 2, "sha256": hashlib.sha256(b"".join(body)).hexdigest()}
    path.write_bytes(b"".join(body) + json.dumps(end).encode() + b"\n")
    first, second = (reward(a, p) for a, p in zip(shards.read(path), (EASY, FALSE), strict=True))
    assert first.verified > 0 and second.verified == 0


def test_the_memo_can_only_say_no(bench: Bench, tmp_path: Path) -> None:
    """A line that claims an acceptance, under the right key and with the right check, is no acceptance."""
    memo = tmp_path / "memo.jsonl"
    lean = bench.toolchain, bench.confinement

    def judge() -> TieredJudge:
        return TieredJudge(StrictJudge(*lean), FastJudge(*lean), memo=memo, audit=0.0)

    with judge() as honest:
        name = honest._key(FALSE, WRONG)
        assert honest.judge(FALSE, WRONG).status == "rejected"
    line = json.loads(memo.read_text())
    assert line["key"] == name
    for edit in ({"status": "accepted"}, {"reason": "accepted"}, {"reason": "accepted", "status": "accepted"}):
        body = {k: v for k, v in {**line, **edit}.items() if k != "check"}
        memo.write_text(json.dumps({**body, "check": memo_check(body)}) + "\n")
        with judge() as resumed:
            verdict: Verdict = resumed.judge(FALSE, WRONG)
        assert verdict.status == "rejected" and verdict.certificate is None
        assert reward(Attempt("false", "x", "x", WRONG, verdict), FALSE).verified == 0


@pytest.mark.parametrize(
    "junk", [b"\0" * 100, b"[" * 50_000 + b"\n", b'{"key": "', b"null\n", b'{"key": "' + b"a" * 64 + b'"}\n']
)
def test_a_memo_of_junk_is_passed_over(junk: bytes, bench: Bench, tmp_path: Path) -> None:
    memo = tmp_path / "memo.jsonl"
    memo.write_bytes(junk)
    lean = bench.toolchain, bench.confinement
    with TieredJudge(StrictJudge(*lean), FastJudge(*lean), memo=memo, audit=0.0) as judge:
        assert judge.judge(FALSE, WRONG).status == "rejected"
