"""Checkers by others, used where they are installed: comparator, SafeVerify, leanchecker.

They belong to official toolchains: the embedded Lean brings none of them, and its compiled files are not theirs.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unsorry.lean.process import (
    MODULE,
    Completed,
    Confinement,
    Limits,
    Unconfined,
    environment,
    publish,
    run_lean,
    temporary_folder,
)
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam.corpus import Case

AXIOMS = ("propext", "Quot.sound", "Classical.choice")


@dataclass(frozen=True, slots=True)
class Program:
    """A checker: how it is found and asked, and what to say where it is not there."""

    names: tuple[str, ...]  # of the executable, beside `lean` or on PATH
    hint: str
    judge: Callable[[Path, Case, Toolchain, Confinement, Limits], str]

    def find(self, toolchain: Toolchain) -> Path | None:
        """The executable for a toolchain, None if there is none."""
        if toolchain.kind == "embedded":
            return None
        for name in self.names:
            beside = Path(toolchain.lean[0]).with_name(name)
            found = str(beside) if os.access(beside, os.X_OK) else shutil.which(name)
            if found:
                return Path(found).resolve()
        return None


def leanchecker(program: Path, case: Case, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> str:
    """Accepts what Lean ends on with code 0 and leanchecker replays; it knows nothing of the statement."""
    run = run_lean(toolchain, case.submission, olean=True, limits=limits, confinement=confinement)
    if run.timed_out:
        return "undecided"
    if run.completed.returncode != 0 or run.olean is None:
        return "rejected"
    with temporary_folder(shared=True) as folder, temporary_folder() as work:
        publish(Path(folder) / f"{MODULE}.olean", run.olean)
        ended = confinement.run(
            [str(program), MODULE],
            work=Path(work),
            readable=(*toolchain.readable, program, Path(folder)),
            env=environment(toolchain, (Path(folder), *toolchain.library)),
            limits=limits,
        )
    return _by_exit_code(ended)


def safeverify(program: Path, case: Case, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> str:
    """`safe_verify STATEMENT.olean SUBMISSION.olean`, both compiled as the same module."""
    stated = run_lean(toolchain, case.statement, olean=True, limits=limits, confinement=confinement)
    run = run_lean(toolchain, case.submission, olean=True, limits=limits, confinement=confinement)
    if stated.olean is None or stated.timed_out or run.timed_out:
        return "undecided"
    if run.olean is None:
        return "rejected"
    with temporary_folder(shared=True) as folder, temporary_folder() as work:
        target, submission = Path(folder) / "target.olean", Path(folder) / "submission.olean"
        publish(target, stated.olean)
        publish(submission, run.olean)
        ended = confinement.run(
            [str(program), str(target), str(submission)],
            work=Path(work),
            readable=(*toolchain.readable, program, Path(folder)),
            env=environment(toolchain, toolchain.library),
            limits=limits,
        )
    return _by_exit_code(ended)


def comparator(program: Path, case: Case, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> str:
    """`lake comparator` in a package of its own; it builds the submission in a sandbox of its own making."""
    with temporary_folder() as folder:
        package = Path(folder)
        (package / "lakefile.toml").write_text(LAKEFILE, encoding="utf-8")
        (package / "Challenge.lean").write_bytes(case.statement.encode())
        (package / "Solution.lean").write_bytes(case.submission.encode())
        (package / "comparator.json").write_text(json.dumps(question(case)), encoding="utf-8")
        env = {**environment(toolchain), "PATH": f"{program.parent}:/usr/bin:/bin", "HOME": folder}
        argv = [str(program), "comparator", "comparator.json"]
        ended = Unconfined().run(argv, work=package, readable=(), env=env, limits=limits)
    if ended.timed_out or ended.returncode not in (0, 1):  # 2: could not run
        return "undecided"
    return "accepted" if ended.returncode == 0 else "rejected"


LAKEFILE = """name = "case"
[[lean_lib]]
name = "Challenge"
[[lean_lib]]
name = "Solution"
"""


def question(case: Case) -> dict[str, object]:
    """comparator's configuration for a case."""
    return {
        "challenge_module": "Challenge",
        "solution_module": "Solution",
        "theorem_names": list(case.targets),
        "permitted_axioms": list(AXIOMS),
    }


def _by_exit_code(ended: Completed) -> str:
    if ended.timed_out or ended.returncode is None or ended.returncode < 0:
        return "undecided"
    return "accepted" if ended.returncode == 0 else "rejected"


PROGRAMS = {
    "comparator": Program(("lake",), "`lake comparator` comes with official Lean from 4.35 on", comparator),
    "safeverify": Program(("safe_verify", "safeverify"), "build SafeVerify and put safe_verify on PATH", safeverify),
    "leanchecker": Program(
        ("leanchecker", "lean4checker"), "leanchecker comes with official Lean from 4.28 on", leanchecker
    ),
}
