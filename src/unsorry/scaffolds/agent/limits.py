"""Budgets of a run: turns, price, tokens, wall time.

No call to a model begins once a limit is reached.  What a call costs is known when it is over, so the last one may pass
the limit by its own cost; what was spent is reported as it is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from unsorry import Cost, UnsorryError
from unsorry.scaffolds.agent import LimitExceeded, Model, Usage

_DEADLINE: ContextVar[float] = ContextVar("deadline", default=float("inf"))  # of time.monotonic
_PICO = Decimal(10) ** 12  # dollars are added up as whole trillionths: ten times 0.1 is 1


@dataclass(frozen=True, slots=True)
class Limits:
    """None is no limit.  `price` in US dollars; `tokens` of prompts, cached ones included, and answers; `seconds` of
    wall time in which the agent ran."""

    turns: int | None = None
    price: float | None = None
    tokens: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("turns", "price", "tokens", "seconds"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UnsorryError(f"the limit {name} = {value} is not a number from 0 on: give one, or none")


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far; `unknown` calls had no known cost."""

    turns: int = 0
    pico: int = 0  # trillionths of a dollar
    unknown: int = 0
    tokens: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    @property
    def price(self) -> float:
        """US dollars of the calls whose cost is known."""
        return float(Decimal(self.pico) / _PICO)

    def plus(self, usage: Usage, cost: float | None, *, turns: int = 0) -> Spent:
        """With one call of a model (a turn or not) added."""
        total = Usage(
            self.tokens.prompt + usage.prompt,
            self.tokens.cached + usage.cached,
            self.tokens.completion + usage.completion,
        )
        return replace(
            self,
            turns=self.turns + turns,
            pico=self.pico + (picodollars(cost) if cost is not None else 0),
            unknown=self.unknown + (cost is None),
            tokens=total,
        )

    def cost(self) -> Cost:
        """As an attempt's cost: money is unknown if that of any call is."""
        money = None if self.unknown else self.price
        return Cost(self.seconds, self.tokens.prompt, self.tokens.cached, self.tokens.completion, money)

    def as_json(self) -> dict[str, Any]:
        return {
            "turns": self.turns,
            "price": None if self.unknown else self.price,
            "known_price": self.price,
            "unpriced_calls": self.unknown,
            "tokens_in": self.tokens.prompt,
            "tokens_cached": self.tokens.cached,
            "tokens_out": self.tokens.completion,
            "seconds": round(self.seconds, 3),
        }


def picodollars(cost: float) -> int:
    """Dollars as whole trillionths, from the shortest decimal that is this number."""
    return int((Decimal(repr(cost)) * _PICO).to_integral_value())


def refuse_unpriced(limits: Limits, models: tuple[Model, ...]) -> None:
    """Raises UnsorryError where a price limit could not be kept, before anything is spent."""
    if limits.price is None:
        return
    for model in models:
        if not model.priced:
            raise UnsorryError(
                f"the price of {model.id} is unknown, so a limit of ${limits.price:g} cannot be kept: "
                "add the model to the price file (0 if it is free), or leave the price limit out"
            )


def check(limits: Limits, spent: Spent) -> None:
    """Raises LimitExceeded, naming the limit, where no further call may begin."""
    used = spent.tokens.prompt + spent.tokens.completion
    if limits.turns is not None and spent.turns >= limits.turns:
        raise _reached("turns", f"{spent.turns} of {limits.turns} turns are used")
    if limits.price is not None and spent.unknown:
        calls = "one call" if spent.unknown == 1 else f"{spent.unknown} calls"
        raise _reached("price", f"what {calls} cost is unknown, beside ${spent.price:g} of ${limits.price:g}")
    if limits.price is not None and spent.pico >= picodollars(limits.price):
        raise _reached("price", f"${spent.price:g} of ${limits.price:g} are spent")
    if limits.tokens is not None and used >= limits.tokens:
        raise _reached("tokens", f"{used} of {limits.tokens} tokens are used")
    if limits.seconds is not None and spent.seconds >= limits.seconds:
        raise _reached("time", f"{spent.seconds:.0f} of {limits.seconds:g} seconds are over")


def _reached(which: str, what: str) -> LimitExceeded:
    return LimitExceeded(which, f"the {which} limit is reached: {what}; raise it and resume, nothing was lost")


@contextmanager
def until(deadline: float) -> Iterator[None]:
    """Within the block `seconds_left` counts to `deadline` (time.monotonic)."""
    token = _DEADLINE.set(min(deadline, _DEADLINE.get()))
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def seconds_left(wanted: float = float("inf")) -> float:
    """The time-out for something that would take at most `wanted` seconds: no more than the run has left, at least 0.

    For tools and models, in the thread that the loop called them in; without a wall limit it is `wanted`.
    """
    return max(0.0, min(wanted, _DEADLINE.get() - time.monotonic()))
