"""The copy that the agent works on: what is in it, what of the user's is left alone, what becomes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import LEAN, contents, git, repository, write

from unsorry import UnsorryError
from unsorry.scaffolds.agent import places
from unsorry.scaffolds.agent.workspace import Workspace


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSORRY_CACHE", str(tmp_path_factory.mktemp("cache")))


def names(workspace: Workspace) -> set[str]:
    return {os.fsdecode(path) for path in workspace.look().entries}


def test_uncommitted_work_is_carried_and_the_repository_is_only_read(tmp_path: Path) -> None:
    user = repository(tmp_path / "user", {"A.lean": LEAN, "gone.lean": "", "staged.lean": "", ".gitignore": "*.log\n"})
    write(user, {"A.lean": LEAN + "-- edited\n", "new/B.lean": "-- new\n", "x.log": "secret", "staged.lean": "-- s\n"})
    (user / "gone.lean").unlink()
    (user / "run.sh").write_text("echo\n")
    (user / "run.sh").chmod(0o755)
    (user / "link").symlink_to("A.lean")
    git(user, "add", "staged.lean")
    write(user, {"staged.lean": "-- s, and more\n"})
    git(user, "stash", "push", "-q", "--", "A.lean")
    write(user, {"A.lean": LEAN + "-- edited again\n"})
    before = contents(user)

    with Workspace.create(user) as workspace:
        assert names(workspace) == {"A.lean", "new/B.lean", "staged.lean", ".gitignore", "run.sh", "link"}
        assert (workspace.files / "A.lean").read_text() == LEAN + "-- edited again\n"
        assert (workspace.files / "staged.lean").read_text() == "-- s, and more\n"
        assert os.access(workspace.files / "run.sh", os.X_OK)
        assert os.readlink(workspace.files / "link") == "A.lean"
        assert workspace.snapshot() == workspace.base
        write(workspace.files, {"A.lean": "-- all of it\n", "C.lean": ""})
        (workspace.files / "new" / "B.lean").unlink()
        place = workspace.place
    assert not place.exists()
    assert contents(user) == before
    assert git(user, "stash", "list").stdout.count(b"\n") == 1
    assert git(user, "worktree", "list").stdout.count(b"\n") == 1
    assert b"prunable" not in git(user, "worktree", "list", "--porcelain").stdout


def test_odd_names(tmp_path: Path) -> None:
    odd = ["-rf", "--upload-pack=x", "a b", "new\nline", "tab\there", "ünï.lean", 'qu"ote', "*", ":(top)x", "-"]
    user = repository(tmp_path / "user", {name: name for name in odd})
    Path(os.fsdecode(os.fsencode(user) + b"/raw\xff.lean")).write_text("raw")
    with Workspace.create(user) as workspace:
        assert set(workspace.look().entries) == {*map(os.fsencode, odd), b"raw\xff.lean"}
        for name in odd:
            assert (workspace.files / name).read_text() == name
        assert workspace.snapshot() == workspace.base
        (workspace.files / "-rf").write_text("changed")
        assert workspace.snapshot() != workspace.base


def test_a_repository_in_the_making_and_a_folder_of_it(tmp_path: Path) -> None:
    user = tmp_path / "user"
    user.mkdir()
    git(user, "init", "-q")
    write(user, {"sub/A.lean": LEAN})
    with Workspace.create(user / "sub") as workspace:
        assert (workspace.here, workspace.commit) == ("sub", "")
        assert (workspace.project / "A.lean").read_text() == LEAN


def test_a_folder_without_git(tmp_path: Path) -> None:
    files = {
        "A.lean": LEAN,
        "lakefile.toml": "",
        "build/x": "big",
        ".lake/build/y": "",
        ".gitignore": "*.o\n",
        "C.o": "",
    }
    write(tmp_path / "user", {**files, "runs/1/.gitignore": "*\n", "runs/1/work/files/A.lean": "of an earlier run"})
    before = contents(tmp_path / "user")
    with Workspace.create(tmp_path / "user", place=tmp_path / "user" / "runs" / "2" / "work") as workspace:
        assert names(workspace) == {"A.lean", "lakefile.toml", ".gitignore"}
        assert not (workspace.files / "runs").exists()
        write(workspace.files, {"A.lean": "", "B.lean": "", "B.o": ""})
        assert names(workspace) == {"A.lean", "lakefile.toml", ".gitignore", "B.lean"}
        assert workspace.snapshot() != workspace.base
        workspace.remove()
    (tmp_path / "user" / "runs" / "2").rmdir()
    after = contents(tmp_path / "user")
    assert {k: v for k, v in after.items() if k != "runs"} == {k: v for k, v in before.items() if k != "runs"}


def test_line_ends_and_encodings_are_not_converted(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "A.lean": b"\xef\xbb\xbftheorem x : 1 = 1 := rfl\r\n", "b.txt": "a\r\nb\n", "c.bin": bytes(range(256)),
        ".gitattributes": "* text=auto eol=crlf ident\n*.txt working-tree-encoding=UTF-16\n",
    }  # fmt: skip
    user = repository(tmp_path / "user", {k: v for k, v in files.items() if k != "b.txt"})
    write(user, files)
    with Workspace.create(user) as workspace:
        for name, data in files.items():
            assert (workspace.files / name).read_bytes() == (data if isinstance(data, bytes) else data.encode())
        write(workspace.files, {"b.txt": "a\r\nb\nc\r\n", "c.bin": b"\0"})
        tree = workspace.snapshot()
        write(workspace.files, {"b.txt": "", "c.bin": ""})
        workspace.restore(tree)
        assert (workspace.files / "b.txt").read_bytes() == b"a\r\nb\nc\r\n"


def test_a_submodule_and_a_repository_inside_are_carried_as_files(tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"Dep.lean": "-- dep\n"})
    user = repository(tmp_path / "user")
    git(user, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "dep")
    repository(user / "inner", {"Inner.lean": ""})
    with Workspace.create(user) as workspace:
        assert {"dep/Dep.lean", "inner/Inner.lean", ".gitmodules"} <= names(workspace)
        assert set(workspace.nested) == {"dep", "inner"}
        assert not (workspace.files / "dep" / ".git").exists()


def test_a_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    user = repository(tmp_path / "user", {"folder/secret": "ours", "A.lean": ""})
    write(tmp_path / "outside", {"secret": "not ours"})
    (user / "folder" / "secret").unlink()
    (user / "folder").rmdir()
    (user / "folder").symlink_to(tmp_path / "outside")
    with Workspace.create(user) as workspace:
        assert names(workspace) == {"A.lean", "folder"}


def test_products_are_shared_and_cannot_be_harmed(tmp_path: Path) -> None:
    user = repository(tmp_path / "user", {"lakefile.toml": "", "A.lean": LEAN, ".gitignore": "/.lake\n"})
    packages = {".lake/packages/dep/Dep.lean": "-- dep", ".lake/build/lib/A.olean": "o", ".lake/build/lib/A.trace": "t"}
    write(user, {**packages, ".lake/config/x": "machine"})
    before = contents(user)
    with Workspace.create(user) as workspace:
        lake = workspace.files / ".lake"
        assert (lake / "packages").is_symlink() and (lake / "packages" / "dep" / "Dep.lean").read_text() == "-- dep"
        assert (lake / "build" / "lib" / "A.olean").is_symlink()
        assert not (lake / "config").exists()
        assert workspace.shared == (user / ".lake",)
        (lake / "build" / "lib" / "A.trace").write_text("new")
        (lake / "build" / "lib" / "A.olean.tmp").write_text("new")
        (lake / "build" / "lib" / "A.olean.tmp").replace(lake / "build" / "lib" / "A.olean")  # as Lean writes it
        assert workspace.beneath.read(".lake/packages/dep/Dep.lean", 100) == b"-- dep"
        with pytest.raises(UnsorryError, match="only read"):
            workspace.beneath.write(".lake/packages/dep/Dep.lean", b"")
        assert names(workspace) == {"lakefile.toml", "A.lean", ".gitignore"}
    assert contents(user) == before


def test_restore_makes_the_files_be_those_of_a_step(tmp_path: Path) -> None:
    user = repository(tmp_path / "user", {"A.lean": LEAN, "b/c/D.lean": "d", "keep": "k"})
    place = tmp_path / "run" / "workspace"
    with Workspace.create(user, place=place) as workspace:
        write(workspace.files, {"A.lean": "1", "e/F.lean": "f"})
        (workspace.files / "b" / "c" / "D.lean").unlink()
        (workspace.files / "keep").unlink()
        (workspace.files / "keep").symlink_to("A.lean")
        first = workspace.snapshot()
        workspace.restore(workspace.base)
        assert workspace.snapshot() == workspace.base
        assert (workspace.files / "A.lean").read_text() == LEAN
    with Workspace.open(place) as again:
        again.restore(first)
        assert again.snapshot() == first
        assert (again.files / "e" / "F.lean").read_text() == "f" and os.readlink(again.files / "keep") == "A.lean"
        assert not (again.files / "b").exists()
        with pytest.raises(UnsorryError, match="another process"):
            Workspace.open(place)
        again.remove()
    assert not place.exists()


def test_attempts_side_by_side(tmp_path: Path) -> None:
    user = repository(tmp_path / "user")
    write(user, {"dirty.lean": "-- dirty\n"})
    with Workspace.create(user) as first:
        write(user, {"dirty.lean": "-- edited meanwhile\n"})
        write(first.files, {"A.lean": "-- first\n"})
        with Workspace.create(user) as second, first.fork() as third:
            assert (second.files / "dirty.lean").read_text() == "-- edited meanwhile\n"
            assert (third.files / "dirty.lean").read_text() == "-- dirty\n"
            assert third.base == third.snapshot() == first.base
            write(third.files, {"A.lean": "-- third\n"})
            assert (first.files / "A.lean").read_text() == "-- first\n"
        assert (first.files / "A.lean").read_text() == "-- first\n"


KILLED = """
import os, sys
from pathlib import Path
from unsorry.scaffolds.agent.workspace import Workspace
workspace = Workspace.create(Path(sys.argv[1]), place=Path(sys.argv[2]) if len(sys.argv) > 2 else None)
(workspace.files / "shut").mkdir(mode=0)
print(workspace.place, flush=True)
sys.stdin.read()
"""


def started(*arguments: Path) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_process_left_is_removed_and_what_others_use_is_not(tmp_path: Path) -> None:
    user = repository(tmp_path / "user")
    dead, left = started(user)
    alive, used = started(user)
    kept, asked_for = started(user, tmp_path / "kept")
    assert left.is_dir() and used.is_dir()
    for process in (dead, kept):
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert left.is_dir()
    before = contents(user)
    with Workspace.create(user) as workspace:
        assert not left.exists()
        assert used.is_dir() and workspace.files.is_dir()
    assert contents(user) == before
    with Workspace.open(asked_for) as again:
        assert (again.files / "A.lean").read_text() == LEAN
    alive.communicate()
    assert places.sweep() == [used]


def test_faults_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = repository(tmp_path / "user")
    with pytest.raises(UnsorryError, match="not a folder"):
        Workspace.create(tmp_path / "nowhere")
    with pytest.raises(UnsorryError, match="no files to work on"):
        Workspace.create(user / ".git")
    with pytest.raises(UnsorryError, match="holds no workspace"):
        Workspace.open(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsorryError, match="cannot make a workspace"):
        Workspace.create(user, place=tmp_path / "file" / "place")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnsorryError, match="git is not installed"):
        Workspace.create(user)


def test_a_full_disk_loses_nothing_of_the_users(tmp_path: Path) -> None:
    full = Path("/dev/shm")
    if not full.is_dir() or os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(small)], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        user = repository(tmp_path / "user", {"A.lean": LEAN, "big": os.urandom(1 << 20)})
        before = contents(user)
        with pytest.raises(UnsorryError, match="No space left"):
            Workspace.create(user, place=small / "place")
        assert contents(user) == before
        assert not (small / "place").exists()
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_big_files_stay_behind_and_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unsorry.scaffolds.agent.carry.MAX_FILE", 1 << 20)
    user = repository(tmp_path / "user", {"A.lean": LEAN, "big": bytes(2 << 20)})
    with Workspace.create(user) as workspace:
        assert workspace.left_out == {"big": "2 MiB"}
        assert names(workspace) == {"A.lean"}
