"""Shards: whole or absent; what comes back is what went in, to the last digit."""

from __future__ import annotations

import json
import math
import resource
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import Attempt, Cost, Status, Turn, UnsorryError, Verdict
from unsorry.pipeline import shards

VERDICT = Verdict(
    Status.REJECTED, "fast.error", "line 3: no", "t", "fast", ("propext",), {"total": 0.1 + 0.2}, {"digest": "x"}
)
TURN = Turn((1, 2, 151643), (7, 8), (-0.1, -2.2250738585072014e-308), "a\ud800\x00∀", ({"role": "user"},), "length")
ATTEMPT = Attempt("p", "prover", "sampled", "theorem ∀", VERDICT, Cost(0.1, 3, 0, 2, 1e-7), 5, {"k": [1]}, (TURN,))


def write(path: Path, *attempts: Attempt) -> None:
    shards.write(path, {"key": "k"}, attempts)


floats = st.floats(allow_nan=False, allow_infinity=False)
turns = st.builds(
    Turn,
    st.lists(st.integers(0, 2**31)).map(tuple),
    st.lists(st.integers(0, 2**31)).map(tuple),
    st.lists(floats).map(tuple),
    st.text(st.characters()),
    st.just(({"role": "user", "content": "∀"},)),
    st.sampled_from(["stop", "length", "error"]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(turns, max_size=3), floats, st.text())
def test_attempts_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, made, seconds, text) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path_factory.mktemp("shard") / "a.jsonl"
    attempts = [replace(ATTEMPT, submission=text, cost=Cost(seconds), turns=tuple(made)), ATTEMPT]
    write(path, *attempts)
    back = list(shards.read(path))
    assert back == attempts
    for turn, other in zip(back[0].turns, made, strict=True):
        assert [math.copysign(1, x) for x in turn.logprobs] == [math.copysign(1, x) for x in other.logprobs]
        assert all(type(x) is float for x in turn.logprobs)


def test_fewer_digits_would_change_a_ratio() -> None:
    """What a store with rounded log-probabilities makes of the ratio of policy to sampler."""
    logprob = -1.0 / 3
    assert json.loads(json.dumps(logprob)) == logprob
    assert math.exp(logprob - float(f"{logprob:.4f}")) != 1.0


def test_the_header_tells_what_it_is(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", ATTEMPT)
    assert shards.read_header(tmp_path / "a.jsonl") == {"format": shards.FORMAT, "key": "k"}
    end = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[-1])
    assert end["attempts"] == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data.rstrip(b"\n").rpartition(b"\n")[0] + b"\n",  # without its last line
        lambda data: data.replace(b"line 3", b"line 4"),
        lambda data: data.replace(b'"attempts":2', b'"attempts":1'),
        lambda data: b"".join(line for n, line in enumerate(data.splitlines(True)) if n != 1),
        lambda data: b"",
        lambda data: b"\xff" + data,
        lambda data: data.replace(b"rollouts/1", b"rollouts/2"),
        lambda data: b"[]\n" + data,
    ],
)
def test_a_damaged_shard_is_one_line_and_no_attempt(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "00000.jsonl"
    write(path, ATTEMPT, ATTEMPT)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(UnsorryError, match=r"00000\.jsonl") as caught:
        next(shards.read(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_json_does_not_hold_is_refused_and_leaves_nothing(tmp_path: Path, bad: float) -> None:
    turn = replace(TURN, logprobs=(bad,))
    with pytest.raises(UnsorryError, match="an attempt at p cannot be kept"):
        write(tmp_path / "a.jsonl", ATTEMPT, replace(ATTEMPT, turns=(turn,)))
    with pytest.raises(UnsorryError, match="cannot be kept"):
        write(tmp_path / "a.jsonl", replace(ATTEMPT, notes={"k": object()}))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        with pytest.raises(UnsorryError, match="make room and run again") as caught:
            write(tmp_path / "a.jsonl", *[ATTEMPT] * 100)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_shard_replaces_what_was_there_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(path, ATTEMPT)
    with pytest.raises(UnsorryError):
        write(path, replace(ATTEMPT, notes={"k": object()}))
    assert list(shards.read(path)) == [ATTEMPT]


def test_temporary_files_of_killed_runs_are_swept(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", ATTEMPT)
    (tmp_path / ".b.jsonl.123.tmp").write_bytes(b"half")
    shards.sweep(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_fingerprint_leaves_out_what_a_clock_said() -> None:
    slow = replace(ATTEMPT, cost=replace(ATTEMPT.cost, seconds=9.0), verdict=replace(VERDICT, timings={"total": 9.0}))
    other = replace(ATTEMPT, turns=(replace(TURN, logprobs=(-0.1, -0.2)),))
    assert shards.fingerprint([ATTEMPT]) == shards.fingerprint([slow])
    assert len({shards.fingerprint(a) for a in ([ATTEMPT], [other], [ATTEMPT, ATTEMPT], [])}) == 4
