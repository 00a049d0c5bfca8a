"""What every room of the checker has at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unsorry.judge.second.kernel import Kernel


class Room:
    """A part of one kernel, with the kernel's terms, levels and budget."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.arena = kernel.arena
        self.terms = kernel.terms
        self.levels = kernel.levels
        self.budget = kernel.budget
