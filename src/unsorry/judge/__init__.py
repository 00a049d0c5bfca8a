"""Statement + submission -> Verdict.  `StrictJudge` decides; `FastJudge` only rejects, cheaply."""

from unsorry.judge.fast import FastJudge
from unsorry.judge.judge import StrictJudge
from unsorry.judge.reasons import Reason

__all__ = ["FastJudge", "Reason", "StrictJudge"]
