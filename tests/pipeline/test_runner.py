"""Runs that are interrupted, killed, repeated, changed: nothing is lost, nothing is paid twice."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_stages

from unsorry import UnsorryError
from unsorry.pipeline import runner
from unsorry.pipeline.address import stage_seed
from unsorry.pipeline.ledger import read
from unsorry.pipeline.runner import Options, run
from unsorry.pipeline.storage import Stopwatch, in_use, owned

STAGES = """
[[stage]]
kind = "t-numbers"
name = "n"
count = 3
[[stage]]
kind = "t-grow"
name = "a"
numbers = "n"
[[stage]]
kind = "t-grow"
name = "b"
numbers = "a"
"""


def times_run(bench, name: str) -> int:
    return len((bench.stage_folder(name) / "runs.log").read_text().splitlines())


def test_stages_run_in_order_and_finished_ones_are_kept(bench) -> None:
    bench.write(STAGES)
    result = bench.run()
    assert [(e.name, e.status, e.ours) for e in result.ledger.entries] == [
        ("n", "Done", "3 numbers"),
        ("a", "Done", "sum 6"),
        ("b", "Done", "sum 9"),
    ]
    assert result.ledger["b"].metrics["seed"] == stage_seed(5, "b") != stage_seed(5, "a")
    before = (bench.out / "ledger.json").read_text()
    bench.run()
    assert times_run(bench, "a") == times_run(bench, "b") == 1
    assert (bench.out / "ledger.json").read_text() == before


def test_a_changed_stage_and_what_depends_on_it_run_again(bench) -> None:
    bench.write(STAGES)
    bench.run()
    assert bench.run("stage.a.by=5").ledger["b"].ours == "sum 21"
    assert len(list((bench.out / "stages").glob("n-*"))) == 1
    assert len(list((bench.out / "stages").glob("b-*"))) == 2
    bench.run()  # and the first results are still there
    assert sum(len(p.read_text().splitlines()) for p in bench.out.glob("stages/b-*/runs.log")) == 2


def test_resources_gates_and_rows_are_no_reason_to_repeat_work(bench) -> None:
    bench.write(STAGES)
    bench.run()
    bench.run("resources.threads=1", "judge.workers=1", 'stage.a.on_fail="continue"', 'stage.a.row="RL"')
    assert times_run(bench, "a") == 1
    assert read(bench.out)["a"].row == "RL"


def test_data_counts_by_content(bench, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("1")
    (tmp_path / "two").write_text("1")
    bench.write(STAGES)
    bench.run('stage.n.source="one"')
    bench.run('stage.n.source="two"')
    assert len(list((bench.out / "stages").glob("n-*"))) == 1
    (tmp_path / "two").write_text("2")
    bench.run('stage.n.source="two"')
    assert len(list((bench.out / "stages").glob("n-*"))) == 2


def test_other_code_asks_before_paid_work_is_repeated(bench, monkeypatch) -> None:
    bench.write(STAGES)
    bench.run()
    monkeypatch.setattr(runner, "code_digest", lambda: "changed")
    with pytest.raises(UnsorryError, match=r"stage n was finished by other code.*--keep.*--redo"):
        bench.run()
    bench.run(keep=True)
    assert times_run(bench, "b") == 1
    result = bench.run(redo=True)
    assert times_run(bench, "b") == 1  # in a new folder
    assert len(list((bench.out / "stages").glob("*.replaced-1"))) == 3
    assert result.ledger["b"].ours == "sum 9"
    bench.run()  # now they are of this code


def test_kept_results_carry_those_that_stand_on_them(bench, monkeypatch) -> None:
    bench.write(STAGES)
    bench.run(only="n")
    monkeypatch.setattr(runner, "code_digest", lambda: "changed")
    bench.run(keep=True)
    assert times_run(bench, "b") == 1
    bench.run(keep=True)
    assert times_run(bench, "b") == 1


def test_only_and_from(bench) -> None:
    bench.write(STAGES)
    with pytest.raises(UnsorryError, match=r"--only b: stage b needs a.numbers, and a is not finished"):
        bench.run(only="b")
    with pytest.raises(UnsorryError, match="no stage 'c'"):
        bench.run(only="c")
    statuses = [e.status for e in bench.run(only="n").ledger.entries]
    assert statuses == ["Done", "Planned", "Planned"]
    with pytest.raises(UnsorryError, match=r"--from b: stage b needs a\.numbers"):
        bench.run(start="b")
    assert [e.status for e in bench.run(start="a").ledger.entries] == ["Done", "Done", "Done"]
    bench.run(only="b", redo=True)  # asked for by name: again, though the code is the same
    assert len(list((bench.out / "stages").glob("*.replaced-*"))) == 1
    with pytest.raises(UnsorryError, match="the same command without --redo goes on from there"):
        bench.run('stage.b.fault="error"', only="b", redo=True)


def test_a_failed_gate_stops_the_run_and_says_so(bench) -> None:
    bench.write(STAGES)
    result = bench.run("stage.a.gate=100")
    assert result.failed == "a"
    assert (result.ledger["a"].status, result.ledger["a"].reason) == ("Failed gate", "sum 6 < 100")
    assert (result.ledger["b"].status, result.ledger["b"].reason) == ("Planned", "not run: the gate of a failed")
    assert bench.run("stage.a.gate=100").failed == "a"  # still, and without running it again
    assert times_run(bench, "a") == 1


def test_rollback_goes_on_from_the_input(bench) -> None:
    bench.write(STAGES)
    result = bench.run("stage.a.gate=100", 'stage.a.on_fail="rollback"', "stage.b.by=10")
    assert not result.failed
    assert result.ledger["a"].rolled_back
    assert "rolled back to its input" in result.ledger["a"].reason
    assert result.ledger["b"].ours == "sum 33"  # 0 + 1 + 2, without what a added
    result = bench.run("stage.a.gate=100", 'stage.a.on_fail="continue"', "stage.b.by=10")
    assert result.ledger["b"].ours == "sum 36"
    assert times_run(bench, "a") == 1


def test_after_a_rollback_gates_compare_with_what_was_rolled_back_to(bench) -> None:
    chain = """
