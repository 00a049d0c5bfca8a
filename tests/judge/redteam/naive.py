"""What judges that believe Lean's word would say: by exit code, by messages, by `#print axioms`."""

from __future__ import annotations

import re

from unsorry.lean.process import Confinement, Limits, Run, run_lean
from unsorry.lean.toolchain import Toolchain

STANDARD = {"propext", "Quot.sound", "Classical.choice"}
CLEAN = re.compile(r"'[^']*(?:'[^']*)*' does not depend on any axioms")
DEPENDS = re.compile(r"depends on axioms: \[(.*)\]", re.DOTALL)
LIMITS = Limits(wall=60.0, memory=3 << 30, file_size=64 << 20)


def fooled(source: str, targets: tuple[str, ...], toolchain: Toolchain, confinement: Confinement) -> set[str]:
    """The naive judges that would accept a file."""
    run = run_lean(toolchain, source, olean=True, limits=LIMITS, confinement=confinement)
    found = set()
    if run.completed.returncode == 0:
        found.add("exit-code")
    if not run.timed_out and not any(m.severity == "error" or "sorry" in m.text for m in run.messages):
        found.add("messages")
    asked = (source if source.endswith("\n") else source + "\n") + "".join(f"#print axioms {t}\n" for t in targets)
    if says_clean(run_lean(toolchain, asked, olean=True, limits=LIMITS, confinement=confinement)):
        found.add("print-axioms")
    return found


def says_clean(run: Run) -> bool:
    """Does the last answer about axioms name only standard ones?"""
    for message in reversed(run.messages):
        if CLEAN.search(message.text):
            return True
        if depends := DEPENDS.search(message.text):
            return {name.strip() for name in depends[1].split(",")} <= STANDARD
    return False
