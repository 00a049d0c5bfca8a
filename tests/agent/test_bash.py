"""Commands of a model: in the sandbox or not at all, with everything about their end told."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from repositories import contents, git, repository, write

from unsorry.judge import sandbox
from unsorry.lean.process import Limits, Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import EnvironmentLost, Observation, ToolCall
from unsorry.scaffolds.agent.bash import HEAD, TAIL, Bash
from unsorry.scaffolds.agent.files import ListFiles, SearchFiles
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.scaffolds.agent.workspace import Workspace


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bash")
    user = repository(folder / "user", {"A.lean": "def one := 1\n", ".gitignore": "/.lake\n", "lakefile.toml": ""})
    write(user, {".lake/packages/dep/Dep.lean": "-- dep\n", ".lake/build/A.olean": "theirs"})
    (folder / "secret").write_text("secret")
    (folder / "secret").chmod(0o666)
    return user


@pytest.fixture(scope="module")
def workspace(user: Path) -> Iterator[Workspace]:
    with Workspace.create(user, place=user.parent / "place") as workspace:
        yield workspace


@pytest.fixture(scope="module")
def bash(workspace: Workspace, embedded: Toolchain) -> Bash:
    facts = sandbox.probe()
    if not facts.strict:
        pytest.skip(f"no strict sandbox here: {facts.missing or facts.given_up}")
    return Bash(workspace, embedded)


def call(bash: Bash, command: str, **more: Any) -> Observation:
    return Toolbox([bash]).call(ToolCall("1", "bash", {"command": command, **more}, ""))


def test_output_and_exit_status(bash: Bash) -> None:
    observation = call(bash, "echo out; echo err >&2; cat A.lean; exit 3")
    assert observation.text == "out\nerr\ndef one := 1\n[exit status 3]"
    assert observation.status == "error" and observation.data["exit"] == 3
    assert call(bash, "true").text == "[exit status 0]"
    assert "[exit status 139 (killed by signal 11)]" in call(bash, "kill -SEGV $$").text
    assert call(bash, "echo $((1 +").status == "error"
    assert call(bash, "\0").status == "error"


def test_what_it_writes_is_in_the_workspace_and_nothing_else_is(bash: Bash, workspace: Workspace, user: Path) -> None:
    before, secret = contents(user), user.parent / "secret"
    observation = call(
        bash,
        f"""
        mkdir -p new && echo x > new/made.txt && echo y >> A.lean && echo z > /tmp/z && cat /tmp/z
        echo attack > {secret} ; cat {secret}
        echo attack > {user}/A.lean ; ls {user}
        echo attack > {user}/.lake/packages/dep/Dep.lean ; cat .lake/packages/dep/Dep.lean
        echo attack > .lake/build/A.olean ; rm -f {workspace.git.folder}/HEAD
        touch /usr/bin/x ; ls /root /home /etc/passwd
        ln -s {secret} leak; cat leak; ln {secret} hard
        """,
    )
    assert "z\n" in observation.text and "-- dep\n" in observation.text
    assert secret.read_text() == "secret" and "secret\n" not in observation.text.replace(str(secret), "")
    assert contents(user) == before
    assert (workspace.git.folder / "HEAD").is_file()
    assert (workspace.files / "new" / "made.txt").read_text() == "x\n"
    assert not Path("/tmp/z").exists()
    call(bash, "rm -rf new leak hard; git show HEAD:A.lean > A.lean")


def test_there_is_no_network(bash: Bash) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        observation = call(bash, f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected")
    assert observation.status == "error" and "connected\n" not in observation.text


def test_long_output_keeps_head_and_tail(bash: Bash) -> None:
    text = call(bash, "echo first; seq 1000000; echo last >&2; exit 1").text
    assert text.startswith("first\n1\n2\n") and text.endswith("1000000\nlast\n[exit status 1]")
    assert "bytes left out ...]" in text and len(text) < HEAD + TAIL + 200
    raw = call(bash, "head -c 100000 /dev/urandom; echo; echo end")
    assert raw.text.endswith("end\n[exit status 0]")


def test_the_time_out_kills_everything_and_is_no_result(bash: Bash, workspace: Workspace) -> None:
    """Background processes, sessions of their own, ignored signals: nothing goes on writing."""
    observation = call(
        bash,
        "trap '' TERM INT HUP; echo begun; (setsid bash -c 'while true; do date +%N > beat; done' &) ; "
        "while [ ! -s beat ]; do :; done; while true; do :; done",
        timeout=5,
    )
    assert observation.status == "unknown" and observation.text.startswith("begun\n[stopped: not finished after 5 s")
    beat = (workspace.files / "beat").read_bytes()
    call(bash, "sleep 0.3; true")
    assert (workspace.files / "beat").read_bytes() == beat
    assert call(bash, "(setsid sleep 1000 &); echo done").text == "done\n[exit status 0]"  # nor is it waited for
    call(bash, "rm beat")


def test_limits_are_named(workspace: Workspace, bash: Bash) -> None:
    small = Bash(workspace, bash.toolchain, limits=Limits(memory=200 << 20, file_size=1 << 20, processes=16))
    hungry = call(small, "tail /dev/zero")
    assert hungry.status == "error" and "200 MiB of memory" in hungry.text
    assert call(small, "head -c 2000000 /dev/zero > big; exit $?").status == "error"
    assert (workspace.files / "big").stat().st_size <= 1 << 20
    forks = call(small, "for i in $(seq 100); do sleep 5 & done; echo over", timeout=30)
    assert "Resource temporarily unavailable" in forks.text or "Cannot fork" in forks.text or forks.status != "ok"
    call(bash, "rm -f big")


def test_git_can_be_looked_at(bash: Bash, workspace: Workspace, user: Path) -> None:
    before = contents(user / ".git")
    call(bash, "echo changed >> A.lean")
    observation = call(bash, "git status --short; git diff; git log --oneline | wc -l; git show HEAD~1:A.lean")
    assert " M A.lean" in observation.text and "+changed" in observation.text
    if "\n2\n" in observation.text:  # where the user's objects can be read by the sandbox's user
        assert "def one := 1" in observation.text
    assert call(bash, "git commit -qam x || git stash").status == "error"
    assert contents(user / ".git") == before
    call(bash, "git show HEAD:A.lean > A.lean")


def test_lean_is_there(bash: Bash) -> None:
    observation = call(bash, "echo 'theorem x : 1 + 1 = 2 := rfl\n#print axioms x' > X.lean; lean X.lean; rm X.lean")
    assert "'x' does not depend on any axioms" in observation.text, observation.text


def test_without_a_strict_sandbox_nothing_is_run(workspace: Workspace, embedded: Toolchain) -> None:
    for confinement in (Unconfined(), sandbox.choose("limits")):
        observation = call(Bash(workspace, embedded, confinement), "touch ran")
        assert observation.status == "error" and "strict" in observation.text and "\n" not in observation.text
    assert not (workspace.files / "ran").exists()


def test_a_host_without_a_sandbox_is_told_how_to_get_one(
    workspace: Workspace, embedded: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "OLDEST_KERNEL", (99, 0))
    sandbox._facts.cache_clear()
    try:
        observation = call(Bash(workspace, embedded), "touch ran")
    finally:
        monkeypatch.undo()
        sandbox._facts.cache_clear()
    assert observation.status == "error" and observation.text.startswith("no strict sandbox here: ")
    assert not (workspace.files / "ran").exists()


def test_a_workspace_that_is_gone_ends_the_run(tmp_path: Path, embedded: Toolchain) -> None:
    workspace = Workspace.create(repository(tmp_path / "user"), place=tmp_path / "place")
    tool = Bash(workspace, embedded)
    workspace.remove()
    with pytest.raises(EnvironmentLost, match="is gone"):
        tool.run({"command": "true"})


def test_names_like_options_and_closed_folders_do_not_stop_it(bash: Bash, workspace: Workspace) -> None:
    observation = call(bash, "touch -- -rf '--help' $'new\\nline'; mkdir -m 0 shut; mkfifo pipe; ls | wc -l")
    assert observation.status == "ok"
    assert call(bash, "rm -- -rf --help $'new\\nline' pipe; rmdir shut; ls").status == "ok"
    assert workspace.snapshot() == workspace.base
    assert git(workspace.files, "status", check=False).returncode in (0, 128)
    assert os.listdir(workspace.files)


def test_folders_thousands_deep_stop_nobody(bash: Bash, user: Path) -> None:
    deep = "d/" * 1000
    with Workspace.create(user, place=user.parent / "deep") as workspace:
        tool = Bash(workspace, bash.toolchain)
        made = f"mkdir -p {deep} && cd -P {deep} && mkdir -p {deep} && touch end; echo hit > ../../x; echo made"
        assert "made\n" in call(tool, made).text
        assert "[exit status 0]" in call(tool, "ls").text
        seen = workspace.look()
        assert b"A.lean" in seen.entries and list(seen.left_out.values()) == ["deeper than 64 folders"]
        box = Toolbox([ListFiles(workspace.beneath), SearchFiles(workspace.beneath)])
        assert box.call(ToolCall("1", "list_files", {"depth": 20}, "")).status == "ok"
        assert box.call(ToolCall("1", "search_files", {"pattern": "one"}, "")).status == "ok"
        workspace.remove()
    assert not workspace.place.exists()
