"""`unsorry doctor --model`: what a server or model cannot do is found before hours of work depend on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from models_world import model
from openai_server import Handler, Said, serving, status

from unsorry.cli import run
from unsorry.provers.price import Price
from unsorry.scaffolds.agent.models.probe import probe
from unsorry.scaffolds.agent.models.text import TextModel

GOOD = [Said("I look.", [("lookup", {"name": "plum"})]), Said("It has 4711.")]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def found(
    script: Any, default: Any = None, *, text: bool = False, **options: Any
) -> dict[str, tuple[bool | None, str]]:
    with serving(script, default) as server:
        asker = model(server, **options)
        findings = probe(TextModel(asker) if text else asker)
        assert len(server.requests) <= 8
    return {one.about: (one.ok, f"{one.says} {one.fix}") for one in findings}


def test_a_model_that_can_do_all() -> None:
    told = found(GOOD, price=Price(1, 1, 1))
    assert list(told) == ["model", "calls", "results", "usage", "price", "context"]
    assert all(ok for ok, _ in told.values()) and "1000 tokens in, 400 of them cached, 200 out" in told["usage"][1]
    text = [Said("I look.\n```call lookup\nname: plum\n```"), Said("It has 4711.")]
    assert found(text, text=True)["calls"][0] and found(text, text=True)["results"][0]


def test_calls_that_vanish_behind_instructions() -> None:
    """Facts 23: calls came with a line of instructions, and vanished with more."""

    def forgets(handler: Handler, body: dict[str, Any]) -> Said:
        instructions = len(body["messages"][0]["content"].split())
        return Said("I would look up plum.") if instructions > 15 else GOOD[0]

    told = found([], forgets)
    ok, says = told["calls"]
    assert ok is False and "only wrote text start its server with a tool-call parser, or add ?protocol=text" in says
    assert "results" not in told


def test_a_template_that_fails_on_the_first_result() -> None:
    """Facts 24."""
    ok, says = found(GOOD[:1], status(500, "UndefinedError"))["results"]
    assert ok is False and "HTTP 500: UndefinedError" in says and "?protocol=text" in says


@pytest.mark.parametrize(
    ("first", "ok", "says"),
    [
        (Said('<tool_call>{"name": "lookup", "arguments": {"name": "plum"}}</tool_call>'), None, "leaves calls in"),
        (Said("", [("lookup", '{"name"')]), False, "cannot be read"),
        (Said("", [("lookup", {"name": "pear"})]), False, "it called lookup with"),
    ],
)  # fmt: skip
def test_calls_that_are_not_quite(first: Said, ok: bool | None, says: str) -> None:
    assert found([first, GOOD[1]])["calls"][0] is ok and says in found([first, GOOD[1]])["calls"][1]


def test_what_is_not_told() -> None:
    told = found([Said("", [("lookup", {"name": "plum"})], usage=None), Said("Hm.")])
    assert [told[name][0] for name in ("results", "usage", "price")] == [None, None, None]
    assert found([], status(401, "no"))["model"][0] is False


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "prices.toml").write_text("[m]\nfree = true\n")
    with serving([*GOOD, *GOOD], status(401, "no")) as server:
        name = f"endpoint:{server.url}#m"
        assert run(["doctor", "--model", name, "--prices", str(tmp_path / "prices.toml"), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["ok"] and [one["about"] for one in told["findings"]][:3] == ["model", "calls", "results"]
        assert run(["doctor", "--model", f"{name}?stream=1"]) == 0 and "it calls tools" in capsys.readouterr().out
        assert run(["doctor", "--model", name]) == 2 and "HTTP 401: no" in capsys.readouterr().out
