"""Digests of texts: two lone surrogates are not the character that they would make as a pair, anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Attempt, Problem, Status, Turn, Verdict
from unsorry.canonical import json_bytes, json_digest, json_line, text_digest
from unsorry.evaluation import attempts as store
from unsorry.evaluation.outcomes import draw_id
from unsorry.evaluation.run import Settings
from unsorry.evaluation.run import key as attempt_key
from unsorry.judge import certificate
from unsorry.judge.memo import Memo
from unsorry.judge.memo import _check as memo_check
from unsorry.judge.tiered import TieredJudge
from unsorry.lean.process import Message
from unsorry.pipeline import shards
from unsorry.pipeline.address import _sha256, digest_of, stage_seed
from unsorry.pipeline.rollouts import _header
from unsorry.problems.splits import place
from unsorry.provers.journal import Journal, key_of
from unsorry.provers.scripted import ScriptedProver
from unsorry.scaffolds.sampled import SampledProof

PAIR, REAL = "\ud835\udd38", "\U0001d538"  # 𝔸 as two surrogates, and as the character
PROBLEM = Problem("p", "theorem t : True := by sorry", ("t",))
VERDICT = Verdict(Status.REJECTED, "fast.error", "no", tier="fast")

text = st.text(st.characters() | st.sampled_from(sorted({*PAIR, REAL})))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | text, lambda inner: st.lists(inner) | st.dictionaries(text, inner)
)


def naive(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def test_ascii_json_takes_one_for_the_other() -> None:
    assert PAIR != REAL and naive([PAIR]) == naive([REAL])
    assert json.loads(json.dumps(PAIR)) == REAL, "and what is read back is another text"


@given(values, values)
def test_different_values_have_different_bytes(a: Any, b: Any) -> None:
    assert (json_bytes(a) == json_bytes(b)) == (repr(_sorted(a)) == repr(_sorted(b)))


@given(values)
def test_what_is_read_back_is_what_was_written(value: Any) -> None:
    assert json.loads(json_bytes(value)) == json.loads(json_line(value)) == value
    assert json_line(value).count(b"\n") == 1


def test_lines_are_utf8_wherever_that_can_be() -> None:
    assert json_line(f"{REAL} ∀ \ud800") == '"𝔸 ∀ \\ud800"\n'.encode()


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return "object", sorted((key, _sorted(inner)) for key, inner in value.items())
    return [_sorted(inner) for inner in value] if isinstance(value, list) else value


def _attempt(said: str) -> Attempt:
    return Attempt("p", said, "sampled", said, VERDICT, turns=(Turn(text=said),))


def _rollouts_key(said: str) -> str:
    problem = replace(PROBLEM, preamble=f"-- {said}")
    scaffold, prover = SampledProof(), ScriptedProver({})
    return str(_header([problem], scaffold, scaffold.sampling, prover, 1)["key"])


DIGESTS: dict[str, Callable[[str], object]] = {
    "text": text_digest,
    "JSON": json_digest,
    "problem": lambda said: certificate.problem_digest(replace(PROBLEM, preamble=f"-- {said}")),
    "certificate": lambda said: certificate._seal({"problem": {"id": said}}),
    "memo": lambda said: memo_check({"message": said}),
    "journal": lambda said: key_of("endpoint", {"prompt": said}),
    "rollouts": _rollouts_key,
    "fingerprint": lambda said: shards.fingerprint([_attempt(said)]),
    "evaluation": lambda said: attempt_key(replace(PROBLEM, preamble=f"-- {said}"), Settings()),
    "draw": lambda said: draw_id(_attempt(said)),
    "stage": lambda said: _sha256([said]),
    "stage seed": lambda said: stage_seed(0, said),
    "split": place,
}


@pytest.mark.parametrize("name", DIGESTS)
def test_every_digest_tells_them_apart(name: str) -> None:
    digest = DIGESTS[name]
    assert digest(PAIR) != digest(REAL)
    assert digest(REAL) == digest(REAL)


def test_the_judge_remembers_them_apart(tiered: TieredJudge) -> None:
    proof = "theorem t : True := trivial -- "
    assert tiered._key(PROBLEM, proof + PAIR) != tiered._key(PROBLEM, proof + REAL)
    assert tiered.judge(PROBLEM, proof + REAL).accepted
    assert tiered.judge(PROBLEM, proof + PAIR).reason == "submission.text"


@pytest.mark.parametrize("said", [PAIR, REAL, "\ud800", "a\u2028b\x85c\r\n"])
def test_stored_texts_come_back_as_they_were(said: str, tmp_path: Path) -> None:
    attempt = _attempt(said)
    shards.write(tmp_path / "a.jsonl", {}, [attempt])
    assert list(shards.read(tmp_path / "a.jsonl")) == [attempt]
    store.append(tmp_path / "b.jsonl", attempt)
    assert list(store.read(tmp_path / "b.jsonl")) == [attempt]
    with Journal(tmp_path / "journal") as journal:
        journal.put("k", said)
        assert journal.get("k") == said
    with Journal(tmp_path / "journal") as again:
        assert again.get("k") == said
    key, message = "0" * 64, Message("error", said, 1, 0, 1, 1)
    Memo(tmp_path / "memo").put(key, replace(VERDICT, target=said), (message,))
    assert Memo(tmp_path / "memo").get(key) == (replace(VERDICT, target=said), (message,))


def test_a_file_is_not_taken_for_two(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    (one / "a").write_bytes(b"x\0b\0y")
    (two / "a").write_bytes(b"x")
    (two / "b").write_bytes(b"y")
    framed_by_zeros = [
        b"".join(p.name.encode() + b"\0" + p.read_bytes() + b"\0" for p in sorted(f.iterdir())) for f in (one, two)
    ]
    assert framed_by_zeros[0] == framed_by_zeros[1]
    assert digest_of(one) != digest_of(two)
