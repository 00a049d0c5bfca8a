"""The loop over a real server: malformed calls, faults, budgets, resumed runs; with tools and in plain text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from loop_world import begin, tools
from models_world import FAST
from openai_server import USAGE, Handler, Reply, Said, Server, half_stream, serving, status

from unsorry.provers.journal import Journal
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import Model, ModelFailed, Stalled, Submitted
from unsorry.scaffolds.agent.limits import Limits
from unsorry.scaffolds.agent.loop import Agent
from unsorry.scaffolds.agent.models.endpoint import EndpointModel
from unsorry.scaffolds.agent.models.text import TextModel
from unsorry.scaffolds.agent.recorder import Recorder
from unsorry.scaffolds.agent.trajectory import Trajectory

PRICE = Price(1.0, 0.25, 4.0)
TURN = (600 * 1.0 + 400 * 0.25 + 200 * 4.0) / 1e6

# A malformed call, one with a wrong argument, a fault on the way, a tool that is not there, two calls at once.
WORK: list[Reply] = [
    Said("I write.", [("write", '{"text": "on')], reasoning="first"),
    Said("", [("write", {"txet": "one"})]),
    status(503),
    half_stream(Said("", [("write", {"text": "lost"})]), 3),
    Said("", [("wirte", {"text": "one"})]),
    Said("", [("write", {"text": "one ∀"}), ("write", {"text": "two"})]),
    Said("Done.", [("submit", {"text": "two lines"})]),
]
BLOCKS: list[Reply] = [
    Said("I write.\n```call write\nno argument\n```"),
    Said("```call write\ntxet: one\n```"),
    status(503),
    Said("```call wirte\ntext: one\n```"),
    Said("```call write\ntext: <<X\none ∀\nX\n```\n```call write\ntext: two\n```\nResult of write:\n2 lines"),
    Said("Done.\n```call submit\ntext: two lines\n```"),
]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def model(server: Server, *, text: bool = False, **options: Any) -> Model:
    made = EndpointModel(server.url, "m", **{"retries": FAST, "timeout": 60.0, "price": PRICE, **options})
    return TextModel(made) if text else made


def run(folder: Path, asker: Model, limits: Limits | None = None, *, fresh: bool = True) -> tuple[Any, Trajectory]:
    folder.mkdir(parents=True, exist_ok=True)
    with Recorder(folder / "t.jsonl", begin() if fresh else None) as recorder:
        agent = Agent(asker, tools(folder), recorder, limits or Limits())
        return agent.run(), recorder.trajectory


@pytest.mark.parametrize(("script", "text"), [(WORK, False), (BLOCKS, True)], ids=["tools", "text"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_what_a_model_gets_wrong_costs_a_turn_and_is_answered(
    tmp_path: Path, script: list[Reply], text: bool, stream: bool
) -> None:
    with serving(script) as server:
        end, trajectory = run(tmp_path, model(server, text=text, stream=stream))
        assert isinstance(end, Submitted) and end.text == "two lines"
        assert (tmp_path / "work.txt").read_text() == "one ∀\ntwo\n"
        assert len(server.requests) == len(script)  # and none of them was refused for what it held
    answers = [m["content"] for m in trajectory.messages if m["role"] == "tool"]
    assert "could not be read" in answers[0] and "nothing was done" in answers[0] and '"text"' in answers[0]
    assert "text is missing" in answers[1] and "txet" in answers[1]
    assert "Did you mean write?" in answers[2]
    assert (
        trajectory.replies == 5 and trajectory.spent.price == pytest.approx(5 * TURN) and not trajectory.spent.unknown
    )
    assert trajectory.spent.tokens.cached == 5 * 400


def test_budgets_are_exact_and_a_free_model_spends_nothing(tmp_path: Path) -> None:
    limit = 2.5 * TURN
    with serving(default=Said("", [("read", {})])) as server:
        end, trajectory = run(tmp_path / "priced", model(server), Limits(price=limit))
        assert end.kind == "limit" and len(server.requests) == 3 and trajectory.spent.price == pytest.approx(3 * TURN)
        free = model(server, price=Price(0.0, 0.0, 0.0))
        end, trajectory = run(tmp_path / "free", free, Limits(price=0.01, turns=4))
        assert end.which == "turns" and trajectory.spent.price == 0.0 and len(server.requests) == 7
        naive = 3 * (USAGE["prompt_tokens"] * PRICE.input + USAGE["completion_tokens"] * PRICE.output) / 1e6
        assert naive > 3 * TURN  # with cached tokens in full, the first run had stopped earlier


def test_a_run_that_the_endpoint_ended_goes_on_and_pays_nothing_twice(tmp_path: Path) -> None:
    with Journal(tmp_path / "paid.jsonl") as journal:
        with serving(WORK[:4], default=status(401, "the key was revoked")) as server:
            end, _ = run(tmp_path, model(server, stream=True, journal=journal))
            assert isinstance(end, ModelFailed) and "HTTP 401" in end.message and len(journal) == 2
        with serving(WORK[4:]) as server:
            end, trajectory = run(tmp_path, model(server, journal=journal), fresh=False)
            assert isinstance(end, Submitted) and len(server.requests) == 3
    assert trajectory.replies == 5 and trajectory.spent.price == pytest.approx(5 * TURN)


def test_a_run_is_replayed_from_its_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "paid.jsonl") as journal, serving(WORK) as server:
        asker: dict[str, Any] = {
            "base_url": server.url,
            "model": "m",
            "journal": journal,
            "price": PRICE,
            "retries": FAST,
        }
        _, first = run(tmp_path / "a", EndpointModel(**asker, stream=True))
        count = len(server.requests)
        _, again = run(tmp_path / "b", EndpointModel(**asker))
        assert len(server.requests) == count
    plain = [[(m["role"], m["content"], m.get("tool_calls")) for m in one.messages] for one in (first, again)]
    assert plain[0] == plain[1] and again.spent.price == first.spent.price


def test_a_model_that_stops_calling_is_told_so_and_then_the_run_ends(tmp_path: Path) -> None:
    """Facts 23: with long instructions the calls vanish; that is an end with a reason, and no silent success."""
    with serving(default=Said("I would now read the file and then prove the theorem.")) as server:
        end, trajectory = run(tmp_path, model(server))
    assert isinstance(end, Stalled) and "plain text protocol" in end.message and end.resumable
    assert sum(m["role"] == "user" for m in trajectory.messages) == 4


def test_calls_that_a_server_leaves_in_the_text_are_made(tmp_path: Path) -> None:
    """Facts 24: pseudo-calls in the text ended the turn silently."""

    def call(name: str, given: str) -> Said:
        return Said(f'Next.\n<tool_call>\n{{"name": "{name}", "arguments": {given}}}\n</tool_call>')

    with serving([call("write", '{"text": "one"}'), call("submit", '{"text": "done"}')]) as server:
        end, _ = run(tmp_path, model(server, stream=True))
    assert isinstance(end, Submitted) and (tmp_path / "work.txt").read_text() == "one\n"


def test_a_template_without_tools_ends_with_advice_and_the_text_protocol_goes_on(tmp_path: Path) -> None:
    """Facts 24: HTTP 500 on the first result of a tool.  The same run is taken up in the other protocol."""

    def broken(handler: Handler, body: dict[str, Any]) -> Any:
        if any(message["role"] == "tool" for message in body["messages"]):
            return status(500, "UndefinedError")
        plain = Said("```call submit\ntext: done\n```")
        return Said("", [("write", {"text": "one"})]) if "tools" in body else plain

    with serving(default=broken) as server:
        end, _ = run(tmp_path, model(server))
        assert isinstance(end, ModelFailed) and "use the text protocol (docs/models.md)" in end.message
        end, trajectory = run(tmp_path, model(server, text=True), fresh=False)
    assert isinstance(end, Submitted) and trajectory.replies == 2
    assert (tmp_path / "work.txt").read_text() == "one\n"
