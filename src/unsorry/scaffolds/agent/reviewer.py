"""The strict judge as the agent, its tools and its server have it."""

from __future__ import annotations

import math
from dataclasses import replace

from unsorry.judge import StrictJudge
from unsorry.judge.judge import LIMITS
from unsorry.judge.kernel import KernelLimits
from unsorry.lean.process import Confinement
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.limits import seconds_left

CPU, WALL = 600.0, 1800.0  # seconds for one run of Lean or of the kernel
LEAST = 1.0


def reviewer(
    toolchain: Toolchain, confinement: Confinement | None = None, *, full_replay: bool = False,
    seconds: float = math.inf,
) -> StrictJudge:  # fmt: skip
    """A judge of whole files with their imports; `seconds`, and what the run has left, bound each run of Lean.

    A file and its imports are elaborated at once, so it has more time than a submission; what counts is the
    processor's, with the wall clock far behind, so that a busy machine changes no verdict.
    """
    wall = max(LEAST, min(WALL, seconds_left(seconds)))
    cpu = min(CPU, wall)
    limits = replace(LIMITS, cpu=cpu, wall=wall)
    kernel = KernelLimits(cpu=math.ceil(cpu), wall=math.ceil(wall))
    return StrictJudge(toolchain, confinement, limits=limits, kernel_limits=kernel, workers=1, full_replay=full_replay)
