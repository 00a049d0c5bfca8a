"""A translation that Lean takes: functions on which it finds an error are refused by name."""

from __future__ import annotations

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.lean.translate import translate
from unsorry.bughunt.lean.translation import Mode, Translation
from unsorry.lean import toolchain as toolchains
from unsorry.lean.process import Confinement, Limits, run_lean
from unsorry.lean.toolchain import Toolchain

ROUNDS = 5


def translate_checked(
    crate: ir.Crate,
    *,
    mode: Mode = "debug",
    toolchain: Toolchain | None = None,
    confinement: Confinement | None = None,
    limits: Limits | None = None,
) -> Translation:
    """As `translate`, and what Lean does not take is in `refused` with the code `lean`.

    Raises UnsorryError if Lean does not end, or finds fault with something that is no function.
    """
    tools = toolchain or toolchains.find()
    without: frozenset[str] = frozenset()
    for _ in range(ROUNDS):
        translation = translate(crate, mode=mode, without=without)
        done = run_lean(tools, translation.source, confinement=confinement, limits=limits)
        if done.timed_out or done.completed.returncode not in (0, 1):
            raise UnsorryError(f"Lean does not get through the translation of {crate.name}; hunt fewer functions")
        if not done.errors:
            return translation
        lines = {m.line for m in done.errors}
        wrong = {f.path for f in translation.functions.values() if any(f.first <= line <= f.last for line in lines)}
        if not wrong:
            first = done.errors[0]
            said = " ".join(first.text.split())[:200]
            raise UnsorryError(f"the translation of {crate.name} does not compile: line {first.line}: {said}")
        without |= wrong
    raise UnsorryError(f"the translation of {crate.name} does not compile")
