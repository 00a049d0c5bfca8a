"""Edits: exact, whole or not at all, told with what changed, and never anywhere but in the workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from repositories import write

from unsorry.scaffolds.agent import Observation, Tool, ToolCall
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.agent.edit import CreateFile, EditFile, WriteFile
from unsorry.scaffolds.agent.toolbox import Toolbox

LEAN = "theorem a : 1 = 1 := by\n  sorry\n\ntheorem b : 2 = 2 := by\n  sorry\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write(tmp_path / "outside", {"victim.txt": "untouched\n"})
    root = tmp_path / "files"
    write(root, {"A.lean": LEAN, "sub/B.lean": "-- b\n"})
    return root


def call(tool: type, place: Path, **arguments: Any) -> Observation:
    made: Tool = tool(Beneath(place))
    return Toolbox([made]).call(ToolCall("1", made.spec.name, arguments, ""))


def test_one_match_is_replaced_and_what_changed_is_told(place: Path) -> None:
    observation = call(EditFile, place, path="A.lean", old="2 = 2 := by\n  sorry", new="2 = 2 := by\n  rfl")
    assert observation.status == "ok" and observation.data == {"path": "A.lean", "added": 1, "removed": 1}
    assert observation.text.splitlines()[0] == "A.lean replaced at line 4: 1 lines removed, 1 added"
    assert "-  sorry" in observation.text and "+  rfl" in observation.text
    assert (place / "A.lean").read_text() == LEAN[:-8] + "  rfl\n"


def test_no_match_names_the_nearest_lines(place: Path) -> None:
    observation = call(EditFile, place, path="A.lean", old="theorem b : 2 = 3 := by\n  sorry\n", new="x")
    assert (
        observation.status == "error" and "Nearest are lines 4-5; the first that differs is line 4" in observation.text
    )
    assert "'theorem b : 2 = 2 := by'" in observation.text and "'theorem b : 2 = 3 := by'" in observation.text
    spaces = call(EditFile, place, path="A.lean", old="theorem a : 1 = 1 := by\n\tsorry", new="x")
    assert "differ only in white space" in spaces.text and "line 2" in spaces.text
    assert "Nothing in the file is like it" in call(EditFile, place, path="A.lean", old="qqqq zzzz wwww", new="x").text
    assert (place / "A.lean").read_text() == LEAN


def test_several_matches_are_told_with_their_lines(place: Path) -> None:
    observation = call(EditFile, place, path="A.lean", old="  sorry\n", new="  rfl\n")
    assert observation.status == "error" and "occurs 2 times, on lines 2, 5" in observation.text
    assert (place / "A.lean").read_text() == LEAN
    observation = call(EditFile, place, path="A.lean", old="  sorry\n", new="  rfl\n", replace_all=True)
    assert "replaced at 2 places" in observation.text and "sorry" not in (place / "A.lean").read_text()


def test_nothing_but_the_text_changes(place: Path) -> None:
    mixed = b"\xef\xbb\xbfone\r\ntwo  \r\nthree\n\tfour\r\nno newline at the end"
    (place / "crlf.txt").write_bytes(mixed)
    (place / "crlf.txt").chmod(0o750)
    assert call(EditFile, place, path="crlf.txt", old="two  \nthree\n", new="2\n3\n").status == "ok"
    assert (place / "crlf.txt").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\n3\r\n\tfour\r\nno newline at the end"
    assert (place / "crlf.txt").stat().st_mode & 0o777 == 0o750
    for old in ("one\r\n", "one\n"):
        (place / "crlf.txt").write_bytes(mixed)
        assert call(EditFile, place, path="crlf.txt", old=old, new="").status == "ok"
        assert (place / "crlf.txt").read_bytes() == mixed.replace(b"one\r\n", b"")


def test_special_characters_are_no_patterns(place: Path) -> None:
    write(place, {"x": r"a \1 (b) $c [d] .*"})
    assert call(EditFile, place, path="x", old=r"(b) $c [d]", new=r"\g<0> \1 \n").status == "ok"
    assert (place / "x").read_text() == r"a \1 \g<0> \1 \n .*"


def test_creating_and_writing_whole_files(place: Path) -> None:
    assert "made, with 2 lines" in call(CreateFile, place, path="new/deep/C.lean", content="-- c\n-- d\n").text
    assert (place / "new" / "deep" / "C.lean").read_text() == "-- c\n-- d\n"
    assert "exists already" in call(CreateFile, place, path="A.lean", content="").text
    assert "1 lines removed, 2 added" in call(WriteFile, place, path="sub/B.lean", content="x\ny\n").text
    assert "make it with create_file" in call(WriteFile, place, path="none", content="").text
    assert "not changed" in call(WriteFile, place, path="sub/B.lean", content="x\ny\n").text
    assert "same text" in call(EditFile, place, path="sub/B.lean", old="x", new="x").text
    assert (place / "sub" / "B.lean").read_text() == "x\ny\n"


def test_what_is_no_text_is_refused(place: Path) -> None:
    write(place, {"latin": b"caf\xe9 x\n", "bin": b"x\0x", "big": "x" * (5 << 20)})
    assert "not UTF-8: byte 0xe9 at line 1" in call(EditFile, place, path="latin", old="x", new="y").text
    assert "not UTF-8" in call(WriteFile, place, path="latin", content="y").text
    assert "binary" in call(EditFile, place, path="bin", old="x", new="y").text
    assert "more than" in call(EditFile, place, path="big", old="x", new="y").text
    assert "no Unicode" in call(CreateFile, place, path="lone", content="\ud800").text
    assert (place / "latin").read_bytes() == b"caf\xe9 x\n" and not (place / "lone").exists()


@pytest.mark.parametrize(
    "path",
    [
        "out/victim.txt", "out/new.txt", "link", "dangling", "../outside/victim.txt", "../new.txt", "/etc/new.txt",
        ".git", ".git/config", ".git/hooks/post-checkout", "sub/.git/config", ".GIT/config", "git~1/config", "",
        "folder", "sub/../../outside/victim.txt", "pipe", "A.lean/x", ".", "via/victim.txt",
        "new/../../outside/new.txt",
    ],
)  # fmt: skip
def test_nothing_is_written_outside_or_into_git(place: Path, path: str) -> None:
    outside = place.parent / "outside"
    (place / "folder").mkdir()
    (place / "out").symlink_to(outside)
    (place / "via").symlink_to("out")
    (place / "link").symlink_to("../outside/victim.txt")
    (place / "dangling").symlink_to(outside / "made.txt")
    (place / ".git").mkdir()
    write(place / ".git", {"config": "[core]\n"})
    os.mkfifo(place / "pipe")
    before = {p: p.read_bytes() for p in (*outside.iterdir(), place / ".git" / "config")}
    for observation in (
        call(CreateFile, place, path=path, content="x"),
        call(WriteFile, place, path=path, content="x"),
        call(EditFile, place, path=path, old="untouched", new="x"),
        call(EditFile, place, path=path, old="[core]", new="[core]\n\tfsmonitor = x"),
    ):
        assert observation.status == "error" and observation.text
    assert {p: p.read_bytes() for p in (*outside.iterdir(), *(place / ".git").iterdir())} == before
    assert not Path("/etc/new.txt").exists() and not (place.parent / "new.txt").exists()


def test_a_second_name_of_a_file_outside_is_cut_off(place: Path) -> None:
    victim = place.parent / "outside" / "victim.txt"
    os.link(victim, place / "hard")
    assert call(EditFile, place, path="hard", old="untouched", new="changed").status == "ok"
    assert victim.read_text() == "untouched\n" and (place / "hard").read_text() == "changed\n"


def test_names_that_look_like_options(place: Path) -> None:
    for name in ("-rf", "--help", "-", "a b", "*"):
        assert call(CreateFile, place, path=name, content="x").status == "ok"
        assert call(EditFile, place, path=name, old="x", new="y").status == "ok"
        assert (place / name).read_text() == "y"
