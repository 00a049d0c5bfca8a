"""Folders of workspaces: made, locked, and removed when the process that had them is gone, however it ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.lean.embedded import cache_folder

OURS = ("files", "git", "state", "state.part", "clock", "bin", "lock")  # the lock last: until then it is ours


def temporary_home() -> Path:
    """A name for a workspace that goes with its process."""
    return cache_folder() / "workspaces" / os.urandom(8).hex()


def sweep(folder: Path | None = None) -> list[Path]:
    """Removes temporary workspaces whose process is gone, however it ended; returns what was removed."""
    folder = folder or temporary_home().parent
    removed = []
    with _creating(folder):
        for place in sorted(folder.iterdir()):
            if not place.is_dir() or place.is_symlink():
                continue
            held = lock(place)
            if held is not None:
                remove(place)
                os.close(held)
                removed.append(place)
    return removed


def make(home: Path, temporary: bool) -> int:
    """Makes the folder and takes its lock before anybody can think that it was given up."""
    try:
        with _creating(home.parent) if temporary else contextlib.nullcontext():
            home.mkdir(parents=True, exist_ok=not temporary, mode=0o700)
            held = lock(home)
    except OSError as error:
        raise UnsorryError(f"cannot make a workspace in {home}: {error.strerror or error}") from None
    if held is None:
        raise UnsorryError(f"another process works in {home}: wait for it, or name another folder")
    return held


@contextlib.contextmanager
def _creating(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnsorryError(
            f"cannot make workspaces in {folder}: {error.strerror or error}; set UNSORRY_CACHE to another folder"
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def lock(place: Path) -> int | None:
    """The open lock of a workspace; None where another process has it.  It is let go when its holder dies."""
    handle = os.open(place / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def remove(place: Path) -> None:
    """Removes what is ours, whatever modes its files have, and the folder if that leaves it empty."""
    for name in OURS:
        path = place / name
        if path.is_dir() and not path.is_symlink():
            with contextlib.suppress(RecursionError, OSError):
                shutil.rmtree(path, onerror=_again)
            if path.exists():  # folders in folders, thousands deep
                subprocess.run(["rm", "-rf", "--", str(path)], check=False, capture_output=True)
        else:
            path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        place.rmdir()


def _again(_: Any, path: str, __: Any) -> None:
    """A folder that its own owner may not enter; nothing runs in it any more."""
    with contextlib.suppress(OSError):
        for folder in (os.path.dirname(path), path):
            if os.path.isdir(folder) and not os.path.islink(folder):
                os.chmod(folder, 0o700)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)


def clock(place: Path) -> int:
    """The file system's time, in nanoseconds, as it stamps files."""
    handle = place / "clock"
    handle.touch()
    return handle.stat().st_mtime_ns
