"""The soak with kill -9 sees what it must see: with sound stages nothing, with unsound ones their fault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import interrupted_stages
import pytest
from rich.console import Console

from unsorry import Attempt, Cost, Status, Verdict
from unsorry.pipeline import shards

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # `benchmarks` is no part of the package

from benchmarks import interruption_checks as checks  # noqa: E402
from benchmarks import interruption_endpoint as endpoint  # noqa: E402
from benchmarks import interruptions  # noqa: E402
from benchmarks.interruption_endpoint import asked_again  # noqa: E402
from benchmarks.interruption_processes import kill  # noqa: E402

RECIPE = """
format = 1
name = "killed"
seed = 3
[[stage]]
kind = "k-answers"
name = "a"
{answers}
[[stage]]
kind = "k-weights"
name = "w"
answers = "a"
{weights}
"""


def soaked(folder: Path, *, answers: str = "", weights: str = "", kills: int = 3, seed: int = 0) -> interruptions.Soak:
    recipe = folder / "recipe.toml"
    recipe.write_text(RECIPE.format(answers=answers, weights=weights))
    command = [sys.executable, interrupted_stages.__file__, str(recipe)]
    return interruptions.soak(command, folder, kills=kills, seed=seed)


def test_a_sound_run_ends_as_if_it_had_been_left_alone(tmp_path: Path) -> None:
    found = soaked(tmp_path)
    assert found.passed
    assert len(found.kills) >= 2
    assert {k.running for k in found.kills} <= {"a", "w", ""}
    assert found.counts == {"ledger entries": 2, "weights": 1, "shards": 1, "paid": 7}
    console = Console(width=120, record=True, file=(tmp_path / "shown").open("w"))
    interruptions.show(found, console)
    assert f"{len(found.kills)} kills" in console.export_text()


@pytest.mark.parametrize(
    ("answers", "weights", "expected"),
    [
        ('fault = "pays-again"', "pause = 0.0", {"paid_twice": "answer 0: 1 -> "}),
        ('fault = "changes"', "pause = 0.0", {"ledger": "stages.a.metrics.sum: ", "attempts": "stages/a-"}),
        ("pause = 0.0", "resumes = false\nsteps = 16", {"weights": "stages/w-"}),
    ],
)
def test_an_unsound_run_is_caught(tmp_path: Path, answers: str, weights: str, expected: dict[str, str]) -> None:
    result = soaked(tmp_path, answers=answers, weights=weights, kills=2)
    assert not result.passed
    for part, line in expected.items():
        assert any(text.startswith(line) for text in getattr(result.found, part)), result.found


def test_a_run_that_cannot_run_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(interruptions.Failed, match=r"ended with code 3: .*log\.txt"):
        interruptions.soak([sys.executable, "-c", "raise SystemExit(3)"], tmp_path, kills=2, seed=0)


def test_moments_are_random_repeatable_and_spread_over_the_run(tmp_path: Path) -> None:
    stages = [{"name": n, "seconds": s} for n, s in [("a", 10.0), ("skipped", 0.0), ("b", 80.0), ("c", 10.0)]]
    (tmp_path / "ledger.json").write_text(json.dumps({"stages": stages}))
    found = interruptions.moments(tmp_path, 20, 1)
    assert found == interruptions.moments(tmp_path, 20, 1) != interruptions.moments(tmp_path, 20, 2)
    starts = {"a": 0.0, "b": 10.0, "c": 90.0}
    at = [starts[m.stage] + m.seconds for m in found]
    assert all(5 * i * 0.95 <= t <= 5 * (i + 1) for i, t in enumerate(at))
    assert Counter(m.stage for m in found) == {"a": 2, "b": 16, "c": 2}


def test_times_are_no_difference_and_everything_else_is() -> None:
    a = {"seconds": 1, "box_hours": 0.1, "ours": "12 rows in 3.4 s, 512.0 tokens/s", "metrics": {"x": float("nan")}}
    b = {"seconds": 2, "box_hours": 0.2, "ours": "12 rows in 17 s, 88 tokens/s", "metrics": {"x": float("nan")}}
    none = Counter[str]()

    def differ(left: dict, right: dict) -> tuple[str, ...]:
        sides = (checks.Contents(checks.without_times(side), {}, {}, none) for side in (left, right))
        return checks.difference(*sides).ledger

    assert differ(a, b) == ()
    assert differ(a, {**b, "ours": "13 rows in 3.4 s, 512.0 tokens/s"}) != ()
    assert differ(
        {"stages": [{"name": "sft", "status": "Done"}]}, {"stages": [{"name": "sft", "status": "Queued"}]}
    ) == ('stages.sft.status: "Done" -> "Queued"',)
    assert differ({"a": 1}, {"a": 1, "b": 2}) == ("b: only in the broken run",)
    assert differ({"a": [1, 2]}, {"a": [1]}) == ("a: [1, 2] -> [1]",)


def test_attempts_differ_by_what_they_say_and_not_by_their_times(tmp_path: Path) -> None:
    def digest(**changes: object) -> str:
        told: dict = {"submission": "-- 3 s", "notes": {"seconds": 1.0, "tries": 1}, **changes}
        attempt = Attempt("p", "k", "whole", verdict=Verdict(Status.REJECTED, "x", ""), **told)
        shards.write(tmp_path / "s.jsonl", {"key": "k"}, [attempt])
        return checks.attempts_digest(tmp_path / "s.jsonl")

    assert digest() == digest(notes={"seconds": 2.0, "tries": 1}, cost=Cost(seconds=9.0))
    assert len({digest(), digest(notes={"seconds": 1.0, "tries": 2}), digest(submission="-- 4 s"), digest(seed=1)}) == 4


def test_only_what_is_paid_more_often_than_unbroken_counts() -> None:
    def side(**paid: int) -> checks.Contents:
        return checks.Contents({}, {}, {}, Counter(paid))

    assert not checks.difference(side(a=2, b=1), side(a=2, b=1))
    assert checks.difference(side(a=2, b=1), side(a=2, b=2)).paid_twice == ("b: 1 -> 2 times",)
    assert not checks.difference(side(a=1), side(a=1, c=1)).paid_twice  # another answer: the attempts differ


def test_a_request_asked_again_is_explained_by_a_kill_or_not() -> None:
    def on_disk(*bodies: str) -> frozenset[str]:
        return frozenset(bodies)

    open_at_the_kill = asked_again([["a", "b", "c"], ["b", "c", "d"]], [on_disk("a"), on_disk("a", "b", "c", "d")])
    assert open_at_the_kill == endpoint.Asked(6, 4, 2, ())
    there_already = asked_again([["a", "b"], ["a", "c"]], [on_disk("a", "b"), on_disk("a", "b", "c")])
    assert there_already.twice == ("request a asked 1 times its answer was on disk, in process 2",)
    assert there_already.in_flight == 0
    never_kept = asked_again([list("abcde"), list("abcde")], [on_disk(), on_disk(*"abcde")])
    assert never_kept.twice == ("5 answers of process 1 are not on disk; 4 were open at most",)
    by_one = asked_again([["a", "a"]], [on_disk("a")])
    assert by_one.twice == ("request a asked 2 times by one process, in process 1",)


def test_a_kill_reaches_children_in_other_groups_and_counts_those_it_missed(tmp_path: Path) -> None:
    sleep = "import time; time.sleep(60)"
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {sleep!r}], start_new_session=sys.argv[1] == 'True')\n"
        "open(sys.argv[2], 'w').close()\n"
        "time.sleep(60)"
    )
    for apart in (False, True):
        ready = tmp_path / str(apart)
        process = subprocess.Popen([sys.executable, "-c", code, str(apart), str(ready)], start_new_session=True)
        while not ready.exists():
            time.sleep(0.01)
        assert kill(process) == int(apart)
        assert process.returncode == -9


def test_an_endpoint_is_not_paid_twice(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = endpoint.soak(tmp_path, kills=2, seed=0, count=8, samples=2, env=env)
    assert found.asked.twice == ()
    assert found.passed
    assert found.attempts == found.unbroken == found.asked.distinct == 16