[[stage]]
kind = "t-numbers"
name = "n"
[[stage]]
kind = "t-score"
name = "first"
numbers = "n"
[[stage]]
kind = "t-score"
name = "second"
numbers = "first"
before = "first"
on_fail = "rollback"
at_least = 100
[[stage]]
kind = "t-score"
name = "third"
numbers = "second"
before = "second"
"""
    bench.write(chain)
    ledger = bench.run().ledger
    assert [ledger[name].ours for name in ("first", "second", "third")] == ["nothing to 6", "6 to 12", "6 to 12"]
    ledger = bench.run("stage.second.at_least=0").ledger
    assert ledger["third"].ours == "12 to 24"


def test_a_stage_of_many_inputs(bench) -> None:
    bench.write(STAGES + 'more = ["n", "a.numbers"]\n')
    assert bench.run().ledger["b"].ours == "sum 18"


def test_errors_leave_a_run_that_goes_on(bench) -> None:
    bench.write(STAGES)
    with pytest.raises(
        UnsorryError, match=r"stage a: the endpoint does not answer: start it; the same command goes on"
    ):
        bench.run('stage.a.fault="error"')
    ledger = read(bench.out)
    assert (ledger["a"].status, ledger["a"].reason) == ("Queued", "the endpoint does not answer: start it")
    assert ledger["n"].status == "Done"
    with pytest.raises(ZeroDivisionError):
        bench.run('stage.a.fault="bug"')
    assert read(bench.out)["a"].reason == "internal error: ZeroDivisionError: a bug"
    assert not in_use(bench.out)
    assert not bench.run().failed


def test_a_package_that_is_missing_is_one_line(bench) -> None:
    bench.write(STAGES)
    with pytest.raises(UnsorryError, match=r"the package no_such_package is not installed: pip install"):
        bench.run('stage.a.fault="package"')
    assert "no_such_package" in read(bench.out)["a"].reason


def test_a_full_disk_is_one_line(bench) -> None:
    bench.write(STAGES)
    with pytest.raises(UnsorryError, match=r"the disk is full.*goes on from there") as caught:
        bench.run('stage.a.fault="full"')
    assert "\n" not in str(caught.value)
    assert "the disk is full" in read(bench.out)["a"].reason


def test_a_full_disk_under_the_ledger_is_one_line_too(bench, monkeypatch) -> None:
    bench.write(STAGES)

    def full(path: Path, value: object, **_: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(runner, "write_json", full)
    with pytest.raises(UnsorryError, match="the disk is full"):
        bench.run()


def test_results_that_were_removed_are_missed(bench) -> None:
    bench.write(STAGES)
    bench.run()
    (bench.stage_folder("n") / "numbers.txt").unlink()
    with pytest.raises(UnsorryError, match=r"its numbers is gone .*--from n --redo"):
        bench.run()
    assert not bench.run(start="n", redo=True).failed


def test_a_folder_belongs_to_one_recipe_and_one_process(bench) -> None:
    bench.write(STAGES)
    bench.run()
    with pytest.raises(UnsorryError, match=r"holds a run of bench with seed 5: give this one another --out"):
        bench.run("seed=6")
    with owned(bench.out), pytest.raises(UnsorryError, match="in use by this very process"):
        bench.run()
    process = start(bench, pause=30)
    try:
        wait_for(lambda: f"process {process.pid}" in (bench.out / "lock").read_text())
        assert in_use(bench.out)
        with pytest.raises(UnsorryError, match=f"in use by process {process.pid}"):
            bench.run()
    finally:
        process.kill()
        process.wait()
    assert not bench.run("stage.n.pause=0.0").failed  # a dead owner's lock is nobody's


def test_a_folder_that_cannot_be_written_is_one_line(bench) -> None:
    bench.write(STAGES)
    bench.out.write_text("a file, not a folder")
    with pytest.raises(UnsorryError, match=r"cannot write .*give another --out"):
        bench.run()


def start(bench, pause: float) -> subprocess.Popen[bytes]:
    """The bench's recipe, with a pause between numbers, in a process of its own."""
    bench.write(STAGES.replace("count = 3", f"count = 8\npause = {pause}"))
    return subprocess.Popen(
        [sys.executable, tiny_stages.__file__, str(bench.path), str(bench.out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def wait_for(condition, seconds: float = 20) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "waited too long"
        time.sleep(0.01)


def numbers_paid(bench) -> int:
    return sum(len(p.read_text().splitlines()) for p in bench.out.glob("stages/n-*/numbers.txt"))


def test_kill_9_at_any_moment_loses_and_repeats_nothing(bench) -> None:
    for paid in (1, 3, 4):  # killed once each of these many numbers is on disk
        process = start(bench, pause=0.15)
        wait_for(lambda paid=paid: numbers_paid(bench) >= paid)
        process.kill()
        process.wait()
        ledger = read(bench.out)
        assert (ledger["n"].status, ledger["n"].reason[:11]) == ("Queued", "interrupted")
        assert json.loads((bench.out / "ledger.json").read_text())["stages"][0]["status"] == "Running"
    process = start(bench, pause=0.15)
    assert process.wait(60) == 0
    assert read(bench.out)["b"].ours == "sum 44"
    paid_lines = (bench.stage_folder("n") / "paid.log").read_text().split()
    # the journal of this stage is one line behind what is paid: at most the killed one is repeated
    assert len(set(paid_lines)) == 8 and len(paid_lines) <= 8 + 3
    assert (bench.stage_folder("n") / "numbers.txt").read_text().split() == [str(i) for i in range(8)]
    unbroken = run(bench.load(), Options(out=bench.folder / "unbroken"), console=bench.console).ledger
    killed = read(bench.out)
    assert [replace(e, seconds=0) for e in killed.entries] == [replace(e, seconds=0) for e in unbroken.entries]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_a_run_that_says_how_it_goes_on(bench, number: int) -> None:
    process = start(bench, pause=0.2)
    wait_for(lambda: numbers_paid(bench) >= 1)
    os.kill(process.pid, number)
    said = process.communicate(timeout=60)[0].decode()
    assert "stage n was interrupted; the same command goes on from there" in said
    stored = json.loads((bench.out / "ledger.json").read_text())["stages"][0]
    assert stored["status"] == "Queued" and stored["reason"].startswith("interrupted")
    assert stored["seconds"] > 0


def test_measured_time_adds_up_over_interruptions(tmp_path: Path, monkeypatch) -> None:
    clock = iter([100.0, 107.0, 107.0, 500.0, 503.0, 503.0])
    monkeypatch.setattr("unsorry.pipeline.storage.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("unsorry.pipeline.storage.threading.Thread.start", lambda self: None)
    monkeypatch.setattr("unsorry.pipeline.storage.threading.Thread.join", lambda self: None)
    with Stopwatch(tmp_path / "elapsed.json") as watch:
        assert watch.seconds == 7
    with Stopwatch(tmp_path / "elapsed.json") as watch:
        assert watch.seconds == 10
    assert json.loads((tmp_path / "elapsed.json").read_text()) == {"seconds": 10.0}


def test_time_is_noted_while_a_stage_works(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("unsorry.pipeline.storage.EVERY", 0.01)
    with Stopwatch(tmp_path / "elapsed.json"):  # what a kill -9 would leave
        wait_for((tmp_path / "elapsed.json").exists)


def test_a_skipped_stage_is_out_of_scope(bench) -> None:
    bench.write(STAGES.replace('name = "a"', 'name = "a"\nskip = "24 days"'))
    ledger = bench.run().ledger
    assert (ledger["a"].status, ledger["a"].reason, ledger["b"].ours) == ("Out of scope", "24 days", "sum 6")
