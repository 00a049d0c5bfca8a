"""Reward: a part for the form, the rest for a strict acceptance of that very text; canaries stop the run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripted_model import FALSE, PREAMBLE, PROOFS, REFUTATION, ZERO, ScriptedModel, problem
from unsorry import Attempt, Status, UnsorryError, Verdict
from unsorry.judge import certificate
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline.canaries import Canaries, CanaryAccepted, canaries
from unsorry.pipeline.reward import FORMAT_PART, RewardParts, reward, summarise
from unsorry.provers.formats import make
from unsorry.provers.formats.negation import negation
from unsorry.provers.scripted import ScriptedProver
from unsorry.scaffolds.prove_or_disprove import ProveOrDisprove
from unsorry.scaffolds.sampled import SampledProof

PLAIN = make("plain")


@pytest.fixture(scope="module")
def attempts(tiered: TieredJudge) -> dict[str, Attempt]:
    texts = {
        "proof": PROOFS["zero_add"],
        "wrong": "by rfl",
        "copied": "by sorry",
        "sorry": "by\n  induction a\n  · rfl\n  · sorry",
        "lemma": "h a<|lemma|>axiom h (a : N) : add .z a = a",
        "nothing": "",
        "said sorry": "by rfl -- sorry",
    }
    model = ScriptedModel({"zero_add": [[text] for text in texts.values()]})
    return dict(zip(texts, SampledProof(PLAIN).attempt(ZERO, model, tiered, n=len(texts)), strict=True))


WORTH = {
    "proof": (0.05, 0.95),
    "wrong": (0.05, 0.0),
    "copied": (0.0, 0.0),
    "sorry": (0.0, 0.0),
    "lemma": (0.05, 0.0),
    "nothing": (0.0, 0.0),
    "said sorry": (0.05, 0.0),
}


@pytest.mark.parametrize("case", WORTH)
def test_what_an_attempt_is_worth(attempts: dict[str, Attempt], case: str) -> None:
    parts = reward(attempts[case], ZERO)
    assert (parts.format, parts.verified) == WORTH[case], attempts[case].verdict
    assert parts.total == parts.format + parts.verified


def test_the_share_of_the_form_is_a_setting(attempts: dict[str, Attempt]) -> None:
    assert reward(attempts["proof"], ZERO, format_part=0.2) == RewardParts(0.2, 0.8)
    assert reward(attempts["wrong"], ZERO, format_part=0.0).total == 0.0
    for bad in (-0.1, 1.0, float("nan")):
        with pytest.raises(UnsorryError, match="format part"):
            reward(attempts["proof"], ZERO, format_part=bad)


def naive(attempt: Attempt) -> float:
    """Reward of a stack that believes a flag."""
    return float(attempt.verdict.accepted)


HARD = replace(ZERO, id="hard")
NO_CERTIFICATES: list[Any] = [
    "accepted",
    1,
    True,
    [],
    ["digest"],
    {},
    {"submission": "x"},
    {"submission": {"source": 1}},
]


def with_certificate(attempt: Attempt, certificate: Any) -> Attempt:
    return replace(attempt, verdict=replace(attempt.verdict, certificate=certificate))


def sealed(attempt: Attempt, **changes: Any) -> Attempt:
    """Edited by somebody who knows how digests are made."""
    forged = {**(attempt.verdict.certificate or {}), **changes}
    return with_certificate(attempt, {**forged, "digest": certificate._seal(forged)})


def test_only_a_strict_acceptance_of_this_text_is_verified(attempts: dict[str, Attempt]) -> None:
    good = attempts["proof"]
    assert naive(good) == 1.0 and reward(good, ZERO).verified > 0
    forged = {
        "fast tier": replace(good, verdict=replace(good.verdict, tier="fast")),
        "open holes": replace(good, verdict=replace(good.verdict, reason="accepted.open_holes")),
        "no certificate": replace(good, verdict=replace(good.verdict, certificate=None)),
        "another text": replace(good, submission=attempts["wrong"].submission),
        "another problem": good,
        "another problem by name": replace(good, problem=HARD.id),
        "open holes in it": sealed(good, open_holes=1),
        "a sorry": sealed(good, axioms=["sorryAx"]),
        "a negation": replace(good, notes={**good.notes, "claim": "disproved"}),
        "a claim of its own": replace(good, notes={**good.notes, "claim": "believed"}),
        **{f"certificate {bad!r:.20}": with_certificate(good, bad) for bad in NO_CERTIFICATES},
    }
    for what, attempt in forged.items():
        asked = HARD if what.startswith("another problem") else ZERO
        assert naive(attempt) == 1.0
        assert reward(attempt, asked).verified == 0.0, what


def test_undecided_has_the_format_part_only(attempts: dict[str, Attempt]) -> None:
    undecided = replace(attempts["proof"], verdict=Verdict(Status.UNDECIDED, "compile.timeout", ""))
    assert reward(undecided, ZERO) == RewardParts(FORMAT_PART, 0.0)


def test_a_prover_without_a_format_is_read(tiered: TieredJudge) -> None:
    texts = [ZERO.source, ZERO.source.replace("by sorry", "by rfl"), "/- "]
    prover = ScriptedProver({"zero_add": [{"text": text} for text in texts]})
    assert [reward(a, ZERO).format for a in SampledProof().attempt(ZERO, prover, tiered, n=3)] == [0.0, 0.05, 0.0]


def test_a_sorry_of_the_problem_itself_is_not_the_answer_s(tiered: TieredJudge) -> None:
    asked = replace(ZERO, preamble=PREAMBLE + "theorem open_lemma (a b : N) : add a b = add b a := by sorry\n")
    model = ScriptedModel({"zero_add": [["by rfl"], ["by rw [open_lemma]; rfl"], ["by sorry"]]})
    wrong, leaning, copied = SampledProof(PLAIN).attempt(asked, model, tiered, n=3)
    assert reward(wrong, asked) == RewardParts(FORMAT_PART, 0.0)
    assert leaning.verdict.reason == "axioms.sorry" and reward(leaning, asked).total == 0.0
    assert reward(copied, asked).total == 0.0


def test_a_disproof_is_worth_a_proof(tiered: TieredJudge) -> None:
    model = ScriptedModel({"add_self": [["<|disproof|>" + REFUTATION]]})
    (attempt,) = ProveOrDisprove(PLAIN).attempt(FALSE, model, tiered)
    assert reward(attempt, FALSE).total == 1.0
    proof = replace(attempt, notes={**attempt.notes, "claim": "proved"})
    assert reward(proof, FALSE).verified == 0.0, "its certificate is about the negation"


def test_a_batch_shows_format_alone(attempts: dict[str, Attempt]) -> None:
    summary = summarise(reward(attempt, ZERO) for attempt in attempts.values())
    assert summary.attempts == 7 and summary.format_only == 3 / 7
    assert summary.verified == pytest.approx(0.95 / 7) and summary.total == pytest.approx((0.95 + 4 * 0.05) / 7)
    with pytest.raises(UnsorryError, match="empty"):
        summarise([])


def test_canaries_are_negations_of_what_has_a_proof() -> None:
    made = canaries([ZERO], negation, known_false=[FALSE])
    assert [p.id for p in made.problems] == ["zero_add.neg", "add_self"]
    batch = [problem(f"p{i}", "(a : N) : a = a") for i in range(8)]
    mixed = made.mix(batch, count=2, seed=3)
    assert [p for p in mixed if p in batch] == batch and len(mixed) == 10
    assert mixed == made.mix(batch, count=2, seed=3) != made.mix(batch, count=2, seed=4)
    assert len(made.mix([FALSE, *batch], count=9, seed=0)) == 10  # none twice


def broken(attempt: Attempt) -> Attempt:
    """The attempt as a judge would have it that can be fooled."""
    return replace(attempt, verdict=replace(attempt.verdict, status=Status.ACCEPTED, reason="accepted", tier="strict"))


def test_an_accepted_canary_stops_the_run_and_is_kept(tiered: TieredJudge, tmp_path: Path) -> None:
    made = canaries([ZERO], negation, known_false=[FALSE])
    model = ScriptedModel({p.id: [["by simp_all"]] for p in (FALSE, ZERO)})
    honest = [a for group in SampledProof(PLAIN).attempt_many([FALSE, ZERO], model, tiered, n=1) for a in group]
    made.inspect(honest, tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(
        CanaryAccepted, match="accepted a proof of add_self, although it is known to be false"
    ) as caught:
        made.inspect([broken(a) for a in honest], tmp_path / "incidents")
    assert "\n" not in str(caught.value)
    (stored,) = (tmp_path / "incidents").iterdir()
    incident = json.loads(stored.read_text())
    assert incident["attempts"][0]["submission"] == honest[0].submission and str(stored) in str(caught.value)
    ordinary, canary = made.split(honest)
    assert [a.problem for a in ordinary] == ["zero_add"] and [a.problem for a in canary] == ["add_self"]


def test_to_disprove_a_canary_is_no_alarm(tiered: TieredJudge, tmp_path: Path) -> None:
    model = ScriptedModel({"add_self": [["<|disproof|>" + REFUTATION]]})
    (attempt,) = ProveOrDisprove(PLAIN).attempt(FALSE, model, tiered)
    assert attempt.verdict.accepted
    Canaries((FALSE,), {FALSE.id: "it is known to be false"}).inspect([attempt], tmp_path)


def test_a_statement_and_its_negation_stop_the_run(tiered: TieredJudge, tmp_path: Path) -> None:
    model = ScriptedModel({"zero_add": [["<|proof|>" + PROOFS["zero_add"]], ["<|disproof|>" + REFUTATION]]})
    proved, refuted = ProveOrDisprove(PLAIN).attempt(ZERO, model, tiered, n=2)
    assert proved.verdict.accepted and not refuted.verdict.accepted
    Canaries().inspect([proved, refuted], tmp_path)
    with pytest.raises(CanaryAccepted, match="it and its negation were both accepted"):
        Canaries().inspect([broken(refuted), proved], tmp_path)
    split = replace(broken(refuted), problem="zero_add.neg", notes={})  # judged as a problem of its own
    with pytest.raises(CanaryAccepted, match="both accepted"):
        Canaries().inspect([proved, split], tmp_path)


def test_an_alarm_that_cannot_be_stored_is_an_alarm(tiered: TieredJudge, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    model = ScriptedModel({"add_self": [["by simp_all"]]})
    (attempt,) = SampledProof(PLAIN).attempt(FALSE, model, tiered)
    made = Canaries((FALSE,), {FALSE.id: "it is known to be false"})
    with pytest.raises(CanaryAccepted, match="could not be stored"):
        made.inspect([broken(attempt)], tmp_path / "file" / "incidents")
    assert PREAMBLE in attempt.submission
