"""Histories as nobody should write them, and repositories that want to run something: each commit is told of."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest
from made_history import ENVIRONMENT, History

from unsorry import UnsorryError
from unsorry.repos import history
from unsorry.repos.build import Range, Summary, build
from unsorry.repos.objects import Repository, Unreadable
from unsorry.repos.pull import Options
from unsorry.repos.tasks import Folder

SOMEBODY = b"A <a> 1700000000 +0000"
PROVED = "theorem proved : 1 + 1 = 2 := by\n  rfl\n"


def reasons(out: Path) -> dict[int, str]:
    return {one.number: one.reason for one in Folder(out).left_out()}


def numbers(out: Path) -> set[int]:
    return {task.pull_request.number for task in Folder(out).tasks()}


def made(repository: Path, out: Path, **which: object) -> Summary:
    return build(repository, out, Options(), Range(**which))  # type: ignore[arg-type]


@pytest.fixture
def town(tmp_path: Path) -> History:
    h = History(tmp_path / "town")
    h.commit("Begin (#1)", {"A.lean": "theorem a : True := trivial\n"})
    h.commit("feat: b (#2)", {"B.lean": PROVED.replace("proved", "b")})
    h.commit("feat: c (#3)", {"C.lean": PROVED.replace("proved", "c")})
    return h


def tree(h: History, lines: bytes) -> str:
    """A tree from raw lines, whatever they hold."""
    return write(h, b"tree", lines)


def write(h: History, kind: bytes, data: bytes) -> str:
    content = kind + b" %d\0" % len(data) + data
    name = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    path = h.folder / ".git" / "objects" / name[:2] / name[2:]
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(content))
    return name


def entry(mode: bytes, name: bytes, id: str) -> bytes:
    return mode + b" " + name + b"\0" + bytes.fromhex(id)


def grown(h: History, *lines: bytes) -> str:
    """The tree of the last commit with more entries behind its own."""
    argv = ["git", "cat-file", "tree", "HEAD^{tree}"]
    raw = subprocess.run(argv, cwd=h.folder, env=ENVIRONMENT, capture_output=True, check=True).stdout
    return tree(h, raw + b"".join(lines))


def commit(h: History, tree_id: str, message: bytes, *, parents: tuple[str, ...] = (), who: bytes = SOMEBODY) -> str:
    head = h.git("rev-parse", "HEAD")
    above = b"".join(b"parent " + p.encode() + b"\n" for p in parents or (head,))
    made_id = write(
        h, b"commit",
        b"tree " + tree_id.encode() + b"\n" + above + b"author " + who + b"\ncommitter " + who + b"\n\n" + message,
    )  # fmt: skip
    h.git("update-ref", "refs/heads/main", made_id)
    return made_id


def test_trees_that_nobody_can_check_out(town: History, tmp_path: Path) -> None:
    blob = write(town, b"blob", PROVED.encode())
    for number, name in ((4, b".git"), (5, b".."), (6, b"a/b"), (7, b".GIT"), (8, b""), (9, b".")):
        inner = tree(town, entry(b"100644", b"X.lean", blob))
        commit(town, tree(town, entry(b"40000", name, inner)), b"feat: odd (#%d)" % number)
    commit(town, tree(town, entry(b"100644", b"\xff.lean", blob)), b"feat: bytes (#10)")
    commit(town, tree(town, entry(b"120000", b"Link.lean", blob)), b"feat: a link (#11)")
    commit(town, tree(town, entry(b"777", b"Mode.lean", blob)), b"feat: a mode (#12)")
    commit(town, tree(town, b"100644 cut\0short"), b"feat: cut (#13)")
    commit(town, tree(town, entry(b"100644", b"Good.lean", blob)), b"feat: good again (#14)")
    made(town.folder, tmp_path / "out")
    found = reasons(tmp_path / "out")
    assert {n: found.get(n) for n in (4, 5, 6, 7, 8, 9, 10)} == dict.fromkeys((4, 5, 6, 7, 8, 9, 10), "path")
    assert {found[n] for n in (13, 14)} == {"unreadable-object"}
    assert {2, 3} <= numbers(tmp_path / "out")


def test_contents_that_are_no_lean(town: History, tmp_path: Path) -> None:
    odd: dict[int, bytes] = {
        4: b"-- \xff\xfe\n" + PROVED.encode(), 5: b"/- never ends\n", 6: b'"never ends\n', 7: b"\0" * 4096,
        8: b"(" * 200_000, 9: b"namespace a\n" * 900, 10: PROVED.encode() + b"-- " + b"x" * (5 << 20),
        11: b"", 12: b"\xef\xbb\xbf" + PROVED.encode(), 13: b"theorem", 14: b"theorem \xc2\xab",
    }  # fmt: skip
    for number, data in odd.items():
        town.commit(f"feat: odd (#{number})", {f"Odd{number}.lean": data})
    made(town.folder, tmp_path / "out")
    found = reasons(tmp_path / "out")
    assert {n for n in (4, 5, 6, 9) if found[n] == "unreadable"} == {4, 5, 6, 9}
    assert found[10] == "unreadable-object" and found[11] == "nothing-new"
    assert numbers(tmp_path / "out") == {2, 3, 12}
    task = next(t for t in Folder(tmp_path / "out").tasks() if t.pull_request.number == 12)
    assert "+\ufefftheorem proved : 1 + 1 = 2 := sorry\n".encode() in Folder(tmp_path / "out").stub_patch(task)


def test_commits_of_nobody(town: History, tmp_path: Path) -> None:
    nobody = (
        b"", b" <> ", b"A <a>", b"A <a> 99999999999999 +9999", b"A <a> -5 +0000", b"\xff <\xff> 1700000000 -0000",
    )  # fmt: skip
    for number, who in enumerate(nobody, 4):
        blob = write(town, b"blob", b"theorem nobody_%d : %d = %d := rfl\n" % (number, number, number))
        files = grown(town, entry(b"100644", b"N%d.lean" % number, blob))
        commit(town, files, b"feat: \xff nobody (#%d)\n\n\xfe" % number, who=who)
    head = town.git("rev-parse", "HEAD")
    octopus = grown(town, entry(b"100644", b"O.lean", write(town, b"blob", PROVED.encode())))
    commit(town, octopus, b"octopus (#10)", parents=(head, head, "1" * 40))
    commit(town, town.git("rev-parse", "HEAD^{tree}"), b"")
    made(town.folder, tmp_path / "out")
    told = {t.pull_request.number: t.pull_request for t in Folder(tmp_path / "out").tasks()}
    assert set(told) == set(range(2, 11))
    assert [told[n].date for n in range(4, 10)] == ["", "", "", "", "", "2023-11-14T22:13:20Z"]
    assert told[4].title == "feat: \ufffd nobody" and reasons(tmp_path / "out")[0] == "no-number"


def test_a_shallow_clone_and_missing_objects(town: History, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    town.git("clone", "-q", "--depth", "2", f"file://{town.folder}", str(clone))
    summary = made(clone, tmp_path / "out")
    assert numbers(tmp_path / "out") == {3} and reasons(tmp_path / "out") == {2: "no-base"}
    assert "shallow" in summary.broke_off
    lost = town.git("rev-parse", "HEAD~1:B.lean")
    (town.folder / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    damaged = town.git("rev-parse", "HEAD:C.lean")
    path = town.folder / ".git" / "objects" / damaged[:2] / damaged[2:]
    path.chmod(0o644)
    path.write_bytes(b"no zlib")
    made(town.folder, tmp_path / "again")
    assert reasons(tmp_path / "again") == {3: "unreadable-object", 2: "unreadable-object", 1: "root"}


def test_nothing_of_the_repository_runs(town: History, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external", "diff.x.textconv",
        "diff.x.command", "filter.x.smudge", "filter.x.clean", "filter.x.process", "uploadpack.packObjectsHook",
        "remote.origin.uploadpack", "core.gitProxy", "credential.helper", "core.alternateRefsCommand", "gpg.program",
    ):  # fmt: skip
        town.git("config", key, str(program))
    town.git("config", "core.hooksPath", str(tmp_path))
    for name in ("post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change"):
        shutil.copy(program, tmp_path / name)
    town.git("config", "remote.origin.url", f"ext::{program}")
    town.git("config", "remote.origin.promisor", "true")
    town.git("config", "extensions.partialClone", "origin")
    town.git("config", "core.repositoryFormatVersion", "1")
    town.git("config", "protocol.ext.allow", "always")
    (town.folder / ".gitattributes").write_text("* diff=x filter=x\n")
    (town.folder / "D.lean").write_text(PROVED)
    blob = write(town, b"blob", PROVED.replace("1 + 1", "3 - 1").encode())
    attributes = write(town, b"blob", b"* diff=x filter=x\n")
    head = tree(town, entry(b"100644", b".gitattributes", attributes) + entry(b"100644", b"D.lean", blob))
    commit(town, head, b"feat: d (#4)")
    gone = tree(town, entry(b"100644", b"Gone.lean", "2" * 40))
    commit(town, gone, b"feat: promised (#5)")
    mark.unlink(missing_ok=True)
    before = sorted(str(p) for p in (town.folder / ".git").rglob("*"))
    made(town.folder, tmp_path / "out")
    assert not mark.exists()
    assert numbers(tmp_path / "out") == {2, 3, 4} and reasons(tmp_path / "out")[5] == "unreadable-object"
    assert sorted(str(p) for p in (town.folder / ".git").rglob("*")) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository to another user")
def test_a_repository_of_another_user(town: History, tmp_path: Path) -> None:
    for where, folders, files in os.walk(town.folder):
        for name in [".", *folders, *files]:
            os.lchown(os.path.join(where, name), 12345, 12345)
    made(town.folder, tmp_path / "out")
    assert numbers(tmp_path / "out") == {2, 3}


def test_which_commits_are_read(town: History, tmp_path: Path) -> None:
    town.git("tag", "-a", "-m", "a tag", "v1", "HEAD~1")
    made(town.folder, tmp_path / "tag", head="v1")
    assert numbers(tmp_path / "tag") == {2}
    made(town.folder, tmp_path / "since", since="2023-11-17")
    assert numbers(tmp_path / "since") == {3}
    made(town.folder, tmp_path / "until", until="2023-11-17")
    assert numbers(tmp_path / "until") == {2}
    made(town.folder, tmp_path / "one", most_tasks=1)
    assert numbers(tmp_path / "one") == {3}
    bare = tmp_path / "bare.git"
    town.git("clone", "-q", "--bare", str(town.folder), str(bare))
    made(bare, tmp_path / "bare")
    assert numbers(tmp_path / "bare") == {2, 3}


def test_the_repository_of_sha256(tmp_path: Path) -> None:
    folder = tmp_path / "wide"
    folder.mkdir()
    h = History.__new__(History)
    h.folder, h.day = folder, 0
    h.git("init", "-q", "-b", "main", "--object-format=sha256", ".")
    h.commit("Begin", {"A.lean": "theorem a : True := trivial\n"})
    h.commit("feat: b (#2)", {"B.lean": PROVED})
    made(folder, tmp_path / "out")
    assert numbers(tmp_path / "out") == {2}


def test_faults_are_one_line(town: History, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    for repository, which, says in (
        (tmp_path / "plain", {}, "no git repository"), (tmp_path / "absent", {}, "no folder"),
        (town.folder, {"head": "absent"}, "no commit"), (town.folder, {"head": "HEAD:A.lean"}, "no commit"),
        (town.folder, {"head": "--upload-pack=x"}, "no commit"),
    ):  # fmt: skip
        with pytest.raises(UnsorryError, match=says) as told:
            made(repository, tmp_path / "out", **which)
        assert "\n" not in str(told.value)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(UnsorryError, match="not empty"):
        made(town.folder, tmp_path / "full")
    made(town.folder, tmp_path / "done")
    with pytest.raises(UnsorryError, match="holds a benchmark already"):
        made(town.folder, tmp_path / "done")


def test_an_object_that_is_too_large_is_passed_over(town: History) -> None:
    with Repository(town.folder) as repository:
        blob = write(town, b"blob", b"x" * 3_000_000)
        with pytest.raises(Unreadable, match="2 MiB, more than the 1 MiB"):
            repository.read(blob, 1 << 20)
        assert repository.read(blob)[1] == b"x" * 3_000_000
        with pytest.raises(Unreadable, match="missing"):
            repository.read("3" * 40)
        head = repository.resolve("HEAD")
        assert [c.number for c in history.walk(repository, head)] == [3, 2, 1]


@pytest.mark.parametrize(
    ("subject", "body", "told"),
    [
        ("feat: x (#12)", "why", (12, "feat: x", "why")),
        ('Revert "feat: x (#12)" (#13)', "", (13, 'Revert "feat: x (#12)"', "")),
        ("Merge pull request #7 from a/b", "\nTitle\n\nbody", (7, "Title", "body")),
        ("Merge pull request #7 from a/b", "", (7, "Merge pull request #7 from a/b", "")),
        ("Merge #5", "5: chore: y r=me a=you", (5, "chore: y", "")),
        ("Auto merge of #9 - a:b, r=c", "feat: z\n\nmore", (9, "feat: z", "more")),
        ("fixes #12", "", (0, "fixes #12", "")),
        ("(#12) first", "", (0, "(#12) first", "")),
        ("x (#9999999999999)", "", (0, "x (#9999999999999)", "")),
        ("", "", (0, "", "")),
    ],
)
def test_the_number_is_in_the_subject(subject: str, body: str, told: tuple[int, str, str]) -> None:
    assert history.pull_request(subject, body) == told


def test_the_command(town: History, tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        from sys import executable

        argv = [executable, "-m", "unsorry", "bench", "build", str(town.folder), "--source-only", *arguments]
        return subprocess.run(argv, capture_output=True, text=True, check=False, env={**os.environ, **ENVIRONMENT})

    done = run("-o", str(tmp_path / "out"), "-m", "prove", "-m", "open", "--json")
    assert done.returncode == 0 and '"tasks": 4' in done.stdout, done.stderr
    for wrong in (["-o", str(tmp_path / "x"), "-m", "guess"], ["-o", str(tmp_path / "x"), "--since", "soon"]):
        done = run(*wrong)
        assert done.returncode == 2 and done.stderr.startswith("unsorry: ") and done.stderr.count("\n") == 1


def test_a_tree_that_holds_more_than_anybody_has_time_for(town: History, tmp_path: Path) -> None:
    inner = tree(town, b"")
    for _ in range(12):
        inner = tree(town, b"".join(entry(b"40000", b"d%d" % n, inner) for n in range(10)))
    commit(town, grown(town, entry(b"40000", b"bomb", inner)), b"feat: a bomb (#4)")
    for _ in range(200):
        inner = tree(town, entry(b"40000", b"d", inner))
    commit(town, grown(town, entry(b"40000", b"deep", inner)), b"feat: deep (#5)")
    made(town.folder, tmp_path / "out")
    assert {n: reasons(tmp_path / "out")[n] for n in (4, 5)} == dict.fromkeys((4, 5), "unreadable-object")
    assert numbers(tmp_path / "out") == {2, 3}


def test_a_start_that_was_cut_short(town: History, tmp_path: Path) -> None:
    out = tmp_path / "out"
    made(town.folder, out)
    whole = {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    (out / "bench.toml").unlink()
    (out / "left-out.jsonl").rename(out / "left-out.jsonl.part")
    (out / "tasks" / "of-other-options").mkdir()
    made(town.folder, out)
    assert {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()} == whole
    assert not (out / "tasks" / "of-other-options").exists()
    (tmp_path / "mine" / "tasks").mkdir(parents=True)
    with pytest.raises(UnsorryError, match="not empty"):
        made(town.folder, tmp_path / "mine")
