"""Let Lean choose how declarations are printed: each is tried in several forms until one elaborates."""

from __future__ import annotations

from unsorry.lean.session import Session
from unsorry.problems.tip.render import NAMESPACE, Plan, Rendering
from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.terms import Style


def settle(rendering: Rendering, session: Session, *, timeout: float) -> None:
    """Choose deriving clauses and plans so that the whole file elaborates; else `TipError`."""
    text = _whole(rendering)
    run = session.check(text, timeout=timeout)
    if run.errors or not run.ok:
        message = run.errors[0] if run.errors else None
        reason = message.text.splitlines()[0] if message else "Lean did not finish"
        raise TipError(rendering.theory.name, f"Lean rejects the translation: {reason}")


def _whole(rendering: Rendering) -> str:
    parts = [f"namespace {NAMESPACE}", *(d.text for d in rendering.datatypes())]
    for index in range(len(rendering.theory.functions)):
        declaration = rendering.functions(index)
        if declaration is not None:
            parts.append(declaration.text)
    for number, goal in enumerate(rendering.theory.goals):
        parts.append(rendering.theorem(f"{rendering.target}_{number}", goal, rendering.style))
    return "\n\n".join(parts) + "\n"


__all__ = ["Plan", "Style", "settle"]
