"""What stages share on this machine, made when first asked for: the judge, the device, the number of workers."""

from __future__ import annotations

import contextlib
import os
from types import TracebackType
from typing import TYPE_CHECKING, Self

from unsorry.pipeline.recipe import Recipe

if TYPE_CHECKING:
    from unsorry.judge.tiered import TieredJudge
    from unsorry.lean.toolchain import Toolchain


class Resources:
    """Made once a run; a context manager, because the judge holds processes."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._judge: TieredJudge | None = None
        self._toolchain: Toolchain | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._judge is not None:
            self._judge.close()
            self._judge = None

    def toolchain(self) -> Toolchain:
        """The Lean that judges: of the recipe's Lake project, or the one found here."""
        if self._toolchain is None:
            from pathlib import Path

            from unsorry.lean import toolchain

            project = self.recipe.judge.project
            self._toolchain = toolchain.find(Path(project).expanduser() if project else None)
        return self._toolchain

    def judge(self) -> TieredJudge:
        """The judge of the run, one for all stages; `.strict` is its strict tier.

        `seconds` of the recipe are processor time, which a busy machine does not change; the wall limit is far behind.
        """
        if self._judge is None:
            from dataclasses import replace

            from unsorry.judge import StrictJudge
            from unsorry.judge.fast import FastJudge
            from unsorry.judge.judge import LIMITS
            from unsorry.judge.sandbox import choose
            from unsorry.judge.tiered import TieredJudge

            config = self.recipe.judge
            toolchain, confinement = self.toolchain(), choose(config.sandbox)
            limits = replace(LIMITS, cpu=config.seconds, wall=config.seconds * 5, memory=config.memory_mib << 20)
            strict = StrictJudge(
                toolchain, confinement, limits=limits, workers=self.workers, full_replay=config.full_replay
            )
            # What the fast tier cannot decide in that time goes to the strict one.
            fast = FastJudge(toolchain, confinement, limits=replace(limits, wall=config.seconds), workers=self.workers)
            self._judge = TieredJudge(strict, fast, workers=self.workers)
        return self._judge

    @property
    def workers(self) -> int:
        """Submissions judged at a time."""
        return self.recipe.judge.workers or _cores()

    @property
    def device(self) -> str:
        """`cuda` or `cpu`, as torch names them."""
        wanted = self.recipe.resources.device
        if wanted == "auto":
            import torch

            return "cuda" if torch.cuda.is_available() else "cpu"
        return wanted

    def prepare_torch(self) -> str:
        """Set the number of threads that the recipe asks for; returns the device."""
        import torch

        torch.set_num_threads(self.recipe.resources.threads or _cores())
        return self.device


def _cores() -> int:
    with contextlib.suppress(AttributeError, OSError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
