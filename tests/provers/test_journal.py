"""The journal of paid answers: what was put is there after any crash, and nothing else is ever overwritten."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.provers.journal import FORMAT, Journal, key_of


def test_values_come_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "journal.jsonl"
    with Journal(path) as journal:
        assert journal.get("a") is None and len(journal) == 0
        journal.put("a", {"text": "ünï\n\ud800", "ids": [1, 2]})
        journal.put("b", None)
        journal.put("a", {"text": "later"})
        assert journal.get("a") == {"text": "later"} and "b" in journal
    with Journal(path) as journal:
        assert journal.get("a") == {"text": "later"} and journal.get("b") is None
        assert len(journal) == 2
    lines = path.read_bytes().split(b"\n")
    assert json.loads(lines[0]) == {"format": FORMAT} and len(lines) == 5


def test_a_torn_line_is_dropped_at_every_length(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.put("a", 1)
        whole = len(path.read_bytes())
        journal.put("b", 2)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with Journal(path) as journal:
            assert (journal.get("a") == 1) == (length >= whole)
            assert journal.get("b") is None
            journal.put("c", 3)
        with Journal(path) as journal:
            assert journal.get("c") == 3


def test_kill_at_any_moment_loses_nothing_that_was_put(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    script = (
        "import sys\nfrom pathlib import Path\nfrom unsorry.provers.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1]))\nstart = len(journal)\n"
        "for n in range(start, 10**9):\n    journal.put(str(n), 'x' * 3000)\n    print(n, flush=True)\n"
    )
    known = -1
    for lines in (1, 7, 23):
        process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(lines):
            known = max(known, int(process.stdout.readline()))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        known = max([known, *map(int, rest)])
        process.wait()
        with Journal(path) as journal:
            assert len(journal) >= known + 1
            assert all(journal.get(str(n)) == "x" * 3000 for n in range(known + 1))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"format": "unsorry-journal-0"}\n', "has format unsorry-journal-0, not unsorry-journal-1"),
        (b'{"format": "unsorry-journal-10"}\n', "has format unsorry-journal-10"),
        (b"a precious letter", "is no journal, or was damaged, at line 1"),
        (b"a precious letter\nof two lines\n", "is no journal, or was damaged, at line 1"),
        (b'["list"]\n', "is no journal, or was damaged, at line 1"),
        (b'{"format": "unsorry-journal-1"}\n{"key": "a"}\n{"key": "b", "value": 1}\n', "damaged, at line 2"),
        (b'{"format": "unsorry-journal-1"}\n\xff\n', "damaged, at line 2"),
    ],
)
def test_other_files_are_refused_and_left_alone(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(UnsorryError, match=message) as error:
        Journal(path)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == content


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path), pytest.raises(UnsorryError, match="is in use by another process"):
        Journal(path)
    Journal(path).close()


def test_what_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsorryError, match=r"cannot keep answers in .*file/journal: "):
        Journal(tmp_path / "file" / "journal")
    with pytest.raises(UnsorryError, match="Is a directory"):
        Journal(tmp_path)


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Journal(path) as journal:
            journal.put("a", "kept")
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
            with pytest.raises(UnsorryError, match=r"cannot keep answers in .*: File too large"):
                journal.put("b", "x" * 20_000)
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert journal.get("a") == "kept" and journal.get("b") is None
            journal.put("c", "after")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    with Journal(path) as journal:
        assert journal.get("a") == "kept" and journal.get("c") == "after" and "b" not in journal


def test_many_threads(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:

        def work(number: int) -> None:
            for at in range(20):
                journal.put(f"{number}/{at}", [number, at])

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with Journal(tmp_path / "journal") as journal:
        assert all(journal.get(f"{n}/{at}") == [n, at] for n in range(8) for at in range(20))


def test_keys() -> None:
    assert key_of({"a": 1, "b": [2]}, 3) == key_of({"b": (2,), "a": 1}, 3)
    assert key_of(1) != key_of("1") and key_of([1], 2) != key_of(1, [2])
    code = "from unsorry.provers.journal import key_of; print(key_of({'x': 1.5, 'y': 'ü'}))"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "5"},
    )
    assert printed.stdout.strip() == key_of({"y": "ü", "x": 1.5})
