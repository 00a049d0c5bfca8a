"""Git called on files that a model wrote: what it looks for among them can be a pipe, a giant, a link, or a lie."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import contents, repository

from unsorry import UnsorryError
from unsorry.judge import sandbox
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.bash import Bash
from unsorry.scaffolds.agent.notes import Notes, TakeNotes
from unsorry.scaffolds.agent.patch import make_patch
from unsorry.scaffolds.agent.targets import find_targets
from unsorry.scaffolds.agent.workspace import Workspace


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return repository(tmp_path / "user", {"A.lean": "def a := 1\n", "sub/B.lean": "def b := 1\n"})


@pytest.fixture
def workspace(user: Path, tmp_path: Path) -> Iterator[Workspace]:
    def late(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(120)
    with Workspace.create(user, place=tmp_path / "place") as made:
        yield made
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def changed(workspace: Workspace) -> set[str]:
    """The files of the patch, after a real change and a new file."""
    (workspace.files / "A.lean").write_text("def a := 2\n")
    (workspace.files / "new.lean").write_text("def c := 3\n")
    (workspace.files / "sub" / "new.lean").write_text("def d := 3\n")
    snapshot = workspace.snapshot()
    patch = make_patch(workspace)
    workspace.restore(snapshot)
    return {change.path for change in patch.changes}


@pytest.mark.parametrize("name", [".gitignore", "sub/.gitignore", ".gitattributes", ".gitmodules", ".mailmap"])
@pytest.mark.parametrize("kind", ["pipe", "giant", "zero", "secret", "folder", "loop"])
def test_gits_own_files_may_be_anything(workspace: Workspace, user: Path, tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "secret").write_text("*.lean\n")
    path, before = workspace.files / name, contents(user)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "giant":
        with path.open("wb") as file:
            file.truncate(1 << 40)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"zero": Path("/dev/zero"), "secret": tmp_path / "secret", "loop": path}[kind])
    assert {"A.lean", "new.lean", "sub/new.lean"} <= changed(workspace)
    assert contents(user) == before


@pytest.mark.parametrize("how", ["file", "folder", "gone", "link"])
def test_a_git_folder_of_the_models_is_not_asked(workspace: Workspace, user: Path, tmp_path: Path, how: str) -> None:
    """With hooks, a file system monitor, filters and commands for differences, each of which would leave a mark."""
    mark = tmp_path / "mark"
    evil = repository(tmp_path / "evil", {"x": "x\n"}) / ".git"
    command = f"touch {mark}; cat"
    (evil / "config").write_text(
        f'[core]\nrepositoryformatversion = 0\nfsmonitor = "{command}"\nhooksPath = "{evil}/hooks"\n'
        f'pager = "{command}"\n'
        f'[filter "e"]\nclean = "{command}"\nsmudge = "{command}"\nprocess = "{command}"\nrequired = true\n'
        f'[diff "e"]\ntextconv = "{command}"\ncommand = "{command}"\n[diff]\nexternal = "{command}"\n'
        f'[alias]\ncheck-ignore = "!{command}"\ndiff-tree = "!{command}"\n'
    )
    for hook in ("pre-commit", "post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
        (evil / "hooks" / hook).parent.mkdir(exist_ok=True)
        (evil / "hooks" / hook).write_text(f"#!/bin/sh\n{command}\n")
        (evil / "hooks" / hook).chmod(0o755)
    (workspace.files / ".gitattributes").write_text(
        "* filter=e diff=e text eol=crlf ident working-tree-encoding=UTF-16\n"
    )
    own = workspace.files / ".git"
    own.unlink()
    if how == "file":
        own.write_text(f"gitdir: {evil}\n")
    elif how == "folder":
        evil.rename(own)
    elif how == "link":
        own.symlink_to(evil)
    before = contents(user)
    assert changed(workspace) == {"A.lean", "new.lean", "sub/new.lean", ".gitattributes"}
    assert (workspace.files / "A.lean").read_text() == "def a := 2\n"
    assert not mark.exists()
    assert contents(user) == before


def test_a_command_in_the_sandbox_leaves_traps_for_our_own_process(
    workspace: Workspace, user: Path, tmp_path: Path, embedded: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links to the user's files where we read and write, pipes where we wait, and no key to take along."""
    facts = sandbox.probe()
    if not facts.strict:
        pytest.skip(f"no strict sandbox here: {facts.missing or facts.given_up}")
    secret = tmp_path / "id_key"
    secret.write_text("PRIVATE KEY")
    secret.chmod(0o644)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-user")
    before = contents(user)
    command = (
        f"mkdir -p .unsorry/lemmas; ln -s {secret} .unsorry/notes.md; ln -s {secret} .unsorry/lemmas/a.json; "
        f"ln -s {secret} Stolen.lean; mkfifo .gitignore Pipe.lean; ln {secret} Hard.lean; rm A.lean; "
        f"ln -s {user}/A.lean A.lean; ln -s {user} there; cat {secret}; cat Stolen.lean; env; "
        "(sleep 1000 & disown) >/dev/null 2>&1; echo made"
    )
    told = Bash(workspace, embedded).run({"command": command})
    assert "made" in told.text and "PRIVATE KEY" not in told.text and "sk-of-the-user" not in told.text
    notes = TakeNotes(Notes(workspace.project))
    for arguments in ({"action": "read"}, {"action": "replace", "text": "gone"}):
        answer = notes.run(arguments)
        assert answer.status == "error" and "PRIVATE" not in answer.text
    for name in ("A.lean", "there/A.lean", "Stolen.lean", "Pipe.lean", "Hard.lean"):
        with pytest.raises(UnsorryError):
            workspace.beneath.read(name, 1 << 20)
    assert find_targets("", workspace.project) == ()
    patch = make_patch(workspace)
    assert b"PRIVATE" not in patch.text
    assert (secret.read_text(), contents(user)) == ("PRIVATE KEY", before)
