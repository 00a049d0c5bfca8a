"""The patch: all that changed, applied by the real git to a clean checkout; and nothing that the files say runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from repositories import LEAN, contents, git, repository, write

from unsorry.judge import sandbox
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.bash import Bash
from unsorry.scaffolds.agent.patch import Patch, make_patch
from unsorry.scaffolds.agent.workspace import Workspace


def applied(workspace: Workspace, patch: Patch, target: Path) -> dict[str, tuple[str, bytes]]:
    """What the plain `git apply` makes of a clean copy of the user's folder: by path, mode and bytes."""
    (target.parent / "the.patch").write_bytes(patch.text)
    git(target, "apply", "--check", str(target.parent / "the.patch"))
    git(target, "apply", "--whitespace=nowarn", str(target.parent / "the.patch"))
    return files(target)


def files(folder: Path) -> dict[str, tuple[str, bytes]]:
    found = {}
    for where, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f != ".git"]
        for name in names:
            path = Path(where, name)
            if name != ".git" and (path.is_symlink() or path.is_file()):
                data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
                kind = "link" if path.is_symlink() else "x" if path.stat().st_mode & 0o100 else "-"
                found[str(path.relative_to(folder))] = (kind, data)
    return found


def clone(user: Path, target: Path) -> Path:
    subprocess.run(["cp", "-a", "--no-preserve=ownership", str(user), str(target)], check=True)
    return target


def test_new_deleted_renamed_odd_names_modes_links_and_binaries(tmp_path: Path) -> None:
    long = "".join(f"line {i}\n" for i in range(40))
    user = repository(
        tmp_path / "user",
        {
            "A.lean": LEAN, "old/name.lean": long, "gone.lean": "x\n", "run.sh": "echo\n", "crlf.lean": "a\r\nb\r\n",
            "bin": b"\0\1\2", "no-newline": "end", "becomes-link": "x\n", "folder/x": "x\n", "ünï «x».lean": "u\n",
        },
    )  # fmt: skip
    write(user, {"A.lean": LEAN + "-- the user's uncommitted line\n", "untracked.lean": "-- theirs\n"})
    target = clone(user, tmp_path / "clean")
    before = contents(user)
    with Workspace.create(user, place=tmp_path / "place") as workspace:
        tree = workspace.files
        write(tree, {
            "A.lean": LEAN.replace("sorry", "simp") + "-- the user's uncommitted line\n", "crlf.lean": "a\r\nc\r\n",
            "bin": b"\0\1\3" * 100, "new/ünï.lean": "-- é\n", "-rf": "x", "--cached": "y", "a b": " \n",
            "no-newline": "end\n", "new\nline \"q\" \t": "z",
            "empty": "", "untracked.lean": "-- changed\n", "ünï «x».lean": "v\n", ".unsorry/notes.md": "notes",
        })  # fmt: skip
        (tree / "new" / "moved.lean").write_text(long.replace("line 7\n", "line seven\n"))
        (tree / "old" / "name.lean").unlink()
        (tree / "gone.lean").unlink()
        (tree / "run.sh").chmod(0o755)
        (tree / "becomes-link").unlink()
        (tree / "becomes-link").symlink_to("A.lean")
        (tree / "folder" / "x").unlink()
        (tree / "folder").rmdir()
        (tree / "folder").write_text("now a file\n")
        os.mkfifo(tree / "pipe")

        patch = make_patch(workspace)
        kinds = {change.path: change for change in patch.changes}
        assert kinds["new/moved.lean"].kind == "renamed" and kinds["new/moved.lean"].before == "old/name.lean"
        assert kinds["gone.lean"].kind == "deleted" and kinds["new/ünï.lean"].kind == "added"
        assert kinds["run.sh"].mode_changed and kinds["becomes-link"].new_mode == "120000"
        assert not any(path.startswith(".unsorry") for path in kinds)
        assert patch.left_out == {"pipe": "not a regular file"}
        assert b".unsorry" not in patch.text
        patch.text.decode("utf-8")

        wanted = files(tree)
        del wanted[".unsorry/notes.md"]
        assert applied(workspace, patch, target) == wanted
    assert contents(user) == before


def test_nothing_changed_is_no_patch(tmp_path: Path) -> None:
    with Workspace.create(repository(tmp_path / "user")) as workspace:
        patch = make_patch(workspace)
        assert not patch and patch.text == b"" and patch.changes == ()


def test_a_folder_without_git_gets_a_patch_too(tmp_path: Path) -> None:
    write(tmp_path / "user", {"A.lean": LEAN, "x": "x\n"})
    target = clone(tmp_path / "user", tmp_path / "clean")
    with Workspace.create(tmp_path / "user", place=tmp_path / "place") as workspace:
        write(workspace.files, {"A.lean": LEAN.replace("sorry", "rfl")})
        assert applied(workspace, make_patch(workspace), target) == files(workspace.files)


def test_a_patch_of_an_earlier_step(tmp_path: Path) -> None:
    with Workspace.create(repository(tmp_path / "user")) as workspace:
        write(workspace.files, {"A.lean": "-- 1\n"})
        first = workspace.snapshot()
        write(workspace.files, {"A.lean": "-- 2\n"})
        assert b"-- 1" in make_patch(workspace, first).text and b"-- 2" in make_patch(workspace).text


