"""Jobs in other processes: what ends is kept, a killed worker costs its own job, and a budget begins nothing more."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.evaluation import attempts as store
from unsorry.evaluation.engine import Job, drain

Task = tuple[str, str]  # name, a file that counts its tries


def attempt(name: str, reason: str = "accepted") -> Attempt:
    return Attempt(name, "p", "s", "", Verdict(Status.ACCEPTED, reason, ""), Cost(money=1.0))


def work(task: Task) -> list[Attempt]:
    name, tries = task
    with open(tries, "a") as file:
        file.write("x")
    if name == "dies" or (name == "dies-once" and os.path.getsize(tries) == 1):
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "wrong":
        raise ValueError("no such thing")
    if name == "refuses":
        raise UnsorryError("one line")
    return [attempt(name), attempt(name)] if name == "two" else [attempt(name)]


def lost(task: Task) -> Attempt:
    return attempt(task[0], "prover.died")


def jobs(folder: Path, *names: str) -> list[Job[Task]]:
    return [Job(f"job {name}", (name, str(folder / f"{name}.tries"))) for name in names]


def test_killed_workers_cost_their_own_jobs_and_no_other(tmp_path: Path) -> None:
    out = tmp_path / "attempts.jsonl"
    made = list(drain(jobs(tmp_path, "a", "dies", "two", "dies-once"), work, out, lost=lost, workers=2))
    assert sorted((a.problem, a.verdict.reason) for a in made) == [
        ("a", "accepted"), ("dies", "prover.died"), ("dies-once", "accepted"), ("two", "accepted"),
        ("two", "accepted"),
    ]  # fmt: skip
    assert list(store.read(out)) == made
    assert (tmp_path / "a.tries").stat().st_size <= 2 and (tmp_path / "dies-once.tries").stat().st_size == 2


@pytest.mark.parametrize(("name", "said"), [("wrong", "job wrong: ValueError: no such thing"), ("refuses", "one line")])
def test_a_fault_ends_the_run_and_keeps_what_was_before(tmp_path: Path, name: str, said: str) -> None:
    out = tmp_path / "attempts.jsonl"
    with pytest.raises(UnsorryError, match=said):
        list(drain(jobs(tmp_path, "a", name, "b"), work, out, lost=lost))
    assert [a.problem for a in store.read(out)] == ["a"]


def test_nothing_begins_once_there_is_no_more(tmp_path: Path) -> None:
    out, spent = tmp_path / "attempts.jsonl", [0.0]
    for one in drain(jobs(tmp_path, *"abcde"), work, out, lost=lost, more=lambda: sum(spent) < 2.0):
        spent.append(one.cost.money or 0.0)
    assert [a.problem for a in store.read(out)] == ["a", "b"]
