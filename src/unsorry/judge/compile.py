"""Elaborate statements and submissions in the confinement; only the bytes of one compiled file come out."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from unsorry.judge.reasons import Reason, Refusal
from unsorry.lean.process import Confinement, Limits, Run, run_lean
from unsorry.lean.toolchain import Toolchain

MAX_SOURCE = 4 << 20  # bytes of a submission's text
OUT_OF_RESOURCES = frozenset((
    -signal.SIGKILL, -signal.SIGXCPU, -signal.SIGXFSZ, 128 + signal.SIGKILL, 128 + signal.SIGXCPU, 128 + signal.SIGXFSZ,
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compiled:
    """The `.olean` that a run left, and the run's messages, which are information and never evidence."""

    olean: bytes
    run: Run


def compile_source(toolchain: Toolchain, source: str, *, confinement: Confinement, limits: Limits) -> Compiled:
    """Raises Refusal when no compiled file comes out: rejected for an error, undecided for time or memory."""
    try:
        size = len(source.encode())
    except UnicodeEncodeError:
        raise Refusal(Reason.SUBMISSION_TEXT, "the text is not valid Unicode (it holds lone surrogates)") from None
    if size > MAX_SOURCE:
        raise Refusal(Reason.SUBMISSION_TEXT, f"the text has {size} bytes, more than {MAX_SOURCE}")
    run = run_lean(toolchain, source, olean=True, limits=limits, confinement=confinement)
    if run.olean is not None and not run.timed_out:
        return Compiled(run.olean, run)
    raise _refusal(run, limits)


def _refusal(run: Run, limits: Limits) -> Refusal:
    code = run.completed.returncode
    if run.timed_out:
        return Refusal(Reason.COMPILE_TIMEOUT, f"Lean did not finish within {limits.wall:g} s")
    said = run.errors[0] if run.errors else None
    if said is not None:
        first = next(iter(said.text.strip().splitlines()), "")
        return Refusal(Reason.COMPILE_FAILED, f"line {said.line}: {first}")
    if code in OUT_OF_RESOURCES:
        return Refusal(Reason.COMPILE_RESOURCES, f"Lean was stopped at a resource limit (exit code {code})")
    if code not in (0, 1):
        return Refusal(Reason.COMPILE_RESOURCES, f"Lean ended with exit code {code} and said nothing")
    return Refusal(Reason.COMPILE_FAILED, "Lean left no compiled file and named no error")
