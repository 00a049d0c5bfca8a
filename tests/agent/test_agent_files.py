"""Listing, searching, reading: bounded, told honestly, and never outside of the workspace."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from repositories import write

from unsorry import UnsorryError
from unsorry.scaffolds.agent import Observation, Tool, ToolCall
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.agent.files import MAX_ENTRIES, MAX_LINES, MAX_MATCHES, ListFiles, ReadFile, SearchFiles
from unsorry.scaffolds.agent.toolbox import Toolbox


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write(tmp_path / "outside", {"secret.txt": "the secret\n"})
    write(tmp_path / "shared" / "packages", {"dep/Dep.lean": "-- the dependency\n"})
    root = tmp_path / "files"
    write(root, {"A.lean": "theorem a : 1 = 1 := rfl\n", "sub/B.lean": "-- b\r\nsorry\r\n", "sub/deep/x/C.lean": "c"})
    write(root, {".git": "gitdir: /elsewhere\n", "bin": b"\0\1secret\2", "latin.txt": b"caf\xe9\n", "empty": ""})
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "up").symlink_to("../outside/secret.txt")
    (root / "in").symlink_to("sub")
    (root / "absolute").symlink_to(root / "A.lean")
    (root / "loop").symlink_to("loop")
    (root / ".lake").mkdir()
    (root / ".lake" / "packages").symlink_to(tmp_path / "shared" / "packages")
    os.mkfifo(root / "pipe")
    return root


def beneath(place: Path) -> Beneath:
    return Beneath(place, (place.parent / "shared",))


def call(tool: Tool, **arguments: Any) -> Observation:
    """As the loop does: through the toolbox, so that what is refused is an observation."""
    return Toolbox([tool]).call(ToolCall("1", tool.spec.name, arguments, ""))


@pytest.mark.parametrize(
    "path",
    [
        "up", "out/secret.txt", "../outside/secret.txt", "sub/../../outside/secret.txt", "/etc/passwd",
        "in/../../outside", ".git", "sub/.GIT/config", ".git. ", "GIT~1", "loop", "pipe", "", "A.lean/x", "\0",
        "x" * 5000, "~/x",
    ],
)  # fmt: skip
def test_what_leads_outside_or_nowhere_is_refused(place: Path, path: str) -> None:
    write(place, {"sub/.GIT/config": "secret"})
    for tool in (ReadFile(beneath(place)), SearchFiles(beneath(place))):
        if path == "" and isinstance(tool, SearchFiles):
            continue  # everything
        observation = call(tool, path=path, **({"pattern": "."} if isinstance(tool, SearchFiles) else {}))
        assert observation.status == "error" and "secret\n" not in observation.text
        assert "\n" not in observation.text


def test_links_that_stay_inside_are_followed_and_shared_folders_can_be_read(place: Path) -> None:
    read = ReadFile(beneath(place))
    assert "-- b" in call(read, path="in/B.lean").text
    assert "theorem a" in call(read, path="absolute").text
    assert "theorem a" in call(read, path=str(place / "A.lean")).text
    assert "the dependency" in call(read, path=".lake/packages/dep/Dep.lean").text
    assert "sub/deep/x/C.lean" in call(ListFiles(beneath(place)), path="in", depth=5).text
    found = call(SearchFiles(beneath(place)), pattern="dependency", path=".lake/packages")
    assert "the dependency" in found.text and found.data["matches"] == 1


def test_listing(place: Path) -> None:
    text = call(ListFiles(beneath(place)), depth=2).text
    assert "A.lean  25 B" in text and "sub/deep/  (1 entry)" in text and ".lake/  (1 entry)" in text
    assert "in  -> sub" in text and "pipe  (no regular file)" in text
    assert "gitdir" not in text and ".git" not in text
    assert call(ListFiles(beneath(place)), pattern="*.lean", depth=9).text.splitlines() == [
        "A.lean  25 B", "sub/B.lean  13 B", "sub/deep/x/C.lean  1 B",
    ]  # fmt: skip
    write(place, {f"many/{i:04}": "" for i in range(MAX_ENTRIES + 5)})
    observation = call(ListFiles(beneath(place)), path="many")
    assert observation.data == {"entries": MAX_ENTRIES, "complete": False} and "and more" in observation.text
    assert call(ListFiles(beneath(place)), path="A.lean").status == "error"


def test_reading_with_numbers_and_ranges(place: Path) -> None:
    write(place, {"long": "".join(f"line {i}\n" for i in range(1, 1001)), "wide": "x" * 100_000 + "\nend\n"})
    read = ReadFile(beneath(place))
    assert call(read, path="sub/B.lean").text == "sub/B.lean, lines 1-2 of 2\n    1  -- b\n    2  sorry"
    text = call(read, path="long").text
    assert text.startswith(f"long, lines 1-{MAX_LINES} of 1000; read on with start {MAX_LINES + 1}\n    1  line 1\n")
    assert call(read, path="long", start=999).text.splitlines()[1:] == ["  999  line 999", " 1000  line 1000"]
    assert call(read, path="long", start=5, end=5).text.splitlines()[1:] == ["    5  line 5"]
    assert call(read, path="long", start=2000).status == call(read, path="long", start=9, end=3).status == "error"
    assert len(call(read, path="wide").text) < 3000 and "98000 characters more" in call(read, path="wide").text
    assert call(read, path="empty").text == "empty is empty"


def test_binary_broken_and_huge_files(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = ReadFile(beneath(place))
    assert "binary file of 9 bytes" in call(read, path="bin").text
    broken = call(read, path="latin.txt")
    assert broken.status == "ok" and "not UTF-8" in broken.text and "caf\N{REPLACEMENT CHARACTER}" in broken.text
    with open(place / "huge", "wb") as file:
        file.truncate(1 << 40)  # sparse
    observation = call(read, path="huge")
    assert observation.status == "error" and "more than" in observation.text
    assert call(SearchFiles(beneath(place)), pattern="zzz").status == "ok"


def test_searching(place: Path) -> None:
    search = SearchFiles(beneath(place))
    assert call(search, pattern=r"^sorry$").text == "sub/B.lean:2: sorry"
    assert call(search, pattern="SORRY", ignore_case=True, glob="*.lean", context=1).text == (
        "sub/B.lean:1- -- b\nsub/B.lean:2: sorry\nsub/B.lean:3- \n--"
    )
    nothing = call(search, pattern="secret")  # not through links, and not in what is binary
    assert nothing.text == "No match for 'secret' in 5 files; 5 were left out: binary, very large, or links"
    assert call(search, pattern="theorem", path="A.lean").data["matches"] == 1
    wrong = call(search, pattern="(")
    assert wrong.status == "error" and "no regular expression" in wrong.text
    write(place, {"many.txt": "hit\n" * 1000, "wide.txt": "hit" + "x" * 100_000})
    many = call(search, pattern="hit")
    assert many.data == {"matches": MAX_MATCHES, "complete": False} and "and more" in many.text
    assert len(call(search, pattern="hit", path="wide.txt").text) < 1000


def test_a_pattern_that_never_ends_is_stopped_and_is_no_answer(place: Path) -> None:
    write(place, {"A.lean": "first hit\n", "B.lean": "a" * 60 + "b\n"})
    observation = call(SearchFiles(beneath(place), seconds=2.0), pattern="hit|(a|aa|aaa)+$", glob="*.lean")
    assert observation.status == "unknown" and "may be more" in observation.text
    assert "A.lean:1: first hit" in observation.text  # what was found until then is not lost
    observation = call(SearchFiles(beneath(place), seconds=2.0), pattern="(a|aa|aaa)+$", path="B.lean")
    assert observation.status == "unknown" and observation.data["complete"] is False


def test_a_name_swapped_for_a_link_between_two_looks_leads_nowhere(place: Path, tmp_path: Path) -> None:
    """What a process in the sandbox could do while a tool works: the open folder stays the one that was checked."""
    inside = beneath(place)
    with inside.find("sub/B.lean") as found:
        (place / "sub").rename(place / "moved")
        (place / "sub").symlink_to(tmp_path / "outside")
        (place / "moved" / "B.lean").unlink()
        (place / "moved" / "B.lean").symlink_to(tmp_path / "outside" / "secret.txt")
        from unsorry.scaffolds.agent.beneath import read_at, replace_at

        with pytest.raises(UnsorryError, match="it is a link"):
            read_at(found.folder, found.name, "sub/B.lean", 100)
        replace_at(found.folder, found.name, b"ours", 0o644)
    assert (tmp_path / "outside" / "secret.txt").read_text() == "the secret\n"
    assert (place / "moved" / "B.lean").read_text() == "ours"


def test_sockets_and_odd_names_are_listed(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(place)
        server.bind("sock")
        os.close(os.open(b"\xff\nname", os.O_CREAT))
        observation = call(ListFiles(beneath(place)))
    assert "sock  (no regular file)" in observation.text and observation.status == "ok"
