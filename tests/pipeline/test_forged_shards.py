"""Shards that were edited, under a new digest: no acceptance in them counts, is rewarded or teaches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripted_model import FALSE, PROOFS, REFUTATION, ZERO, ScriptedModel
from unsorry import Attempt, Problem, UnsorryError
from unsorry.judge import certificate
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline import onpolicy, shards
from unsorry.pipeline.canaries import Canaries
from unsorry.pipeline.confirm import confirm
from unsorry.pipeline.failures import FailureConfig
from unsorry.pipeline.onpolicy import Task
from unsorry.pipeline.reward import reward
from unsorry.pipeline.rollouts import rollouts
from unsorry.pipeline.selfdata import SelfData, select
from unsorry.provers.formats import make
from unsorry.scaffolds.prove_or_disprove import ProveOrDisprove
from unsorry.scaffolds.sampled import SampledProof

PLAIN = make("plain")
GOOD, BAD = PROOFS["zero_add"], "by rfl"
Line = dict[str, Any]
Edit = Callable[[Line, Line], None]


class Bytes:
    """The tokenizer of the scripted model."""

    chat_template = eos_token_id = None

    def decode(self, ids: Sequence[int], **_: Any) -> str:
        return bytes(ids).decode("utf-8", "surrogatepass")


class Model(ScriptedModel):
    tokenizer = Bytes()


def model() -> Model:
    script = {"zero_add": [[GOOD], [BAD]], "add_self": [["<|disproof|>" + REFUTATION], [BAD]]}
    return Model(script, id="script")  # the weights that its turns name


# What somebody writes into the second line, which was rejected, with the first, which was accepted, before them.


def says_accepted(bad: Line, good: Line) -> None:
    bad["verdict"] |= {"status": "accepted", "reason": "accepted", "tier": "strict"}


def no_certificate(bad: Line, good: Line) -> None:
    bad["verdict"] = {**good["verdict"], "certificate": None}


def text_for_certificate(bad: Line, good: Line) -> None:
    bad["verdict"] = {**good["verdict"], "certificate": "accepted"}


def list_for_certificate(bad: Line, good: Line) -> None:
    bad["verdict"] = {**good["verdict"], "certificate": ["digest"]}


def another_certificate(bad: Line, good: Line) -> None:
    bad["verdict"] = good["verdict"]


def certificate_for_its_text(bad: Line, good: Line) -> None:
    """Nothing offline can tell this one: every digest is right."""
    made = json.loads(json.dumps(good["verdict"]["certificate"]))
    made["submission"]["source"] = certificate.text_digest(bad["submission"])
    made["digest"] = certificate._seal(made)
    bad["verdict"] = {**good["verdict"], "certificate": made}


def another_proof_for_its_tokens(bad: Line, good: Line) -> None:
    """An honest certificate for an honest proof, which these tokens are not."""
    bad["verdict"], bad["submission"] = good["verdict"], good["submission"]


def other_tokens_for_its_text(bad: Line, good: Line) -> None:
    tokens = bad["turns"][0]["completion_ids"]
    bad["verdict"], bad["submission"], bad["turns"] = good["verdict"], good["submission"], good["turns"]
    bad["turns"][0]["completion_ids"] = tokens
    bad["turns"][0]["logprobs"] = bad["turns"][0]["logprobs"][: len(tokens)]


OFFLINE = [says_accepted, no_certificate, text_for_certificate, list_for_certificate, another_certificate]
ONLY_BY_JUDGING = [certificate_for_its_text]
ONLY_BY_TOKENS = [another_proof_for_its_tokens, other_tokens_for_its_text]


def forge(path: Path, edit: Edit) -> None:
    """Edits the second attempt of a shard and makes the digest of the whole anew."""
    head, *lines, _ = path.read_bytes().splitlines(keepends=True)
    good, bad = json.loads(lines[0]), json.loads(lines[1])
    edit(bad, json.loads(lines[0]))
    body = head + b"".join(json.dumps(line).encode() + b"\n" for line in (good, bad))
    end = {"end": True, "attempts": 2, "sha256": hashlib.sha256(body).hexdigest()}
    path.write_bytes(body + json.dumps(end).encode() + b"\n")
    assert len(list(shards.read(path))) == 2, "the shard itself is intact"


def naive(attempt: Attempt) -> bool:
    return attempt.verdict.accepted


def collect(tiered: TieredJudge, folder: Path, scaffold: Any = None, asked: Problem = ZERO) -> onpolicy.Batch:
    task = Task("proof", scaffold or SampledProof(PLAIN), (asked,), 1.0)
    return onpolicy.collect(
        [task],
        {"proof": [asked]},
        Canaries(),
        model(),
        tiered,
        n=2,
        canary_count=0,
        seed=0,
        folder=folder,
        scale="none",
    )


def distil(tiered: TieredJudge, attempts: list[Attempt]) -> SelfData:
    return select(
        attempts, [ZERO], judge=tiered, format=PLAIN, tokenizer=Bytes(), per_problem=2, correction_share=0.0,
        limits=FailureConfig(), seed=0,
    )  # fmt: skip


def test_honest_shards_are_read_and_rewarded(tiered: TieredJudge, tmp_path: Path) -> None:
    batch = collect(tiered, tmp_path)
    again = collect(tiered, tmp_path)
    assert batch.accepted == again.accepted == 0.5 and batch.rows == again.rows != ()
    data = distil(tiered, list(shards.read(tmp_path / "proof" / "00000.jsonl")))
    assert len(data.proofs) == 1 and data.problems == 1


@pytest.mark.parametrize("edit", [*OFFLINE, *ONLY_BY_JUDGING, *ONLY_BY_TOKENS])
def test_an_edited_shard_teaches_nothing(edit: Edit, tiered: TieredJudge, tmp_path: Path) -> None:
    collect(tiered, tmp_path)
    path = tmp_path / "proof" / "00000.jsonl"
    forge(path, edit)
    forged = list(shards.read(path))
    assert all(map(naive, forged)), "who believes the flag teaches it"
    for teach in (lambda: collect(tiered, tmp_path), lambda: distil(tiered, forged)):
        with pytest.raises(UnsorryError, match="delete") as caught:
            teach()
        assert str(caught.value).isprintable() and "zero_add" in str(caught.value)


@pytest.mark.parametrize("edit", OFFLINE)
def test_an_edited_shard_is_not_counted(edit: Edit, tiered: TieredJudge, tmp_path: Path) -> None:
    found = rollouts([ZERO], SampledProof(PLAIN), model(), tiered, n=2, seed=0, folder=tmp_path)
    forge(found.paths[0], edit)
    with pytest.raises(UnsorryError, match=r"00000\.jsonl: an attempt at zero_add is not what was stored"):
        list(found)
    good, bad = shards.read(found.paths[0])
    assert reward(good, ZERO).verified > 0 and reward(bad, ZERO).verified == 0


def test_attempts_that_nobody_asked_for_are_refused(tiered: TieredJudge, tmp_path: Path) -> None:
    found = rollouts([ZERO], SampledProof(PLAIN), model(), tiered, n=2, seed=0, folder=tmp_path)
    attempts = list(found)
    for added in (attempts[0], replace(attempts[0], problem="other\nname")):
        shards.write(found.paths[0], shards.read_header(found.paths[0]), [*attempts, added])
        with pytest.raises(UnsorryError, match="nothing asked for it") as caught:
            list(found)
        assert str(caught.value).isprintable()


def test_a_disproof_is_not_turned_into_a_proof(tiered: TieredJudge, tmp_path: Path) -> None:
    """The note alone says which of the two was proved; the certificate is about one of them."""
    batch = collect(tiered, tmp_path, ProveOrDisprove(PLAIN), FALSE)
    assert batch.accepted == 0.5
    path = tmp_path / "proof" / "00000.jsonl"

    def claims_a_proof(bad: Line, good: Line) -> None:
        bad |= {**good, "notes": {**good["notes"], "claim": "proved"}}

    forge(path, claims_a_proof)
    assert [a.notes["claim"] for a in shards.read(path)] == ["disproved", "proved"]
    with pytest.raises(UnsorryError, match="the problem's id differs"):
        collect(tiered, tmp_path, ProveOrDisprove(PLAIN), FALSE)


def test_what_cannot_be_decided_again_is_no_acceptance(tiered: TieredJudge, tmp_path: Path) -> None:
    attempts = list(rollouts([ZERO], SampledProof(PLAIN), model(), tiered, n=2, seed=0, folder=tmp_path))
    hurried = tiered.within(0.001)
    found = confirm(attempts, {ZERO.id: ZERO}, hurried)
    assert [a.verdict.status for a in found] == ["undecided", "rejected"]
    assert reward(found[0], ZERO).verified == 0


JUNK: list[Any] = [None, 1, "x", [], ["x"], {"x": 1}, [[1]], True, float("nan")]


@pytest.mark.parametrize("field", ["problem", "submission", "verdict", "notes", "turns", "cost", "seed"])
def test_fields_of_another_type_are_one_line(field: str, tiered: TieredJudge, tmp_path: Path) -> None:
    found = rollouts([ZERO], SampledProof(PLAIN), model(), tiered, n=2, seed=0, folder=tmp_path)
    head, first, second, _ = found.paths[0].read_bytes().splitlines(keepends=True)
    deep = b'{"x":' * 3000 + b"1" + b"}" * 3000
    values = [json.dumps(value).encode() for value in JUNK] + [deep]
    raw = json.loads(second)
    for value in values:
        if json.loads(value) == raw.get(field) if value is not deep else False:
            continue
        text = json.dumps({**raw, field: "@"}).encode().replace(b'"@"', value)
        body = head + first + text + b"\n"
        end = {"end": True, "attempts": 2, "sha256": hashlib.sha256(body).hexdigest()}
        found.paths[0].write_bytes(body + json.dumps(end).encode() + b"\n")
        try:
            attempts = list(found)
        except UnsorryError as error:
            assert str(error).isprintable(), error
        else:
            assert sum(reward(a, ZERO).verified > 0 for a in attempts) == 1