CONFIG = r"""[core]
    fsmonitor = touch TRAP/fsmonitor
    hooksPath = hooks
    pager = touch TRAP/pager
    sshCommand = touch TRAP/ssh
    editor = touch TRAP/editor
    attributesFile = ../.gitattributes
[diff]
    external = touch TRAP/external
[diff "x"]
    textconv = touch TRAP/textconv
    command = touch TRAP/command
[filter "x"]
    clean = touch TRAP/clean
    smudge = touch TRAP/smudge
    process = touch TRAP/process
    required = true
[merge "x"]
    driver = touch TRAP/driver
[alias]
    diff-tree = !touch TRAP/alias
"""
ATTACK = rf"""
rm -f .git; mkdir -p .git/hooks .git/info .git/objects .git/refs evil/.git/hooks sub/.GIT
cat > .git/config <<'END'
{CONFIG}END
for place in .gitconfig evil/config evil/.git/config sub/.GIT/config; do cp .git/config $place; done
echo 'ref: refs/heads/main' > .git/HEAD; echo 'ref: refs/heads/main' > evil/.git/HEAD
for hook in pre-commit post-checkout post-index-change reference-transaction pre-applypatch applypatch-msg update; do
  printf '#!/bin/sh\ntouch TRAP/hook\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook
  cp .git/hooks/$hook evil/.git/hooks/
done
printf '* filter=x diff=x merge=x text eol=crlf ident working-tree-encoding=UTF-16\n' > .gitattributes
cp .gitattributes .git/info/attributes
printf '[submodule "x"]\n\tpath = evil\n\turl = ext::touch%% TRAP/ext\n\tupdate = !touch TRAP/update\n' > .gitmodules
printf '#eval (IO.FS.writeFile "TRAP/lake" "" : IO Unit)\npackage evil\n' > lakefile.lean
echo 'evil:toolchain' > lean-toolchain
echo 'theorem one (n : Nat) : n + 0 = n := rfl' > A.lean
ln -s TRAP/secret leak; ln -s / root; ln -s ../../.. up; mkdir loop; ln -s . loop/loop
touch -- '--output=TRAP/output' '-o' '--exec=touch TRAP/exec' ':(exclude)*' '!important' '"quoted"' 'a
b'
exit 0
"""


def test_nothing_that_the_files_say_runs_or_is_followed(tmp_path: Path, embedded: Toolchain) -> None:
    """Hooks, configuration, filters, drivers, submodules, lakefiles, links and options, all written by the model."""
    if not sandbox.probe().strict:
        pytest.skip("no strict sandbox here")
    trap = tmp_path / "trap"
    trap.mkdir()
    trap.chmod(0o777)
    (trap / "secret").write_text("the secret")
    user = repository(tmp_path / "user")
    target = clone(user, tmp_path / "clean")
    before = contents(user)
    with Workspace.create(user, place=tmp_path / "place") as workspace:
        answer = Bash(workspace, embedded).run({"command": ATTACK.replace("TRAP", str(trap))})
        assert answer.status == "ok", answer.text
        tree = workspace.snapshot()
        patch = make_patch(workspace)
        assert os.listdir(trap) == ["secret"]
        paths = {change.path for change in patch.changes}
        assert {".gitattributes", ".gitmodules", "lakefile.lean", "leak", "root", "-o", ":(exclude)*", "a\nb"} <= paths
        assert not any(".git/" in path.lower() or "/etc" in path for path in paths)
        assert "evil/.git" in patch.left_out and "sub/.GIT" in patch.left_out
        assert b"the secret" not in patch.text
        assert b"GIT binary patch" not in patch.text  # readable, whatever .gitattributes says
        workspace.restore(workspace.base)
        workspace.restore(tree)
        assert workspace.snapshot() == tree
        assert os.listdir(trap) == ["secret"]
        applied(workspace, patch, target)
        assert (target / "A.lean").read_text() == "theorem one (n : Nat) : n + 0 = n := rfl\n"
        assert os.listdir(trap) == ["secret"]
        git(clone(workspace.files, tmp_path / "careless"), "status", check=False)
        assert len(os.listdir(trap)) > 1  # the trap works: on a plain git it would have closed
    assert contents(user) == before


def test_filters_and_drivers_of_the_users_own_configuration_do_not_run_on_what_a_model_wrote(tmp_path: Path) -> None:
    """They are the user's, but what they would be given and when is the model's choice."""
    trap = tmp_path / "trap"
    trap.mkdir()
    user = repository(tmp_path / "user")
    for key, value in {
        "filter.x.clean": f"touch {trap}/clean; cat", "filter.x.smudge": f"touch {trap}/smudge; cat",
        "diff.x.textconv": f"touch {trap}/textconv; cat", "diff.external": f"touch {trap}/external",
        "core.fsmonitor": f"touch {trap}/fsmonitor", "core.hooksPath": str(tmp_path / "hooks"),
    }.items():  # fmt: skip
        git(user, "config", key, value)
    write(tmp_path / "hooks", {"post-index-change": f"#!/bin/sh\ntouch {trap}/hook\n"})
    (tmp_path / "hooks" / "post-index-change").chmod(0o755)
    with Workspace.create(user) as workspace:
        write(workspace.files, {".gitattributes": "* filter=x diff=x\n", "A.lean": "-- changed\n"})
        assert b"-- changed" in make_patch(workspace).text
        workspace.restore(workspace.base)
    assert os.listdir(trap) == []
