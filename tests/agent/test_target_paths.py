"""Paths in the text of a task, whatever characters are in them: they are found, and nothing else is worked on."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from unsorry.scaffolds.agent.targets import Target, find_targets

HOLE = "theorem t : 1 = 1 := by\n  sorry\n"
FILES = (
    "Plain.lean", "File.lean", "My File.lean", "Two Words/Deep File.lean", "Größe/Übung.lean", "数/群 論.lean",
    "It's.lean", 'Say "so".lean', "a/b/C.lean", "Dots.v2.lean",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HOLE)
    (tmp_path / "Outside File.lean").write_text(HOLE)
    return tmp_path / "project"


def files(task: str, project: Path) -> list[str]:
    return [target.file for target in find_targets(task, project)]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "task", ["Fill every sorry in {}.", "- {}", '"{}"', "`{}`", "'{}'", "see ./{}: it is open", "({}), please", "{}"]
)
def test_a_path_is_found_whatever_is_in_it(project: Path, name: str, task: str) -> None:
    assert files(task.format(name), project) == [name]


def test_selectors_behind_odd_paths(project: Path) -> None:
    assert find_targets("`Two Words/Deep File.lean:Space.t`, My File.lean#L2 and 'It's.lean:t''", project) == (
        Target("It's.lean", "t'"), Target("My File.lean", "", 2), Target("Two Words/Deep File.lean", "Space.t"),
    )  # fmt: skip
    assert find_targets("Prove My File.lean:t.", project) == (Target("My File.lean", "t"),)


def test_the_longest_path_is_meant_and_several_are_found(project: Path) -> None:
    assert files("My File.lean", project) == ["My File.lean"]
    assert files("of my File.lean", project) == ["File.lean"]
    told = "Fill these:\n\n- Größe/Übung.lean\n- Two Words/Deep File.lean\n- 数/群 論.lean\nand a/b/C.lean, Plain.lean"
    assert sorted(files(told, project)) == sorted(
        ["Größe/Übung.lean", "Two Words/Deep File.lean", "数/群 論.lean", "a/b/C.lean", "Plain.lean"]
    )


def test_a_path_in_another_normal_form_is_the_same(project: Path) -> None:
    assert files(unicodedata.normalize("NFD", "Größe/Übung.lean"), project) == ["Größe/Übung.lean"]
    decomposed = unicodedata.normalize("NFD", "Äpfel.lean")
    (project / decomposed).write_text(HOLE)
    assert files("fill Äpfel.lean", project) == [decomposed]


def test_folders_with_spaces(project: Path) -> None:
    assert files("all of Two Words/ please", project) == ["Two Words/Deep File.lean"]
    assert files("everything below `Größe/`", project) == ["Größe/Übung.lean"]
    assert files("all of a/b", project) == ["a/b/C.lean"]


NOWHERE = (
    '"../Outside File.lean"', "`../Outside File.lean`", '"/etc/My File.lean"', '"~/My File.lean"', "../File.lean",
    "/etc/File.lean", "a/../../Plain.lean", "x-File.lean", "File.lean.bak", "File.leanx", "Elsewhere/File.lean",
)  # fmt: skip


@pytest.mark.parametrize("task", NOWHERE)
def test_no_path_outside_and_no_part_of_a_path(project: Path, task: str) -> None:
    """Nothing is named, so that every file with a sorry is worked on."""
    assert len(files(task, project)) == len(FILES)
    assert files(f"{task} and then Plain.lean", project) == ["Plain.lean"]
