"""Provers by the names that the command line and recipes use."""

from __future__ import annotations

from pathlib import Path

from unsorry import Prover, UnsorryError

NAMES = ("search", "scripted:FILE")


def make(name: str, *, workers: int = 1, sandbox: str = "strict") -> Prover:
    """The prover called `name`: `search`, or `scripted:FILE.json` with proofs by problem id or target.

    `sandbox` names the confinement for the Lean processes that the prover starts.  Raises UnsorryError for a name
    that is not known.
    """
    kind, _, argument = name.partition(":")
    if kind == "search" and not argument:
        from unsorry.judge.sandbox import choose
        from unsorry.provers.search import SearchProver

        return SearchProver(confinement=choose(sandbox), workers=workers)
    if kind == "scripted" and argument:
        from unsorry.provers.scripted import ScriptedProver

        return ScriptedProver.from_file(Path(argument))
    raise UnsorryError(f"unknown prover {name!r}: use one of {', '.join(NAMES)}")
