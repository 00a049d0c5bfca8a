"""What a model may leave in its copy of the repository (links, pipes, devices, giants) and what our own process, which
runs as the user, then reads and writes there: nothing outside, and never for ever."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from lean_world import project, write

from unsorry import Problem, UnsorryError
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.inlined import inlined
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.lean_tools import LeanCheck, LeanGoal
from unsorry.scaffolds.agent.lemmas import Lemmas, UseLemmas
from unsorry.scaffolds.agent.notes import Notes, TakeNotes
from unsorry.scaffolds.agent.provers_tool import Provers, TryProvers, first_look
from unsorry.scaffolds.agent.targets import find_targets, importers
from unsorry.scaffolds.migrate.inline import inline

SECRET = "theorem secret_key : 1 = 1 := by sorry -- do not tell\n"
LEMMA = {
    "format": 1, "name": "stolen", "file": "A.lean", "header": "", "preamble": "", "opening": "", "closing": "",
    "statement": "theorem stolen : 1 = 1 := by sorry", "text": "theorem stolen : 1 = 1 := rfl", "digest": "",
    "axioms": [], "toolchain": "",
}  # fmt: skip


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the user's, outside of the copy."""
    return write(tmp_path / "home", {"secret.lean": SECRET, "lemma.json": json.dumps(LEMMA)})


@pytest.fixture
def copy(tmp_path: Path, secret: Path, embedded: Toolchain) -> Iterator[LeanProject]:
    opened = project(tmp_path / "copy", embedded, {"A.lean": "theorem a : 1 = 1 := rfl\n"})
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def never_for_ever() -> Iterator[None]:
    """Opening a pipe that nobody writes to, or reading /dev/zero, has no end of its own."""

    def late(_: int, __: FrameType | None) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(240)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def linked(at: Path, target: Path) -> None:
    at.parent.mkdir(parents=True, exist_ok=True)
    at.symlink_to(target)


def pipe(at: Path) -> None:
    at.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(at)


def zero(at: Path) -> None:
    linked(at, Path("/dev/zero"))


def giant(at: Path) -> None:
    """A terabyte, in a block."""
    at.parent.mkdir(parents=True, exist_ok=True)
    with at.open("wb") as file:
        file.truncate(1 << 40)


Odd = Callable[[Path], None]


@pytest.mark.parametrize("through", ["file", "folder"])
def test_notes_behind_a_link_are_neither_read_nor_written(copy: LeanProject, secret: Path, through: str) -> None:
    (secret / "notes.md").write_text(SECRET)
    if through == "file":
        linked(copy.root / ".unsorry" / "notes.md", secret / "notes.md")
    else:
        linked(copy.root / ".unsorry", secret)
    tool = TakeNotes(Notes(copy.root))
    for arguments in ({"action": "read"}, {"action": "append", "text": "x"}, {"action": "replace", "text": "x"}):
        told = tool.run(arguments)
        assert told.status == "error" and "secret_key" not in told.text and "behind a link" in told.text
    assert (secret / "notes.md").read_text() == SECRET


@pytest.mark.parametrize("odd", [pipe, zero, giant])
def test_notes_that_are_no_file_are_an_error(copy: LeanProject, odd: Odd) -> None:
    odd(copy.root / ".unsorry" / "notes.md")
    with pytest.raises(UnsorryError):
        Notes(copy.root).read()
    with pytest.raises(UnsorryError):
        Notes(copy.root).append("x")


@pytest.mark.parametrize("through", ["file", "folder"])
def test_lemmas_behind_a_link_are_left_out(copy: LeanProject, secret: Path, through: str) -> None:
    if through == "file":
        linked(copy.root / ".unsorry" / "lemmas" / "stolen.json", secret / "lemma.json")
    else:
        linked(copy.root / ".unsorry" / "lemmas", secret)
    found, bad = Lemmas(copy).list()
    assert not found
    assert "behind a link" in bad[0] and "1 = 1" not in bad[0]
    assert "no lemma" in UseLemmas(Lemmas(copy)).run({"action": "use", "name": "stolen"}).text


@pytest.mark.parametrize("odd", [pipe, zero, giant])
def test_lemmas_that_are_no_files_are_left_out(copy: LeanProject, odd: Odd) -> None:
    odd(copy.root / ".unsorry" / "lemmas" / "a.json")
    write(copy.root, {".unsorry/lemmas/b.json": json.dumps(LEMMA), ".unsorry/lemmas/c.json": "[" * 200_000,
                      ".unsorry/lemmas/d.json": json.dumps({**LEMMA, "text": "\ud800"})})  # fmt: skip
    found, bad = Lemmas(copy).list()
    assert [lemma.name for lemma in found] == ["stolen"]
    assert len(bad) == 3
    assert all(line.isprintable() for line in bad)


