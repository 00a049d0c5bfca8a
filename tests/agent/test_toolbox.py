"""Whatever a model or a tool gets wrong is an observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from loop_world import Any_

from unsorry import UnsorryError
from unsorry.scaffolds.agent import EnvironmentLost, Observation, ToolCall, ToolSpec, schema
from unsorry.scaffolds.agent.toolbox import Toolbox

EDIT = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "line": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["replace", "insert"]},
        "ranges": {"type": "array", "items": {"$ref": "#/$defs/range"}, "maxItems": 2},
    },
    "required": ["path"],
    "additionalProperties": False,
    "$defs": {"range": {"type": "object", "properties": {"from": {"type": "integer"}}, "required": ["from"]}},
}


class Edit:
    spec = ToolSpec("edit", "Edit.", EDIT)

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        return Observation(f"edited {arguments['path']}")


def ask(box: Toolbox, name: str, arguments: Any, error: str = "") -> Observation:
    return box.call(ToolCall("1", name, arguments, repr(arguments), error))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "path is missing"),
        ({"pth": "x"}, 'path is missing (there is "pth", which is not known)'),
        ({"path": "x", "lines": 1}, "lines is not known; did you mean line?"),
        ({"path": "x", "zzz": 1}, "zzz is not known; known are: path, line, mode, ranges"),
        ({"path": 3}, "path must be of type string, not integer: 3"),
        ({"path": ""}, "path has 0 characters, at least 1 are needed"),
        ({"path": "x", "line": 0}, "line must be at least 1, not 0"),
        ({"path": "x", "line": True}, "line must be of type integer, not boolean: true"),
        ({"path": "x", "line": "4"}, 'line must be of type integer, not string: "4"'),
        ({"path": "x", "mode": "delete"}, 'mode must be one of "replace", "insert", not "delete"'),
        ({"path": "x", "ranges": [{"from": 1}, {}]}, "ranges[1].from is missing"),
        ({"path": "x", "ranges": [{"from": 1}] * 3}, "ranges may have at most 2 items, has 3"),
    ],
)
def test_arguments_that_do_not_fit(arguments: Any, says: str) -> None:
    found = ask(Toolbox([Edit()]), "edit", arguments)
    assert found.status == "error" and says in found.text and found.data["fault"] == "schema"


def test_arguments_that_fit() -> None:
    box = Toolbox([Edit()])
    for more in ({}, {"line": 3.0}, {"mode": "insert"}, {"ranges": [{"from": 1}]}):
        assert ask(box, "edit", {"path": "x", **more}) == Observation("edited x")


@pytest.mark.parametrize(
    "odd", [{"type": 3}, {"properties": 1}, {"required": 5}, {"$ref": "#/nowhere"}, {"$ref": "#"}, None, {"anyOf": 1}]
)
def test_a_schema_that_is_none_checks_nothing(odd: Any) -> None:
    assert schema.fault({"path": "x"}, odd) == ""


def test_unions() -> None:
    either = {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]}
    assert schema.fault("x", either) == "" == schema.fault(1, either)
    assert "must be at least 0" in schema.fault(-1, either) and "type string" in schema.fault(-1, either)
    assert schema.fault(None, {"type": ["string", "null"]}) == ""
    assert "must be of type string or null" in schema.fault(1, {"type": ["string", "null"]})


def test_unknown_tools_and_unreadable_calls() -> None:
    box = Toolbox([Edit()])
    assert "There is no tool called 'edits'. Did you mean edit? The tools are: edit." in ask(box, "edits", {}).text
    assert "The tools are: none." in ask(Toolbox(), "", {}).text
    found = ask(box, "edit", None, "Expecting ',' at column 9")
    assert found.status == "error" and "Expecting ',' at column 9" in found.text and '"minLength"' in found.text


def test_a_tool_that_raises_or_gives_nothing() -> None:
    def breaks(arguments: Any) -> Observation:
        raise ZeroDivisionError("a\nb\x1b[31m")

    found = ask(Toolbox([Any_(breaks)]), "do", {})
    assert found.status == "error" and found.text == r"do failed: ZeroDivisionError: a b\x1b[31m"

    def refuses(arguments: Any) -> Observation:
        raise UnsorryError("no such file")

    assert ask(Toolbox([Any_(refuses)]), "do", {}).text == "no such file"
    assert "gave NoneType and no observation" in ask(Toolbox([Any_(lambda _: None)]), "do", {}).text  # type: ignore

    def ends(arguments: Any) -> Observation:
        raise EnvironmentLost("gone")

    with pytest.raises(EnvironmentLost):
        ask(Toolbox([Any_(ends)]), "do", {})


def test_long_and_odd_texts() -> None:
    long = "head" + "x" * 100_000 + "tail"
    found = ask(Toolbox([Any_(lambda _: Observation(long, "unknown", {"a": (1, 2)}))], max_text=1000), "do", {})
    assert found.status == "unknown" and found.data == {"a": [1, 2], "cut_from": 100_008}
    assert found.text.startswith("headxx") and found.text.endswith("xxtail") and len(found.text) < 1100
    assert ask(Toolbox([Any_(lambda _: Observation("a\ud800\0b"))]), "do", {}).text == "a?�b"


def test_names() -> None:
    with pytest.raises(UnsorryError, match="there are two tools called edit"):
        Toolbox([Edit(), Edit()])
    with pytest.raises(UnsorryError, match="a tool cannot be called 'a b'"):
        Toolbox([Any_(lambda _: Observation(""), "a b")])
