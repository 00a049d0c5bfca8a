"""Folders that are complete or absent: written beside their place, synced to the disk, then moved there.

A process killed at any point leaves the old folder, the new one, or both with the new one under a temporary name;
`sweep` removes such leftovers once the process that wrote them is gone.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unsorry import UnsorryError
from unsorry.durable import sync

_TEMPORARY = re.compile(r"\.(?P<name>.+)\.(?P<pid>\d+)\.(?P<start>\d+)\.(new|old)$")
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)
_AT_FDCWD = -100


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """An empty folder to write to; it becomes `target` when the block ends without an exception.

    What `target` held before is replaced as a whole.  Raises UnsorryError where the disk is full or not writable;
    nothing that the block wrote is left then.
    """
    target = Path(os.path.abspath(target))
    folder = _beside(target, "new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield folder
        _sync(folder)
        _replace(folder, target)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise disk_error(target, error) from None
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if no_space := _space_error(error):
            raise disk_error(target, no_space) from None
        raise


def sweep(parent: Path) -> None:
    """Remove temporary folders in `parent` whose writer no longer runs; one that was to be replaced is put back."""
    for path in parent.iterdir() if parent.is_dir() else ():
        found = _TEMPORARY.fullmatch(path.name)
        if found is None or _start_time(int(found["pid"])) == int(found["start"]):
            continue
        target = parent / found["name"]
        if path.name.endswith(".old") and not target.exists():
            path.rename(target)
        else:
            shutil.rmtree(path, ignore_errors=True)


def disk_error(path: Path, error: OSError) -> UnsorryError:
    """The one line that says why `path` could not be written."""
    advice = "free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "make it writable"
    return UnsorryError(f"cannot write {path}: {error.strerror or error}; {advice} and run again, nothing was lost")


def _beside(target: Path, suffix: str) -> Path:
    pid = os.getpid()
    return target.parent / f".{target.name}.{pid}.{_start_time(pid)}.{suffix}"


def _start_time(pid: int) -> int:
    """When a process started, in clock ticks since boot; 0 if there is none (a pid alone may be in use again)."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(text[text.rindex(")") + 2 :].split()[19])


def _sync(folder: Path) -> None:
    """Have the files of a folder and their names on the disk."""
    for path in (*sorted(folder.rglob("*")), folder):
        sync(path)


def _replace(folder: Path, target: Path) -> None:
    if not target.exists():
        folder.rename(target)
    elif _exchange(folder, target):
        shutil.rmtree(folder)
    else:  # a file system without an atomic exchange: `sweep` repairs a kill between the two renames
        old = _beside(target, "old")
        target.rename(old)
        folder.rename(target)
        shutil.rmtree(old)
    sync(target.parent)


def _exchange(first: Path, second: Path) -> bool:
    """Swap two paths in one step; False where the system cannot."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    return bool(renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _EXCHANGE) == 0)


def _space_error(error: BaseException) -> OSError | None:
    """The full disk behind an exception: safetensors and torch report it as text in errors of their own."""
    text = str(error)
    if isinstance(error, Exception) and re.search(r"[Nn]o space left on device|os error 28\b", text):
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if isinstance(error, RuntimeError) and re.search(r"PytorchStreamWriter failed|unexpected pos", text):
        return OSError(errno.ENOSPC, "the file could not be written in full")
    return None
