"""How the second checker stops: the term is wrong, it is beyond this checker, or the budget is spent."""

from __future__ import annotations

import time


class Refused(Exception):
    """The declaration is not type correct; the text says where."""


class Beyond(Exception):
    """This checker does not decide such a declaration; the text names the feature."""


class Spent(Beyond):
    """Out of steps or time."""


class Budget:
    """Counts steps and looks at the clock now and then."""

    def __init__(self, steps: int, seconds: float) -> None:
        self.left = steps
        self.deadline = time.monotonic() + seconds

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Spent("out of steps")
        if self.left & 4095 == 0 and time.monotonic() > self.deadline:
            raise Spent("out of time")