def asked(copy: LeanProject, file: str) -> list[tuple[str, Any]]:
    """Every tool that reads a file of the project, on this one."""
    path = Path(file)
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("check", lambda: LeanCheck(copy).run({"file": file})),
        ("behind", lambda: LeanCheck(copy).run({"file": file, "code": "#eval 1"})),
        ("goal", lambda: LeanGoal(copy).run({"file": file})),
        ("place", lambda: LeanGoal(copy).run({"file": file, "line": 1})),
        ("provers", lambda: TryProvers(Provers(copy)).run({"file": file})),
        ("first look", lambda: first_look(Provers(copy), [path])[0]),
        ("save", lambda: UseLemmas(Lemmas(copy)).run({"action": "save", "file": file, "name": "secret_key"})),
    ]
    answers = []
    for name, call in calls:
        try:
            answers.append((name, call()))
        except UnsorryError as error:
            answers.append((name, str(error)))
    return answers


def test_a_source_that_is_a_link_out_of_the_copy_is_not_read(copy: LeanProject, secret: Path) -> None:
    linked(copy.root / "B.lean", secret / "secret.lean")
    linked(copy.root / "Sub", secret)
    for file in ("B.lean", "Sub/secret.lean"):
        for name, answer in asked(copy, file):
            assert "secret_key" not in str(answer).replace("declares no secret_key", ""), name
    assert (secret / "secret.lean").read_text() == SECRET


@pytest.mark.parametrize("odd", [pipe, zero, giant])
def test_a_source_that_is_no_file_is_an_error_and_no_hang(copy: LeanProject, odd: Odd) -> None:
    odd(copy.root / "B.lean")
    for name, answer in asked(copy, "B.lean"):
        if not isinstance(answer, str):
            assert answer.status == "error", name
    assert [t.file for t in find_targets("", copy.root)] == []
    assert importers(copy.root, ["A.lean"]) == []


def test_a_link_that_is_swapped_in_after_the_look_leads_nowhere(
    copy: LeanProject, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check that a path stays inside is not what protects the read."""
    linked(copy.root / "B.lean", secret / "secret.lean")
    monkeypatch.setattr(copy.modules, "inside", lambda path: True)
    for name, answer in asked(copy, "B.lean"):
        assert "1 = 1" not in str(answer), name
    with pytest.raises(UnsorryError):
        copy.modules.read("B", copy.root / "B.lean")


@pytest.mark.parametrize("name", ["«{}»", "«..{}»", "«../home/secret»", "Sub.secret", "B"])
def test_an_import_does_not_lead_out_of_the_project(copy: LeanProject, secret: Path, name: str) -> None:
    """A name of a module may hold slashes and dots."""
    linked(copy.root / "B.lean", secret / "secret.lean")
    linked(copy.root / "Sub", secret)
    module = name.format(str(secret / "secret"))
    write(copy.root, {"C.lean": f"import {module}\n\ntheorem c : 1 = 1 := by sorry\n"})
    readers: tuple[Callable[[], str], ...] = (
        lambda: inline(copy.root, copy.root / "C.lean"),
        lambda: str(inlined(Problem("c", (copy.root / "C.lean").read_text(), ("c",)), copy.root)),
        lambda: LeanCheck(copy).run({"file": "C.lean"}).text,
    )
    for read in readers:
        try:
            assert "do not tell" not in read()
        except UnsorryError as error:
            assert "do not tell" not in str(error)
    assert {t.file for t in find_targets("", copy.root)} == {"C.lean"}


def test_targets_are_not_looked_for_through_links_nor_for_ever(copy: LeanProject, secret: Path) -> None:
    linked(copy.root / "B.lean", secret / "secret.lean")
    linked(copy.root / "Sub", secret)
    linked(copy.root / "Loop", copy.root)
    deep = copy.root / "deep"
    deep.mkdir()
    here = os.open(deep, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    try:
        assert find_targets("", copy.root) == ()
        assert find_targets("fill Sub/ and Loop/ please", copy.root) == ()
        assert importers(copy.root, ["A.lean"]) == []
        assert copy.modules.everything() == ["A"]
    finally:  # Python cannot remove it
        subprocess.run(["rm", "-rf", str(deep)], check=True)
