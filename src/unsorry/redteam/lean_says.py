"""Judges that believe Lean's word: its exit code, its messages, its answer to `#print axioms`.

They show what a naive pipeline would reward.  The files run in the given confinement all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from unsorry.lean.process import Confinement, Limits, Run, publish, run_lean, temporary_folder
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam.corpus import Case

Reader = Callable[[Case, Toolchain, Confinement, Limits], str]

STANDARD = {"propext", "Quot.sound", "Classical.choice"}
CLEAN = re.compile(r"'[^']*(?:'[^']*)*' does not depend on any axioms")
DEPENDS = re.compile(r"depends on axioms: \[(.*)\]", re.DOTALL)


def exit_code(case: Case, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> str:
    """Accepts what Lean ends on with code 0."""
    run = run_case(case, case.submission, toolchain, confinement, limits)
    return _answer(run, passes_exit_code(run))


def messages(case: Case, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> str:
    """Accepts what Lean says neither "error" nor "sorry" of."""
    run = run_case(case, case.submission, toolchain, confinement, limits)
    return _answer(run, passes_messages(run))


def print_axioms(case: Case, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> str:
    """Accepts where the last answer to an appended `#print axioms` names only the standard ones."""
    asked = asking(case.submission, case.targets)
    run = run_case(case, asked, toolchain, confinement, limits)
    return _answer(run, passes_print_axioms(run))


def run_case(case: Case, text: str, toolchain: Toolchain, confinement: Confinement, limits: Limits) -> Run:
    """Lean on a text, which finds the modules beside the submission; they are compiled in the order of paths."""
    with temporary_folder(shared=True) as name:
        for path, source in case.files:
            if path.endswith(".lean"):
                made = run_lean(
                    toolchain, source, olean=True, search_path=(Path(name),), limits=limits, confinement=confinement
                ).olean
                if made is not None:
                    place = Path(name, path).with_suffix(".olean")
                    place.parent.mkdir(parents=True, exist_ok=True)
                    publish(place, made)
        folders = (Path(name),) if case.files else ()
        return run_lean(toolchain, text, olean=True, search_path=folders, limits=limits, confinement=confinement)


def _answer(run: Run, passes: bool) -> str:
    if run.timed_out:
        return "undecided"
    return "accepted" if passes else "rejected"


def asking(submission: str, targets: Sequence[str]) -> str:
    """The submission with `#print axioms` for each target at its end."""
    text = submission if submission.endswith("\n") else submission + "\n"
    return text + "".join(f"#print axioms {target}\n" for target in targets)


def passes_exit_code(run: Run) -> bool:
    return run.completed.returncode == 0


def passes_messages(run: Run) -> bool:
    return not run.timed_out and not any(m.severity == "error" or "sorry" in m.text for m in run.messages)


def passes_print_axioms(run: Run) -> bool:
    """Does the last answer about axioms name only standard ones?"""
    for message in reversed(run.messages):
        if CLEAN.search(message.text):
            return True
        if depends := DEPENDS.search(message.text):
            return {name.strip() for name in depends[1].split(",")} <= STANDARD
    return False
