"""A run that is killed again and again must end as one that was left alone.

    python -m benchmarks.interruptions RECIPE [--kills 20] [--seed 0] [--folder DIR] [--set KEY=VALUE ...]
    python -m benchmarks.interruptions --endpoint [--kills 20] [--seed 0] [--folder DIR]

Runs `unsorry run RECIPE` once to the end, then once more in another folder with SIGKILL to its whole process group at
random moments, one in each of so many equal parts of the run, and resumes it each time.  Then compares ledgers without
times, weights and attempts, counts what was paid for twice, and looks for processes that outlived their kill.  Exit
code 1 on any difference.  The code is copied first, so that editing it meanwhile changes nothing.  With --endpoint the
run is one of rollouts from an HTTP server, whose log says what was asked for twice.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import interruption_checks as checks
from benchmarks import interruption_endpoint as endpoint
from benchmarks.interruption_processes import kill

POLL = 0.02  # seconds
LIMIT = 4 * 3600.0  # seconds that one process may take


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill: so many seconds of a stage's own time."""

    stage: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Kill:
    """One kill that happened; `running` is the stage it hit, `survivors` the processes that were still there after."""

    moment: Moment
    running: str
    after: float  # seconds after the process was started
    survivors: int


@dataclass(frozen=True, slots=True)
class Soak:
    """What came of both runs; times are seconds of wall clock, the broken run's added up over its processes."""

    kills: tuple[Kill, ...]
    missed: tuple[Moment, ...]  # the run ended before
    found: checks.Difference
    codes: tuple[int, int]  # exit codes: unbroken, broken
    seconds: tuple[float, float]
    counts: Mapping[str, int]  # of what was compared

    @property
    def passed(self) -> bool:
        return (
            not self.found
            and self.codes[0] == self.codes[1]
            and bool(self.kills)
            and not any(k.survivors for k in self.kills)
        )


class Failed(Exception):
    """A run that could not run; its message is one line with the place of its output."""


def soak(command: Sequence[str], folder: Path, *, kills: int, seed: int, env: Mapping[str, str] | None = None) -> Soak:
    """`command` with the run's folder appended, unbroken and broken, below `folder`."""
    unbroken, broken = folder / "unbroken", folder / "broken"
    log = folder / "log.txt"
    start = time.monotonic()
    whole = _Process([*command, str(unbroken)], log, env)
    code = whole.finish()
    seconds = time.monotonic() - start
    chosen = moments(unbroken, kills, seed)
    done: list[Kill] = []
    spent = 0.0
    clock: dict[str, float] = {}  # stage -> seconds that the broken run was seen in it
    while True:
        process = _Process([*command, str(broken)], log, env)
        begun = time.monotonic()
        hit = process.until(chosen[len(done) :], broken, clock)
        spent += time.monotonic() - begun
        if hit is None:
            break
        done.append(hit)
    a, b = checks.contents(unbroken), checks.contents(broken)
    counts = {
        "ledger entries": len(a.ledger.get("stages", ())),
        "weights": len(a.weights),
        "shards": len(a.attempts),
        "paid": len(a.paid),
    }
    return Soak(
        tuple(done),
        tuple(chosen[len(done) :]),
        checks.difference(a, b),
        (code, process.code),
        (seconds, spent),
        counts,
    )


def moments(run: Path, kills: int, seed: int) -> list[Moment]:
    """Random moments, one in each of `kills` equal parts of the time that the stages of a finished run took."""
    stages = json.loads((run / "ledger.json").read_text(encoding="utf-8"))["stages"]
    times = [(stage["name"], float(stage["seconds"])) for stage in stages if stage["seconds"] > 0]
    total = sum(seconds for _, seconds in times)
    if not total:
        raise Failed(f"no stage of {run} took any time: there is nothing to interrupt")
    generator = random.Random(seed)
    found = []
    for part in range(kills):
        at = (part + generator.random()) * total / kills
        before = [sum(seconds for _, seconds in times[:i]) for i in range(len(times))]
        index = max(i for i, begin in enumerate(before) if begin <= at)
        name, seconds = times[index]
        found.append(Moment(name, min(at - before[index], 0.95 * seconds)))  # the other run may be a little faster
    return found


class _Process:
    """A run in a process group of its own; its output goes to a file."""

    def __init__(self, command: Sequence[str], log: Path, env: Mapping[str, str] | None) -> None:
        self.log = log
        self.begun = time.monotonic()
        with log.open("ab") as stream:
            self.process = subprocess.Popen(
                command,
                stdout=stream,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                env=env,
            )

    @property
    def code(self) -> int:
        return int(self.process.returncode)

    def finish(self) -> int:
        """Its exit code once it has ended by itself; 1 is a gate that failed, which is a result too."""
        try:
            code = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            kill(self.process)
            raise Failed(f"the run did not end in {LIMIT:.0f} s; its output is in {self.log}") from None
        except BaseException:
            kill(self.process)
            raise
        if code not in (0, 1):
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
            raise Failed(f"the run ended with code {code}: {lines[-1]} (all of it in {self.log})")
        return code

    def until(self, moments: Sequence[Moment], run: Path, clock: dict[str, float]) -> Kill | None:
        """Kill it at the first moment; None if it ended before, or if there is none.

        `clock` is carried on from process to process: it counts the time a stage is seen running, after this process
        wrote the ledger for the first time (before, the ledger says what the killed one was at).
        """
        if not moments:
            self.finish()
            return None
        moment, ledger = moments[0], run / "ledger.json"
        stale, before = _changed(ledger), time.monotonic()
        try:
            while self.process.poll() is None:
                time.sleep(POLL)
                now = time.monotonic()
                running, past = _running(ledger, moment.stage) if _changed(ledger) != stale else ("", False)
                if running:
                    clock[running] = clock.get(running, 0.0) + now - before
                before = now
                if past or clock.get(moment.stage, 0.0) >= moment.seconds:
                    return Kill(moment, running, now - self.begun, kill(self.process))
        except BaseException:
            kill(self.process)
            raise
        self.finish()
        return None


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _running(ledger: Path, wanted: str) -> tuple[str, bool]:
    """The stage that is running, and whether the wanted one is over already."""
    stages = json.loads(ledger.read_text(encoding="utf-8"))["stages"]
    status = {stage["name"]: stage["status"] for stage in stages}
    running = next((name for name, word in status.items() if word == "Running"), "")
    return running, status.get(wanted) not in ("Queued", "Running")


