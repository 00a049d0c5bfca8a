"""The text protocol: blocks with Lean in them, what models get wrong, and histories in plain messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models_world import ASKED, continued, model
from openai_server import Said, serving

from unsorry.scaffolds.agent import Message, ToolCall, ToolSpec, edit, schema
from unsorry.scaffolds.agent.models import blocks
from unsorry.scaffolds.agent.models.scripted import ScriptedModel
from unsorry.scaffolds.agent.models.text import TextModel, as_text
from unsorry.scaffolds.agent.toolbox import Toolbox

EDIT = ToolSpec("edit", "Replace a text in a file.", {
    "type": "object", "additionalProperties": False, "required": ["path", "old", "new"],
    "properties": {
        "path": {"type": "string", "description": "The file."}, "old": {"type": "string"}, "new": {"type": "string"},
        "all": {"type": "boolean", "default": False}, "count": {"type": "integer"},
        "mode": {"enum": ["exact", "loose"]}, "lines": {"type": "array", "items": {"type": "integer"}},
        "at": {"type": ["integer", "null"]}, "any": {},
    },
})  # fmt: skip
DONE = ToolSpec("submit", "End.", {"type": "object", "properties": {}})
TOOLS = (EDIT, DONE)


def calls(text: str, **options: Any) -> list[ToolCall]:
    return list(blocks.read(text, TOOLS, 3, **options).calls)


def one(body: str, name: str = " edit") -> ToolCall:
    (call,) = calls(f"I edit.\n\n```call{name}\n{body}\n```")
    return call


def test_lean_stands_as_it_is() -> None:
    lean = 'theorem t (h : a ∧ b) : "\\n" = "\\n" := by\n  -- ```\n  exact ⟨h.1, h.2⟩\n\npath: no argument\n'
    lean += '```\n```\n```call x\n{"a": 1}'
    call = one(f"path: Order/Basic.lean\nold: <<END\n  sorry\nEND\nnew: <<STOP\n{lean}\nEND\nSTOP\nall: true\ncount: 3")
    assert call.arguments == {
        "path": "Order/Basic.lean", "old": "  sorry", "new": lean + "\nEND", "all": True, "count": 3,
    }  # fmt: skip
    assert call.name == "edit" and not call.error


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["path", "old", "new"]), st.text(st.characters(exclude_characters="\r\n") | st.just("\n"))
    )
)
def test_any_text_comes_through(texts: dict[str, str]) -> None:
    word = "E"
    while any(line.strip() == word for text in texts.values() for line in text.split("\n")):
        word += "E"
    body = "\n".join(f"{name}: <<{word}\n{text}\n{word}" for name, text in texts.items())
    assert one(body).arguments == texts


LINES = [
    "```", "```call edit", "````", "~~~", "path: a", "old: <<END", "END", "{", '{"path": 1}', "```lean", "x", "",
    "new: |", "  y", "```call", "count: z", "<think>", "</think>",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=14), st.booleans())
def test_no_text_breaks_the_reader(lines: list[str], cut: bool) -> None:
    found = blocks.read("\n".join(lines), TOOLS, 0, cut=cut)
    assert "\n".join(lines).startswith(found.text)
    for call in found.calls:
        assert (call.arguments is None) == bool(call.error)
        Toolbox().call(call)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("path: a b.lean ", "a b.lean"), ('path: "a b.lean"', "a b.lean"), ("path: 'a'", "'a'"), ("path: 42", "42"),
        ("path: null", "null"), ("path: true", "true"), ("path: {x}", "{x}"), ("path:", ""), ("path: a: b", "a: b"),
        ("- path: a", "a"), ("`path`: a", "a"), ("path: |\n  a\n    b\n\n  c", "a\n  b\n\nc"),
        ("path: <<'X'\na\n  X  ", "a"), ("lines: [1, 2]", [1, 2]), ("mode: loose", "loose"),
        ("all: True", True), ("all: false", False), ("count: 3", 3),
        ("at: null", None), ("at: 4", 4), ("any: 4", 4), ("any: four", "four"), ("lines: <<X\n[1,\n2]\nX", [1, 2]),
        ('count: "3"', 3),
    ],
)  # fmt: skip
def test_values(line: str, value: Any) -> None:
    call = one(line)
    assert call.error == "" and list((call.arguments or {}).values()) == [value]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("path: a\ntheorem t := by", "the line 'theorem t := by' is no `argument: value`"),
        ("new: <<END\n  sorry", "the text of new does not end: there is no line END"),
        ("count: three", "the argument count is 'three': it must be JSON of type integer"),
        ("count: 3.5", "it must be of type integer"),
        ("all: maybe", "it must be JSON of type boolean"),
        ("path: a\npath: b", "the argument path is given twice"),
        ('{"path": "a"', "not JSON"),
    ],
)
def test_a_malformed_call_costs_a_turn_and_says_what_is_wrong(body: str, says: str) -> None:
    call = one(body)
    assert call.name == "edit" and call.arguments is None and says in call.error
    answer = Toolbox([Nothing(EDIT)]).call(call)
    assert answer.status == "error" and says in answer.text and "nothing was done" in answer.text


class Nothing:
    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec

    def run(self, arguments: Any) -> Any:
        raise AssertionError("it was run")


@pytest.mark.parametrize(
    "text",
    [
        '```call edit\n{"path": "a"}\n```', '```call\n{"name": "edit", "arguments": {"path": "a"}}\n```',
        '```tool_call\n{"name": "edit", "arguments": "{\\"path\\": \\"a\\"}"}\n```', "~~~call edit\npath: a\n~~~",
        "```call: edit\npath: a\n```", "```tool edit()\npath: a\n```", "````call edit\npath: a\n````",
        "```call edit\npath: a", "```lean\nsorry\n```\n```call edit\npath: a\n```",
        "```lean\nsorry\n```call edit\npath: a\n```",
        "```lean\nit never ends\n\n```call edit\npath: a\n```", "```call edit\r\npath: a\r\n```\r\n",
        '<tool_call>{"name": "edit", "arguments": {"path": "a"}}</tool_call>',
    ],
)  # fmt: skip
def test_ways_to_write_a_call(text: str) -> None:
    reply = TextModel(ScriptedModel([text])).reply(ASKED, TOOLS)
    assert [(call.name, call.arguments) for call in reply.calls] == [("edit", {"path": "a"})]


@pytest.mark.parametrize(
    "text",
    ["No call.", "````markdown\n```call edit\npath: a\n```\n````", "<think>\n```call edit\npath: a\n```\n</think>\nNo.",
     "`call edit`", "```\ncall edit\n```", "```lean\n-- call edit\n```"],
)  # fmt: skip
def test_what_is_no_call(text: str) -> None:
    assert TextModel(ScriptedModel([text])).reply(ASKED, TOOLS).calls == ()


def test_results_that_a_model_makes_up_are_not_read() -> None:
    text = "```call edit\npath: a\n```\n\n```call submit\n```\nResult of edit:\nDone!\n```call submit\n```"
    reply = TextModel(ScriptedModel([text])).reply(ASKED, TOOLS)
    assert [call.name for call in reply.calls] == ["edit", "submit"] and reply.calls[1].arguments == {}
    assert "Done!" not in reply.message["content"] and reply.message["extra"]["dropped"] > 20
    assert len({call.id for call in reply.calls}) == 2


def test_a_call_that_is_cut_off_is_none() -> None:
    text = "```call edit\npath: a"
    (call,) = TextModel(ScriptedModel([{"text": text, "finish": "length"}])).reply(ASKED, TOOLS).calls
    assert call.arguments is None and "cut off" in call.error
    assert [c.arguments for c in calls("```call edit\npath: a\n```", cut=True)] == [{"path": "a"}]


def test_the_tools_are_explained_and_the_explanation_is_right() -> None:
    told = blocks.explained(TOOLS)
    for part in (
        "## edit",
        "- path (string, required): The file.",
        "one of exact, loose",
        "default false",
        "## submit",
    ):
        assert part in told
    first, second = (calls(part) for part in told.split("A text of several lines"))
    assert first[0].arguments == {"path": "value"} and first[0].name == "edit"
    assert second[0].arguments == {"new": "theorem t : 1 = 1 := by\n  rfl"} and second[0].name == "edit"
    assert blocks.explained(()) == "" and "```call submit\nargument: value\n" in blocks.explained((DONE,))


def test_arguments_that_are_objects_are_shown_with_their_schema() -> None:
    inner = {"$ref": "#/$defs/Place"}
    place = {"type": "object", "properties": {"line": {"type": "integer"}}}
    spec = ToolSpec("go", "Go.", {"type": "object", "properties": {"to": inner, "by": {"type": "string"}},
                                  "$defs": {"Place": place}})  # fmt: skip
    assert '"line": {"type": "integer"}' in blocks.explained((spec,))
    (call,) = blocks.read('```call go\nto: {"line": 3}\nby: {x}\n```', (spec,), 0).calls
    assert call.arguments == {"to": {"line": 3}, "by": "{x}"}


HISTORY: list[Message] = [
    {"role": "system", "content": "You prove."},
    {"role": "user", "content": "Prove it."},
    {"role": "assistant", "content": "I look.", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "edit", "arguments": '{"path": "x"}'}},
        {"id": "b", "type": "function", "function": {"name": "submit", "arguments": ""}}]},
    {"role": "tool", "tool_call_id": "a", "content": "edited"},
    {"role": "tool", "tool_call_id": "b", "content": "[error] not yet"},
    {"role": "user", "content": "Go on.", "extra": {"from": "loop"}},
]  # fmt: skip


def test_a_history_of_a_model_with_tools_as_plain_text() -> None:
    shown = as_text(HISTORY, TOOLS)
    assert [message["role"] for message in shown] == ["system", "user", "assistant", "user"]
    assert shown[0]["content"].startswith("You prove.\n\n# Tools")
    assert [call.arguments for call in calls(shown[2]["content"])] == [{"path": "x"}, {}]
    assert shown[3]["content"] == (
        f"Result of edit:\nedited\n\nResult of submit:\n[error] not yet\n\nGo on.\n{blocks.REMINDER}"
    )
    assert as_text(HISTORY[1:], TOOLS)[0]["role"] == "system" and len(as_text(HISTORY, ())) == 4


def test_over_a_real_server_that_knows_no_tools() -> None:
    """Facts 23: tool calls vanish when instructions are long; this way needs none of a server."""
    said = (
        "I edit.\n```call edit\npath: A.lean\nold: <<END\n  sorry\nEND\nnew: <<END\n  rfl\nEND\n```\nResult: wonderful!"
    )
    with serving([Said(said, reasoning="hm"), Said("```call edit\nwhat\n```"), Said("```call submit\n```")]) as server:
        asker = TextModel(model(server))
        first = asker.reply(ASKED, TOOLS)
        assert first.calls[0].arguments == {"path": "A.lean", "old": "  sorry", "new": "  rfl"}
        assert first.message["reasoning_content"] == "hm" and first.usage.prompt == 1000
        history = continued(ASKED, first, "edited")
        second = asker.reply(history, TOOLS)
        assert second.calls[0].arguments is None
        third = asker.reply(continued(history, second, "[error] not readable"), TOOLS)
        assert [call.name for call in third.calls] == ["submit"]
    for body in server.bodies:
        assert "tools" not in body
        roles = [message["role"] for message in body["messages"]]
        assert roles == ["system", *["user", "assistant"] * ((len(roles) - 1) // 2), "user"]
    last = server.bodies[-1]["messages"]
    assert last[2]["content"] == said.partition("\nResult")[0] and last[3]["content"] == "Result of edit:\nedited"


def test_the_example_of_the_documentation() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    example = page.split("````\n")[1]
    call = blocks.read(example, (edit.EditFile.spec,), 0).calls[0]
    assert call.arguments == {"path": "Order/Basic.lean", "old": "  sorry", "new": "  exact le_antisymm h₁ h₂"}
    assert not schema.fault(call.arguments, edit.EditFile.spec.parameters)
