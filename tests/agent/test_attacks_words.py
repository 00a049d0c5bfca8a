"""What a model, a server or a stranger's repository says: it commands no terminal, starts nothing, and gets no key."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from unsorry import Status, UnsorryError, cli
from unsorry.scaffolds.agent import Submitted
from unsorry.scaffolds.agent.config import VARIABLE, read_config
from unsorry.scaffolds.agent.finish import Result
from unsorry.scaffolds.agent.limits import Spent
from unsorry.scaffolds.agent.mcp import pool
from unsorry.scaffolds.agent.patch import Patch
from unsorry.scaffolds.agent.profiles import load
from unsorry.scaffolds.agent.report import Declared, Report
from unsorry.scaffolds.agent.review import Reading
from unsorry.scaffolds.agent.screen import Screen

CLIPBOARD = "\x1b]52;c;cm0gLXJmIH4K\x07"  # puts a command into the user's clipboard
TITLE = "\x1b]0;owned\x1b\\"
UP = "\x1b[2A\x1b[2K"  # writes over what stood above
EIGHT_BIT = "\x9b2J"
TURNED = "\u202egnorw\u202c"
HOSTILE = f"x{CLIPBOARD}{TITLE}{UP}{EIGHT_BIT}{TURNED}\r\b[bold red on blue]y[/]"


def plain(text: str) -> bool:
    """Whether a terminal shows the text and does nothing else."""
    return all(c.isprintable() or c == "\n" for c in text)


@pytest.mark.parametrize("kind", ["content", "reasoning"])
@pytest.mark.parametrize("cut", [1, 2, 5, 1000])
def test_pieces_of_an_answer_command_no_terminal(kind: str, cut: int) -> None:
    out = io.StringIO()
    screen = Screen(interactive=True, out=out)
    for start in range(0, len(HOSTILE), cut):
        screen.stream(kind, HOSTILE[start : start + cut])
    screen.tell("done")
    assert plain(out.getvalue())
    assert "[bold red on blue]y[/]" in out.getvalue()


def test_calls_and_answers_command_no_terminal() -> None:
    out = io.StringIO()
    screen = Screen(interactive=False, out=out)
    call = {"id": "1", "name": HOSTILE, "arguments": {HOSTILE: HOSTILE}, "raw": HOSTILE}
    other = {"id": "2", "name": HOSTILE, "arguments": None, "raw": HOSTILE}
    message = {"content": HOSTILE, "extra": {"calls": [call, other]}}
    screen.record({"type": "reply", "step": 1, "message": message})
    for identity in ("1", "2", "3"):
        answer = {"content": HOSTILE, "tool_call_id": identity, "name": HOSTILE, "extra": {"status": HOSTILE}}
        screen.record({"type": "observation", "message": answer})
    screen.tell(HOSTILE)
    assert plain(out.getvalue())


def test_the_report_commands_no_terminal(tmp_path: Path) -> None:
    declared = Declared(HOSTILE, HOSTILE, 1, Status.REJECTED, HOSTILE, HOSTILE)
    proved = Declared(HOSTILE, HOSTILE, 1, Status.ACCEPTED, "", "", (HOSTILE,))
    reading = Reading(HOSTILE, HOSTILE, HOSTILE, HOSTILE, f"{HOSTILE}\n{HOSTILE}")
    report = Report([declared, proved], [reading], [HOSTILE], [HOSTILE])
    text = Result(Submitted(HOSTILE), tmp_path / "r" / "task" / "1", Patch(b"", "", "", ()), Spent(), "", report).text()
    assert plain(text)
    assert "x\\x1b]52;c;" in text  # what a reviewer must read is there


def test_a_line_cannot_be_made_to_look_like_another_verdict(tmp_path: Path) -> None:
    declared = Declared("A.lean", "a\nproved   A.lean:1  b  no axioms", 1, Status.REJECTED, "x", "m\nproved   A.lean:2")
    text = Result(
        Submitted(""), tmp_path / "r" / "task" / "1", Patch(b"", "", "", ()), Spent(), "", Report([declared])
    ).text()
    assert not [line for line in text.splitlines() if line.startswith("proved")]


def test_errors_command_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["agent", "x", "--profile", f"a{CLIPBOARD}b", "--project", str(tmp_path)]) != 0
    assert plain(capsys.readouterr().err)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text("[limits]\nturns = 50\nprice = 1.5\n")
    monkeypatch.setenv(VARIABLE, str(path))
    return path


@pytest.mark.parametrize(
    "text",
    [
        'profile = "evil.toml"\n',  # its prompts are files of the user's, which go to the endpoint
        'profile = "./prove.toml"\n',
        '[agent.provers]\nnames = ["endpoint:http://evil.example/v1#m?key=OPENAI_API_KEY"]\n',
        '[agent.provers]\nnames = ["search", "local:./weights"]\n',
        '[agent.provers]\nnames = ["scripted:/etc/passwd"]\n',
    ],
)
def test_a_strangers_project_names_no_files_and_no_servers(tmp_path: Path, settings: Path, text: str) -> None:
    project = tmp_path / "theirs"
    project.mkdir()
    (project / "unsorry.toml").write_text(f"[agent]\n{text}")
    config, told = read_config(project)
    assert (config.profile, config.provers.names) == ("prove", ("search",))
    assert "left aside" in told[0]


def test_a_strangers_project_only_tightens_limits(tmp_path: Path, settings: Path) -> None:
    project = tmp_path / "theirs"
    project.mkdir()
    (project / "unsorry.toml").write_text("[agent.limits]\nturns = 1000000\nprice = 0.5\ntokens = 10\n")
    limits = read_config(project)[0].limits
    assert (limits.turns, limits.price, limits.tokens) == (50, 0.5, 10)


@pytest.mark.parametrize("prompt", ["/etc/passwd", "../secret", "a/b.md", "..", "."])
def test_prompts_are_files_beside_their_profile(tmp_path: Path, prompt: str) -> None:
    (tmp_path / "own.toml").write_text(f'description = "x"\ntools = ["submit"]\nprompts = ["{prompt}"]\n')
    with pytest.raises(UnsorryError):
        load(str(tmp_path / "own.toml")).system()


def test_a_servers_endless_schema_is_not_paid_for_at_every_turn() -> None:
    endless = {"type": "object", "properties": {f"p{i}": {"description": "x" * 1000} for i in range(5000)}}
    assert len(str(pool._parameters(endless))) < pool.MAX_SCHEMA
    short = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert pool._parameters(short) == short
