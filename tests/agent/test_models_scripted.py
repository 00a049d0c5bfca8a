"""The scripted model: answers by their place in the history, so that resumed runs go on; and models by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from models_world import ASKED, TOOLS, continued
from openai_server import Said, serving

from unsorry import UnsorryError
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import ContextOverflow, Message, ModelFailed, Reply, Usage
from unsorry.scaffolds.agent.models import registry
from unsorry.scaffolds.agent.models.endpoint import EndpointModel
from unsorry.scaffolds.agent.models.scripted import ScriptedModel
from unsorry.scaffolds.agent.models.text import TextModel
from unsorry.scaffolds.agent.prices import FREE, Prices

SCRIPT = [
    {"text": "I look.", "calls": [{"name": "read", "arguments": {"path": "A"}}, {"name": "list"}], "reasoning": "r"},
    {
        "calls": [{"name": "read", "arguments": '{"path"'}],
        "cost": 0.5,
        "usage": {"prompt": 9, "cached": 4, "completion": 2},
    },
    "Done.",
]


def test_a_script_as_a_model() -> None:
    model = ScriptedModel(SCRIPT)
    first = model.reply(ASKED, TOOLS)
    assert [(call.name, call.arguments) for call in first.calls] == [("read", {"path": "A"}), ("list", {})]
    assert first.message["reasoning_content"] == "r" and first.cost == 0.0 and first.usage.prompt > 10
    history = continued(ASKED, first, "text", "A")
    second = model.reply(history, TOOLS)
    assert second.calls[0].arguments is None and second.cost == 0.5 and second.usage == Usage(9, 4, 2)
    third = model.reply(continued(history, second, "[error]"), TOOLS)
    assert third.message["content"] == "Done." and not third.calls
    ids = [call.id for reply in (first, second) for call in reply.calls]
    assert len(set(ids)) == 3 and model.asked[0] == (ASKED, TOOLS)


def test_another_process_goes_on_where_the_history_stops() -> None:
    first = ScriptedModel(SCRIPT).reply(ASKED, TOOLS)
    history = continued(ASKED, first, "text", "A")
    later = ScriptedModel(SCRIPT)
    second = later.reply(history, TOOLS)
    assert second.calls[0].raw == '{"path"' and later.reply(history, TOOLS) == second
    summary: list[Message] = [*ASKED, {"role": "user", "content": "What was done: much."}]
    assert later.reply(summary, TOOLS).message["content"] == "Done."  # a compacted history has no answer left
    with pytest.raises(ModelFailed, match="the script of scripted has ended after 3 answers"):
        later.reply(summary, TOOLS)


def test_a_function_and_what_a_script_can_raise() -> None:
    def answer(messages: Any, tools: Any) -> str:
        return f"{len(messages)} messages, {len(tools)} tools"

    assert ScriptedModel(answer).reply(ASKED, TOOLS).message["content"] == "2 messages, 2 tools"
    ready = Reply({"role": "assistant", "content": "x"})
    model = ScriptedModel([{"error": "down"}, {"overflow": "full"}, KeyError("k"), ready], cost=None)
    assert not model.priced
    for kind, says in ((ModelFailed, "down"), (ContextOverflow, "full"), (KeyError, "k")):
        with pytest.raises(kind, match=says):
            model.reply(ASKED, ())
    assert model.reply(ASKED, ()) is ready


def test_a_script_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps(SCRIPT))
    model = registry.make(f"scripted:{path}")
    assert model.id == "scripted:s.json" and model.reply(ASKED, TOOLS).message["content"] == "I look."
    for text, says in (("{", "is not JSON"), ("{}", "one JSON list"), ("[3]", "one JSON list")):
        path.write_text(text)
        with pytest.raises(UnsorryError, match=says):
            registry.make(f"scripted:{path}")
    path.write_text('[{"calls": [{"arguments": {}}]}]')
    with pytest.raises(UnsorryError, match="an object with name and arguments"):
        registry.make(f"scripted:{path}").reply(ASKED, ())
    with pytest.raises(UnsorryError, match="cannot read"):
        registry.make(f"scripted:{tmp_path / 'none.json'}")


def test_endpoints_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k")
    prices = Prices({"org/m": Price(1, 2, 3), "http://h/v1#org/m": Price(4, 5, 6)})
    made = registry.make(
        "endpoint:http://h/v1#org/m?key=MY_KEY&context=9000&stream=1&max_tokens=5&temperature=0.5&reasoning=all&timeout=9",
        prices=prices, attempt=2,
    )  # fmt: skip
    assert isinstance(made, EndpointModel) and (made.base_url, made.model, made.context) == (
        "http://h/v1",
        "org/m",
        9000,
    )
    assert made.price == Price(4, 5, 6) and made.stream and made.reasoning == "all" and made.timeout == 9.0
    assert registry.make("endpoint:http://other/v1#org/m", prices=prices).price == Price(1, 2, 3)  # type: ignore[attr-defined]
    assert not registry.make("endpoint:http://h/v1#org/m-mini", prices=prices).priced
    assert registry.make("endpoint:http://h/v1#x?free=1").price == FREE  # type: ignore[attr-defined]
    assert registry.make("endpoint:http://h/v1#x?input=1&output=2").price == Price(1.0, None, 2.0)  # type: ignore[attr-defined]
    text = registry.make("endpoint:http://h/v1#x?protocol=text")
    assert isinstance(text, TextModel) and text.id == "endpoint:x"


def test_from_a_configuration() -> None:
    with serving([Said("A.")]) as server:
        table = {"endpoint": server.url, "model": "m", "timeout": 60, "extra": {"reasoning_effort": "high"}}
        assert registry.from_table(table).reply(ASKED, TOOLS).message["content"] == "A."
        assert server.bodies[0]["reasoning_effort"] == "high"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gpt", "use one of endpoint:URL#MODEL, local:FOLDER, scripted:FILE.json"),
        ("endpoint:http://h/v1", "names no model"),
        ("endpoint:http://h/v1#", "names no model"),
        ("endpoint:http://h/v1#m?stream=maybe", "'maybe' is neither 1 nor 0"),
        ("endpoint:http://h/v1#m?context=many", "write options as"),
        ("endpoint:http://h/v1#m?contxt=1", "unknown option 'contxt'; known are key, protocol"),
        ("endpoint:http://h/v1#m?protocol=mcp", "use tools or text"),
        ("endpoint:http://h/v1#m?extra=1", "write it in a configuration file"),
        ("endpoint:ftp://h/v1#m", "is no URL"),
        ("scripted:", "unknown model"),
        ("local:", "unknown model"),
    ],
)
def test_names_that_are_wrong(name: str, says: str) -> None:
    with pytest.raises(UnsorryError, match=says) as error:
        registry.make(name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "must name one of"),
        ({"endpoint": "http://h/v1", "local": "m"}, "must name one of"),
        ({"endpoint": 3, "model": "m"}, "must name one of"),
        ({"endpoint": "http://h/v1"}, "names no model"),
        ({"endpoint": "http://h/v1", "model": "m", "context": "9"}, "context must be of type int, not '9'"),
        ({"endpoint": "http://h/v1", "model": "m", "context": True}, "context must be of type int, not True"),
        ({"scripted": "s.json", "seed": 3}, "unknown option 'seed'; known are none"),
    ],
)
def test_tables_that_are_wrong(table: Any, says: str) -> None:
    with pytest.raises(UnsorryError, match=says):
        registry.from_table(table)