def show(soaked: Soak, console: Console) -> None:
    """The table, then every difference."""
    table = Table("compared", "in the unbroken run", "different", title=f"{len(soaked.kills)} kills")
    found = soaked.found
    for name, count, lines in (
        ("ledger entries", soaked.counts["ledger entries"], found.ledger),
        ("weights (folders)", soaked.counts["weights"], found.weights),
        ("attempts (shards)", soaked.counts["shards"], found.attempts),
        ("paid twice", soaked.counts["paid"], found.paid_twice),
    ):
        table.add_row(name, str(count), str(len(lines)))
    table.add_row(
        "exit code", str(soaked.codes[0]), "0" if soaked.codes[0] == soaked.codes[1] else str(soaked.codes[1])
    )
    table.add_row("processes left", "0", str(sum(k.survivors for k in soaked.kills)))
    console.print(table)
    whole, broken = soaked.seconds
    hit = ", ".join(f"{k.running or 'start-up'} {k.after:.1f} s" for k in soaked.kills)
    console.print(f"killed in: {hit}", highlight=False)
    console.print(f"unbroken {whole:.0f} s, broken {broken:.0f} s of running ({broken / whole:.2f} x)", highlight=False)
    if soaked.missed:
        console.print(f"{len(soaked.missed)} moments came after the end of the run", highlight=False)
    for lines in (found.ledger, found.weights, found.attempts, found.paid_twice):
        for line in lines[:50]:
            console.print(line, highlight=False, markup=False, soft_wrap=True)


def show_endpoint(soaked: endpoint.EndpointSoak, console: Console) -> None:
    """The table of the endpoint's soak, then what was paid twice."""
    table = Table("from the server's log", "requests", title=f"{len(soaked.kills)} kills")
    table.add_row("unbroken run", str(soaked.unbroken))
    table.add_row("broken run", str(soaked.asked.requests))
    table.add_row("  in flight at a kill, asked again", str(soaked.asked.in_flight))
    table.add_row("  paid twice", str(len(soaked.asked.twice)))
    table.add_row("answers twice in the journal", str(len(soaked.journalled_twice)))
    table.add_row(f"shards that differ ({soaked.attempts} attempts)", str(len(soaked.differences)))
    table.add_row("processes left", str(sum(soaked.kills)))
    console.print(table)
    for line in (*soaked.asked.twice, *soaked.journalled_twice, *soaked.differences):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path, nargs="?")
    parser.add_argument("--endpoint", action="store_true", help="rollouts from a local HTTP server instead of a recipe")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument(
        "--folder", type=Path, help="for both runs, kept (default: a temporary one, removed on success)"
    )
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="KEY=VALUE", help="of `unsorry run`")
    options = parser.parse_args(arguments)
    if (options.recipe is None) != options.endpoint:
        parser.error("give a recipe or --endpoint")
    folder = options.folder or Path(tempfile.mkdtemp(prefix="interruptions-"))
    folder.mkdir(parents=True, exist_ok=True)
    used = [name for name in ("unbroken", "broken") if (folder / name).exists()]
    if used:
        parser.error(f"{folder / used[0]} is there already: give an empty --folder")
    env = {**os.environ, "PYTHONPATH": _copy_of_the_code(folder / "code"), "PYTHONHASHSEED": "random"}
    try:
        passed = _endpoint(options, folder, env) if options.endpoint else _recipe(options, folder, env)
    except (Failed, endpoint.Failed) as error:
        sys.stderr.write(f"interruptions: {error}\n")
        return 2
    if passed and options.folder is None:
        shutil.rmtree(folder)
    else:
        sys.stdout.write(f"both runs: {folder}\n")
    return 0 if passed else 1


def _recipe(options: argparse.Namespace, folder: Path, env: Mapping[str, str]) -> bool:
    flags = [flag for assignment in options.sets for flag in ("--set", assignment)]
    command = [sys.executable, "-m", "unsorry", "run", str(options.recipe.resolve()), *flags, "--out"]
    soaked = soak(command, folder, kills=options.kills, seed=options.seed, env=env)
    show(soaked, Console())
    return soaked.passed


def _endpoint(options: argparse.Namespace, folder: Path, env: Mapping[str, str]) -> bool:
    soaked = endpoint.soak(folder, kills=options.kills, seed=options.seed, env=env)
    show_endpoint(soaked, Console())
    return soaked.passed


def _copy_of_the_code(folder: Path) -> str:
    """The parts of the checkout that a run reads, where they look for each other; what PYTHONPATH must be."""
    root = Path(__file__).resolve().parents[1]
    for part in ("src/unsorry", "benchmarks", "redteam"):
        shutil.copytree(root / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    return os.pathsep.join((str(folder / "src"), str(folder)))


if __name__ == "__main__":
    sys.exit(main())
