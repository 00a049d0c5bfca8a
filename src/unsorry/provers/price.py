"""What tokens cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens; None is unknown, 0.0 is free."""

    input: float | None = None
    cached: float | None = None
    output: float | None = None

    def money(self, fresh: int, cached: int, out: int) -> float | None:
        """What tokens cost; None as soon as one of the prices that are needed is unknown."""
        total = 0.0
        for count, price in ((fresh, self.input), (cached, self.cached), (out, self.output)):
            if count and price is None:
                return None
            total += count * (price or 0.0) / 1e6
        return total if any(price is not None for price in (self.input, self.cached, self.output)) else None
