"""Reading cases: what is right is read, what is damaged is one line that names the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import home, load, runnable
from unsorry.redteam.build import build
from unsorry.redteam.corpus import read

Write = Callable[..., Path]


def test_a_case_with_little_in_it(write: Write) -> None:
    case = read(write("small"))
    assert (case.id, case.kind, case.targets, case.needs) == ("small", "honest", ("t",), "core")
    assert case.verdict == ("accepted",) and case.reason == ()
    assert case.problem.source == "theorem t : True := by sorry\n"


def test_a_hostile_case_may_be_rejected_or_undecided(write: Write) -> None:
    assert read(write(kind='"hostile"')).verdict == ("rejected", "undecided")


def test_line_ends_belong_to_the_case(write: Write) -> None:
    folder = write()
    (folder / "submission.lean").write_bytes(b"theorem t : True :=\r\n  trivial")
    assert read(folder).submission == "theorem t : True :=\r\n  trivial"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"format": "2"}, "format is 2"),
        ({"format": "true"}, "format is True"),
        ({"format": None}, "format is None"),
        ({"kind": '"friendly"'}, "kind has 'friendly'"),
        ({"kind": "3"}, "kind must be a string"),
        ({"kind": None}, "kind is missing"),
        ({"targets": None}, "targets is missing"),
        ({"targets": "[]"}, "targets is missing or empty"),
        ({"targets": '"t"'}, "targets must be a list"),
        ({"targets": "[1]"}, "targets must be a list"),
        ({"id": '"another"'}, "is not the folder's name"),
        ({"needs": '"coq"'}, "needs has 'coq'"),
        ({"verdict": '["rejected"]'}, "a honest case whose right verdict is rejected"),
        ({"kind": '"hostile"', "verdict": '["accepted"]'}, "a hostile case whose right verdict is accepted"),
        ({"verdict": '["maybe"]'}, "verdict has 'maybe'"),
        ({"defence": '["Z"]'}, "defence has 'Z'"),
        ({"fools": '["everyone"]'}, "fools has 'everyone'"),
        ({"vectors": '["1"]'}, "vectors must be"),
        ({"vectors": "[true]"}, "vectors must be"),
        ({"seconds": "-1"}, "seconds must be"),
        ({"seconds": "nan"}, "seconds must be"),
        ({"seconds": '"5"'}, "seconds must be"),
        ({"secnods": "5"}, "no key 'secnods'"),
        ({"statement_": '"x"'}, "no key 'statement_'"),
        ({"targets": "[\n"}, "is not TOML"),
    ],
)
def test_a_damaged_case_is_one_line(write: Write, keys: dict[str, str | None], said: str) -> None:
    folder = write(**keys)
    with pytest.raises(UnsorryError) as error:
        load(folder.parent)
    assert said in str(error.value) and "case.toml" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("key", ["plant", "markers"])
@pytest.mark.parametrize(
    "path",
    [
        "/root/.bashrc",
        "relative",
        "/tmp/other",
        "/tmp/unsorry-redteam-/../../etc/passwd",
        "/tmp/../etc/unsorry-redteam-x",
        "/tmp/unsorry-redteam-a/b",
        "/tmp/unsorry-redteam-x\\n",
    ],
)
def test_a_case_cannot_name_files_of_the_users(write: Write, key: str, path: str) -> None:
    """The runner makes and removes these files: an outside corpus could otherwise empty any file."""
    with pytest.raises(UnsorryError, match="may not touch"):
        read(write(**{key: f'["{path}"]'}))


@pytest.mark.parametrize("name", ["PATH", "LD_PRELOAD", "UNSORRY_TOOLCHAIN", "UNSORRY_REDTEAM_x"])
def test_a_case_cannot_set_variables_of_the_users(write: Write, name: str) -> None:
    with pytest.raises(UnsorryError, match="may not touch"):
        read(write(environment=f'["{name}"]'))


def test_missing_odd_and_unreadable_files(write: Write, tmp_path: Path) -> None:
    folder = write()
    (folder / "submission.lean").unlink()
    with pytest.raises(UnsorryError, match=r"submission\.lean is missing"):
        read(folder)
    os.mkfifo(folder / "submission.lean")  # would block whoever opens it
    with pytest.raises(UnsorryError, match=r"submission\.lean is missing"):
        read(folder)
    (folder / "submission.lean").unlink()
    (folder / "submission.lean").write_bytes(b"theorem t : \xff")
    with pytest.raises(UnsorryError, match="not UTF-8: byte 12"):
        read(folder)
    with open(folder / "submission.lean", "wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(UnsorryError, match="larger than"):
        read(folder)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnsorryError, match="holds no case"):
        load(tmp_path / "empty")
    with pytest.raises(UnsorryError, match="is no folder"):
        load(tmp_path / "absent")


def test_any_depth_and_two_of_one_name(write: Write) -> None:
    one = write("hostile/a")
    write("more/hostile/b")
    assert [case.id for case in load(one.parents[1])] == ["a", "b"]
    write("again/a")
    with pytest.raises(UnsorryError, match="two cases that are called honest/a"):
        load(one.parents[1])


def test_needs(write: Write, embedded: Toolchain) -> None:
    for needs in ("core", "lean", "mathlib"):
        folder = write(needs, needs=f'"{needs}"')
    assert [case.id for case in runnable(load(folder.parent), embedded)] == ["core"]


def test_the_corpus_of_the_checkout_is_found() -> None:
    assert (home() / "hostile").is_dir()


def test_a_submission_that_is_a_folder(write: Write, tmp_path: Path) -> None:
    folder = write()
    inside = folder / "submission"
    (inside / "Deep").mkdir(parents=True)
    (folder / "submission.lean").rename(inside / "Main.lean")
    (inside / "Deep" / "Help.lean").write_text("theorem h : True := trivial\n")
    case = read(folder)
    assert case.submission == "theorem t : True := trivial\n"
    assert case.files == (("Deep/Help.lean", "theorem h : True := trivial\n"),)
    (inside / "link").symlink_to(tmp_path)
    with pytest.raises(UnsorryError, match="is a link"):
        read(folder)
    (inside / "link").unlink()
    (folder / "submission.lean").write_text("")
    with pytest.raises(UnsorryError, match="both"):
        read(folder)
    (folder / "submission.lean").unlink()
    (inside / "Main.lean").unlink()
    with pytest.raises(UnsorryError, match="is missing"):
        read(folder)


def test_changes_of_a_compiled_file(write: Write) -> None:
    changes = ["text ab cd", "append 0aff", "fill 0.5 ff", "truncate 0.9"]
    case = read(write(build=str(changes).replace("'", '"')))
    assert case.build == tuple(changes)
    assert build(b"ab______ab______", case.build) == b"cd______\xffd______"
    with pytest.raises(UnsorryError, match="does not contain"):
        build(b"", ["text ab cd"])


@pytest.mark.parametrize(
    "change", ["", "text a", "text a bc", "truncate 1", "truncate x", "append 0", "fill -1 00", "run id", "append  00"]
)
def test_what_is_no_change_is_one_line(write: Write, change: str) -> None:
    with pytest.raises(UnsorryError, match=r"case\.toml: build has .* no change"):
        read(write(build=f'["{change}"]'))
