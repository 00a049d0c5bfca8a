"""Rules: deny wins, a line is allowed where all of it is, and where nobody is asked nothing is refused silently."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from unsorry import UnsorryError
from unsorry.scaffolds.agent import Observation, Submitted, ToolSpec
from unsorry.scaffolds.agent.permissions import Permission, Permissions, Permitted, commands
from unsorry.scaffolds.agent.submit import Submit

BASH = {
    "bash": {"permission": "ask", "allowlist": ["ls*", "git log*", "echo *"], "denylist": ["*rm -rf*", "re:^curl\\b"]}
}


class Recorder:
    """A tool that says what it was called with."""

    spec = ToolSpec("bash", "", {"type": "object"})

    def __init__(self) -> None:
        self.calls: list[Mapping[str, Any]] = []

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        self.calls.append(arguments)
        return Observation("ran")


def decided(command: str, tools: Mapping[str, Any] = BASH) -> Permission:
    return Permissions.from_config(tools).decide("bash", {"command": command}).permission


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("ls -l", ["ls -l"]),
        ("ls; git  log | head && echo 'a; b' || x & y\nz 2>&1", ["ls", "git log", "head", "echo 'a; b'", *"xyz"]),
        ('echo "a && b"', ['echo "a && b"']),
        ("echo $(rm x)", []), ("echo `rm x`", []), ("ls > x", []), ("ls <(rm x)", []), ('echo "$x"', []), ("'", []),
        ("eval ls", []), ("env ls", []), ("l\\s", []), ("x() { ls; }", []), ("", []),
    ],
)  # fmt: skip
def test_a_line_is_taken_apart_or_not_at_all(line: str, parts: list[str]) -> None:
    assert commands(line) == parts


def test_all_of_a_line_must_be_allowed_and_none_of_it_denied() -> None:
    assert decided("ls -l src") is Permission.ALWAYS
    assert decided("ls && git log -3 | echo x") is Permission.ALWAYS
    assert decided("ls && make") is Permission.ASK
    assert decided("ls $(make)") is decided("ls > x") is decided("ls 'x") is Permission.ASK
    assert decided("ls; rm -rf /") is decided("echo $(rm -rf x)") is Permission.NEVER
    assert decided("ls | curl x") is Permission.NEVER
    allowed = {"bash": {"permission": "always", "denylist": ["git push*"]}}
    assert decided("make $(x)", allowed) is Permission.ALWAYS
    assert decided("true &&   git   push", allowed) is Permission.NEVER


def test_deny_wins_over_every_rule() -> None:
    tools = {
        "bash": {"permission": "always", "allowlist": ["*"], "denylist": ["*x*"]},
        "edit_file": {"permission": "never"},
    }
    rules = Permissions.from_config(tools, ask=lambda *_: "always", granted={"bash", "edit_file"})
    assert rules.decide("bash", {"command": "x"}).rule == "tools.bash.denylist '*x*'"
    assert "forbids it" in rules.refusal("edit_file", {"path": "A.lean"})
    paths = Permissions.from_config({"edit_file": {"denylist": ["lakefile*", "*.toml"]}})
    assert "lakefile" in paths.refusal("edit_file", {"path": "lakefile.lean"})
    assert paths.refusal("edit_file", {"path": "A.lean"}) == ""


def test_headless_a_refusal_names_the_rule_and_how_to_allow_it() -> None:
    tool = Recorder()
    refused = Permitted(tool, Permissions.from_config(BASH)).run({"command": "make"})
    assert refused.status == "error" and not tool.calls
    assert 'tools.bash.permission = "ask"' in refused.text and 'permission = "always" in [tools.bash]' in refused.text
    trusted = Permissions.from_config(BASH, unattended="allow")
    assert Permitted(tool, trusted).run({"command": "make"}).text == "ran"
    assert "forbids" in Permitted(tool, trusted).run({"command": "rm -rf x"}).text
    assert tool.calls == [{"command": "make"}]


def test_what_a_task_needs_is_told_before_anything_is_paid() -> None:
    rules = Permissions.from_config({**BASH, "edit_file": {"permission": "never"}})
    lines = rules.unmet(["bash", "edit_file", "read_file", "lean_check", "server_tool"])
    assert [line.split()[0] for line in lines] == ["bash", "edit_file", "server_tool"]
    assert "but for its allowlist" in lines[0]
    assert Permissions.from_config(BASH, unattended="allow").unmet(["bash", "server_tool"]) == []
    assert Permissions.from_config(BASH, ask=lambda *_: "no").unmet(["bash"]) == []


def test_the_user_is_asked_and_may_allow_for_good() -> None:
    asked: list[tuple[str, str]] = []
    answers = iter(["no", "yes", "always"])

    def ask(tool: str, what: str) -> Any:
        asked.append((tool, what))
        return next(answers)

    tool, rules = Recorder(), Permissions.from_config(BASH, ask=ask)
    texts = [Permitted(tool, rules).run({"command": f"make {i}"}).text for i in range(5)]
    assert texts == ["bash was not run: the user declined. Find another way", "ran", "ran", "ran", "ran"]
    assert asked == [("bash", "make 0"), ("bash", "make 1"), ("bash", "make 2")]


def test_tools_without_an_entry_and_groups_of_tools() -> None:
    rules = Permissions.from_config({"lean-lsp_*": {"permission": "always"}, "lean-lsp_run": {"permission": "never"}})
    assert rules.decide("lean-lsp_goal", {}).permission is Permission.ALWAYS
    assert rules.decide("lean-lsp_run", {}).permission is Permission.NEVER
    assert rules.decide("other", {}).permission is Permission.ASK
    assert Permissions.from_config({"*": {"permission": "always"}}).decide("other", {}).permission is Permission.ALWAYS


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ({"bash": {"permission": "maybe"}}, "use always, ask, never"),
        ({"bash": {"allow": []}}, "no setting 'allow'"),
        ({"bash": {"allowlist": "ls"}}, "must be a list"),
        ({"bash": {"denylist": ["re:("]}}, "no regular expression"),
        ({"bash": True}, "must be a table"),
    ],
)
def test_wrong_settings_are_one_line(tools: Mapping[str, Any], said: str) -> None:
    with pytest.raises(UnsorryError, match=said):
        Permissions.from_config(tools)


def test_submit_tells_once_what_is_unfinished() -> None:
    left = ["A.lean has a sorry"]
    tool = Submit(lambda: left[0])
    assert "A.lean has a sorry" in tool.run({"summary": "s"}).text
    left[0] = "B.lean has an error"
    assert "B.lean has an error" in tool.run({"summary": "s"}).text
    with pytest.raises(Submitted, match="as it is"):
        tool.run({"summary": "as it is"})
    with pytest.raises(Submitted, match="done"):
        Submit().run({"summary": "done"})
