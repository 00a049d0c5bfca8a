"""Statement + submission -> Verdict.  `StrictJudge` decides; `FastJudge` only rejects, cheaply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unsorry.judge.reasons import Reason

if TYPE_CHECKING:
    from unsorry.judge.fast import FastJudge
    from unsorry.judge.judge import StrictJudge

__all__ = ["FastJudge", "Reason", "StrictJudge"]


def __getattr__(name: str) -> Any:
    """Loads a judge when it is first asked for: the processes that check terms import this package and need neither."""
    if name == "FastJudge":
        from unsorry.judge.fast import FastJudge

        return FastJudge
    if name == "StrictJudge":
        from unsorry.judge.judge import StrictJudge

        return StrictJudge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
