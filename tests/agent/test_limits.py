"""Budgets: exact, named, and refused at the start where they could not be kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from loop_world import Any_, Script, begin, call, says, tools

from unsorry import UnsorryError
from unsorry.scaffolds.agent import LimitExceeded, ModelFailed, Observation, Submitted, Usage
from unsorry.scaffolds.agent.compaction import Compactor
from unsorry.scaffolds.agent.limits import Limits, Spent, check, seconds_left, until
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.recorder import Recorder

ON = says("", call("read"), cost=0.1)  # 110 tokens


def run(folder: Path, limits: Limits, model: Script | None = None, *more: Any) -> tuple[Any, Script, Spent]:
    path = folder / "t.jsonl"
    with Recorder(path, None if path.exists() else begin()) as recorder:
        model = model or Script([ON] * 50, recorder.trajectory.replies)
        end = Agent(model, tools(folder, *more), recorder, limits).run()
        return end, model, recorder.trajectory.spent


@pytest.mark.parametrize(
    ("limits", "which", "calls"),
    [
        (Limits(turns=0), "turns", 0),
        (Limits(turns=3), "turns", 3),
        (Limits(price=0.0), "price", 0),
        (Limits(price=0.3), "price", 3),  # 0.1 + 0.1 + 0.1 is more than 0.3 in floating point, 0.7 + 0.1 less than 0.8
        (Limits(price=0.8), "price", 8),
        (Limits(price=0.31), "price", 4),
        (Limits(tokens=330), "tokens", 3),
        (Limits(tokens=331), "tokens", 4),
        (Limits(seconds=0), "time", 0),
        (Limits(turns=2, price=9, tokens=9_999, seconds=9_999), "turns", 2),
        (Limits(turns=9, price=0.2, tokens=9_999), "price", 2),
    ],
)
def test_exactly_as_many_calls_as_the_budget_allows(tmp_path: Path, limits: Limits, which: str, calls: int) -> None:
    end, model, spent = run(tmp_path, limits)
    assert isinstance(end, LimitExceeded) and end.which == which and end.resumable
    assert len(model.asked) == calls == spent.turns
    assert end.message.startswith(f"the {which} limit is reached: ") and "\n" not in end.message


def test_budgets_count_over_interruptions(tmp_path: Path) -> None:
    assert run(tmp_path, Limits(turns=2))[2].turns == 2
    end, model, _ = run(tmp_path, Limits(turns=2))
    assert end.which == "turns" and not model.asked
    end, model, spent = run(tmp_path, Limits(price=0.5))
    assert end.which == "price" and len(model.asked) == 3 and spent.price == 0.5


def test_time_counts_over_interruptions(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    Recorder(path, begin()).close()
    with path.open("ab") as file:
        file.write(b'{"type":"step","at":3600.0,"step":0}\n')
    end, model, spent = run(tmp_path, Limits(seconds=3600))
    assert end.which == "time" and not model.asked and spent.seconds >= 3600
    assert run(tmp_path, Limits(seconds=7200, turns=1))[0].which == "turns"


def test_a_price_limit_without_a_price_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    model = Script([ON], priced=False)
    with pytest.raises(UnsorryError, match=r"the price of script is unknown, so a limit of \$5 cannot be kept: add"):
        run(tmp_path, Limits(price=5), model)
    assert not model.asked
    assert isinstance(run(tmp_path, Limits(turns=1), model)[0], LimitExceeded)  # without a price limit it may work


def test_the_second_model_needs_a_price_too(tmp_path: Path) -> None:
    with Recorder(tmp_path / "t.jsonl", begin()) as recorder:
        other = Compactor(Script([], id="small", priced=False), 1000)
        agent = Agent(Script([ON]), tools(tmp_path), recorder, Limits(price=1), compactor=other)
        with pytest.raises(UnsorryError, match="the price of small is unknown"):
            agent.run()


def test_free_is_a_price_and_unknown_is_not_zero(tmp_path: Path) -> None:
    """A cost of 0.0 is no error; one that an answer does not tell ends a run that has a price limit."""
    free, unknown = says("", call("read"), cost=0.0), says("", call("read"), cost=None)
    end, model, spent = run(tmp_path, Limits(price=1.0), Script([free, free, unknown, free]))
    assert isinstance(end, LimitExceeded) and end.which == "price" and "what one call cost is unknown" in end.message
    assert len(model.asked) == 3 and spent.cost().money is None and spent.as_json()["price"] is None


def test_an_unknown_cost_without_a_price_limit_is_no_error(tmp_path: Path) -> None:
    answers = [says("", call("read"), cost=None), says("", call("submit", text=""))]
    end, _, spent = run(tmp_path, Limits(), Script(answers))
    assert isinstance(end, Submitted) and spent.unknown == 1 and spent.price == 0.01


@pytest.mark.parametrize("cost", [float("nan"), float("inf"), -1.0])
def test_a_cost_that_is_none_is_unknown(tmp_path: Path, cost: float) -> None:
    _, _, spent = run(tmp_path, Limits(turns=1), Script([says("", cost=cost)]))
    assert spent.unknown == 1 and spent.pico == 0


def test_cached_tokens_are_counted_apart(tmp_path: Path) -> None:
    _, _, spent = run(tmp_path, Limits(turns=2))
    assert spent.tokens == Usage(200, 80, 20) and spent.cost().tokens_cached == 80


def test_what_tools_cost_counts(tmp_path: Path) -> None:
    paid = Any_(lambda _: Observation("asked a prover", data={"cost": 0.25}))
    end, model, spent = run(tmp_path, Limits(price=0.6), Script([says("", call("do"), cost=0.1)] * 9), paid)
    assert end.which == "price" and len(model.asked) == 2 and spent.price == 0.7


def test_time_outs_end_with_the_run(tmp_path: Path) -> None:
    seen: list[float] = []

    def does(arguments: Any) -> Observation:
        seen.extend((seconds_left(), seconds_left(5.0)))
        return Observation("")

    run(tmp_path, Limits(seconds=1000, turns=1), Script([says("", call("do"))]), Any_(does))
    assert 0 < seen[0] <= 1000 and seen[1] == 5.0
    assert seconds_left() == float("inf") and seconds_left(7) == 7
    with until(time.monotonic() - 1):
        assert seconds_left(5) == 0.0


def test_a_model_that_gave_up_because_the_time_was_over_is_the_time_limit(tmp_path: Path) -> None:
    def slow(messages: Any) -> Any:
        while seconds_left():
            time.sleep(seconds_left(0.05))
        raise ModelFailed("no answer in time")

    end, _, _ = run(tmp_path, Limits(seconds=0.2), Script([slow]))
    assert isinstance(end, LimitExceeded) and end.which == "time"


def test_no_tool_is_begun_after_the_time(tmp_path: Path) -> None:
    with Recorder(tmp_path / "t.jsonl", begin()) as recorder:

        def slow(arguments: Any) -> Observation:
            agent._started -= 3600  # an hour later
            return Observation("timed out", "unknown")

        twice = says("", call("do", "a"), call("do", "b"))
        agent = Agent(Script([twice]), tools(tmp_path, Any_(slow)), recorder, Limits(seconds=3600))
        end = agent.run()
    assert isinstance(end, LimitExceeded) and end.which == "time"
    with Recorder(tmp_path / "t.jsonl") as recorder:
        assert list(recorder.trajectory.open) == ["b"] and not recorder.trajectory.begun  # made when it is resumed


def test_limits_that_are_none() -> None:
    with pytest.raises(UnsorryError, match="the limit price = -1 is not a number from 0 on"):
        Limits(price=-1)
    with pytest.raises(UnsorryError, match="nan"):
        Limits(seconds=float("nan"))
    check(Limits(), Spent(turns=10**9))
