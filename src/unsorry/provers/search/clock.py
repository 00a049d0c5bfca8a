"""What a search may spend: seconds, or an effort that is counted and so does not depend on the machine's load."""

from __future__ import annotations

import time
from dataclasses import dataclass


class OutOfTime(Exception):
    """The search's time is up, or its effort is spent."""


CHECK = 4.0  # the effort of an elaboration by Lean, in candidate proofs
SETUP = 30.0  # of setting a search up; with a smaller effort only the short proofs are tried
EXPLORED = 0.02  # of evaluating a term on sample values
COMPARED = 0.002  # of comparing two terms by their values
PATIENCE = 3.0  # a check may take so many times longer where effort is counted: the machine may be busy


@dataclass
class Clock:
    """Time passes in seconds, or where there is a `budget` in units of one candidate proof checked by Lean.

    The wall clock (`deadline`, monotonic seconds) is a limit in both cases.
    """

    start: float
    timeout: float
    reserve: float  # share of the limits that is kept for the answer
    budget: int = 0
    spent: float = 0.0

    def __post_init__(self) -> None:
        self.deadline = self.start + self.timeout * (1 - self.reserve)
        self.limit = self.budget * (1 - self.reserve)

    def now(self) -> float:
        return self.spent if self.budget else time.monotonic()

    def share(self, fraction: float) -> float:
        """A fraction of all there is to spend, in the units of `now`."""
        return fraction * (self.budget or self.timeout)

    def spend(self, amount: float) -> None:
        self.spent += amount

    def left(self, at_most: float) -> float:
        """Seconds of wall time for one thing to do; raises OutOfTime when there are none or the effort is spent."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0.05 or (self.budget and self.spent >= self.limit):
            raise OutOfTime
        return min(seconds, at_most * PATIENCE if self.budget else at_most)

    def release(self) -> None:
        """Give the reserve free."""
        self.deadline = self.start + self.timeout
        self.limit = float("inf") if self.budget else 0.0

    @classmethod
    def until(cls, deadline: float) -> Clock:
        """Only a limit of wall time."""
        now = time.monotonic()
        return cls(now, deadline - now, 0.0)
